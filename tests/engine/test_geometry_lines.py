"""Lines on the grid, held against a second formulation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.features import Border, Feature, features_of
from service.engine.geometry.lines import (
    cells_crossed,
    centre_line,
    crosses_open_rectangle,
    features_met,
    is_met,
    line_between,
    vertices_inside,
)
from service.engine.geometry.points import Cell, Point
from tests.engine import geometry_oracle as oracle

NEAR = range(-6, 6)
POINTS = st.builds(Point, st.integers(-10, 10), st.integers(-10, 10))
CELLS = st.tuples(st.integers(-5, 4), st.integers(-5, 4))
CELL_SETS = st.frozensets(CELLS, max_size=30)
BORDERS: st.SearchStrategy[Border] = st.tuples(
    st.sampled_from(("H", "V")), st.integers(-5, 5), st.integers(-5, 5)
)
BORDER_SETS = st.frozensets(BORDERS, max_size=30)


@given(POINTS, POINTS)
def test_a_line_crosses_the_cells_that_clipping_by_fractions_finds(p: Point, q: Point) -> None:
    expected = [
        (x, y) for x in NEAR for y in NEAR if oracle.crosses_cell((p.x, p.y), (q.x, q.y), x, y)
    ]
    assert list(cells_crossed(line_between(p, q))) == expected


@given(POINTS, POINTS, CELLS)
def test_separating_axes_say_the_same_of_one_cell_as_clipping(
    p: Point, q: Point, cell: Cell
) -> None:
    expected = oracle.crosses_cell((p.x, p.y), (q.x, q.y), *cell)
    x, y = cell
    assert (
        crosses_open_rectangle(p, q, Point(2 * x, 2 * y), Point(2 * x + 2, 2 * y + 2)) == expected
    )


@given(POINTS, POINTS)
def test_a_line_has_the_vertices_inside_it_that_lie_on_it_by_proportion(p: Point, q: Point) -> None:
    expected = [
        (x, y) for x in NEAR for y in NEAR if oracle.is_inside_line((p.x, p.y), (q.x, q.y), (x, y))
    ]
    assert list(vertices_inside(line_between(p, q))) == expected


@given(POINTS, POINTS, CELL_SETS, BORDER_SETS)
def test_a_line_meets_what_the_second_formulation_says_it_meets(
    p: Point, q: Point, cells: frozenset[Cell], borders: frozenset[Border]
) -> None:
    features = features_of(cells, borders)
    marked: set[oracle.Mark] = {("cell", x, y) for x, y in cells}
    marked.update(borders)
    line = line_between(p, q)
    assert list(features_met(features, line)) == sorted(
        Feature(kind, x, y) for kind, x, y in oracle.met((p.x, p.y), (q.x, q.y), marked)
    )
    assert is_met(features, line) == bool(features_met(features, line))


@given(CELLS, CELLS, CELL_SETS, BORDER_SETS)
def test_a_line_meets_the_same_in_both_directions(
    cell: Cell, other: Cell, cells: frozenset[Cell], borders: frozenset[Border]
) -> None:
    features = features_of(cells, borders)
    assert features_met(features, centre_line(cell, other)) == features_met(
        features, centre_line(other, cell)
    )


@given(CELLS, CELLS, CELL_SETS, BORDER_SETS, st.integers(-9000, 9000), st.integers(-9000, 9000))
def test_what_a_line_meets_moves_with_the_map(
    cell: Cell,
    other: Cell,
    cells: frozenset[Cell],
    borders: frozenset[Border],
    east: int,
    south: int,
) -> None:
    here = features_met(features_of(cells, borders), centre_line(cell, other))
    there = features_met(
        features_of(
            ((x + east, y + south) for x, y in cells),
            ((side, x + east, y + south) for side, x, y in borders),
        ),
        centre_line((cell[0] + east, cell[1] + south), (other[0] + east, other[1] + south)),
    )
    assert there == tuple(Feature(kind, x + east, y + south) for kind, x, y in here)


def test_a_line_along_a_row_crosses_its_cells_with_both_ends() -> None:
    assert cells_crossed(centre_line((2, 1), (-1, 1))) == ((-1, 1), (0, 1), (1, 1), (2, 1))


def test_a_diagonal_crosses_the_cells_on_it_and_passes_the_corners_between() -> None:
    line = centre_line((0, 0), (2, 2))
    assert cells_crossed(line) == ((0, 0), (1, 1), (2, 2))
    assert vertices_inside(line) == ((1, 1), (2, 2))


def test_a_line_of_no_length_meets_nothing() -> None:
    everything = features_of([(0, 0)], [("H", 0, 0), ("V", 0, 0)])
    assert features_met(everything, centre_line((0, 0), (0, 0))) == ()


@pytest.mark.parametrize(
    ("q", "crossed"),
    [(Point(1, 5), False), (Point(2, 5), False), (Point(3, 5), True), (Point(4, 5), True)],
)
def test_a_rectangle_is_crossed_only_where_its_interior_is_entered(q: Point, crossed: bool) -> None:
    assert crosses_open_rectangle(Point(1, -1), q, Point(2, 0), Point(6, 4)) == crossed


@pytest.mark.parametrize(
    ("borders", "pinched"),
    [
        ([], False),
        ([("V", 1, 0)], False),
        ([("V", 1, 0), ("H", 1, 1)], False),
        ([("V", 1, 0), ("H", 0, 1)], True),
        ([("V", 1, 0), ("V", 1, 1)], True),
        ([("H", 1, 1), ("V", 1, 1)], True),
    ],
)
def test_a_vertex_is_pinched_by_borders_on_both_ways_round(
    borders: list[Border], pinched: bool
) -> None:
    features = features_of((), borders)
    around = tuple(sorted(Feature(*border) for border in borders)) if pinched else ()
    assert features_met(features, centre_line((0, 0), (1, 1))) == around
    assert features_met(features, centre_line((1, 1), (0, 0))) == around


def test_a_wall_is_crossed_along_itself_by_no_line_between_centres_but_across() -> None:
    wall = features_of((), [("V", 1, 0)])
    assert features_met(wall, centre_line((0, 0), (1, 0))) == (Feature("V", 1, 0),)
    assert features_met(wall, centre_line((0, 0), (0, 3))) == ()
    assert features_met(wall, centre_line((0, 0), (1, 1))) == ()
