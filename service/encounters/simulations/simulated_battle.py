"""One battle played to its end in memory, every side by its own policy.

How this works. Each side has one seat, which controls it and knows its secrets; the game master has
none and only closes questions that nobody can answer and ends turns in which nothing can be done.
All dice come from the key of the battle, event by event as in a stored one; what the policies pick
comes from a stream of the same key that no dice are taken from. So a battle follows from its number
and the seed of the request, whoever plays it and next to how many others.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.simulations.messages import BattleEnd, Policy
from service.encounters.simulations.policies import Chooser, ChosenAction, Menu
from service.engine.battle import decide, fold
from service.engine.battle.actors import Actor
from service.engine.battle.linear import Linear, Seat
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, is_out
from service.engine.battle.seats import entitle
from service.engine.battle.state import RuleState, State
from service.engine.battle.turn import TurnHolder
from service.engine.dice.dice import DiceStream, SealedDice
from service.engine.kit.legal_actions import sources_for, sources_of
from service.engine.ruleset.definition import Ruleset
from service.engine.ruleset.legal_nodes import NodeSource
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Malformed, Refused

MASTER: Final = By(kind="key", id="simulation", role="gm")
"""How a simulated battle names its game master; nobody reads it."""

PICKS: Final = 128
"""The stream that choices are picked from: sides have lower numbers, the game master 255."""

TRIES: Final = 4
"""So often a policy may choose what the rules then refuse, before somebody else continues."""

MOST_EVENTS: Final = 5_000
"""Events after which a battle counts as undecided, whatever its rounds."""

_REFUSALS = (Refused, Forbidden, Malformed)


class RefusedStart(NamedTuple):
    """Why a battle did not begin as it was to: the action `at` that index, or else its start."""

    error: Refused | Forbidden | Malformed
    at: int | msgspec.UnsetType = msgspec.UNSET


class SimulatedBattle:
    """A battle that continues from `rule`, for `max_rounds` at most."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        rule: RuleState,
        blobs: Mapping[str, object],
        key: bytes,
        policies: Mapping[str, Policy],
        max_rounds: int,
    ) -> None:
        self._ruleset = ruleset
        self._key = key
        self._picks = DiceStream(key, 0, PICKS)
        self._policies = policies
        self._max_rounds = max_rounds
        self._able = frozenset(each.id for each in rule.combatants if not is_out(each))
        self._first_round = rule.round
        self._winner: str | msgspec.UnsetType = UNSET
        self._seq = 1
        self._last: dict[str, ChosenAction] = {}
        terms = ruleset.terms(blobs)
        self._state: State[Any] = State(rule=rule, linear=_linear(rule), terms=terms)

    def begin(self, actions: Sequence[do.Action]) -> RefusedStart | None:
        """Take the game master's actions, up to the first that is refused, and start.

        A battle that runs already needs no start; one that is refused it is not played. Gives what
        was refused first.
        """
        refusal = None
        for index, action in enumerate(actions):
            if isinstance(action, do.StartEncounter) and self._status == "running":
                continue
            try:
                self._act(action, MASTER)
            except _REFUSALS as error:
                refusal = RefusedStart(error, index)
                break
        if self._status == "setup":
            try:
                self._act(do.StartEncounter(), MASTER)
            except _REFUSALS as error:
                refusal = refusal or RefusedStart(error)
        self._first_round = self._state.rule.round
        return refusal

    def play(self) -> BattleEnd:
        """Play it to its end."""
        while True:
            end = self._end()
            if end is not None:
                return end
            if self._status == "setup":
                return self._ended(is_decided=False)
            if self._seq > MOST_EVENTS or not self._go_on():
                return self._ended(is_decided=False)

    @property
    def _status(self) -> str:
        return str(self._state.rule.status)

    def _end(self) -> BattleEnd | None:
        """How it ended, if it has."""
        rule = self._state.rule
        if rule.status == "ended":
            return self._ended(is_decided=True)
        able = dict.fromkeys(each.side for each in rule.combatants if not is_out(each))
        if len(able) <= 1:
            self._winner = next(iter(able), UNSET)
            return self._ended(is_decided=True)
        if rule.round - self._first_round >= self._max_rounds:
            return self._ended(is_decided=False)
        return None

    def _ended(self, *, is_decided: bool) -> BattleEnd:
        rule = self._state.rule
        there = {each.id for each in rule.combatants if not is_out(each)}
        return BattleEnd(
            winner=self._winner,
            is_decided=is_decided,
            rounds=min(rule.round - self._first_round + 1, self._max_rounds),
            out=frozenset(self._able - there),
        )

    def _go_on(self) -> bool:
        """One more event; False where nobody can do anything."""
        rule = self._state.rule
        if rule.pending:
            return self._answer(rule.pending[-1].decisions[0])
        turn = self._ruleset.turn(rule)
        if turn is None:
            return any(self._of_side(side.id) for side in rule.sides)
        if isinstance(turn.combatant, str):
            return self._of_combatant(turn.combatant) or self._end_turn(turn)
        return self._of_turn(turn) or self._end_turn(turn)

    def _answer(self, decision: Decision) -> bool:
        """Somebody answers the question; if nobody can, the game master closes it.

        Dice that a table was asked for come from the key of the battle like all others.
        """
        if decision.roll is not UNSET and self._tried(self._read(_rolled(decision)), MASTER):
            return True
        actor, side = Actor(side=decision.side), decision.side
        if decision.combatant is not UNSET:
            actor = Actor(combatant=decision.combatant)
            about = combatant_of(self._state.rule, decision.combatant)
            side = side if about is None or side is not UNSET else about.side
        if isinstance(side, str) and self._chosen(side, self._sources_of(actor, side)):
            return True
        return self._tried(do.ForcePass(decision_id=decision.id), MASTER)

    def _of_combatant(self, combatant: str) -> bool:
        there = combatant_of(self._state.rule, combatant)
        if there is None or is_out(there):
            return False
        return self._chosen(there.side, self._sources_of(Actor(combatant=combatant), there.side))

    def _of_turn(self, turn: TurnHolder) -> bool:
        """Whoever may act in the turn of a side or a unit."""
        sides = [turn.side] if isinstance(turn.side, str) else []
        if not sides:
            named = (combatant_of(self._state.rule, each) for each in turn.combatants)
            sides = list(dict.fromkeys(each.side for each in named if each is not None))
        return any(self._of_side(side) for side in sides)

    def _of_side(self, side: str) -> bool:
        return self._chosen(side, sources_for(self._ruleset, self._state, _by(side)))

    def _sources_of(self, actor: Actor, side: str) -> Sequence[NodeSource]:
        try:
            return sources_of(self._ruleset, self._state, actor, _by(side))
        except Refused:
            return ()

    def _chosen(self, side: str, sources: Sequence[NodeSource]) -> bool:
        """Let a side choose among these, and do that."""
        menu = Menu(sources, self._last.get(side))
        chooser = Chooser(
            self._ruleset,
            self._policies.get(side, "random"),
            _by(side),
            side,
            lambda n: self._picks.face(n) - 1 if n > 1 else 0,
        )
        for _ in range(TRIES if sources else 0):
            choice = chooser.choose(self._state, menu, self._seq + 1)
            if choice is not None and self._tried(self._read(choice), _by(side)):
                self._last[side] = choice
                return True
        return False

    def _end_turn(self, turn: TurnHolder) -> bool:
        return self._tried(turn.ending, MASTER)

    def _read(self, choice: ChosenAction) -> do.Action:
        action: do.Action = msgspec.convert(choice, self._ruleset.action)
        return action

    def _tried(self, action: do.Action, by: By) -> bool:
        try:
            self._act(action, by)
        except _REFUSALS:
            return False
        return True

    def _act(self, action: do.Action, by: By) -> None:
        """Decide an action and take what follows. Raises Refused, Forbidden, Malformed."""
        seq = self._seq + 1
        dice = SealedDice(self._key, seq)
        effects = decide.decide(self._ruleset, self._state, action, by, seq, dice)
        event = self._ruleset.event(
            seq=seq,
            base=seq - 1,
            encounter="",
            at="",
            by=by,
            action=action,
            draws=tuple(dice.draws),
            effects=effects,
        )
        after = fold.apply(self._ruleset, self._state, event)
        self._state = State(rule=after.rule, linear=after.linear, terms=self._state.terms)
        self._seq = seq
        for effect in effects:
            if isinstance(effect, fx.EncounterEnded):
                self._winner = effect.winner


def _rolled(decision: Decision) -> ChosenAction:
    """The answer to a question for dice."""
    return {"type": "answer", "decision_id": decision.id, "choice": {"type": "roll"}}


def _by(side: str) -> By:
    """The seat of a side."""
    return By(kind="seat", id=side, role="player", seat=side)


def _linear(rule: RuleState) -> Linear:
    """A seat for each side. No more is known of the battle that this one continues."""
    seats = (Seat(id=side.id, role="player", sides=(side.id,)) for side in rule.sides)
    known = tuple(entitle(seat, rule.sides, rule.combatants) for seat in seats)
    number = max((each.number for each in rule.combatants), default=0) + 1
    return replace(Linear(), seats=known, next_number=number)
