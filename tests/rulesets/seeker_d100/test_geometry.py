"""Distances, ways and segments in whole metres."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.segments import (
    Spot,
    is_near_segment,
    is_within,
    leg_length,
    squared_distance,
    way_length,
)
from service.rulesets.seeker_d100.rules.geometry import do_segments_meet, is_in_reach, is_on_segment

SMALL = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
NINE: list[Spot] = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
WIDE = st.tuples(st.integers(-200_000, 200_000), st.integers(-200_000, 200_000))


@pytest.mark.parametrize(
    ("to", "squared", "length"),
    [
        ((0, 0), 0, 0),
        ((1, 0), 1, 1),
        ((1, 1), 2, 2),
        ((2, 2), 8, 3),
        ((-3, 0), 9, 3),
        ((3, 1), 10, 4),
        ((7, 7), 98, 10),
        ((6, 8), 100, 10),
        ((8, 7), 113, 11),
        ((18, -24), 900, 30),
        ((18, 25), 949, 31),
    ],
)
def test_a_leg_is_the_root_of_the_squares_rounded_up(to: Spot, squared: int, length: int) -> None:
    assert squared_distance((0, 0), to) == squared
    assert leg_length((0, 0), to) == leg_length(to, (0, 0)) == length


@given(WIDE, WIDE)
def test_a_length_is_the_smallest_that_reaches(a: Spot, b: Spot) -> None:
    length = leg_length(a, b)
    assert is_within(a, b, length)
    assert length == 0 or not is_within(a, b, length - 1)


def test_a_way_rounds_every_leg_by_itself() -> None:
    assert way_length((0, 0), ()) == 0
    assert way_length((0, 0), tuple((i, i) for i in range(1, 7))) == 12
    assert way_length((0, 0), ((6, 6),)) == 9


@pytest.mark.parametrize(
    ("to", "reach_sq", "is_reached"),
    [
        ((1, 1), 2, True),
        ((1, 0), 2, True),
        ((2, 0), 2, False),
        ((2, 0), 4, True),
        ((0, 0), 1, True),
    ],
)
def test_the_eight_neighbours_are_in_reach(to: Spot, reach_sq: int, is_reached: bool) -> None:
    assert is_in_reach((0, 0), to, reach_sq) == is_reached


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "do_meet"),
    [
        ((0, 0), (4, 0), (2, -1), (2, 1), True),
        ((0, 0), (4, 0), (5, -1), (5, 1), False),
        ((0, 0), (4, 0), (4, 0), (4, 5), True),
        ((0, 0), (4, 0), (4, 1), (4, 5), False),
        ((0, 0), (4, 0), (2, 0), (9, 0), True),
        ((0, 0), (4, 0), (5, 0), (9, 0), False),
        ((0, 0), (4, 0), (1, 1), (3, 1), False),
        ((0, 0), (4, 4), (0, 1), (4, 5), False),
        ((0, 0), (6, 3), (4, 2), (4, 2), True),
        ((0, 0), (6, 3), (4, 3), (4, 3), False),
        ((2, 0), (2, 0), (0, 0), (4, 0), True),
        ((2, 0), (2, 0), (2, 0), (2, 0), True),
        ((2, 0), (2, 0), (3, 0), (3, 0), False),
    ],
)
def test_closed_segments_meet_in_a_point(a: Spot, b: Spot, c: Spot, d: Spot, do_meet: bool) -> None:
    turned = [(a, b, c, d), (b, a, c, d), (a, b, d, c), (c, d, a, b), (d, c, b, a)]
    assert {do_segments_meet(*segments) for segments in turned} == {do_meet}


def meeting(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """The same by solving for the common point in fractions."""
    ax, ay, bx, by = *a, b[0] - a[0], b[1] - a[1]
    cx, cy, dx, dy = *c, d[0] - c[0], d[1] - c[1]
    turn = bx * dy - by * dx
    if turn:
        along = Fraction((cx - ax) * dy - (cy - ay) * dx, turn)
        across = Fraction((cx - ax) * by - (cy - ay) * bx, turn)
        return 0 <= along <= 1 and 0 <= across <= 1
    ends = [(p, q, r) for p, q, r in ((a, c, d), (b, c, d), (c, a, b), (d, a, b))]
    return any(lies_on(*each) for each in ends)


def lies_on(point: Spot, c: Spot, d: Spot) -> bool:
    """Whether a point is on a segment, by its coordinates."""
    in_box = all(min(c[i], d[i]) <= point[i] <= max(c[i], d[i]) for i in (0, 1))
    return in_box and (d[0] - c[0]) * (point[1] - c[1]) == (d[1] - c[1]) * (point[0] - c[0])


@given(SMALL, SMALL, SMALL, SMALL)
def test_segments_meet_where_fractions_say_so(a: Spot, b: Spot, c: Spot, d: Spot) -> None:
    assert do_segments_meet(a, b, c, d) == meeting(a, b, c, d)


def test_all_segments_of_nine_points_meet_where_fractions_say_so() -> None:
    for a, b, c, d in itertools.product(NINE, repeat=4):
        assert do_segments_meet(a, b, c, d) == meeting(a, b, c, d), (a, b, c, d)


def test_each_of_nine_points_is_as_far_from_a_segment_as_its_nearest_point() -> None:
    for point, c, d in itertools.product(NINE, repeat=3):
        assert is_on_segment(point, c, d) == lies_on(point, c, d), (point, c, d)
        for metres in range(4):
            near = squared_to_segment(point, c, d) <= metres * metres
            assert is_near_segment(point, c, d, metres) == near, (point, c, d, metres)


@given(SMALL, SMALL, SMALL)
def test_a_point_on_a_segment_is_one_by_its_coordinates(point: Spot, c: Spot, d: Spot) -> None:
    assert is_on_segment(point, c, d) == lies_on(point, c, d)


def squared_to_segment(point: Spot, c: Spot, d: Spot) -> Fraction:
    """The squared distance to a segment, by its nearest point in fractions."""
    vx, vy, wx, wy = d[0] - c[0], d[1] - c[1], point[0] - c[0], point[1] - c[1]
    length = vx * vx + vy * vy
    share = Fraction(wx * vx + wy * vy, length) if length else Fraction(0)
    share = min(max(share, Fraction(0)), Fraction(1))
    return (wx - share * vx) ** 2 + (wy - share * vy) ** 2


@given(SMALL, SMALL, SMALL, st.integers(0, 8))
def test_near_a_segment_means_near_its_nearest_point(
    point: Spot, c: Spot, d: Spot, metres: int
) -> None:
    near = squared_to_segment(point, c, d) <= metres * metres
    assert is_near_segment(point, c, d, metres) == near


def test_every_point_of_a_segment_is_near_it() -> None:
    for x, y in itertools.product(range(-4, 5), repeat=2):
        assert is_near_segment((x, y), (-4, y), (4, y), 0)
