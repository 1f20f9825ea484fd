"""What the game master overrules, and what follows from it; setting up and changing ground."""

from typing import Any

import pytest

from service.encounters.requests import convert
from service.errors import Malformed, Refused, WarlogError
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import RULESET, blade, fighter, in_progress, rifle, seated
from tests.rulesets.tactical_d20.walks import adjust, battle

Tree = dict[str, Any]
MAP = {"form": "ascii", "rows": ["......", ".#....", "......", "......"]}


def duel(**more: Any) -> Table:
    return battle(
        fighter("a", "red", 0, 0, weapons=[blade(), rifle()]), fighter("t", "blue", 4, 0), **more
    )


def adjusted(table: Table, *changes: Tree) -> list[Tree]:
    """What follows from changes, without the word that there were some."""
    return effects_of(table.ask(adjust(*changes)))[1:]


def why_not(table: Table, action: Tree, kind: type[WarlogError] = Refused) -> tuple[str, object]:
    with pytest.raises(kind) as refused:
        table.ask(action)
    return refused.value.code, refused.value.params


def hp(value: int, combatant: str = "t") -> Tree:
    return {"type": "hp", "combatant": combatant, "value": value}


def at(x: int, y: int, combatant: str = "t") -> Tree:
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y}}


# --- health -----------------------------------------------------------------------------------


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize(
    ("health", "conditions"),
    [(1, []), (0, ["unconscious"]), (-29, ["unconscious"]), (-30, ["dead"]), (-31, ["dead"])],
)
def test_hit_points_at_0_and_less_fell_and_at_minus_the_maximum_kill(
    health: int, conditions: list[str]
) -> None:
    table = duel()
    adjusted(table, hp(health))
    assert list(table.combatant("t").conditions) == conditions


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize("down", [-5, -30])
def test_raised_above_0_one_is_neither_unconscious_nor_dead(down: int) -> None:
    table = duel()
    adjusted(table, hp(down))
    adjusted(table, hp(1))
    assert table.combatant("t").conditions == ()
    assert table.combatant("t").health == 1


def test_nobody_has_more_hit_points_than_at_most() -> None:
    table = duel()
    assert why_not(table, adjust(hp(31)), Malformed)[0] == "malformed"
    less = {"type": "stat", "combatant": "t", "stat": "health_max", "value": 10}
    adjusted(table, less)
    assert (table.combatant("t").health, table.combatant("t").health_max) == (10, 10)


@pytest.mark.rule("TD-SD-3")
def test_what_the_hit_points_come_to_follows_from_their_new_maximum() -> None:
    table = duel()
    adjusted(table, hp(-10))
    change = {"type": "stat", "combatant": "t", "stat": "health_max"}
    stated = {"type": "stat_changed", "combatant": "t", "stat": "health_max", "cause": "gm"}
    assert adjusted(table, {**change, "value": 11}) == [{**stated, "now": 11}]
    assert [each["type"] for each in adjusted(table, {**change, "value": 10})] == [
        "stat_changed",
        "healed",
        "felled",
    ]
    assert "dead" in table.combatant("t").conditions
    adjusted(table, {**change, "value": 30})
    assert table.combatant("t").conditions == ("unconscious",)


# --- places -----------------------------------------------------------------------------------


def test_one_is_put_down_on_the_map_outside_walls_and_where_nobody_lives() -> None:
    table = duel(map=MAP)
    assert why_not(table, adjust(at(6, 0))) == (
        "off_map",
        {"x": 6, "y": 0, "bounds": [0, 0, 6, 4]},
    )
    assert why_not(table, adjust(at(1, 1))) == (
        "cell_impassable",
        {"x": 1, "y": 1, "features": [["cell", 1, 1]]},
    )
    assert why_not(table, adjust(at(0, 0))) == ("cell_occupied", {"x": 0, "y": 0})
    assert adjusted(table, at(3, 2)) == [
        {
            "type": "moved",
            "combatant": "t",
            "manner": "placed",
            "start": {"x": 4, "y": 0},
            "path": [],
            "end": {"x": 3, "y": 2},
            "complete": True,
        }
    ]


def test_large_ones_are_put_where_no_wall_runs_through_them() -> None:
    wall = {"form": "cells", "borders": [{"axis": "h", "x": 8, "y": 8, "wall": True}]}
    table = battle(fighter("a", "red", 0, 0, size=2), map=wall)
    assert why_not(table, adjust(at(7, 7, "a"))) == (
        "cell_impassable",
        {"x": 7, "y": 7, "features": [["H", 8, 8]]},
    )
    adjusted(table, at(7, 8, "a"))
    assert why_not(table, adjust(at(10_000, 0, "a")))[0] == "off_map"


def test_the_dead_make_room_and_the_unconscious_do_not() -> None:
    table = duel()
    dead = {"type": "condition", "combatant": "t", "condition": "dead"}
    out = {"type": "condition", "combatant": "t", "condition": "unconscious"}
    adjusted(table, out)
    assert why_not(table, adjust(at(4, 0, "a"))) == ("cell_occupied", {"x": 4, "y": 0})
    adjusted(table, dead)
    adjusted(table, at(4, 0, "a"))
    newcomer = fighter("n", "red", 4, 0)
    assert why_not(table, {"type": "add_combatant", "combatant": newcomer})[0] == "cell_occupied"


def test_hidden_walls_count_when_somebody_is_put_down() -> None:
    table = duel(hidden_terrain={"cells": [{"x": 2, "y": 2, "wall": True}]})
    assert why_not(table, adjust(at(2, 2)))[0] == "cell_impassable"


# --- conditions, gravity, the rest of the sheet --------------------------------------------------


@pytest.mark.rule("TD-PRONE-4")
def test_gravity_decides_what_being_knocked_down_is() -> None:
    table = duel()
    knock = {"type": "condition", "combatant": "t", "condition": "prone"}
    prone = {"type": "condition_gained", "combatant": "t", "condition": "prone", "cause": "gm"}
    assert adjusted(table, knock) == [prone]
    assert adjusted(table, {"type": "gravity", "gravity": "zero"}, {**knock, "combatant": "a"}) == [
        {"type": "gravity_set", "gravity": "zero"},
        {
            "type": "condition_gained",
            "combatant": "a",
            "condition": "spinning",
            "rule": "TD-PRONE-4",
            "cause": "knocked_down_weightless",
        },
    ]
    assert table.view()["gravity"] == "zero"
    assert table.combatant("t").conditions == ("prone",)


@pytest.mark.parametrize("name", ["prone", "spinning", "invisible"])
def test_conditions_are_set_and_lifted(name: str) -> None:
    table = duel()
    change = {"type": "condition", "combatant": "t", "condition": name}
    adjusted(table, change)
    assert table.combatant("t").conditions == (name,)
    assert adjusted(table, {**change, "holds": False}) == [
        {"type": "condition_lost", "combatant": "t", "condition": name, "cause": "gm"}
    ]
    assert table.combatant("t").conditions == ()


def test_cover_and_concealment_are_overruled_for_one_attacker_until_that_is_lifted() -> None:
    table = duel()
    cover = {"type": "cover_override", "combatant": "t", "versus": "a", "grade": "improved"}
    fog = {"type": "concealment_override", "combatant": "t", "versus": "a", "percent": 35}
    tie = {"type": "link_changed", "combatant": "t", "other": "a", "tied": True}
    assert adjusted(table, cover, fog) == [
        {**tie, "link": "cover_override", "value": "improved"},
        {**tie, "link": "concealment_override", "amount": 35},
    ]
    shown = table.view()["combatants"][1]
    assert shown["cover_overrides"] == [{"versus": "a", "grade": "improved"}]
    assert shown["concealment_overrides"] == [{"versus": "a", "percent": 35}]
    adjusted(table, {**cover, "lifted": True}, {**fog, "lifted": True})
    after = table.combatant("t")
    assert (after.cover_overrides, after.concealment_overrides) == ((), ())
    assert why_not(table, adjust({**cover, "versus": "x"})) == (
        "unknown_combatant",
        {"combatant": "x"},
    )


def test_overrides_of_a_sheet_hold_from_the_beginning() -> None:
    words = [{"versus": "t", "grade": "total"}]
    people = [fighter("a", "red", 0, 0, cover_overrides=words), fighter("t", "blue", 4, 0)]
    table = seated({"combatants": people})
    assert table.view()["combatants"][0]["cover_overrides"] == words
    with pytest.raises(Refused) as refused:
        seated({"combatants": people[:1]})
    assert refused.value.code == "unknown_combatant"


@pytest.mark.parametrize(
    ("stat", "value", "is_allowed"),
    [
        ("speed_ft", 1000, True),
        ("speed_ft", 1001, False),
        ("kac", -50, True),
        ("eac", 201, False),
        ("blur_pct", 101, False),
        ("reach_ft", 0, True),
        ("health_max", 0, False),
        ("initiative", 100, True),
    ],
)
def test_numbers_of_the_sheet_stay_within_its_bounds(
    stat: str, value: int, is_allowed: bool
) -> None:
    table = duel()
    change = {"type": "stat", "combatant": "t", "stat": stat, "value": value}
    if not is_allowed:
        assert why_not(table, adjust(change), Malformed)[0] == "malformed"
        return
    adjusted(table, change)
    after = table.combatant("t")
    holder = after.ac if stat in ("eac", "kac") else after
    assert getattr(holder, stat) == value


def test_weapons_are_put_away_and_drawn() -> None:
    table = duel()
    away = {"type": "ready", "combatant": "a", "weapon": "blade", "ready": False}
    assert adjusted(table, away) == [
        {"type": "item_changed", "combatant": "a", "item": "blade", "change": "stowed"}
    ]
    assert [weapon.ready for weapon in table.combatant("a").weapons] == [False, True]
    assert why_not(table, adjust({**away, "weapon": "axe"})) == (
        "unknown_weapon",
        {"weapon": "axe", "allowed": ["blade", "rifle"]},
    )


def test_the_hidden_are_known_to_their_side_until_revealed() -> None:
    table = duel()
    adjusted(table, {"type": "hide", "combatant": "t"})
    assert [each["id"] for each in table.view("ann")["combatants"]] == ["a"]
    assert [each["id"] for each in table.view("bob")["combatants"]] == ["a", "t"]
    [shown] = adjusted(table, {"type": "reveal", "combatant": "t"})
    assert (shown["type"], shown["combatant"]["id"], shown["cause"]) == ("revealed", "t", "gm")


# --- ground and sheets --------------------------------------------------------------------------


def test_ground_is_stated_whole_and_on_the_map() -> None:
    table = duel(map=MAP)
    event = table.ask({"type": "set_terrain", "cells": [{"x": 2, "y": 2, "cover": "partial"}]})
    assert [each["type"] for each in effects_of(event)] == ["terrain_changed"]
    off = {"type": "set_terrain", "borders": [{"axis": "v", "x": 7, "y": 0, "wall": True}]}
    assert why_not(table, off) == ("off_map", {"x": 7, "y": 0, "bounds": [0, 0, 6, 4]})
    edge = {"type": "set_terrain", "borders": [{"axis": "v", "x": 6, "y": 0, "wall": True}]}
    table.ask(edge)


@pytest.mark.parametrize(
    "part",
    [
        {"transparent": True},
        {"low_height_ft": 3},
        {"low_height_ft": 3, "cover": "normal", "wall": True},
    ],
)
def test_what_does_not_go_together_is_malformed(part: Tree) -> None:
    table = duel()
    for stated in ({"cells": [{"x": 2, "y": 2, **part}]}, {}):
        asked = {"type": "set_terrain", **stated}
        assert why_not(table, asked, Malformed)[0] == "malformed"
    with pytest.raises(Malformed):
        seated({"hidden_terrain": {"cells": [{"x": 2, "y": 2, **part}]}})


@pytest.mark.parametrize(
    ("sheet", "path"),
    [
        ({"health": 31, "health_max": 30}, "$.combatants[0].health"),
        ({"weapons": [blade(), blade()]}, "$.combatants[0].weapons[1].id"),
        (
            {"weapons": [{**blade(), "kind": "ranged"}]},
            "$.combatants[0].weapons[0].range_increment_ft",
        ),
        (
            {"weapons": [blade(range_increment_ft=30)]},
            "$.combatants[0].weapons[0].range_increment_ft",
        ),
        ({"weapons": [rifle(reach_ft=5)]}, "$.combatants[0].weapons[0].reach_ft"),
        ({"conditions": ["prone", "prone"]}, "$.combatants[0].conditions[1]"),
        ({"senses": ["low_light", "low_light"]}, "$.combatants[0].senses[1]"),
    ],
)
def test_a_sheet_that_does_not_go_together_is_malformed(sheet: Tree, path: str) -> None:
    with pytest.raises(Malformed) as refused:
        seated({"combatants": [fighter("a", "red", 0, 0, **sheet)]})
    assert refused.value.params["path"] == path


@pytest.mark.parametrize(
    ("health", "left"),
    [({}, 30), ({"health": 10_000}, 30), ({"health": 30}, 30), ({"health": 7}, 7)],
)
def test_who_comes_in_unhurt_has_as_much_health_as_it_can(health: Tree, left: int) -> None:
    sheet = {**fighter("a", "red", 0, 0), "health_max": 30, **health}
    [creature] = seated({"combatants": [sheet]}).view()["combatants"]
    stated = (creature["health"], creature["health_max"], creature["band"])
    assert stated == (left, 30, "badly_hurt" if left == 7 else "unhurt")


def test_health_at_most_must_be_given() -> None:
    sheet = {"id": "n", "side": "red", "place": {"x": 0, "y": 0}, "health": 30}
    with pytest.raises(Malformed) as refused:
        convert({"type": "add_combatant", "combatant": sheet}, RULESET.action, "$.action")
    assert refused.value.params == {
        "path": "$.action.combatant",
        "allowed": "Object missing required field `health_max`",
    }


@pytest.mark.parametrize(
    ("health", "conditions", "band"),
    [(30, (), "unhurt"), (15, (), "badly_hurt"), (0, ("unconscious",), "down")],
)
def test_who_comes_in_with_no_health_left_is_out(
    health: int, conditions: tuple[str, ...], band: str
) -> None:
    table = seated({"combatants": [fighter("a", "red", 0, 0, health=health, health_max=30)]})
    came = table.combatant("a")
    assert (came.conditions, came.band) == (conditions, band)


def test_another_map_before_the_start_must_have_room_for_everybody() -> None:
    people = [fighter("a", "red", 1, 1)]
    table = seated({"combatants": people, "battle": in_progress("a")})
    assert why_not(table, {"type": "configure", "map": MAP}) == (
        "cell_impassable",
        {"x": 1, "y": 1, "features": [["cell", 1, 1]]},
    )
