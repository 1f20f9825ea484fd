"""Battles of version 2, decided by version 3, differ where something waited, and nowhere else."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import UNSET

from tests.kit.random_battles import play
from tests.kit.table import SEED, Table, seated, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.melody_d6.battles import random_setup
from tests.rulesets.melody_d6.skirmishes import PASS, answer, guard, warrior
from tests.rulesets.melody_d6.v2.golden import raids
from tests.rulesets.melody_d6.v3.battles import (
    SECOND,
    THIRD,
    WALK,
    adjusted,
    before_guards,
    in_turn,
    put,
)
from tests.soak import with_soak


def differing(table: Table) -> list[int]:
    """The events of a battle of version 2 that version 3 decides otherwise; it audits clean."""
    assert audit(table, seed=SEED).clean
    later = {("melody-d6", "2"): replace(THIRD, version="2", create=SECOND.create)}
    verdicts = audit(table, seed=SEED, rulesets=later).verdicts
    return [each.seq for each in verdicts if each.verdict not in ("match", "override")]


def closing(table: Table) -> Iterator[int]:
    """The events that close a question for which an action waited."""
    for event in table.events[1:]:
        before: Any = table.rules[event.base]
        waits = before.pending and before.pending[-1].suspended is not UNSET
        if waits and any(each["type"] == "decision_closed" for each in tree_of(event.effects)):
            yield event.seq


@pytest.mark.parametrize("number", with_soak(range(3), range(3, 60)))
def test_a_random_battle_differs_at_most_where_a_question_is_closed(number: int) -> None:
    table = seated(SECOND, random_setup(number))
    play(table, number, 120)
    assert set(differing(table)) <= set(closing(table))


def test_raids_differ_where_a_mover_is_stopped_or_a_guard_is_detected() -> None:
    table = raids(SECOND, 0, 8)
    changed = differing(table)
    assert changed
    assert set(changed) <= set(closing(table))


def test_a_move_that_was_put_elsewhere_differs_and_one_that_was_not_does_not() -> None:
    battle = before_guards(ruleset=SECOND)
    answer(battle, PASS)
    assert differing(battle.table) == []
    other = before_guards(ruleset=SECOND)
    adjusted(other, put("a1", 5000, 5000))
    answer(other, PASS)
    assert differing(other.table) == [len(other.table.events)]


def test_a_shot_from_ambush_differs_where_its_target_has_passed_the_guard() -> None:
    def shot_at(permille: int) -> list[int]:
        battle = in_turn(
            warrior("a1", 10_000, 20_000),
            warrior("a9", 3000, 3000),
            guard("b1", 14_000, 25_000, "longbow", conditions=["masked"], mobility=0),
            warrior("b9", 35_000, 3000),
            ruleset=SECOND,
        )
        battle.when(WALK, by="ann")
        point = {"leg": 0, "permille": permille}
        choice = {"type": "guard_shoot", "combatant": "b1", "target": "a1", "weapon": "longbow"}
        answer(battle, {**choice, "path_point": point}, dice=(2, 1, 1))
        return differing(battle.table)

    assert shot_at(666) == []
    assert shot_at(667) == [4]
