"""What a player is left of a battle: nothing of it depends on a number that is hidden from him."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from service.engine.visibility.projection import plan_of
from service.rulesets.crossfire_d6.state import (
    BattleState,
    Combatant,
    Hiding,
    Override,
    RememberedStreak,
    Score,
    Weapon,
)
from service.rulesets.crossfire_d6.terrain import Cell
from tests.rulesets.crossfire_d6.table import Table, fighter, in_progress

RIFLE = Weapon(
    id="rifle", kind="ranged", attack_dice=4, damage_dice=2, range_increment_ft=60, ready=False
)
NUMBERS: dict[str, Any] = {
    "soak": 1,
    "speed_ft": 35,
    "agi_pool": 2,
    "int_pool": 3,
    "pin_resistance": 4,
    "melee_defence": 5,
    "ranged_defence": 6,
    "ignored_rules": ("CF-ALLY-1",),
    "weapons": (RIFLE,),
    "pin_count": 7,
    "previous_streak": RememberedStreak(origin=Cell(x=1, y=1), count=8),
    "hidden_from": (Hiding(combatant="a", offset=9),),
}
"""Every number of a sheet, and what holds numbers, otherwise than it is in `battle`."""
NOTHING: dict[str, Any] = {
    "soak": 0,
    "speed_ft": 0,
    "agi_pool": 0,
    "int_pool": 0,
    "pin_resistance": 0,
    "melee_defence": 0,
    "ranged_defence": 0,
    "ignored_rules": (),
    "weapons": (),
    "pin_count": 0,
    "previous_streak": UNSET,
    "hidden_from": (),
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0),
        fighter("h", "blue", 8, 0, hidden=True),
    ]
    hidden = {"cells": [{"x": 2, "y": 2, "kind": "solid"}]}
    order = in_progress("h", "a", "t")
    setup = {"combatants": combatants, "battle": order, "hidden_terrain": hidden}
    return Table({**setup, "options": options})


def with_target(table: Table, **changes: Any) -> State[BattleState]:
    """The state with t changed."""
    rule = table.state.rule
    changed = tuple(replace(e, **changes) if e.id == "t" else e for e in rule.combatants)
    return in_state(table, replace(rule, combatants=changed))


def in_state(table: Table, rule: BattleState) -> State[BattleState]:
    return State(rule=rule, linear=table.state.linear, blobs=table.state.blobs)


def perceived(table: Table, state: State[BattleState], by: str) -> BattleState:
    return perceive(state, table.viewer(by)).rule


def test_the_list_of_numbers_is_whole() -> None:
    marked = {field.attribute for field in plan_of(Combatant).fields if field.mark == "numbers"}
    assert marked <= NUMBERS.keys()


@pytest.mark.parametrize("name", list(NUMBERS))
def test_a_hidden_number_changes_nothing_that_others_are_left(name: str) -> None:
    table = battle(enemy_numbers="hidden")
    other = with_target(table, **{name: NUMBERS[name]})
    assert other.rule != table.state.rule
    assert perceived(table, other, "ann") == perceived(table, table.state, "ann")
    for by in ("gm", "bob"):
        [t] = [each for each in perceived(table, other, by).combatants if each.id == "t"]
        assert getattr(t, name) == NUMBERS[name]


def test_hidden_numbers_read_nothing_and_all_else_is_left() -> None:
    table = battle(enemy_numbers="hidden")
    other = with_target(table, **NUMBERS)
    a, t, _ = other.rule.combatants
    assert perceived(table, other, "ann").combatants == (a, replace(t, **NOTHING))


@pytest.mark.parametrize("name", list(NUMBERS))
def test_a_number_that_the_table_shows_is_left_to_all(name: str) -> None:
    table = battle()
    other = with_target(table, **{name: NUMBERS[name]})
    [t] = [each for each in perceived(table, other, "ann").combatants if each.id == "t"]
    assert getattr(t, name) == NUMBERS[name]


def test_nobody_is_left_a_trace_of_whom_he_does_not_know() -> None:
    table = battle()
    traces = with_target(
        table,
        hidden_from=(Hiding(combatant="h", offset=1), Hiding(combatant="a", offset=2)),
        overrides=(
            Override(versus="h", position="open"),
            Override(versus="a", position="blocked"),
        ),
        shot_at=("h", "a"),
    )
    scores = (Score(combatant="h", score=3), Score(combatant="a", score=1))
    whole = in_state(table, replace(traces.rule, scores=scores))
    seen = perceived(table, whole, "ann")
    [t] = [each for each in seen.combatants if each.id == "t"]
    assert [each.id for each in seen.combatants] == ["a", "t"]
    assert (seen.order, seen.turn, seen.secrets) == (("a", "t"), UNSET, ())
    assert seen.scores == (Score(combatant="a", score=1),)
    assert t.hidden_from == (Hiding(combatant="a", offset=2),)
    assert t.overrides == (Override(versus="a", position="blocked"),)
    assert t.shot_at == ("a",)
    mine = perceived(table, whole, "bob")
    assert (mine.order, mine.turn, mine.secrets) == (("h", "a", "t"), "h", ())
    assert mine.combatants == whole.rule.combatants
    assert perceived(table, whole, "gm") is whole.rule
