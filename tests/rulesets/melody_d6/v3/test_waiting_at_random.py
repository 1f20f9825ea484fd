"""Whatever changes while an action waits: it continues as if it was asked for now, or it stops."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.dice.dice import SealedDice
from service.engine.log.canonical import encode
from service.engine.vocabulary.values import By, DiceMode, Place
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Charge, DampenLasting, Mask, Move, Sing
from service.rulesets.melody_d6.deciding import moves
from service.rulesets.melody_d6.deciding.requirements import is_able
from service.rulesets.melody_d6.deciding.resume import waiting_for
from service.rulesets.melody_d6.points import PATH_START
from service.rulesets.melody_d6.remainders import (
    DampenRemainder,
    MoveRemainder,
    RevealRemainder,
)
from service.rulesets.melody_d6.state import BattleState
from tests.kit.draw_names import require_named_draws
from tests.kit.random_battles import BY_PLAYER, ask, random_answer, refolded
from tests.kit.table import GM, PEOPLE, SEED, Table, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.melody_d6.v3.battles import THIRD
from tests.rulesets.melody_d6.v3.waiting import CHANGES, WAITING, Tree, change, settle
from tests.soak import with_soak

ANN: Final = PEOPLE["ann"]
JUDGED: Final = Move | Charge | Mask | Sing | DampenLasting
Stop = tuple[str, str, str | None]
BEHIND: Final = frozenset({"engaged", "path_blocked"})
"""Refusals of a whole path that may be about the part of it that is walked."""


class Continuation:
    """An event in which an action that waited continues: the battle of that moment, and its end."""

    def __init__(self, table: Table, seq: int) -> None:
        before: Any = table.rules[event_base(table, seq)]
        event = table.events[seq - 1]
        [decision] = before.pending[-1].decisions
        self.action, self.remainder = waiting_for(before, decision)
        self.effects = event.effects
        self.seq = seq
        rule: Any = before
        for each in event.effects:
            rule = THIRD.evolve(rule, each)
            if each.__struct_config__.tag == "decision_closed":
                break
        self.now: BattleState = rule
        self.terms = table.terms
        self.linear = table.state.linear

    @property
    def has_set_out(self) -> bool:
        """Whether steps of a movement are made."""
        return isinstance(self.remainder, MoveRemainder) and self.remainder.used != PATH_START

    @property
    def stops(self) -> list[Stop]:
        """What of it has ended, with the code and the rule."""
        found = [each for each in tree_of(self.effects) if each["type"] == "action_stopped"]
        return [(each["combatant"], each["code"], each.get("rule")) for each in found]

    def expected(self) -> list[Stop]:
        """What would be refused of the action if it was asked for now."""
        action = self.action
        if isinstance(action, Mask):
            parts = [(each, Mask(combatants=(each,))) for each in action.combatants]
            return [stop for who, part in parts for stop in self._refused(who, part)]
        if not isinstance(action, JUDGED) or isinstance(self.remainder, RevealRemainder):
            return []
        if isinstance(self.remainder, MoveRemainder):
            mover = existing(self.now, action.combatant)
            if is_able(mover) and not moves.is_on_its_way(mover, self.remainder):
                return [(mover.id, "put_elsewhere", "ML-WAIT-1")]
        return list(self._refused(action.combatant, action))

    def _refused(self, who: str, action: Any) -> Iterator[Stop]:
        try:
            decide(self.given_back(), action, ANN, self.seq)
        except Refused as refusal:
            yield who, refusal.code, refusal.rule

    def given_back(self) -> State[BattleState]:
        """The battle of now as if the action had not been asked for yet."""
        rule, action = self.now, self.action
        if isinstance(action, Mask):
            forces = tuple(
                replace(each, fp=each.fp + rule.options.mask_fp_cost)
                if each.side == "red"
                else each
                for each in rule.forces
            )
            rule = replace(rule, forces=forces, mask_declared=False)
        elif isinstance(action, DampenLasting):
            forces = tuple(
                replace(each, dampenings=0) if each.side == "red" else each for each in rule.forces
            )
            songs = tuple(replace(each, dampened_in=0) for each in rule.songs)
            rule = replace(rule, forces=forces, songs=songs)
        elif isinstance(action, Move | Charge | Sing):
            paid: dict[str, Any] = {"acted": False}
            if isinstance(self.remainder, MoveRemainder):
                start = self.remainder.start
                paid = {"moved": False, "place": Place(x=start.x, y=start.y)}
            people = tuple(
                replace(each, **paid) if each.id == action.combatant else each
                for each in rule.combatants
            )
            rule = replace(rule, combatants=people)
        rule = replace(rule, pending=())
        return State(rule=rule, linear=self.linear, terms=self.terms)


def event_base(table: Table, seq: int) -> int:
    base: int = table.events[seq - 1].base
    return base


def decide(state: State[BattleState], action: Any, by: By, seq: int) -> tuple[Any, ...]:
    """The effects of an action on a state, with dice of that event."""
    return THIRD.decide(state, action, by, seq, SealedDice(bytes(32), seq, seed=SEED))


def continuations(table: Table, since: int) -> Iterator[Continuation]:
    """The events after `since` in which an action that waited continued."""
    for seq in range(since + 1, len(table.events) + 1):
        before = table.rules[event_base(table, seq)]
        closed = [e for e in table.events[seq - 1].effects if is_closing(e)]
        if before.pending and before.pending[-1].suspended is not UNSET and closed:
            yield Continuation(table, seq)


def is_closing(effect: Any) -> bool:
    return effect.__struct_config__.tag == "decision_closed" and effect.how is not UNSET


def passed(state: State[BattleState], action: Any, seq: int) -> tuple[BattleState, int]:
    """The battle after an action at which everybody passes, and how many dice were drawn."""
    dice = SealedDice(bytes(32), seq, seed=SEED)
    rule, by = state.rule, ANN
    while True:
        now = State(rule=rule, linear=state.linear, terms=state.terms)
        for each in THIRD.decide(now, action, by, seq, dice):
            rule = THIRD.evolve(rule, each)
        if not rule.pending:
            return rule, len(dice.draws)
        [decision] = rule.pending[-1].decisions
        tree = {"type": "answer", "decision_id": decision.id, "choice": {"type": "pass"}}
        action, by = msgspec.convert(tree, THIRD.action), GM


def without_marks(table: Table, state: State[BattleState], declared: int) -> State[BattleState]:
    """The battle without the conditions that an action's declaration gave and took.

    What it took is given back to whom what it gave has not left, as it leaves who falls.
    """
    after = [effect for event in table.events[declared:] for effect in event.effects]
    fallen = {each.combatant for each in after if isinstance(each, own.Felled)}
    people = list(state.rule.combatants)
    for effect in table.events[declared - 1].effects:
        if not isinstance(effect, own.ConditionGained | own.ConditionLost):
            continue
        [nth] = [n for n, each in enumerate(people) if each.id == effect.combatant]
        held = tuple(each for each in people[nth].conditions if each != effect.condition)
        if isinstance(effect, own.ConditionLost) and effect.combatant not in fallen:
            held = (*held, effect.condition)
        people[nth] = replace(people[nth], conditions=held)
    return replace(state, rule=replace(state.rule, combatants=tuple(people)))


def ordered(rule: BattleState) -> bytes:
    """A battle, whatever the order in which conditions began."""
    people = tuple(
        replace(each, conditions=tuple(sorted(each.conditions))) for each in rule.combatants
    )
    return encode(replace(rule, combatants=people))


def require_sound(table: Table, since: int) -> None:
    """The battle audits clean, and no die of an action was drawn twice."""
    require_clean(table)
    assert [
        draw.purpose
        for event in table.events[since:]
        for draw in event.draws
        if draw.purpose in ("song", "dampening")
    ] == []


def require_clean(table: Table) -> None:
    """The battle audits clean, each die is named by one roll, and its log gives its state."""
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure
    require_named_draws(table)
    assert encode(refolded(table).rule) == encode(table.state.rule)


KINDS: Final = tuple(WAITING)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("examples", with_soak([4], [400]))
def test_what_waited_stops_if_it_would_be_refused_now_and_else_does_not(
    kind: str, examples: int
) -> None:
    @settings(max_examples=examples, suppress_health_check=[HealthCheck.filter_too_much])
    @given(changes=st.lists(CHANGES, min_size=1, max_size=4))
    def judged(changes: list[Tree]) -> None:
        table = WAITING[kind].table()
        assume(table.state.rule.pending)
        since = len(table.events)
        change(table, changes)
        settle(table)
        for each in continuations(table, since):
            if not isinstance(each.remainder, DampenRemainder) or isinstance(each.action, Sing):
                own = [stop for stop in each.stops if stop[0] in acting(each.action)]
                expected = each.expected()
                if not (each.has_set_out and {code for _, code, _ in expected} & BEHIND):
                    assert own == expected, each.action
        require_sound(table, since)

    judged()


UNDRAWN: Final = (
    "move",
    "move, masked",
    "move out of cover",
    "charge",
    "mask",
    "move into an area",
)
"""Kinds of actions that draw nothing before they wait, and of which nobody has shot at yet."""


@pytest.mark.parametrize("kind", UNDRAWN)
@pytest.mark.parametrize("examples", with_soak([6], [600]))
def test_before_its_first_die_it_ends_like_one_that_is_asked_for_now(
    kind: str, examples: int
) -> None:
    @settings(max_examples=examples, suppress_health_check=[HealthCheck.filter_too_much])
    @given(changes=st.lists(CHANGES, min_size=1, max_size=4))
    def judged(changes: list[Tree]) -> None:
        table = WAITING[kind].table()
        assume(table.state.rule.pending)
        declared = len(table.events)
        change(table, changes)
        settle(table)
        [first, *_] = [*continuations(table, declared), None]
        assume(first is not None)
        assert first is not None
        assume(not first.stops)
        assume(not any(event.draws for event in table.events[first.seq - 1 :]))
        anew, drawn = passed(
            without_marks(table, first.given_back(), declared), first.action, first.seq
        )
        assume(not drawn)
        assert ordered(table.state.rule) == ordered(anew)

    judged()


def acting(action: Any) -> tuple[str, ...]:
    """Who acts."""
    if isinstance(action, Mask):
        return action.combatants
    return (getattr(action, "combatant", ""),)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dice", ["sealed", "supplied"])
@pytest.mark.parametrize("examples", with_soak([2], [150]))
def test_whatever_is_answered_changed_and_taken_back_meanwhile_the_battle_audits_clean(
    kind: str, dice: DiceMode, examples: int
) -> None:
    @settings(max_examples=examples, suppress_health_check=[HealthCheck.filter_too_much])
    @given(changes=st.lists(CHANGES, min_size=1, max_size=5), number=st.integers(0, 2**32))
    def kept(changes: list[Tree], number: int) -> None:
        table, chance = WAITING[kind].begun(dice), Random(number)
        waiting = len(table.events)
        left = list(changes)
        while table.state.rule.pending and table.state.rule.status == "running":
            if left and chance.random() < 0.5:
                change(table, [left.pop()])
            elif chance.random() < 0.15:
                back = chance.randint(waiting, len(table.events))
                table.ask({"type": "rewind", "to": back})
            else:
                ask(table, *random_answer(table, chance, BY_PLAYER))
            if len(table.events) > waiting + 30:
                break
        require_clean(table)

    kept()
