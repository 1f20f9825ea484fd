"""Grenades, explosions and fire next to the worked examples: scatter, victims, chains."""

from random import Random
from typing import Any, Final

import pytest

from tests.kit.given_when_then import Asked
from tests.rulesets.squad_d100 import oracle
from tests.rulesets.squad_d100.duels import (
    BOMB,
    aimed_at,
    at,
    code,
    done,
    duel,
    end,
    fight,
    only,
    path,
    rolls,
    throw,
    watches,
    who,
    wounds,
)

HIT: Final = 10
FREE: Final = ["............"] * 8


def victims(asked: Asked) -> list[list[str]]:
    """Whom each blast reached, in order."""
    return [[each["target"] for each in area["victims"]] for area in only(asked, "area_resolved")]


def centres(asked: Asked) -> list[tuple[int, int]]:
    """Where each blast was."""
    origins = [each["area"]["origin"] for each in only(asked, "area_resolved")]
    return [(each["x"], each["y"]) for each in origins]


# --- SQ-GREN --------------------------------------------------------------------------------------

CLOCK: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize("face", range(1, 9))
@pytest.mark.parametrize(("die", "cells"), [(60, 1), (99, 1), (100, 2)])
def test_a_miss_scatters_clockwise_from_the_top(face: int, die: int, cells: int) -> None:
    battle = duel(t=at(11, 7))
    thrown = battle.when(throw(5, 3), dice=(die, face))
    dx, dy = CLOCK[face - 1]
    assert centres(thrown) == [(5 + cells * dx, 3 + cells * dy)]


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize(
    ("rows", "there"),
    [
        (["......", "......", "...█..", "......"], (3, 1)),
        (["......", "......", "...D..", "......"], (3, 1)),
        (["......", "......", "...X..", "......"], (3, 3)),
        (["......", "......", "...|..", "......"], (3, 3)),
        (["......", "......", "...E..", "......"], (3, 3)),
        (["......", "......", "......", "...█.."], (3, 2)),
        (["......", "......", "......"], (3, 2)),
    ],
    ids=["wall", "door", "X", "low", "cargo", "second wall", "edge"],
)
def test_scatter_stops_before_walls_closed_doors_and_the_edge(
    rows: list[str], there: tuple[int, int]
) -> None:
    battle = duel(t=at(5, 0), map=rows, options={"explosive_radius": 0})
    thrown = battle.when(throw(3, 1), dice=(100, 5, *([50] if "E" in rows[2] else [])))
    assert centres(thrown)[0] == there


@pytest.mark.rule("SQ-GREN-3")
def test_an_open_door_lets_scatter_pass() -> None:
    rows = ["......", "......", "...D..", "......"]
    battle = duel(t=at(5, 0), map=rows, options={"doors_open": True})
    assert centres(battle.when(throw(3, 1), dice=(100, 5))) == [(3, 3)]


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize("corner_rule", ["both", "any"])
def test_diagonal_scatter_squeezes_past_corners(corner_rule: str) -> None:
    rows = ["......", "...█..", "..█...", "......"]
    battle = duel(t=at(5, 0), map=rows, options={"corner_rule": corner_rule})
    assert centres(battle.when(throw(2, 1), dice=(99, 4))) == [(3, 2)]


@pytest.mark.rule("SQ-GREN-2")
def test_a_throw_has_the_modifier_of_the_throwers_pose_alone() -> None:
    sheet = {"posture": "kneeling"}
    for die, outcome in ((64, "hit"), (65, "miss")):
        battle = duel(sheet, {"posture": "kneeling"}, map=["....x......."])
        thrown = battle.when(throw(4, 0), dice=(die, *([1] if outcome == "miss" else [])))
        assert rolls(thrown) == [("s", (4, 0), die, die - 5, 60, outcome)]


@pytest.mark.rule("SQ-GREN-2")
def test_aimed_shots_without_modifiers_are_no_throws() -> None:
    battle = duel({"posture": "kneeling"}, options={"aimed_modifiers": "none"})
    assert [each[3] for each in rolls(battle.when(throw(9, 0), dice=(40,)))] == [35]


@pytest.mark.rule("SQ-GREN-4")
def test_a_blast_reaches_the_nearest_first_and_friends_and_the_thrower_too() -> None:
    battle = fight(
        s=at(4, 4, grenades=[BOMB | {"radius": 2}]),
        t=at(3, 3),
        f=at(5, 4, side="red"),
        u=at(2, 4),
        v=at(4, 5, health=0, side="red"),
        w=at(7, 4),
    )
    thrown = battle.when(throw(4, 4), dice=(HIT,))
    assert victims(thrown) == [["s", "t", "f", "u"]]
    assert [each[0] for each in wounds(thrown)] == ["s", "t", "f", "u"]


@pytest.mark.rule("SQ-GREN-4")
def test_a_natural_1_is_critical_for_all_and_damage_is_rolled_once() -> None:
    bomb = BOMB | {"ap_class": 0, "damage": {"count": 1, "sides": 6}}
    battle = fight(s=at(0, 0, grenades=[bomb]), t=at(4, 0, armour_class=9), u=at(5, 0))
    thrown = battle.when(throw(4, 0), dice=(1, 4))
    assert wounds(thrown) == [(each, 14, "heavy", "broken_limb") for each in ("t", "u")]


@pytest.mark.rule("SQ-GREN-4")
@pytest.mark.parametrize("armour", [0, 50])
def test_damage_is_rolled_whether_a_penetration_needs_it_or_not(armour: int) -> None:
    bomb = BOMB | {"damage": {"count": 2, "sides": 6}}
    battle = fight(s=at(0, 0, grenades=[bomb]), t=at(9, 7, armour_class=armour))
    thrown = battle.when(throw(4, 0), dice=(HIT, 4, 5))
    assert [each["roll"]["faces"] for each in only(thrown, "rolled")] == [[4, 5]]


@pytest.mark.rule("SQ-GREN-4")
@pytest.mark.parametrize(("highest", "die", "zone"), [(1, 9, "red"), (10, 9, "penetration")])
def test_a_critical_success_of_the_throw_is_one_for_all(highest: int, die: int, zone: str) -> None:
    battle = fight(
        s=at(0, 0, grenades=[BOMB | {"ap_class": 0}]),
        t=at(4, 0, armour_class=9),
        options={"crit_success_max": highest},
    )
    [area] = only(battle.when(throw(4, 0), dice=(die,)), "area_resolved")
    assert [each["outcome"] for each in area["victims"]] == [zone]


@pytest.mark.rule("SQ-GREN-4")
def test_walls_x_and_closed_doors_shelter_from_a_blast_and_low_things_do_not() -> None:
    for glyph, reached in (
        ("█", []),
        ("X", []),
        ("D", []),
        ("|", ["t"]),
        ("E", ["t"]),
        ("x", ["t"]),
    ):
        rows = [f"....{glyph}......."]
        battle = fight(
            s=at(0, 0, grenades=[BOMB | {"radius": 2}]),
            t=at(5, 0),
            map=rows,
            options={"explosive_radius": 0},
        )
        dice = (HIT, 50) if glyph == "E" else (HIT,)
        assert victims(battle.when(throw(3, 0), dice=dice))[0] == reached, glyph


@pytest.mark.rule("SQ-GREN-4")
@pytest.mark.parametrize("number", range(8))
def test_the_victims_of_a_blast_are_those_of_a_second_formulation(number: int) -> None:
    dice = Random(number)
    rows = ["".join(dice.choice("......█X|") for _ in range(9)) for _ in range(7)]
    rows[0] = "." + rows[0][1:]
    metric: oracle.Metric = dice.choice(["chebyshev", "manhattan", "steps", "euclid"])
    rule: oracle.CornerRule = dice.choice(["both", "any"])
    free = [(x, y) for y in range(7) for x in range(9) if rows[y][x] == "." and (x, y) != (0, 0)]
    centre, *places = dice.sample(free, 9)
    radius = dice.randint(0, 3)
    people = {f"v{n}": at(*each) for n, each in enumerate(places)}
    thrower = at(0, 0, grenades=[BOMB | {"radius": radius}], strength=100)
    battle = fight(
        s=thrower, **people, map=rows, options={"distance_metric": metric, "corner_rule": rule}
    )
    thrown = battle.when(throw(*centre), dice=(HIT,))
    if code(thrown) == "no_throw_line":
        assert not oracle.is_clear(rows, (0, 0), centre, oracle.STOPS_SIGHT, rule)
        return
    everyone = {"s": (0, 0)} | {f"v{n}": each for n, each in enumerate(places)}
    reached = [
        (oracle.distance(centre, cell, metric), n, name)
        for n, (name, cell) in enumerate(everyone.items())
        if oracle.distance(centre, cell, metric) <= radius
        and oracle.is_clear(rows, centre, cell, oracle.STOPS_SHOTS, rule)
    ]
    assert victims(thrown) == [[name for _, _, name in sorted(reached)]]


@pytest.mark.rule("SQ-GREN-4")
def test_a_thrower_who_blows_himself_up_has_no_turn_any_more() -> None:
    battle = duel({"health": 30})
    done(battle.when(throw(0, 0), dice=(HIT,)))
    assert battle.table.turn == "t"
    assert not watches(battle, "s")


@pytest.mark.rule("SQ-GREN-2")
def test_a_grenade_may_be_thrown_onto_an_x_and_at_ones_own_feet() -> None:
    battle = duel(map=["..X........."])
    assert centres(battle.when(throw(2, 0), dice=(HIT,))) == [(2, 0)]
    assert who(battle, "s")["grenades"][0]["count"] == 0


# --- SQ-EXP ---------------------------------------------------------------------------------------


def shoot(*objects: tuple[int, int], rows: list[str], dice: tuple[int, ...], **more: Any) -> Asked:
    """S shoots at the object."""
    [target] = objects
    return fight(s=at(0, 0), **more, map=rows).when(aimed_at(*target), dice=dice)


@pytest.mark.rule("SQ-EXP-3")
def test_chains_go_off_first_in_first_out_and_row_by_row_each_once() -> None:
    rows = [
        "......E.....",
        "............",
        "....E.E.E...",
        "............",
        "......E...E.",
    ]
    battle = fight(s=at(0, 2), map=rows)
    fired = battle.when(aimed_at(4, 2), dice=(2, 50, 51, 52, 53, 54, 55))
    # (4,2) touches (6,0), (6,2), (6,4); (6,0) touches (8,2); (8,2) touches (10,4).
    assert centres(fired) == [(4, 2), (6, 0), (6, 2), (6, 4), (8, 2), (10, 4)]
    faces = [each["roll"]["faces"] for each in only(fired, "area_resolved")]
    assert faces == [[50], [51], [52], [53], [54], [55]]


@pytest.mark.rule("SQ-EXP-3")
def test_objects_behind_a_wall_do_not_go_off() -> None:
    fired = shoot((3, 0), rows=["...E█E......", "............"], dice=(2, 50), t=at(9, 0))
    assert centres(fired) == [(3, 0)]


@pytest.mark.rule("SQ-EXP-1")
def test_an_explosion_has_the_numbers_of_the_table() -> None:
    options = {"explosive_damage": 7, "explosive_ap": 2, "explosive_radius": 1}
    people = {"t": at(5, 0, armour_class=3), "u": at(6, 0)}
    fired = fight(s=at(0, 0), **people, map=["....E......."], options=options).when(
        aimed_at(4, 0), dice=(2, 4)
    )
    assert wounds(fired) == [("t", 17, "heavy", "broken_limb")]


@pytest.mark.rule("SQ-EXP-1")
@pytest.mark.parametrize(
    ("highest", "die", "loss"), [(1, 1, 40), (5, 5, 40), (0, 1, 10), (1, 2, 10)]
)
def test_the_die_of_an_explosion_is_a_critical_success_as_the_table_says(
    highest: int, die: int, loss: int
) -> None:
    options = {"crit_success_max": highest}
    people = {"s": at(0, 0), "t": at(5, 0, armour_class=99)}
    battle = fight(**people, map=["....E......."], options=options)
    fired = battle.when(aimed_at(4, 0), dice=(10, die))
    assert wounds(fired) == [("t", loss, "heavy", "broken_limb")]


@pytest.mark.rule("SQ-EXP-1")
def test_a_grenade_sets_off_what_it_touches_after_its_victims() -> None:
    battle = fight(s=at(0, 0), t=at(5, 0, health_max=200), map=["......E....."])
    thrown = battle.when(throw(5, 0), dice=(HIT, 50))
    assert centres(thrown) == [(5, 0), (6, 0)]
    assert [each[:2] for each in wounds(thrown)] == [("t", 30), ("t", 40)]


@pytest.mark.rule("SQ-EXP-2")
def test_fuel_sets_fire_to_floor_reserved_places_and_cover_around() -> None:
    rows = [".....0xW....", ".....DF|....", ".....X█.....", "............"]
    battle = fight(s=at(11, 1), t=at(6, 3), map=rows)
    fired = battle.when(aimed_at(6, 1), dice=(2,))
    [changed] = only(fired, "terrain_changed")
    burning = {(each["x"], each["y"]) for each in changed["changes"]}
    assert burning == {(5, 0), (6, 0), (6, 1), (7, 2)}
    assert {each["terrain"] for each in changed["changes"]} == {"fire"}


@pytest.mark.rule("SQ-EXP-2")
def test_those_on_cells_that_burn_are_burnt_in_their_order() -> None:
    battle = fight(
        s=at(0, 1),
        t=at(5, 0),
        u=at(4, 2, kind="robot"),
        w=at(4, 0, side="red"),
        map=["............", ".....F......", "............"],
    )
    fired = battle.when(aimed_at(5, 1), dice=(2,))
    assert wounds(fired) == [
        ("t", 0, "light", "burns"),
        ("u", 0, "light", "module_damaged"),
        ("w", 0, "light", "burns"),
    ]


@pytest.mark.rule("SQ-EXP-2")
def test_whoever_stands_in_fire_already_is_not_burnt_again_by_fuel() -> None:
    """The cells that become fire burn; his was fire before."""
    battle = fight(s=at(0, 0), t=at(5, 1), map=["....F.......", ".....~......"])
    fired = battle.when(aimed_at(4, 0), dice=(2,))
    assert wounds(fired) == []


@pytest.mark.rule("SQ-EXP-2")
def test_the_distance_of_burning_cells_is_that_of_the_table() -> None:
    battle = fight(
        s=at(0, 1),
        t=at(9, 1),
        map=["............", "....F.......", "............"],
        options={"distance_metric": "manhattan"},
    )
    [changed] = only(battle.when(aimed_at(4, 1), dice=(2,)), "terrain_changed")
    assert len(changed["changes"]) == 5


# --- SQ-FIRE --------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-FIRE-1")
@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("light_wound", [("s", 0, "light", "burns")]),
        ("heavy_wound", [("s", 10, "heavy", "severe_burns")]),
        ("none", []),
    ],
)
def test_the_table_chooses_what_fire_does(effect: str, expected: list[tuple[Any, ...]]) -> None:
    options = {"fire_effect": effect}
    battle = duel(t=at(4, 0, agility=10), map=[".~.........."], options=options)
    assert wounds(battle.when(path((1, 0)))) == expected
    done(battle.when(end()))
    assert wounds(battle.when(end("t"))) == expected


@pytest.mark.rule("SQ-FIRE-1")
def test_a_walk_through_fire_ends_where_it_kills() -> None:
    battle = duel({"health": 15}, map=[".~~~........"], options={"fire_effect": "heavy_wound"})
    walked = battle.when(path((1, 0), (2, 0), (3, 0)))
    assert wounds(walked) == [("s", 10, "heavy", "severe_burns")] * 2
    assert who(battle, "s")["place"] == {"x": 2, "y": 0}
    assert battle.table.turn == "t"


@pytest.mark.rule("SQ-FIRE-2")
def test_whoever_burns_to_death_at_the_start_of_his_turn_has_none() -> None:
    battle = duel(
        t=at(4, 0, health=5), map=["....~......."], options={"fire_effect": "heavy_wound"}
    )
    ended = battle.when(end())
    assert wounds(ended) == [("t", 10, "heavy", "severe_burns")]
    assert battle.table.turn == "s"


@pytest.mark.rule("SQ-FIRE-1")
def test_terrain_that_the_game_master_lays_harms_nobody() -> None:
    battle = duel()
    laid = {"type": "set_terrain", "cells": [{"x": 4, "y": 0, "terrain": "fire"}]}
    assert wounds(battle.when(laid)) == []
