"""The options of version 3: lines pass by walls unless stated, and whether the fallen cover."""

from typing import Any

import pytest

from service.encounters.requests import convert
from service.errors import Malformed
from tests.kit.table import Table, effects_of, tree_of
from tests.rulesets.tactical_d20.blows import cell_map, walls
from tests.rulesets.tactical_d20.setups import blade, fighter, rifle, seated
from tests.rulesets.tactical_d20.v3.setups import SECOND, THIRD, battle
from tests.rulesets.tactical_d20.walks import STRIKE, answer, opened, swordsman, walk

Tree = dict[str, Any]

SHOT: Tree = {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}
BLOW: Tree = {**SHOT, "weapon": "blade"}
CORRIDOR = cell_map(*walls(*((x, y) for x in range(-2, 8) for y in (-1, 1))))
"""Walls on either side of the row 0."""


def cover_in(effects: list[Tree]) -> tuple[str, int]:
    """Grade and bonus of the cover that the attack among these effects met."""
    [attack] = [each for each in effects if each["type"] == "attack_resolved"]
    cover = attack["detail"]["cover"]
    return cover["grade"], cover["ac"]


def duel(at: int, *between: Tree, ruleset: Any = THIRD, **more: Any) -> Table:
    """Ann's a, who has the turn, and Bob's t in one row."""
    arms = [rifle(), blade()]
    people = [fighter("a", "red", 0, 0, weapons=arms), *between, fighter("t", "blue", at, 0)]
    return battle(*people, ruleset=ruleset, **more)


@pytest.mark.rule("TD-GEO-4")
@pytest.mark.parametrize(
    ("at", "attack"), [(1, BLOW), (5, SHOT)], ids=["adjacent", "at a distance"]
)
def test_nobody_has_cover_along_a_corridor_of_one_cell_unless_the_table_says_so(
    at: int, attack: Tree
) -> None:
    along = {"border_contact": "along"}
    for ruleset, options, expected in (
        (THIRD, {}, ("none", 0)),
        (THIRD, along, ("normal", 4)),
        (SECOND, {}, ("normal", 4)),
    ):
        table = duel(at, ruleset=ruleset, map=CORRIDOR, options=options)
        assert cover_in(effects_of(table.ask(attack))) == expected


@pytest.mark.rule("TD-COVER-3")
def test_an_attack_out_of_turn_is_possible_in_a_corridor() -> None:
    people = [fighter("a", "red", 0, 0), swordsman("g", "blue", 1, 0)]
    table = battle(*people, map=CORRIDOR)
    assert opened(effects_of(table.ask(walk("a", (-1, 0))))) == [("g", "a")]
    kinds = [each["type"] for each in effects_of(answer(table, "g", STRIKE))]
    assert "attack_resolved" in kinds


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.parametrize(
    ("conditions", "counted", "left_out"),
    [
        ([], 4, 4),
        (["prone"], 4, 4),
        (["unconscious"], 4, 0),
        (["dead"], 0, 0),
        (["unconscious", "dead"], 0, 0),
    ],
)
def test_the_unconscious_are_living_cover_unless_the_table_leaves_them_out(
    conditions: list[str], counted: int, left_out: int
) -> None:
    body = fighter("m", "green", 2, 0, conditions=conditions)
    for options, expected in (
        ({}, counted),
        ({"fallen_give_cover": True}, counted),
        ({"fallen_give_cover": False}, left_out),
    ):
        table = duel(4, body, options=options)
        assert cover_in(effects_of(table.ask(SHOT)))[1] == expected


@pytest.mark.rule("TD-SOFT-1")
def test_who_falls_in_the_way_is_cover_no_longer() -> None:
    table = duel(4, fighter("m", "green", 2, 0), options={"fallen_give_cover": False})
    hurt = {"type": "hp", "combatant": "m", "value": -5}
    table.ask({"type": "adjust", "changes": [hurt]})
    assert cover_in(effects_of(table.ask(SHOT))) == ("none", 0)


# --- how they are stated --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fallen_give_cover"])
def test_an_option_of_version_3_is_none_of_version_2(name: str) -> None:
    for place in ("setup", "action"):
        asked: Tree = {"options": {name: False}}
        kind: Any = SECOND.setup
        if place == "action":
            asked, kind = {"type": "configure", **asked}, SECOND.action
        with pytest.raises(Malformed) as refused:
            convert(asked, kind, f"$.{place}")
        facts = {key: refused.value.params[key] for key in ("path", "allowed")}
        assert facts == {
            "path": f"$.{place}.options",
            "allowed": f"Object contains unknown field `{name}`",
        }


def test_options_are_set_again_with_the_defaults_of_the_version() -> None:
    table = seated({"combatants": [fighter("a", "red", 0, 0)]}, ruleset=THIRD)
    before = tree_of(table.state.rule.options)
    stated = {"border_contact": "along", "fallen_give_cover": False}
    assert before == {**before, "border_contact": "interior_only", "fallen_give_cover": True}
    for options, expected in ((stated, {**before, **stated}), ({}, before)):
        [effect] = effects_of(table.ask({"type": "configure", "options": options}))
        assert effect == {"type": "options_set", "options": expected}
        assert tree_of(table.state.rule.options) == expected


def test_versions_before_keep_their_options_and_defaults() -> None:
    options = tree_of(seated({}, ruleset=SECOND).state.rule.options)
    assert options["border_contact"] == "along"
    assert "fallen_give_cover" not in options
