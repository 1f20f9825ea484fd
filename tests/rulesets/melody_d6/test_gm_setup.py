"""What the game master states after the creation: options, map, content, terrain, newcomers."""

from typing import Any

import pytest

from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Given, opened
from tests.rulesets.melody_d6.skirmishes import WIDE, creation, in_turn, warrior

Tree = dict[str, Any]


def prepared(*warriors: Tree, **setup: Any) -> Given:
    """A battle that has not begun."""
    return Given(opened(RULESET, creation(*warriors, **setup)))


def square(name: str, kind: str, west: int, north: int, side: int = 1000) -> Tree:
    corners = ((0, 0), (side, 0), (side, side), (0, side))
    vertices = [{"x": west + x, "y": north + y} for x, y in corners]
    return {"id": name, "kind": kind, "vertices": vertices}


def shape(kind: str, west: int, north: int) -> Tree:
    return {name: each for name, each in square("t", kind, west, north).items() if name != "id"}


A1, B1 = warrior("a1", 10000, 10000), warrior("b1", 20000, 10000)
SINGER = warrior("a2", 5000, 5000, singer={"melodies": ["ember_march"]}, weapons=["rifle"])


def test_options_are_stated_whole() -> None:
    battle = prepared(A1, B1, options={"mask_near": 500})
    battle.when({"type": "configure", "options": {"fp_per_turn": 5}})
    options = battle.table.state.rule.options
    assert (options.fp_per_turn, options.mask_near) == (5, 1000)


def test_a_new_map_must_leave_room_for_everybody() -> None:
    battle = prepared(A1, B1)
    tower = {**WIDE, "features": [square("t", "building", 9500, 9500)]}
    bent = {**WIDE, "features": [square("t", "rock", 1, 1), square("t", "rock", 5000, 1)]}
    for no_map, params in (
        ({**WIDE, "width": 20499}, {"reason": "out_of_bounds", "path": "$.map", "id": "b1"}),
        (tower, {"reason": "in_high_terrain", "path": "$.map", "id": "a1"}),
        (bent, {"reason": "duplicate_id", "path": "$.map.features[1].id", "id": "t"}),
    ):
        battle.when({"type": "configure", "map": no_map}).refused("invalid_setup", **params)
    battle.when({"type": "configure", "map": {**WIDE, "width": 20500}})


def test_whoever_is_masked_must_be_able_to_mask_on_what_is_new() -> None:
    wall = {**WIDE, "features": [square("t", "low_wall", 11000, 10000)]}
    battle = prepared(warrior("a1", 10000, 10000, conditions=["masked"]), B1, map=wall)
    no = {"reason": "mask_not_possible", "id": "a1"}
    battle.when({"type": "configure", "map": WIDE}).refused("invalid_setup", path="$.map", **no)
    near = {"type": "configure", "options": {"mask_near": 499}}
    battle.when(near).refused("invalid_setup", path="$.options", **no)
    battle.when({"type": "configure", "options": {"mask_near": 500}})


def test_new_content_must_have_what_sheets_name() -> None:
    battle = prepared(SINGER, B1)
    battle.when({"type": "configure", "content": {}}).refused(
        "invalid_setup",
        reason="unknown_reference",
        path="$.content",
        id="a2",
    )


def test_terrain_is_stated_anew_and_taken_away() -> None:
    wall = {**WIDE, "features": [square("t", "low_wall", 11000, 20000)]}
    battle = in_turn(A1, B1, map=wall)
    changes: list[Tree] = [
        {"feature": "u", "terrain": shape("building", 15000, 9500)},
        {"feature": "t", "removed": True},
    ]
    battle.when({"type": "set_terrain", "features": changes}).then(
        {
            "type": "terrain_changed",
            "cause": "gm",
            "changes": [
                {"feature": "t", "removed": True},
                {"feature": "u", "terrain": changes[0]["terrain"], "removed": False},
            ],
        }
    )
    assert [each["feature"] for each in changes] == ["u", "t"]
    assert [each.feature for each in battle.table.state.rule.terrain] == ["t", "u"]


@pytest.mark.parametrize(
    ("change", "code", "params"),
    [
        (
            {"feature": "gm", "removed": True},
            "malformed",
            {
                "path": "$.features[0].feature",
                "allowed": "an id other than everyone, gm and system",
            },
        ),
        (
            {"feature": "T", "removed": True},
            "malformed",
            {"path": "$.features[0].feature", "allowed": "each id once, in one case"},
        ),
        (
            {"feature": "u"},
            "malformed",
            {"path": "$.features[0].terrain", "allowed": "a feature, or removed"},
        ),
        (
            {"feature": "u", "removed": True, "terrain": shape("rock", 0, 0)},
            "malformed",
            {"path": "$.features[0].terrain", "allowed": "a feature, or removed"},
        ),
        (
            {"feature": "u", "terrain": shape("rock", 39001, 0)},
            "invalid_setup",
            {
                "reason": "out_of_bounds",
                "path": "$.features[0].terrain.vertices[1]",
            },
        ),
    ],
)
def test_terrain_that_cannot_be(change: Tree, code: str, params: Tree) -> None:
    wall = {**WIDE, "features": [square("t", "low_wall", 11000, 20000)]}
    battle = in_turn(A1, B1, map=wall)
    battle.when({"type": "set_terrain", "features": [change]}).refused(code, **params)


def test_features_are_500_at_most() -> None:
    battle = in_turn(A1, B1, map=WIDE)
    changes = [{"feature": f"t{at}", "terrain": shape("rock", 60 * at, 0)} for at in range(500)]
    battle.when({"type": "set_terrain", "features": changes})
    one_more = {"feature": "u", "terrain": shape("rock", 60, 0)}
    battle.when({"type": "set_terrain", "features": [one_more]}).refused(
        "invalid_setup",
        reason="number_range",
        path="$.features",
        most=500,
    )


def entering(sheet: Tree, **fields: Any) -> Tree:
    return {"type": "add_combatant", "combatant": sheet, **fields}


def test_a_newcomer_brings_its_unit_or_joins_one() -> None:
    battle = in_turn(A1, B1)
    battle.when(entering(warrior("a2", 5000, 5000), kind="squad"))
    battle.when(entering(warrior("a3", 7000, 5000) | {"unit": "A2"}))
    rule = battle.table.state.rule
    assert [(each.id, each.side, each.kind) for each in rule.units] == [
        ("A1", "a", "lone"),
        ("B1", "b", "lone"),
        ("A2", "a", "squad"),
    ]
    assert [(each.id, each.unit, each.number) for each in rule.combatants] == [
        ("a1", "A1", 1),
        ("b1", "B1", 2),
        ("a2", "A2", 3),
        ("a3", "A2", 4),
    ]


@pytest.mark.parametrize(
    ("sheet", "params"),
    [
        ({"unit": "A1"}, {"reason": "lone_needs_one", "path": "$.combatant.unit", "id": "A1"}),
        ({"unit": "B1"}, {"reason": "unknown_reference", "path": "$.combatant.unit", "id": "B1"}),
        ({"unit": "b1"}, {"reason": "duplicate_id", "path": "$.combatant.unit", "id": "b1"}),
        (
            {"place": {"x": 10999, "y": 10000}},
            {"reason": "base_overlap", "path": "$.combatant.place", "id": "a1"},
        ),
        (
            {"place": {"x": 499, "y": 10000}},
            {"reason": "out_of_bounds", "path": "$.combatant.place"},
        ),
        (
            {"conditions": ["masked"]},
            {"reason": "mask_not_possible", "path": "$.combatant.conditions", "id": "a2"},
        ),
        (
            {"weapons": ["sling"]},
            {"reason": "unknown_reference", "path": "$.combatant.weapons[0]", "id": "sling"},
        ),
        (
            {"songs": ["s2"]},
            {"reason": "unknown_reference", "path": "$.combatant.songs[0]", "id": "s2"},
        ),
    ],
)
def test_a_newcomer_that_does_not_fit(sheet: Tree, params: Tree) -> None:
    stated = warrior("a2", 5000, 5000) | sheet
    in_turn(A1, B1).when(entering(stated)).refused("invalid_setup", **params)


def test_the_place_of_one_who_is_gone_is_free() -> None:
    battle = in_turn(A1, B1, warrior("b2", 30000, 30000, health=0))
    battle.when(entering(warrior("a2", 30000, 30000)))
    assert battle.table.combatant("a2").place.x == 30000
