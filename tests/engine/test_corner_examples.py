"""Lines between corners in the worked examples of the rulebook that asks for them, tactical-d20."""

import pytest

from service.engine.geometry.corner_lines import (
    corners_of,
    features_crossed,
    features_on,
    is_met,
    lattice_corners,
)
from service.engine.geometry.distance import DiagonalRule, feature_distance, vertex_distance
from service.engine.geometry.features import Feature, Features, features_of
from service.engine.geometry.open_lines import Line, closed_by, open_line, open_line_from
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space

HERE = Space(0, 0)
NOTHING = features_of()
CORRIDOR = features_of([(x, y) for x in range(-1, 5) for y in (-1, 1)])
LONG_WALL = features_of((), [("V", 2, y) for y in range(-6, 7)])
COLUMN = features_of([(2, y) for y in (-1, 0, 1)])
WALL = features_of((), [("V", 2, 0)])
PARAPET = features_of((), [("V", 1, 0)])

ALL_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


def cell(x: int, y: int) -> Features:
    return features_of([(x, y)])


def free_corners(features: Features, near: Space, far: Space, *, along: bool) -> tuple[Cell, ...]:
    """The corners of `near` from which no line to a corner of `far` meets anything."""
    return tuple(
        corner
        for corner in lattice_corners(near)
        if not any(is_met(features, corner, end, near, far, along=along) for end in corners_of(far))
    )


@pytest.mark.parametrize(
    ("features", "near", "far", "free", "free_inside"),
    [
        pytest.param(NOTHING, HERE, Space(4, 0), ALL_CORNERS, ALL_CORNERS, id="06-i"),
        pytest.param(cell(2, 1), HERE, Space(4, 0), ((0, 0), (1, 0)), ALL_CORNERS, id="06-ii"),
        pytest.param(cell(2, 0), HERE, Space(4, 0), (), (), id="06-iii"),
        pytest.param(cell(1, 0), HERE, Space(2, 2), ((0, 1), (1, 1)), ((0, 1), (1, 1)), id="07-i"),
        pytest.param(CORRIDOR, HERE, Space(3, 0), (), ALL_CORNERS, id="08-ranged"),
        pytest.param(CORRIDOR, HERE, Space(1, 0), (), ALL_CORNERS, id="08-melee"),
        pytest.param(WALL, HERE, Space(2, 0), (), (), id="09-i"),
        pytest.param(WALL, Space(2, 0), HERE, ((2, 0), (2, 1)), ((2, 0), (2, 1)), id="09-i-back"),
        pytest.param(PARAPET, HERE, Space(1, 0), (), (), id="13"),
        pytest.param(cell(0, 1), HERE, Space(1, 1), (), ((1, 0), (1, 1)), id="14"),
        pytest.param(cell(0, 1), Space(1, 1), HERE, (), ((1, 1), (2, 1)), id="14-back"),
        pytest.param(cell(2, 0), HERE, Space(4, 0), (), (), id="15-i"),
        pytest.param(cell(2, 1), HERE, Space(4, 0), ((0, 0), (1, 0)), ALL_CORNERS, id="15-ii"),
        pytest.param(cell(4, 0), HERE, Space(4, 0), (), (), id="15-iii"),
        pytest.param(cell(0, 0), HERE, Space(4, 0), ((1, 0), (1, 1)), ((1, 0), (1, 1)), id="15-iv"),
    ],
)
def test_from_some_corners_nothing_is_met(
    features: Features,
    near: Space,
    far: Space,
    free: tuple[Cell, ...],
    free_inside: tuple[Cell, ...],
) -> None:
    assert free_corners(features, near, far, along=True) == free
    assert free_corners(features, near, far, along=False) == free_inside


@pytest.mark.parametrize(
    ("features", "near", "far", "line"),
    [
        pytest.param(cell(2, 0), HERE, Space(4, 0), ((1, 0), (4, 0)), id="06-iii"),
        pytest.param(features_of([(1, 0), (0, 1)]), HERE, Space(2, 2), None, id="07-iii"),
        pytest.param(LONG_WALL, HERE, Space(2, 0), None, id="09-ii"),
        pytest.param(LONG_WALL, Space(2, 0), HERE, None, id="09-ii-back"),
        pytest.param(LONG_WALL, Space(1, 0), Space(2, 0), None, id="09-ii-beside"),
        pytest.param(PARAPET, HERE, Space(1, 0), ((1, 0), (1, 0)), id="13-if-a-wall"),
        pytest.param(COLUMN, HERE, Space(4, 0), None, id="28-i"),
        pytest.param(cell(2, 0), Space(4, 0), HERE, ((4, 0), (1, 0)), id="28-iii-back"),
    ],
)
def test_the_nearest_line_that_nothing_interrupts(
    features: Features, near: Space, far: Space, line: Line | None
) -> None:
    assert open_line(features, near, far) == line


def test_a_line_names_what_it_meets() -> None:
    pillar, smoke = cell(1, 0), cell(2, 1)
    target = Space(2, 2)
    assert features_on(pillar, (1, 0), (2, 2), HERE, target, along=True) == (Feature("cell", 1, 0),)
    beside = features_on(smoke, (0, 1), (4, 1), HERE, Space(4, 0), along=True)
    assert beside == (Feature("cell", 2, 1),)
    assert features_on(smoke, (0, 1), (4, 1), HERE, Space(4, 0), along=False) == ()


def test_two_solid_cells_close_the_vertex_between_them() -> None:
    line, features = closed_by(features_of([(1, 0), (0, 1)]), HERE, Space(2, 2))
    assert line == ((1, 1), (2, 2))
    assert features == (Feature("cell", 0, 1), Feature("cell", 1, 0))


def test_the_wall_between_neighbours_and_its_ends_close_the_nearest_line() -> None:
    line, features = closed_by(LONG_WALL, Space(1, 0), Space(2, 0))
    assert line == ((2, 0), (2, 0))
    assert features == (Feature("V", 2, -1), Feature("V", 2, 0))


def test_a_creature_is_crossed_by_lines_through_it_and_by_none_along_it() -> None:
    """Examples 10 (i), (ii) and 26."""
    target = Space(4, 0)
    for body, free in ((cell(2, 0), ()), (cell(2, 1), ALL_CORNERS)):
        assert free == tuple(
            corner
            for corner in corners_of(HERE)
            if not any(features_crossed(body, corner, end) for end in corners_of(target))
        )


@pytest.mark.parametrize(
    ("low", "creature", "rule", "cells"),
    [
        pytest.param(Feature("cell", 5, 0), Space(6, 0), "alternating", 1, id="11-i"),
        pytest.param(Feature("cell", 3, 0), Space(9, 0), "alternating", 6, id="11-iv"),
        pytest.param(Feature("cell", 3, 0), Space(-4, 0), "alternating", 7, id="11-iv-attacker"),
        pytest.param(Feature("cell", 0, 0), Space(5, 5), "alternating", 7, id="27-far"),
        pytest.param(Feature("cell", 0, 0), Space(5, 5), "equal", 5, id="27-equal"),
        pytest.param(Feature("cell", 0, 0), Space(4, 4), "alternating", 6, id="27-near"),
        pytest.param(Feature("V", 1, 0), HERE, "alternating", 0, id="border-nearer-cell"),
    ],
)
def test_the_distance_of_an_obstacle(
    low: Feature, creature: Space, rule: DiagonalRule, cells: int
) -> None:
    assert feature_distance(low, creature, rule) == cells


def test_an_explosion_reaches_round_a_pillar_and_its_lines_meet_it() -> None:
    """Example 25."""
    pillar, target = cell(2, 0), Space(4, 0)
    assert vertex_distance((0, 0), target, "alternating") == 5
    assert open_line_from(pillar, (0, 0), target) == ((0, 0), (4, 0))
    assert is_met(pillar, (0, 0), (4, 1), None, target, along=True)
