"""What the sheets of combatants and weapons change in whole battles: sizes, heights, traits."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given, Refusal
from tests.rulesets.crossfire_d6.duels import at, do, drawn, duel, path, shoot, strike
from tests.rulesets.crossfire_d6.examples import Tree

Row = tuple[Any, ...]


def rows_of(battle: Given, action: Tree) -> tuple[Row, ...]:
    """The rows of an attack that rolls only ones; its preview must have said the same."""
    told = battle.foretold(action)
    assert not isinstance(told, Refusal), told
    facts = told["facts"]
    outcome = battle.when(action, dice=(1,) * facts["pool"]).outcome
    assert isinstance(outcome, list), outcome
    detail = next(each["detail"] for each in outcome if each["type"] == "attack_resolved")
    assert (detail["breakdown"], detail["pool"]) == (facts["breakdown"], facts["pool"])
    return tuple(
        (row["rule"], row["amount"], row["note"]) if "note" in row else (row["rule"], row["amount"])
        for row in detail["breakdown"]
    )


def refused_with(battle: Given, action: Tree) -> str:
    outcome = battle.when(action).outcome
    return outcome.code if isinstance(outcome, Refusal) else ""


PENALTIES = ("CF-RANGE-1", "CF-PB-1", "CF-COVER-2", "CF-ALLY-1", "CF-OBSC-1", "CF-PRONE-1")


def hard_shot(*ignored: str) -> Given:
    """A shot at T with every penalty there is."""
    gun = {"id": "gun", "range_increment_ft": 5, "attack_dice": 20}
    target = {"posture": "in_cover", "conditions": ["prone", "invisible"], **at(2, 0)}
    return duel(
        {"weapons": [gun], "ignored_rules": list(ignored)},
        target,
        ally={"side": "red", **at(3, 0)},
        map=drawn(".c..", "...."),
        options={"cover_penalty_mode": "separate", "point_blank_ft": 10},
    )


@pytest.mark.rule("CF-ALLY-2")
@pytest.mark.parametrize("ignored", PENALTIES)
def test_a_trick_removes_the_penalty_of_any_rule_and_of_no_other(ignored: str) -> None:
    assert rows_of(hard_shot(ignored), shoot()) == tuple(
        (rule, 0, "penalty_ignored")
        if rule == ignored
        else (rule, -1 if rule in ("CF-RANGE-1", "CF-PRONE-1") else -2)
        for rule in PENALTIES
    )


@pytest.mark.rule("CF-ALLY-2")
def test_a_trick_removes_no_bonus() -> None:
    bonuses = ["CF-ELEV-1", "CF-PRONE-2", "CF-UNAWARE-1", "CF-FLANK-1"]
    battle = duel(
        {"ignored_rules": bonuses, **at(0, 0, elevation=2)},
        {"conditions": ["prone", "unaware"], **at(1, 0)},
        partner={"side": "red", **at(2, 0)},
    )
    amounts = (1, 2, 2, 1)
    assert rows_of(battle, strike()) == tuple(zip(bonuses, amounts, strict=True))


@pytest.mark.rule("CF-ALLY-3")
@pytest.mark.parametrize("ignored", [[], ["CF-ALLY-1"]])
def test_reckless_fire_puts_the_ally_in_danger_whatever_the_trick(ignored: list[str]) -> None:
    ally = {"side": "red", "ranged_defence": 4, **at(3, 0)}
    battle = duel({"ignored_rules": ignored}, ally=ally, options={"allow_reckless_fire": True})
    effects = battle.when(shoot(reckless=True), dice=(1, 1, 1, 1, 5)).outcome
    assert isinstance(effects, list)
    hurt = [(each["combatant"], each["amount"]) for each in effects if each["type"] == "hurt"]
    assert hurt == [("ally", 5)]


@pytest.mark.rule("CF-ELEV-2")
@pytest.mark.parametrize(
    ("own", "ground", "rows"),
    [
        (None, 10, (("CF-ELEV-2", 1),)),
        (None, 9, ()),
        (0, 10, ()),
        (10, 0, (("CF-ELEV-2", 1),)),
        (-5, 0, ()),
    ],
)
def test_the_height_of_a_combatant_is_his_own_before_that_of_the_ground(
    own: int | None, ground: int, rows: tuple[Row, ...]
) -> None:
    board = {"form": "cells", "cells": [{"x": 0, "y": 0, "elevation_ft": ground}]}
    stated = at(0, 0) if own is None else at(0, 0, elevation=own)
    assert rows_of(duel(stated, at(4, 0), map=board), shoot()) == rows


@pytest.mark.rule("CF-ELEV-2")
def test_the_ground_under_a_large_one_is_that_of_its_north_west_cell() -> None:
    def on(x: int, y: int) -> dict[str, Any]:
        board = {"form": "cells", "cells": [{"x": x, "y": y, "elevation_ft": 10}]}
        return {"a": {"size": 2}, "t": at(5, 0), "map": board}

    assert rows_of(duel(**on(0, 0)), shoot()) == (("CF-ELEV-2", 1),)
    assert rows_of(duel(**on(1, 1)), shoot()) == ()


@pytest.mark.rule("CF-ELEV-2")
def test_ground_below_the_table_is_a_height_too() -> None:
    board = {"form": "cells", "cells": [{"x": 4, "y": 0, "elevation_ft": -10}]}
    assert rows_of(duel(t=at(4, 0), map=board), shoot()) == (("CF-ELEV-2", 1),)


@pytest.mark.rule("CF-RANGE-3")
def test_large_ones_are_as_far_apart_as_their_nearest_cells() -> None:
    battle = duel({"size": 2}, {"size": 3, **at(4, 1)})
    assert battle.foretold(shoot())["facts"]["distance_ft"] == 15


@pytest.mark.rule("CF-FLANK-2")
@pytest.mark.parametrize(
    ("partner", "rows"),
    [(at(4, 1), (("CF-FLANK-1", 1),)), (at(2, 4), ()), (at(4, 3), (("CF-FLANK-1", 1),))],
)
def test_a_large_one_is_flanked_through_its_whole_space(
    partner: Tree, rows: tuple[Row, ...]
) -> None:
    blade = {"weapons": [{"id": "blade"}]}
    battle = duel(
        {**blade, **at(0, 2)},
        {"size": 3, **at(1, 1)},
        partner={"side": "red", **blade, **partner},
    )
    assert rows_of(battle, strike()) == rows


@pytest.mark.rule("CF-FACE-4")
@pytest.mark.parametrize(("arc", "code"), [("rear", ""), ("front", "outside_arc")])
def test_the_arc_of_a_large_one_is_measured_from_its_centre(arc: str, code: str) -> None:
    dragon = {
        "size": 3,
        "facing": "E",
        "weapons": [{"id": "tail", "arc": arc, "reach_ft": 10}],
        **at(2, 2),
    }
    tail = strike(weapon="tail")
    battle = duel(dragon, at(1, 1))
    told = battle.foretold(tail)
    assert (told.code if isinstance(told, Refusal) else "") == code


WAYS: list[tuple[Tree, list[str], tuple[tuple[int, int], ...], str]] = [
    ({"size": 2}, ["......", "......", "......"], ((1, 0), (2, 1)), ""),
    ({"size": 2}, ["..#...", "......", "......"], ((1, 0),), "cell_impassable"),
    ({"size": 2}, ["..#...", "......", "......"], ((1, 1),), "diagonal_blocked"),
    ({"size": 2}, ["......", "......", "..#..."], ((1, 1),), "cell_impassable"),
    ({"size": 2}, ["......", "......", "......"], ((0, 1), (0, 2)), "off_map"),
    ({}, ["......", ".#....", "......"], ((1, 0), (2, 0)), ""),
    ({}, [".#....", "......", "......"], ((1, 1),), "diagonal_blocked"),
    ({}, [".c....", "......", "......"], ((1, 0),), ""),
    ({"conditions": ["prone"]}, ["......", "......"], ((1, 1),), ""),
    ({"conditions": ["prone"]}, ["......", "......"], ((1, 1), (2, 1)), "prone_cannot_walk"),
]


@pytest.mark.parametrize(("a", "rows", "cells", "code"), WAYS)
def test_walls_stop_and_corners_close(
    a: Tree, rows: list[str], cells: tuple[tuple[int, int], ...], code: str
) -> None:
    battle = duel(a, at(5, 0), map=drawn(*rows))
    assert refused_with(battle, path(*cells)) == code


@pytest.mark.parametrize(
    ("axis", "x", "y", "kind", "end", "code"),
    [
        ("v", 1, 0, "solid", (1, 0), "cell_impassable"),
        ("v", 1, 0, "cover", (1, 0), ""),
        ("h", 0, 1, "solid", (0, 1), "cell_impassable"),
        ("h", 0, 1, "cover", (0, 1), ""),
        ("v", 1, 0, "solid", (0, 1), ""),
        ("v", 1, 0, "solid", (1, 1), "diagonal_blocked"),
        ("v", 1, 1, "solid", (1, 1), "diagonal_blocked"),
        ("h", 0, 1, "solid", (1, 1), "diagonal_blocked"),
        ("h", 1, 1, "solid", (1, 1), "diagonal_blocked"),
        ("h", 1, 1, "cover", (1, 1), ""),
        ("h", 2, 1, "solid", (1, 1), ""),
    ],
)
def test_a_solid_border_stops_a_step_and_low_walls_do_not(
    axis: str, x: int, y: int, kind: str, end: tuple[int, int], code: str
) -> None:
    board = {"form": "cells", "borders": [{"axis": axis, "x": x, "y": y, "kind": kind}]}
    assert refused_with(duel(t=at(9, 9), map=board), path(end)) == code


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.parametrize(
    ("kind", "posture", "rows", "code"),
    [
        ("cover", "open", (), ""),
        ("cover", "in_cover", (("CF-COVER-2", -2),), ""),
        ("cover", "blocked", (), "line_of_sight_blocked"),
        ("solid", "open", (), "line_of_sight_blocked"),
        ("solid", "in_cover", (("CF-COVER-2", -2),), ""),
        ("solid", "blocked", (), "line_of_sight_blocked"),
    ],
)
def test_borders_hide_and_cover_as_cells_do(
    kind: str, posture: str, rows: tuple[Row, ...], code: str
) -> None:
    board = {"form": "cells", "borders": [{"axis": "v", "x": 4, "y": 0, "kind": kind}]}
    battle = duel(t={"posture": posture, **at(4, 0)}, map=board)
    if code:
        assert refused_with(battle, shoot()) == code
    else:
        assert rows_of(battle, shoot()) == rows


@pytest.mark.parametrize("state", ["helpless", "dead"])
def test_bodies_are_walked_over_but_not_rested_on(state: str) -> None:
    body = {"side": "blue", "conditions": [state], **at(1, 0)}
    assert refused_with(duel(t=at(9, 9), body=body), path((1, 0), (2, 0))) == ""
    assert refused_with(duel(t=at(9, 9), body=body), path((1, 0))) == "cell_occupied"
    large = duel({"size": 2}, at(9, 9), body={**body, **at(2, 1)})
    assert refused_with(large, path((1, 0))) == "cell_occupied"


@pytest.mark.rule("CF-RANGE-1")
def test_a_weapon_of_both_kinds_shoots_and_strikes() -> None:
    spear = {"id": "gun", "kind": "both", "range_increment_ft": 10, "reach_ft": 10}
    battle = duel({"weapons": [spear]}, at(2, 0), options={"actions_per_turn": 3})
    assert rows_of(battle, shoot()) == ()
    assert rows_of(battle, strike(weapon="gun")) == ()
    far = duel({"weapons": [spear]}, at(3, 0), options={"actions_per_turn": 3})
    assert rows_of(far, shoot()) == (("CF-RANGE-1", -1),)
    assert refused_with(far, strike(weapon="gun")) == "out_of_reach"


def test_without_reach_nobody_is_struck() -> None:
    battle = duel({"weapons": [{"id": "blade", "reach_ft": 0}]}, at(1, 0))
    assert refused_with(battle, strike()) == "out_of_reach"


@pytest.mark.rule("CF-POS-2")
def test_a_walk_leaves_the_posture_unless_it_takes_one_where_it_ends() -> None:
    board = drawn(".....", ".c...", ".....")
    battle = duel({"posture": "in_cover"}, at(4, 2), map=board)
    postures = [each["posture"] for each in told(battle, path((1, 0), posture="blocked"))]
    assert postures == ["blocked"]
    assert [each["posture"] for each in told(battle, path((2, 0)))] == ["open"]
    assert refused_with(battle, path((3, 0), posture="in_cover")) == "no_actions_left"
    away = duel(at(2, 0), at(4, 2), map=board)
    assert refused_with(away, path((3, 0), posture="in_cover")) == "no_cover_here"


def told(battle: Given, action: Tree) -> list[dict[str, Any]]:
    outcome = battle.when(action).outcome
    assert isinstance(outcome, list), outcome
    return [each for each in outcome if each["type"] == "posture_changed"]


@pytest.mark.rule("CF-FACE-2")
@pytest.mark.rule("CF-FACE-3")
def test_looking_another_way_costs_nothing_and_needs_no_action_left() -> None:
    battle = duel(options={"actions_per_turn": 1})
    battle.when(path((0, 1), facing="S"))
    for facing in ("NE", "W"):
        battle.when(do("set_facing", facing=facing)).then(
            {"type": "faced", "rule": "CF-FACE-3", "combatant": "a", "facing": facing}
        )
