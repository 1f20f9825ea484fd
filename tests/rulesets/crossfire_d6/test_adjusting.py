"""What the game master overrules, and what the rules make of it."""

from typing import Any

import pytest
from msgspec import ValidationError

from service.errors import Malformed, Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.crossfire_d6.setups import fighter, in_progress, rifle, seated

Tree = dict[str, Any]


def battle(**a: Any) -> Table:
    """Red a in cover next to a wall, whose turn it is; blue t shoots from four cells away."""
    sheet = {"posture": "in_cover", "pin_count": 2, "weapons": [rifle()], **a}
    combatants = [fighter("a", "red", 0, 0, **sheet), fighter("t", "blue", 4, 0)]
    wall = {"form": "ascii", "rows": [".c......", "........", "........"]}
    table = seated({"combatants": combatants, "battle": in_progress("a", "t"), "map": wall})
    table.ask({"type": "start_encounter"})
    return table


def adjust(*changes: Tree, **more: Any) -> Tree:
    named = [{"combatant": "a", **change} for change in changes]
    return {"type": "adjust", "changes": named, **more}


SIMPLE: list[tuple[Tree, Tree]] = [
    (
        {"type": "condition", "condition": "prone"},
        {"type": "condition_gained", "condition": "prone", "cause": "gm"},
    ),
    (
        {"type": "condition", "condition": "prone", "holds": False},
        {"type": "condition_lost", "condition": "prone", "cause": "gm"},
    ),
    (
        {"type": "resource", "resource": "actions", "value": 5},
        {"type": "resource_changed", "resource": "actions", "now": 5, "cause": "gm"},
    ),
    (
        {"type": "stat", "stat": "ranged_defence", "value": 12},
        {"type": "stat_changed", "stat": "ranged_defence", "now": 12, "cause": "gm"},
    ),
    (
        {"type": "pin", "count": 4},
        {
            "type": "stat_changed",
            "stat": "suppression",
            "now": 4,
            "place": {"x": 0, "y": 0},
            "cause": "gm",
        },
    ),
    (
        {"type": "pin", "count": 1, "origin": {"x": 7, "y": 2}},
        {
            "type": "stat_changed",
            "stat": "suppression",
            "now": 1,
            "place": {"x": 7, "y": 2},
            "cause": "gm",
        },
    ),
    ({"type": "facing", "facing": "SW"}, {"type": "faced", "facing": "SW"}),
    (
        {"type": "posture", "posture": "blocked"},
        {"type": "posture_changed", "posture": "blocked", "cause": "gm"},
    ),
    (
        {"type": "position", "versus": "t", "position": "blocked"},
        {
            "type": "link_changed",
            "link": "position_override",
            "other": "t",
            "tied": True,
            "value": "blocked",
        },
    ),
    (
        {"type": "position", "versus": "t"},
        {"type": "link_changed", "link": "position_override", "other": "t", "tied": False},
    ),
    (
        {"type": "ready", "weapon": "rifle", "ready": False},
        {"type": "item_changed", "item": "rifle", "change": "stowed"},
    ),
    (
        {"type": "hp", "value": 12},
        {
            "type": "hurt",
            "amount": 18,
            "health": 12,
            "band": "badly_hurt",
            "breakdown": [],
            "cause": "gm",
        },
    ),
    (
        {"type": "hp", "value": 30},
        {"type": "healed", "amount": 0, "health": 30, "band": "unhurt", "cause": "gm"},
    ),
    ({"type": "hide"}, {"type": "hidden", "cause": "gm"}),
]


@pytest.mark.parametrize(("change", "effect"), SIMPLE, ids=lambda each: str(sorted(each.items())))
def test_a_change_is_taken_as_given(change: Tree, effect: Tree) -> None:
    effects = effects_of(battle().ask(adjust(change, reason="so be it")))
    assert effects == [
        {"type": "adjusted", "reason": "so be it", "secret": False},
        {"combatant": "a", **effect},
    ]


def test_changes_are_kept_in_the_state() -> None:
    table = battle()
    table.ask(adjust(*(change for change, _ in SIMPLE)))
    a = table.combatant("a")
    assert (a.ranged_defence, a.pin_count, a.facing, a.posture) == (12, 1, "SW", "blocked")
    assert (a.actions_left, a.health, a.overrides, a.hidden) == (5, 30, (), True)
    assert not a.weapons[0].ready


def test_an_override_of_the_position_closes_the_line_both_ways() -> None:
    table = battle()
    shot = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
    table.ask(adjust({"type": "position", "versus": "t", "position": "blocked"}))
    with pytest.raises(Refused, match="line_of_sight_blocked"):
        table.ask(shot)
    table.ask(adjust({"type": "position", "versus": "t"}))
    table.ask(shot)


def test_who_is_put_away_from_cover_is_open_and_still_pinned_down_from_where_he_was() -> None:
    table = battle()
    effects = effects_of(table.ask(adjust({"type": "place", "place": {"x": 5, "y": 2}})))
    assert effects[1:] == [
        {
            "type": "moved",
            "combatant": "a",
            "manner": "placed",
            "start": {"x": 0, "y": 0},
            "path": [],
            "end": {"x": 5, "y": 2},
            "complete": True,
        },
        {"type": "posture_changed", "combatant": "a", "posture": "open", "cause": "cover_lost"},
        {
            "type": "stat_changed",
            "rule": "CF-PIN-1",
            "combatant": "a",
            "stat": "live_suppression",
            "now": 0,
        },
    ]
    assert table.combatant("a").pin_count == 2


@pytest.mark.parametrize(
    ("health", "states"),
    [(0, ["helpless"]), (-29, ["helpless"]), (-30, ["dead"])],
)
def test_falling_follows_from_health_and_ends_the_turn(health: int, states: list[str]) -> None:
    table = battle()
    effects = effects_of(table.ask(adjust({"type": "hp", "value": health})))
    assert [each["state"] for each in effects if each["type"] == "felled"] == states
    assert table.turn == "t"


def test_who_was_down_by_his_health_comes_round_with_it() -> None:
    table = battle()
    table.ask(adjust({"type": "hp", "value": -40}))
    lost = effects_of(table.ask(adjust({"type": "hp", "value": -5})))
    assert [each["condition"] for each in lost if each["type"] == "condition_lost"] == ["dead"]
    assert table.combatant("a").conditions == ("helpless",)
    table.ask(adjust({"type": "hp", "value": 1}))
    assert table.combatant("a").conditions == ()


def test_who_is_bound_stays_helpless_whatever_his_health() -> None:
    table = battle(conditions=["helpless"])
    table.ask(adjust({"type": "hp", "value": 10}))
    assert table.combatant("a").conditions == ("helpless",)


def test_who_is_revealed_is_stated_anew() -> None:
    table = battle(hidden=True)
    effects: list[Any] = effects_of(table.ask(adjust({"type": "reveal"})))
    assert effects[0] == {"type": "adjusted", "secret": True}
    assert effects[1]["type"] == "revealed"
    assert (effects[1]["combatant"]["id"], effects[1]["combatant"]["hidden"]) == ("a", False)
    seen: Any = table.shown(len(table.events), "eve")
    assert [each["type"] for each in seen["effects"]] == ["revealed"]
    assert "action" not in seen


@pytest.mark.parametrize(
    ("stat", "largest"),
    [
        ("speed_ft", 200),
        ("agi_pool", 30),
        ("int_pool", 30),
        ("pin_resistance", 20),
        ("melee_defence", 200),
        ("ranged_defence", 200),
        ("soak", 10_000),
        ("health_max", 10_000),
    ],
)
def test_a_number_keeps_to_the_bounds_of_the_sheet(stat: str, largest: int) -> None:
    table = battle()
    for value in (0, largest):
        table.ask(adjust({"type": "stat", "stat": stat, "value": value}))
        assert getattr(table.combatant("a"), stat) == value
    assert getattr(battle(**{stat: largest}).combatant("a"), stat) == largest
    for value in (-1, largest + 1):
        before = table.view()
        with pytest.raises(Malformed) as refusal:
            table.ask(
                adjust(
                    {"type": "facing", "facing": "E"},
                    {"type": "stat", "stat": stat, "value": value},
                )
            )
        told = {"path": "$.changes[1].value", "allowed": f"0 to {largest}"}
        assert refusal.value.params == told
        assert table.view() == before
        with pytest.raises(ValidationError):
            battle(**{stat: value})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"type": "ready", "weapon": "spoon", "ready": True}, "unknown_weapon"),
        ({"type": "hp", "combatant": "nobody", "value": 1}, "unknown_combatant"),
        ({"type": "position", "versus": "nobody"}, "unknown_combatant"),
        ({"type": "place", "place": {"x": 4, "y": 0}}, "cell_occupied"),
        ({"type": "place", "place": {"x": 9, "y": 0}}, "off_map"),
        ({"type": "place", "place": {"x": 10_001, "y": 0}}, "off_map"),
    ],
)
def test_what_is_not_there_can_not_be_changed(change: Tree, code: str) -> None:
    with pytest.raises(Refused, match=code):
        battle().ask(adjust(change))


@pytest.mark.rule("CF-POS-7")
def test_cover_that_is_taken_away_leaves_everybody_behind_it_open() -> None:
    table = battle()
    gone = {"type": "set_terrain", "cells": [{"x": 1, "y": 0}]}
    effects = effects_of(table.ask(gone))
    assert [each["type"] for each in effects] == ["terrain_changed", "posture_changed"]
    assert effects[1] == {
        "type": "posture_changed",
        "combatant": "a",
        "posture": "open",
        "cause": "cover_lost",
    }


@pytest.mark.rule("CF-POS-7")
@pytest.mark.parametrize(
    "change",
    [
        {"type": "set_terrain", "cells": [{"x": 7, "y": 2, "kind": "solid"}]},
        {"type": "set_terrain", "cells": [{"x": 1, "y": 0, "kind": "solid"}]},
        adjust({"combatant": "t", "type": "place", "place": {"x": 7, "y": 1}}),
    ],
    ids=["ground elsewhere", "other cover", "somebody else is put away"],
)
def test_who_loses_no_cover_keeps_his_posture(change: Tree) -> None:
    table = battle()
    table.ask(adjust({"combatant": "t", "type": "posture", "posture": "blocked"}))
    effects = effects_of(table.ask(change))
    assert [each for each in effects if each["type"] == "posture_changed"] == []
    assert [table.combatant(each).posture for each in "at"] == ["in_cover", "blocked"]


@pytest.mark.rule("CF-POS-7")
def test_a_posture_the_game_master_gave_is_lost_with_cover_that_came_later() -> None:
    table = battle()
    table.ask(adjust({"combatant": "t", "type": "posture", "posture": "blocked"}))
    table.ask({"type": "set_terrain", "cells": [{"x": 5, "y": 0, "kind": "cover"}]})
    effects = effects_of(table.ask({"type": "set_terrain", "cells": [{"x": 5, "y": 0}]}))
    assert effects[1:] == [
        {"type": "posture_changed", "combatant": "t", "posture": "open", "cause": "cover_lost"}
    ]


def test_hidden_ground_takes_and_gives_nobody_cover_until_it_is_known() -> None:
    table = battle()
    hidden = {"type": "set_terrain", "cells": [{"x": 1, "y": 0}], "secret": True}
    assert len(table.ask(hidden).effects) == 1
    assert table.combatant("a").posture == "in_cover"
    assert "secrets" not in str(table.view("ann"))
    known = {"type": "set_terrain", "cells": [{"x": 0, "y": 1, "kind": "solid"}]}
    table.ask(known)
    assert table.combatant("a").posture == "in_cover"
    assert [change.cell.x for change in table.state.rule.secrets] == [1]


@pytest.mark.rule("CF-POS-7")
def test_another_map_leaves_everybody_open_who_has_no_cover_on_it() -> None:
    combatants = [
        fighter("a", "red", 0, 0, posture="in_cover"),
        fighter("t", "blue", 4, 0, posture="blocked"),
    ]
    table = seated({"combatants": combatants, "map": {"form": "ascii", "rows": [".c...c"]}})
    other = {"form": "ascii", "rows": [".c...."]}
    effects = effects_of(table.ask({"type": "configure", "map": other}))
    assert effects[1:] == [
        {"type": "posture_changed", "combatant": "t", "posture": "open", "cause": "cover_lost"}
    ]
    assert [table.combatant(each).posture for each in "at"] == ["in_cover", "open"]


def test_ground_is_stated_on_the_map_only() -> None:
    off = {"type": "set_terrain", "borders": [{"axis": "v", "x": 9, "y": 0, "kind": "solid"}]}
    with pytest.raises(Refused, match="off_map"):
        battle().ask(off)
    edge = {"type": "set_terrain", "borders": [{"axis": "v", "x": 8, "y": 0, "kind": "solid"}]}
    battle().ask(edge)
    with pytest.raises(Malformed):
        battle().ask({"type": "set_terrain"})


def hidings(table: Table) -> list[tuple[str, int]]:
    a = table.state.rule.combatants[0]
    return [(each.combatant, each.offset) for each in a.hidden_from]


def test_a_lower_streak_lowers_what_was_hidden_of_it() -> None:
    table = battle(pin_count=5, hidden_from=[{"combatant": "t", "offset": 4}])
    told = effects_of(table.ask(adjust({"type": "pin", "count": 2})))
    assert told[-1] == {
        "type": "link_changed",
        "rule": "CF-PIN-6",
        "link": "hidden_from",
        "combatant": "a",
        "other": "t",
        "tied": True,
        "amount": 2,
    }
    assert hidings(table) == [("t", 2)]


@pytest.mark.parametrize(("count", "left"), [(0, []), (4, [("t", 4)]), (6, [("t", 4)])])
def test_of_no_streak_nothing_is_hidden_and_a_long_one_leaves_it(
    count: int, left: list[tuple[str, int]]
) -> None:
    table = battle(pin_count=5, hidden_from=[{"combatant": "t", "offset": 4}])
    table.ask(adjust({"type": "pin", "count": count}))
    assert hidings(table) == left


@pytest.mark.parametrize(
    ("health", "before", "after", "band", "conditions"),
    [
        (10, 10, 20, "badly_hurt", ()),
        (10, 20, 10, "unhurt", ()),
        (10, 20, 19, "hurt", ()),
        (-20, 20, 30, "down", ("helpless",)),
        (-20, 30, 20, "down", ("helpless", "dead")),
    ],
)
def test_another_starting_health_tells_anew_what_the_present_one_means(
    health: int, before: int, after: int, band: str, conditions: tuple[str, ...]
) -> None:
    table = battle(health=health, health_max=before)
    table.ask(adjust({"type": "stat", "stat": "health_max", "value": after}))
    a = table.state.rule.combatants[0]
    assert (a.health, a.health_max, a.band, a.conditions) == (health, after, band, conditions)


def test_another_starting_health_that_means_the_same_is_one_fact() -> None:
    table = battle(health=10, health_max=20)
    told = effects_of(table.ask(adjust({"type": "stat", "stat": "health_max", "value": 21})))
    assert [each["type"] for each in told] == ["adjusted", "stat_changed"]
