"""The preconditions of a move and of a melee attack."""

import pytest

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Posture, ground_of
from service.rulesets.crossfire_d6.rules.melee import (
    can_strike,
    require_open_strike,
    require_within_reach,
)
from service.rulesets.crossfire_d6.rules.movement import (
    Occupied,
    Walk,
    can_step,
    require_walk,
)

MAP = Bounds(0, 0, 10, 10)
NOBODY = Occupied()
MIDDLE = Space(5, 5)


def walk(
    *path: Cell,
    start: Space = MIDDLE,
    posture: Posture = "open",
    speed: int = 30,
    prone: bool = False,
    rule: DiagonalRule = "equal",
) -> Walk:
    return Walk(
        space=start,
        path=path,
        posture=posture,
        speed_ft=speed,
        is_prone=prone,
        diagonal_rule=rule,
    )


def refusal(asked: Walk, ground: Ground, occupied: Occupied = NOBODY) -> tuple[str, object]:
    with pytest.raises(Refused) as refused:
        require_walk(asked, ground, occupied)
    return refused.value.code, refused.value.params


def test_a_free_path_is_allowed_and_its_length_told() -> None:
    ground = ground_of(bounds=MAP)
    assert require_walk(walk((6, 5), (7, 6), (8, 7)), ground, NOBODY) == 15
    path = walk((6, 6), (7, 7), (8, 8), rule="alternating")
    assert require_walk(path, ground, NOBODY) == 20


@pytest.mark.parametrize("end", [(5, 5), (7, 5), (5, 7), (7, 7), (3, 4)])
def test_each_step_leads_to_a_neighbour(end: Cell) -> None:
    expected = {"step": 1, "dx": end[0] - 5, "dy": end[1] - 4}
    if max(abs(end[0] - 5), abs(end[1] - 4)) <= 1:
        expected = {"step": 0, "dx": 0, "dy": 0}
        assert refusal(walk((5, 5), end), ground_of()) == ("path_not_contiguous", expected)
        return
    assert refusal(walk((5, 4), end), ground_of()) == ("path_not_contiguous", expected)


@pytest.mark.parametrize(
    ("asked", "params"),
    [
        (walk((0, -1), start=Space(0, 0)), {"step": 0, "x": 0, "y": -1}),
        (walk((8, 5), (9, 5), start=Space(7, 5, 2)), {"step": 1, "x": 9, "y": 5}),
    ],
)
def test_the_whole_space_stays_on_the_map(asked: Walk, params: dict[str, object]) -> None:
    assert refusal(asked, ground_of(bounds=MAP)) == (
        "off_map",
        {**params, "bounds": [0, 0, 10, 10]},
    )
    require_walk(asked, ground_of(), NOBODY)


@pytest.mark.parametrize(
    ("ground", "step", "size", "code"),
    [
        (ground_of(solid_cells=[(6, 5)]), (1, 0), 1, "cell_impassable"),
        (ground_of(solid_borders=[("V", 6, 5)]), (1, 0), 1, "cell_impassable"),
        (ground_of(solid_borders=[("H", 5, 5)]), (0, -1), 1, "cell_impassable"),
        (ground_of(solid_borders=[("V", 7, 5)]), (1, 0), 1, None),
        (ground_of(cover_cells=[(6, 5)], cover_borders=[("V", 6, 5)]), (1, 0), 1, None),
        (ground_of(solid_cells=[(6, 6)]), (1, 1), 1, "cell_impassable"),
        (ground_of(solid_cells=[(6, 5)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_cells=[(5, 6)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_borders=[("V", 6, 5)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_borders=[("V", 6, 6)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_borders=[("H", 5, 6)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_borders=[("H", 6, 6)]), (1, 1), 1, "diagonal_blocked"),
        (ground_of(solid_borders=[("H", 6, 7)]), (1, 1), 1, None),
        (ground_of(solid_cells=[(7, 6)]), (1, 0), 2, "cell_impassable"),
        (ground_of(solid_borders=[("V", 7, 6)]), (1, 0), 2, "cell_impassable"),
        (ground_of(solid_borders=[("H", 7, 6)]), (1, 0), 2, "cell_impassable"),
        (ground_of(solid_cells=[(7, 7)]), (1, 0), 2, None),
        (ground_of(solid_cells=[(7, 5)]), (1, 1), 2, "diagonal_blocked"),
        (ground_of(solid_cells=[(5, 7)]), (1, 1), 2, "diagonal_blocked"),
        (ground_of(solid_cells=[(7, 8)]), (1, 1), 2, None),
        (ground_of(solid_borders=[("V", 7, 5)]), (1, 1), 2, "diagonal_blocked"),
        (ground_of(solid_borders=[("V", 7, 6)]), (1, 1), 2, "cell_impassable"),
        (ground_of(solid_cells=[(7, 4)]), (1, 1), 2, None),
    ],
)
def test_solids_stop_steps_and_close_corners(
    ground: Ground, step: Cell, size: int, code: str | None
) -> None:
    start = Space(5, 5, size)
    asked = walk((5 + step[0], 5 + step[1]), start=start)
    assert can_step(ground, start, step) == (code is None)
    if code is None:
        require_walk(asked, ground, NOBODY)
        return
    refused, params = refusal(asked, ground)
    assert refused == code
    assert isinstance(params, dict)
    assert (params["step"], params["x"], params["y"]) == (0, 5 + step[0], 5 + step[1])


def test_a_solid_in_the_way_is_named() -> None:
    assert refusal(walk((6, 5), (7, 5)), ground_of(solid_borders=[("V", 7, 5)])) == (
        "cell_impassable",
        {"step": 1, "x": 7, "y": 5, "features": [["V", 7, 5]]},
    )


def test_nobody_is_walked_through_and_nobody_stands_on_a_body() -> None:
    standing = Occupied(standing=frozenset({(6, 5)}))
    body = Occupied(bodies=frozenset({(6, 5)}))
    through = walk((6, 5), (7, 5))
    assert refusal(through, ground_of(), standing) == (
        "cell_occupied",
        {"step": 0, "x": 6, "y": 5},
    )
    assert require_walk(through, ground_of(), body) == 10
    assert refusal(walk((6, 5)), ground_of(), body) == (
        "cell_occupied",
        {"step": 0, "x": 6, "y": 5},
    )


def test_a_large_space_enters_with_all_its_cells() -> None:
    standing = Occupied(standing=frozenset({(7, 6)}))
    assert refusal(walk((6, 5), start=Space(5, 5, 2)), ground_of(), standing) == (
        "cell_occupied",
        {"step": 0, "x": 7, "y": 6},
    )
    body = Occupied(bodies=frozenset({(6, 6)}))
    assert refusal(walk((6, 5), start=Space(5, 5, 2)), ground_of(), body)[0] == "cell_occupied"


@pytest.mark.parametrize(("speed", "allowed"), [(9, False), (10, True), (11, True)])
def test_a_path_is_as_long_as_the_speed_at_most(speed: int, allowed: bool) -> None:
    asked = walk((6, 5), (7, 5), speed=speed)
    if allowed:
        assert require_walk(asked, ground_of(), NOBODY) == 10
        return
    assert refusal(asked, ground_of()) == ("path_too_long", {"length_ft": 10, "longest_ft": 9})


def test_a_prone_fighter_crawls_one_step() -> None:
    assert require_walk(walk((6, 5), prone=True), ground_of(), NOBODY) == 5
    assert refusal(walk((6, 5), (7, 5), prone=True), ground_of()) == (
        "prone_cannot_walk",
        {"steps": 2, "longest": 1},
    )


@pytest.mark.rule("CF-POS-7")
def test_a_posture_at_the_end_needs_a_feature_there() -> None:
    ground = ground_of(cover_cells=[(8, 5)])
    assert require_walk(walk((6, 5), (7, 5), posture="in_cover"), ground, NOBODY) == 10
    assert refusal(walk((6, 5), posture="blocked"), ground)[0] == "no_cover_here"


def test_the_first_violated_precondition_names_the_error() -> None:
    everything_wrong = ground_of(bounds=Bounds(0, 0, 6, 6), solid_cells=[(6, 5), (6, 6)])
    occupied = Occupied(standing=frozenset({(6, 6)}))
    far = walk((6, 6), (9, 9), posture="blocked", speed=0, prone=True)
    assert refusal(far, everything_wrong, occupied)[0] == "path_not_contiguous"
    near = walk((6, 6), (6, 7), posture="blocked", speed=0, prone=True)
    assert refusal(near, everything_wrong, occupied)[0] == "off_map"
    solid = ground_of(solid_cells=[(6, 5), (6, 6)])
    assert refusal(near, solid, occupied)[0] == "cell_impassable"
    corner = ground_of(solid_cells=[(6, 5)])
    assert refusal(near, corner, occupied)[0] == "diagonal_blocked"
    assert refusal(near, ground_of(), occupied)[0] == "cell_occupied"
    assert refusal(near, ground_of())[0] == "path_too_long"
    rested = walk((6, 6), (6, 7), posture="blocked", prone=True)
    assert refusal(rested, ground_of())[0] == "prone_cannot_walk"


@pytest.mark.parametrize(("distance", "reaches"), [(4, True), (5, True), (6, False)])
def test_melee_reaches_as_far_as_the_weapon(distance: int, reaches: bool) -> None:
    if reaches:
        require_within_reach(distance, 5)
        return
    with pytest.raises(Refused) as refused:
        require_within_reach(distance, 5)
    assert (refused.value.code, refused.value.params) == (
        "out_of_reach",
        {"distance_ft": 6, "reach_ft": 5},
    )


@pytest.mark.rule("CF-GEO-3")
@pytest.mark.parametrize(
    ("ground", "size", "reach", "strikes"),
    [
        (ground_of(), 1, 5, True),
        (ground_of(solid_borders=[("V", 1, 0)]), 1, 5, False),
        (ground_of(cover_borders=[("V", 1, 0)]), 1, 5, True),
        (ground_of(solid_borders=[("V", 1, 0)]), 2, 5, True),
        (ground_of(solid_borders=[("V", 1, 0), ("V", 1, 1)]), 2, 5, False),
        (ground_of(solid_borders=[("V", 1, 0), ("H", 1, 1)]), 2, 5, True),
    ],
)
def test_melee_needs_one_pair_of_cells_without_a_wall_between(
    ground: Ground, size: int, reach: int, strikes: bool
) -> None:
    attacker = Fighter(id="a", side="red", space=Space(0, 0))
    target = Fighter(id="t", side="blue", space=Space(1, 0, size))
    assert can_strike(ground, attacker.space, target.space, reach, "equal") == strikes
    if strikes:
        require_open_strike(ground, attacker, target, reach, "equal")
        return
    with pytest.raises(Refused) as refused:
        require_open_strike(ground, attacker, target, reach, "equal")
    assert (refused.value.code, refused.value.rule) == ("line_of_sight_blocked", "CF-GEO-3")
