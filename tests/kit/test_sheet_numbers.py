"""Nothing that a player is left of a battle depends on a number that is hidden from him."""

import pytest
from msgspec import Struct
from msgspec.structs import replace

from service.engine.visibility.audience_plan import plan_of
from tests.kit.battle_states import perceived, with_combatant
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS

EACH = pytest.mark.parametrize("rig", RIGS, ids=repr)
NUMBERS = [
    pytest.param(rig, name, id=f"{rig}-{name}") for rig in RIGS for name in rig.numbers.changed
]


@EACH
def test_the_list_of_numbers_is_whole(rig: Rig) -> None:
    combatant: type[Struct] = type(rig.numbers.battle().combatant("t"))
    marked = {field.attribute for field in plan_of(combatant).fields if field.mark == "numbers"}
    assert marked <= rig.numbers.changed.keys()


@pytest.mark.parametrize(("rig", "name"), NUMBERS)
def test_a_hidden_number_changes_nothing_that_others_are_left(rig: Rig, name: str) -> None:
    table, number = rig.numbers.battle(enemy_numbers="hidden"), rig.numbers.changed[name]
    other = with_combatant(table, "t", **{name: number})
    assert other.rule != table.state.rule
    assert perceived(table, other, "ann") == perceived(table, table.state, "ann")
    for by in ("gm", "bob"):
        [t] = [each for each in perceived(table, other, by).combatants if each.id == "t"]
        assert getattr(t, name) == number


@EACH
def test_hidden_numbers_read_nothing_and_all_else_is_left(rig: Rig) -> None:
    table = rig.numbers.battle(enemy_numbers="hidden")
    other = with_combatant(table, "t", **rig.numbers.changed)
    expected = tuple(
        replace(each, **rig.numbers.blank) if each.id == "t" else each
        for each in other.rule.combatants
        if each.id in ("a", "t")
    )
    assert len(expected) == 2
    assert perceived(table, other, "ann").combatants == expected


@pytest.mark.parametrize(("rig", "name"), NUMBERS)
def test_a_number_that_the_table_shows_is_left_to_all(rig: Rig, name: str) -> None:
    table, number = rig.numbers.battle(), rig.numbers.changed[name]
    other = with_combatant(table, "t", **{name: number})
    [t] = [each for each in perceived(table, other, "ann").combatants if each.id == "t"]
    assert getattr(t, name) == number
