"""Spaces, distances, arcs, opposite sides and steps."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.arcs import FACINGS, Heading, Quarter, quarter_of
from service.engine.geometry.distance import (
    DiagonalRule,
    cells_apart,
    feature_distance,
    path_length,
    space_distance,
    vertex_distance,
)
from service.engine.geometry.features import (
    Feature,
    Features,
    adjacent_features,
    features_of,
    has_border_between,
    is_adjacent,
    key_of,
    place_of,
    without,
)
from service.engine.geometry.points import Cell, Point, is_beyond_right_angle
from service.engine.geometry.sides import passes_opposite_sides
from service.engine.geometry.spaces import Bounds, Space, cells_of, centre, holds
from service.engine.geometry.strides import is_step, steps_of, stride
from tests.engine.geometry_oracle import Kind, inside

SPACES = st.builds(Space, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 8))
RULES: st.SearchStrategy[DiagonalRule] = st.sampled_from(("equal", "alternating"))
KINDS: tuple[Kind, ...] = ("H", "V", "cell")
PLACES = st.tuples(st.sampled_from(KINDS), st.integers(-3, 3), st.integers(-3, 3))
STEPS = tuple(step for step in itertools.product((-1, 0, 1), repeat=2) if any(step))
VECTORS = st.builds(Point, st.integers(-9, 9), st.integers(-9, 9))


@given(st.integers(-10_008, 10_008), st.integers(-10_008, 10_008))
def test_a_key_gives_its_place_back(x: int, y: int) -> None:
    assert place_of(key_of(x, y)) == (x, y)


@given(SPACES, SPACES, RULES)
def test_the_distance_of_spaces_is_that_of_their_nearest_cells(
    a: Space, b: Space, rule: DiagonalRule
) -> None:
    nearest = min(
        cells_apart(x - u, y - v, rule)
        for (x, y), (u, v) in itertools.product(cells_of(a), cells_of(b))
    )
    assert space_distance(a, b, rule) == space_distance(b, a, rule) == nearest


@pytest.mark.parametrize(
    ("offset", "equal", "alternating"),
    [
        ((0, 0), 0, 0),
        ((3, 0), 3, 3),
        ((1, 1), 1, 1),
        ((2, 2), 2, 3),
        ((-3, 3), 3, 4),
        ((5, 2), 5, 6),
    ],
)
def test_diagonals_count_once_or_every_second_twice(
    offset: Cell, equal: int, alternating: int
) -> None:
    assert cells_apart(*offset, "equal") == equal
    assert cells_apart(*offset, "alternating") == alternating


@given(st.integers(0, 9), st.integers(0, 9), RULES)
def test_a_path_of_so_many_steps_is_as_long_as_the_offset_it_makes(
    straight: int, diagonal: int, rule: DiagonalRule
) -> None:
    steps = ((1, 0),) * straight + ((1, 1),) * diagonal
    assert path_length(steps, rule) == cells_apart(straight + diagonal, diagonal, rule)


def quarter_by_comparison(direction: Point, facing: Heading) -> Quarter:
    """Turn the facing to the north, then compare the components."""
    x, y = direction.x, direction.y
    turns = FACINGS.index(facing)
    for _ in range(turns // 2):
        x, y = y, -x
    if turns % 2:
        x, y = x + y, y - x
    if (x, y) == (0, 0):
        return "side"
    if abs(x) <= abs(y):
        return "front" if y < 0 else "rear"
    return "left" if x < 0 else "right"


@given(VECTORS, st.sampled_from(FACINGS))
def test_quarters_are_those_seen_with_the_facing_turned_north(
    direction: Point, facing: Heading
) -> None:
    assert quarter_of(direction, facing) == quarter_by_comparison(direction, facing)


@given(VECTORS, VECTORS, VECTORS)
def test_the_angle_at_an_apex_is_the_same_from_both_sides(apex: Point, a: Point, b: Point) -> None:
    assert is_beyond_right_angle(apex, a, b) == is_beyond_right_angle(apex, b, a)


@given(SPACES, SPACES, SPACES)
def test_opposite_sides_do_not_depend_on_the_direction(a: Space, b: Space, t: Space) -> None:
    p, q = centre(a), centre(b)
    assert passes_opposite_sides(p, q, t) == passes_opposite_sides(q, p, t)


@given(SPACES, SPACES, SPACES)
def test_opposite_sides_are_met_at_fractions_of_the_segment(a: Space, b: Space, t: Space) -> None:
    assert passes_opposite_sides(centre(a), centre(b), t) == opposite_by_fractions(
        centre(a), centre(b), t
    )


def opposite_by_fractions(p: Point, q: Point, t: Space) -> bool:
    start, end = (p.x, p.y), (q.x, q.y)
    low, high = (2 * t.x, 2 * t.y), (2 * (t.x + t.size), 2 * (t.y + t.size))

    def meets(axis: int, c: int) -> bool:
        run, other = end[axis] - start[axis], 1 - axis
        if run == 0:
            return False
        share = Fraction(c - start[axis], run)
        where = start[other] + share * (end[other] - start[other])
        return 0 <= share <= 1 and low[other] <= where <= high[other]

    return inside(start, end, low, high) and any(
        meets(axis, low[axis]) and meets(axis, high[axis]) for axis in (0, 1)
    )


def test_cells_of_a_space_come_row_by_row() -> None:
    assert cells_of(Space(1, 5, 2)) == ((1, 5), (2, 5), (1, 6), (2, 6))


@pytest.mark.parametrize(
    ("space", "inside"),
    [
        (Space(0, 0), True),
        (Space(9, 4), True),
        (Space(10, 4), False),
        (Space(9, 5), False),
        (Space(-1, 0), False),
        (Space(8, 3, 2), True),
        (Space(9, 3, 2), False),
    ],
)
def test_a_space_is_on_the_map_with_all_its_cells(space: Space, inside: bool) -> None:
    assert holds(Bounds(0, 0, 10, 5), space) == inside


@given(SPACES)
def test_a_feature_is_adjacent_one_by_one_as_it_is_among_all(space: Space) -> None:
    around = range(-12, 19)
    cells = [(x, y) for x in around for y in around]
    everything = features_of(cells, [(side, x, y) for side in ("H", "V") for x, y in cells])
    expected = tuple(
        feature
        for kind in KINDS
        for x, y in cells
        if is_adjacent(feature := Feature(kind, x, y), space)
    )
    assert adjacent_features(everything, space) == expected
    assert len(expected) == 4 * space.size + (space.size + 2) ** 2


def test_a_border_lies_between_two_neighbours_in_either_order() -> None:
    walls = features_of((), [("V", 1, 0), ("H", 0, 1)])
    assert has_border_between(walls, (0, 0), (1, 0))
    assert has_border_between(walls, (1, 0), (0, 0))
    assert has_border_between(walls, (0, 1), (0, 0))
    assert not has_border_between(walls, (1, 0), (1, 1))


def test_steps_are_the_offsets_of_a_path() -> None:
    assert steps_of((3, 3), ((4, 4), (4, 4), (7, 4))) == ((1, 1), (0, 0), (3, 0))
    assert [is_step(step) for step in ((1, 1), (0, -1), (0, 0), (2, 0))] == [
        True,
        True,
        False,
        False,
    ]


@given(
    st.integers(1, 8),
    st.sampled_from(STEPS),
)
def test_a_step_enters_a_row_or_a_row_and_a_column(size: int, step: Cell) -> None:
    made = stride(size, step)
    assert len(made.entered) == (size if 0 in step else 2 * size - 1)
    assert len(made.corners.cells) == (0 if 0 in step else 2)


def test_a_diagonal_step_of_one_cell_passes_four_borders_and_two_cells() -> None:
    made = stride(1, (1, -1))
    assert [place_of(key) for key in made.way.cells] == [(1, -1)]
    assert (made.way.vertical, made.way.horizontal) == ((), ())
    assert sorted(place_of(key) for key in made.corners.cells) == [(0, -1), (1, 0)]
    assert [place_of(key) for key in made.corners.vertical] == [(1, -1), (1, 0)]
    assert [place_of(key) for key in made.corners.horizontal] == [(0, 0), (1, 0)]


@given(st.integers(1, 8), st.sampled_from([step for step in STEPS if 0 not in step]))
def test_a_diagonal_step_passes_what_each_cell_of_its_leading_edges_passes(
    size: int, step: Cell
) -> None:
    one, made = stride(1, step).corners, stride(size, step).corners
    ahead = [size - 1 if each > 0 else 0 for each in step]
    edge = [(x, y) for x, y in cells_of(Space(0, 0, size)) if x == ahead[0] or y == ahead[1]]

    def shifted(keys: tuple[int, ...]) -> set[Cell]:
        places = [place_of(key) for key in keys]
        return {(x + u, y + v) for x, y in edge for u, v in places}

    assert {place_of(key) for key in made.vertical} == shifted(one.vertical)
    assert {place_of(key) for key in made.horizontal} == shifted(one.horizontal)


def test_a_straight_step_of_two_cells_passes_the_borders_ahead_and_between_the_new_cells() -> None:
    made = stride(2, (1, 0))
    assert made.entered == ((2, 0), (2, 1))
    assert [place_of(key) for key in made.way.vertical] == [(2, 0), (2, 1)]
    assert [place_of(key) for key in made.way.horizontal] == [(2, 1)]


@given(st.sampled_from(KINDS), SPACES, SPACES, RULES)
def test_the_distance_to_a_feature_is_that_to_its_nearest_cell(
    kind: Kind, space: Space, place: Space, rule: DiagonalRule
) -> None:
    x, y = place.x, place.y
    beyond = {"cell": (x, y), "V": (x - 1, y), "H": (x, y - 1)}[kind]
    nearest = min(
        cells_apart(column - u, row - v, rule)
        for u, v in cells_of(space)
        for column, row in ((x, y), beyond)
    )
    assert feature_distance(Feature(kind, x, y), space, rule) == nearest


@given(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), SPACES, RULES)
def test_the_distance_from_a_vertex_counts_the_columns_and_rows_to_the_nearest_cell(
    vertex: Cell, space: Space, rule: DiagonalRule
) -> None:
    def counted(cell: int, at: int) -> int:
        return cell - at + 1 if cell >= at else at - cell

    nearest = min(
        cells_apart(counted(x, vertex[0]), counted(y, vertex[1]), rule) for x, y in cells_of(space)
    )
    assert vertex_distance(vertex, space, rule) == nearest


@given(st.frozensets(PLACES, max_size=40), st.frozensets(PLACES, max_size=10))
def test_a_set_without_some_members_is_the_set_of_the_others(
    places: frozenset[tuple[Kind, int, int]], gone: frozenset[tuple[Kind, int, int]]
) -> None:
    def marked(members: frozenset[tuple[Kind, int, int]]) -> Features:
        return features_of(
            [(x, y) for kind, x, y in members if kind == "cell"],
            [(kind, x, y) for kind, x, y in members if kind != "cell"],
        )

    rest = without(marked(places), (Feature(*place) for place in sorted(gone)))
    assert rest == marked(places - gone)
