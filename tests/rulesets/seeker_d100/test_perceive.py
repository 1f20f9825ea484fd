"""What a player is left of a battle: nothing of it depends on a number that is hidden from him."""

from typing import Any

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.engine.battle.state import Decision, DecisionGroup, State, Suspended
from service.engine.kit.perception import perceive
from service.engine.visibility.projection import plan_of
from service.rulesets.seeker_d100.rules.words import DamageDice
from service.rulesets.seeker_d100.state import BattleState, Combatant, Skills
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon
from tests.rulesets.seeker_d100.table import Table, battle_of, fighter, wall
from tests.toy.table import GM

GUN = Weapon(id="gun", skill="ranged", damage=DamageDice(sides=4), ammo=3)
NUMBERS: dict[str, Any] = {
    "strength": 41,
    "dexterity": 42,
    "skills": Skills(dodge=43),
    "body_armour": BodyArmour(value=7),
    "weapons": (GUN,),
}
"""Every number of a sheet, and what holds numbers, otherwise than it is in `battle`."""
NOTHING: dict[str, Any] = {
    "strength": 0,
    "dexterity": 0,
    "skills": Skills(),
    "body_armour": BodyArmour(value=0),
    "weapons": (),
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("h", "blue", 8, 0, hidden=True),
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0, body_armour={"value": 1}),
    ]
    ground = {key: value for key, value in wall(2).items() if key != "id"}
    hidden = [{"feature": "secret", "terrain": ground}]
    setup = {"combatants": combatants, "battle": battle_of(*combatants), "hidden_cover": hidden}
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
    _, a, t = other.rule.combatants
    assert perceived(table, other, "ann").combatants == (a, replace(t, **NOTHING))
    bare = with_target(table, **NUMBERS | {"body_armour": UNSET})
    unarmoured = replace(t, **NOTHING | {"body_armour": UNSET})
    assert perceived(table, bare, "ann").combatants == (a, unarmoured)


@pytest.mark.parametrize("name", list(NUMBERS))
def test_a_number_that_the_table_shows_is_left_to_all(name: str) -> None:
    table = battle()
    other = with_target(table, **{name: NUMBERS[name]})
    [t] = [each for each in perceived(table, other, "ann").combatants if each.id == "t"]
    assert getattr(t, name) == NUMBERS[name]


def test_nobody_is_left_a_trace_of_whom_he_does_not_know() -> None:
    table = battle()
    whole = table.state
    assert whole.rule.turn == "h"
    assert (whole.rule.deck, whole.rule.secrets) != (UNSET, ())
    seen = perceived(table, whole, "ann")
    assert [each.id for each in seen.combatants] == ["a", "t"]
    assert [each.combatant for each in seen.cards] == ["a", "t"]
    assert (seen.order, seen.turn, seen.deck, seen.secrets) == (("a", "t"), UNSET, UNSET, ())
    mine = perceived(table, whole, "bob")
    assert (mine.order, mine.turn, mine.deck, mine.secrets) == (("h", "a", "t"), "h", UNSET, ())
    assert mine.combatants == whole.rule.combatants
    assert mine.cards == whole.rule.cards
    assert perceived(table, whole, "gm") is whole.rule


def test_nobody_is_left_a_question_that_he_does_not_know_of_or_what_waits_for_it() -> None:
    table = battle()
    known, unknown = (
        Decision(
            id=f"d9.{number}",
            kind="reaction",
            opened_by=9,
            side="blue",
            combatant=who,
            options=("pass",),
            default="pass",
        )
        for number, who in enumerate("th", 1)
    )
    suspended = Suspended(action=Raw(b"{}"), by=GM)
    groups = (
        DecisionGroup(decisions=(unknown,)),
        DecisionGroup(decisions=(known, unknown), suspended=suspended),
    )
    whole = in_state(table, replace(table.state.rule, pending=groups))
    assert perceived(table, whole, "ann").pending == (DecisionGroup(decisions=(known,)),)
    assert perceived(table, whole, "bob").pending == (
        DecisionGroup(decisions=(unknown,)),
        DecisionGroup(decisions=(known, unknown)),
    )
