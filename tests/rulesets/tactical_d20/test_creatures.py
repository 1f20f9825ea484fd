"""Combatants as the rules see them: their space, their reach, who is in a cell, who knows whom."""

from typing import Any

import pytest

from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.creatures import (
    attack_audience,
    concealment_override_of,
    cover_override_of,
    fighter_of,
    fighters_of,
    greatest_reach,
    is_known_to_side,
    line_options,
    those_in,
    weapon_reach,
)
from service.rulesets.tactical_d20.rules.ground import Fighter
from service.rulesets.tactical_d20.rules.words import LineOptions
from service.rulesets.tactical_d20.state import Options
from tests.rulesets.tactical_d20.setups import blade, fighter, rifle, seated

Tree = dict[str, Any]


def test_a_fighter_is_what_the_sheet_says() -> None:
    ogre = fighter("o", "red", 3, 4, size=2, elevation=15, weapons=[blade(reach_ft=10), rifle()])
    table = seated({"combatants": [ogre]})
    seen = fighter_of(table.state.rule, table.combatant("o"))
    space = Space(3, 4, 2)
    assert seen == Fighter(id="o", side="red", space=space, elevation_ft=15, reach_ft=10)
    assert fighters_of(table.state.rule) == (seen,)
    assert fighters_of(table.state.rule) is fighters_of(table.state.rule)


@pytest.mark.parametrize(
    ("weapons", "reach_ft"),
    [
        ([], 0),
        ([rifle()], 0),
        ([rifle(), blade()], 15),
        ([blade(reach_ft=5)], 5),
        ([blade(reach_ft=0)], 0),
        ([blade(reach_ft=5), blade(id="pike", reach_ft=20)], 20),
        ([blade(reach_ft=5), blade(id="pike", reach_ft=20, ready=False)], 5),
        ([blade(ready=False)], 0),
    ],
)
def test_the_greatest_reach_is_that_of_ready_melee_weapons(
    weapons: list[Tree], reach_ft: int
) -> None:
    table = seated({"combatants": [fighter("o", "red", 0, 0, reach_ft=15, weapons=weapons)]})
    assert greatest_reach(table.combatant("o")) == reach_ft


def test_a_weapon_without_a_reach_has_that_of_its_bearer() -> None:
    arms = [blade(), blade(id="pike", reach_ft=10), rifle()]
    combatant = seated(
        {"combatants": [fighter("o", "red", 0, 0, reach_ft=15, weapons=arms)]}
    ).combatant("o")
    reaches = [weapon_reach(combatant, weapon) for weapon in combatant.weapons]
    assert reaches == [15, 10, 0]


def test_everybody_whose_space_has_the_cell_is_in_it_bodies_too() -> None:
    big = fighter("o", "red", 0, 0, size=2)
    body = fighter("b", "blue", 4, 0, conditions=["dead"])
    rule = seated({"combatants": [big, body]}).state.rule
    found = {cell: [each.id for each in those_in(rule, cell)] for cell in ((1, 1), (2, 1), (4, 0))}
    assert found == {(1, 1): ["o"], (2, 1): [], (4, 0): ["b"]}


def test_the_word_of_the_game_master_counts_against_the_attacker_it_names() -> None:
    overruled = {
        "cover_overrides": [{"versus": "a", "grade": "improved"}],
        "concealment_overrides": [{"versus": "a", "percent": 35}],
    }
    people = [fighter("a", "red", 0, 0), fighter("b", "red", 1, 0)]
    table = seated({"combatants": [*people, fighter("t", "blue", 4, 0, **overruled)]})
    target = table.combatant("t")
    assert (cover_override_of(target, "a"), cover_override_of(target, "b")) == ("improved", None)
    assert (concealment_override_of(target, "a"), concealment_override_of(target, "b")) == (
        35,
        None,
    )


@pytest.mark.parametrize(
    ("attack_reveals", "expected"), [(True, ["everyone", "blue"]), (False, ["red", "gm"])]
)
def test_an_attack_is_known_to_those_who_know_both(
    attack_reveals: bool, expected: list[str]
) -> None:
    people = [
        fighter("a", "red", 0, 0, hidden=True),
        fighter("t", "blue", 4, 0),
        fighter("h", "blue", 6, 0, hidden=True),
    ]
    options = {"attack_reveals": attack_reveals}
    table = seated({"combatants": people, "options": options})
    rule = table.state.rule
    assert [attack_audience(rule, "a", target) for target in ("t", "h")] == expected
    known = [is_known_to_side(table.combatant("h"), side) for side in ("blue", "red")]
    assert known == [True, False]


def test_the_options_about_lines_have_the_same_names_and_defaults() -> None:
    assert line_options(Options()) == LineOptions()
    other = Options(border_contact="interior_only", light_on_line=True, flank_partner="any_cell")
    expected = LineOptions(
        border_contact="interior_only", light_on_line=True, flank_partner="any_cell"
    )
    assert line_options(other) == expected
