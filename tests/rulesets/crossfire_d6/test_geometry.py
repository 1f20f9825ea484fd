"""CF-GEO: the chapter's geometry."""

import pytest

from service.engine.geometry.features import Border, Feature, features_of
from service.engine.geometry.points import Cell, Point
from service.engine.geometry.spaces import Space
from service.rulesets.crossfire_d6.rules.geometry import (
    are_sides_opposite,
    centre_of,
    features_on_line,
)


@pytest.mark.rule("CF-GEO-1")
@pytest.mark.parametrize(
    ("space", "centre"),
    [
        (Space(0, 0), Point(1, 1)),
        (Space(5, -3), Point(11, -5)),
        (Space(1, 1, 2), Point(4, 4)),
        (Space(0, 0, 3), Point(3, 3)),
    ],
)
def test_centres_are_whole_numbers_in_doubled_coordinates(space: Space, centre: Point) -> None:
    assert centre_of(space) == centre


@pytest.mark.rule("CF-GEO-2")
@pytest.mark.parametrize(
    ("cell", "other", "crosses"),
    [
        ((0, 0), (2, 0), True),
        ((0, 0), (1, 1), False),
        ((0, 0), (2, 2), False),
        ((0, 0), (2, 1), True),
        ((0, 1), (2, 1), False),
        ((1, -1), (1, 0), True),
        ((1, 0), (1, 0), False),
    ],
)
def test_a_line_crosses_a_cell_only_by_its_interior(cell: Cell, other: Cell, crosses: bool) -> None:
    crossed = (Feature("cell", 1, 0),) if crosses else ()
    assert features_on_line(features_of([(1, 0)]), cell, other) == crossed


@pytest.mark.rule("CF-GEO-3")
@pytest.mark.rule("CF-GEO-4")
@pytest.mark.parametrize(
    ("cells", "borders", "met"),
    [
        ([(1, 0)], [], []),
        ([(1, 0), (0, 1)], [], [("cell", 0, 1), ("cell", 1, 0)]),
        ([(1, 1)], [], [("cell", 1, 1)]),
        ([(1, 0)], [("H", 0, 1)], [("H", 0, 1), ("cell", 1, 0)]),
        ([], [("V", 1, 0)], []),
        ([], [("V", 1, 0), ("V", 1, 1)], [("V", 1, 0), ("V", 1, 1)]),
        ([(1, 2)], [("V", 2, 1)], [("V", 2, 1), ("cell", 1, 2)]),
        ([(1, 0), (1, 2)], [], []),
    ],
)
def test_a_diagonal_passes_one_closed_side_of_a_corner_but_no_pinch(
    cells: list[Cell], borders: list[Border], met: list[tuple[str, int, int]]
) -> None:
    features = features_of(cells, borders)
    assert [tuple(each) for each in features_on_line(features, (0, 0), (2, 2))] == met
    assert [tuple(each) for each in features_on_line(features, (2, 2), (0, 0))] == met


@pytest.mark.rule("CF-GEO-3")
def test_a_border_is_met_where_it_is_crossed_and_not_at_its_end() -> None:
    walls = features_of((), [("V", 1, 0), ("V", 2, 1), ("H", 1, 1), ("V", 1, 1)])
    assert features_on_line(walls, (0, 0), (3, 0)) == (Feature("V", 1, 0),)
    assert features_on_line(walls, (0, 0), (2, 1)) == (
        Feature("H", 1, 1),
        Feature("V", 1, 0),
        Feature("V", 2, 1),
    )
    assert features_on_line(features_of((), [("V", 1, 0)]), (0, 0), (1, 1)) == ()


@pytest.mark.rule("CF-GEO-4")
@pytest.mark.parametrize(
    ("cells", "falling", "rising"),
    [
        ([(0, 0), (1, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 1)]),
        ([(1, 0), (0, 1)], [(0, 1), (1, 0)], [(0, 1), (1, 0)]),
        ([(1, 0)], [], [(1, 0)]),
        ([(0, 0)], [(0, 0)], []),
        ([(0, 0), (1, 0), (0, 1)], [(0, 0), (0, 1), (1, 0)], [(0, 1), (1, 0)]),
        (
            [(0, 0), (1, 0), (0, 1), (1, 1)],
            [(0, 0), (0, 1), (1, 0), (1, 1)],
            [(0, 0), (0, 1), (1, 0), (1, 1)],
        ),
    ],
)
def test_a_vertex_is_pinched_if_both_ways_round_are_closed(
    cells: list[Cell], falling: list[Cell], rising: list[Cell]
) -> None:
    features = features_of(cells)
    lines = {((0, 0), (1, 1)): falling, ((0, 1), (1, 0)): rising}
    for (cell, other), expected in lines.items():
        met = features_on_line(features, cell, other)
        assert [(feature.x, feature.y) for feature in met] == expected


@pytest.mark.rule("CF-GEO-6")
@pytest.mark.parametrize(
    ("p", "q", "opposite"),
    [
        (Point(1, 3), Point(5, 3), True),
        (Point(1, 3), Point(5, 5), False),
        (Point(1, 1), Point(5, 5), True),
        (Point(3, 1), Point(3, 5), True),
        (Point(1, 1), Point(5, 3), False),
        (Point(1, 3), Point(1, 5), False),
        (Point(1, 3), Point(3, 3), False),
        (Point(-1, 1), Point(7, 5), True),
        (Point(-1, 3), Point(1, 3), False),
    ],
)
def test_a_segment_passes_opposite_sides_of_a_cell(p: Point, q: Point, opposite: bool) -> None:
    assert are_sides_opposite(p, q, Space(1, 1)) == opposite
    assert are_sides_opposite(q, p, Space(1, 1)) == opposite
