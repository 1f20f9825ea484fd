"""Whole battles at random: a setup from a number, played by sampled actions and answers.

The game master overrules such a battle, goes back in it and changes seats, as often as not while
questions are open.
"""

import contextlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from msgspec import UNSET

from service.engine.battle import fold
from service.engine.battle.actors import Actor
from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.errors import Malformed, Refused
from tests.kit.rig import RandomBattles
from tests.kit.table import Table, asked

Action = Mapping[str, Any]
Deed = Callable[[Table, Action, str], object]
Player = Callable[[str], str]

PLAYER_OF: Final = {"red": "ann", "blue": "bob", "green": "gm"}
BY_PLAYER: Final[Player] = PLAYER_OF.__getitem__
SAMPLES: Final = 8
ANSWERS: Final = 6


def by_master(side: str) -> str:
    """Everything is asked for by the game master."""
    return "gm"


def ask(table: Table, action: Action, by: str = "gm") -> None:
    """Take an action; where the table rolls its dice, the game master brings what is needed."""
    faces: tuple[int, ...] = ()
    dice = Random(f"{len(table.events)}")
    while True:
        try:
            table.ask(action, by, faces)
        except Refused as refused:
            if refused.code != "too_few_faces":
                raise
            faces += (dice.randint(1, int(str(refused.params["sides"]))),)
        else:
            return


def play(
    table: Table, number: int, events: int, *, by: Player = by_master, deed: Deed = ask
) -> None:
    """Start the battle and play so many actions, or until nobody can act.

    `by` says who acts for a side; `deed` takes each action.
    """
    dice = Random(number)
    ask(table, {"type": "start_encounter"})
    for _ in range(events):
        chosen = next_action(table, dice, by)
        if chosen is None:
            return
        deed(table, *chosen)


def next_action(
    table: Table, dice: Random, by: Player = by_master
) -> tuple[dict[str, Any], str] | None:
    """What happens next and who asks for it: an answer where one is awaited, else a sample."""
    if table.state.rule.pending:
        return random_answer(table, dice, by)
    turn = table.ruleset.turn(table.state.rule)
    if turn is None:
        return None
    if turn.combatant is not UNSET:
        who = by(table.combatant(turn.combatant).side)
        return dice.choice(table.samples(turn.combatant, SAMPLES, who)), who
    return deed_of_a_side(table, str(turn.side), dice, by)


def deed_of_a_side(
    table: Table, side: str, dice: Random, by: Player
) -> tuple[dict[str, Any], str] | None:
    """Something that the side with the turn does, or now and then the other one meanwhile."""
    others = [each.id for each in table.state.rule.sides if each.id != side]
    for whose in (dice.choice(others), side) if dice.random() < 0.1 else (side,):
        who = by(whose)
        actors = [actor for actor in table.speakers(who) if is_of(table, actor, whose)]
        if actors:
            return dice.choice(table.samples(dice.choice(actors), SAMPLES, who)), who
    return None


def is_of(table: Table, actor: Actor, side: str) -> bool:
    """Whether somebody is of a side, or is that side."""
    if actor.side is not UNSET:
        return actor.side == side
    sides: set[str] = {
        each.side
        for each in table.state.rule.combatants
        if each.id == actor.combatant or getattr(each, "unit", UNSET) == actor.unit
    }
    return sides == {side}


def random_answer(table: Table, dice: Random, by: Player) -> tuple[dict[str, Any], str]:
    """An answer to one of the open decisions, in any order; now and then none is given."""
    decision = dice.choice(table.state.rule.pending[-1].decisions)
    answer = {"type": "answer", "decision_id": decision.id}
    if decision.kind == "roll":
        who = decision.seat or next((by(side) for side in [decision.side] if side), "gm")
        return {**answer, "choice": {"type": "roll"}}, who
    who = by(decision.side)
    chance = dice.random()
    if chance < 0.1:
        return {"type": "force_pass", "decision_id": decision.id}, "gm"
    if chance < 0.2:
        return {**answer, "choice": {"type": "pass", "reason": "timeout"}}, who
    return dice.choice(table.samples(asked(decision), ANSWERS, who)), who


def refolded(table: Table) -> State[Any]:
    """The state that the stored events give, read back one after another."""
    created: Any = table.stored(1).effects[0]
    terms = table.state.terms
    states: dict[int, State[Any]] = {
        0: State(fold.blank(table.ruleset, created), Linear(), terms),
    }
    for seq in range(1, len(table.events) + 1):
        event = table.stored(seq)
        before = State(states[event.base].rule, states[seq - 1].linear, terms)
        states[seq] = fold.apply(table.ruleset, before, event)
    return states[len(table.events)]


class Overruled:
    """Takes what is sampled; sometimes the game master changes something or goes back.

    Both come while decisions are open as often as not, and so do changes of `seats`.
    """

    def __init__(
        self,
        battles: RandomBattles,
        number: int,
        seats: Callable[[Table], object] = lambda table: None,
    ) -> None:
        self._battles = battles
        self._dice = Random(number)
        self._seats = seats

    def __call__(self, table: Table, action: Action, by: str) -> None:
        ask(table, action, by)
        self._seats(table)
        self._battles.require_sound(table.state.rule)
        chance = self._dice.random()
        if chance < 0.1:
            ask(table, {"type": "rewind", "to": self._dice.randint(2, len(table.events))})
        elif chance < 0.35:
            with contextlib.suppress(Refused, Malformed):
                ask(table, self._ruling(table))
        self._seats(table)
        self._battles.require_sound(table.state.rule)

    def _ruling(self, table: Table) -> Action:
        """Somebody is changed or taken away; where an action waits, it may be over with that."""
        ids = [each.id for each in table.state.rule.combatants]
        asked = [who for _, who in table.questions if who in ids]
        if asked and table.turn is not None:
            who = self._dice.choice([*asked, *asked, table.turn])
            blow = self._dice.choice(self._battles.blows)
            return {"type": "adjust", "changes": [{**blow, "combatant": who}]}
        if len(ids) > 3 and self._dice.random() < 0.2:
            return {"type": "remove_combatant", "combatant": self._dice.choice(ids)}
        return {"type": "adjust", "changes": [self._battles.change(self._dice, ids)]}
