"""Convex polygons of a plane without cells, held against clipping by fractions."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service.engine.geometry.polygons import (
    enters_interior,
    is_inside_or_on,
    is_near_polygon,
    is_near_vertex,
    is_strictly_inside,
    polygon_fault,
    polygon_of,
)
from service.engine.geometry.segments import Spot, squared_distance
from tests.engine import plane_oracle as oracle

SPOTS = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
CORNERS = st.frozensets(SPOTS, min_size=3, max_size=10).map(oracle.hull)
WAYS = st.integers(0, 7)
BUILDING = ((12000, 8000), (14000, 8000), (14000, 12000), (12000, 12000))
WALL = ((20000, 10000), (24000, 10000), (24000, 10400), (20000, 10400))


@given(CORNERS, SPOTS, SPOTS, WAYS, st.integers(0, 11))
def test_a_segment_enters_where_clipping_leaves_a_length(
    corners: tuple[Spot, ...], start: Spot, end: Spot, way: int, first: int
) -> None:
    assume(len(corners) > 2)
    expected = oracle.has_piece_inside(corners, start, end)
    at = first % len(corners)
    polygon = polygon_of(tuple(oracle.turned(each, way) for each in (*corners[at:], *corners[:at])))
    here, there = oracle.turned(start, way), oracle.turned(end, way)
    assert enters_interior(polygon, here, there) == expected
    assert enters_interior(polygon, there, here) == expected


@given(CORNERS, SPOTS, WAYS, st.integers(-1, 9))
def test_a_point_is_inside_on_or_near(
    corners: tuple[Spot, ...], spot: Spot, way: int, reach: int
) -> None:
    assume(len(corners) > 2)
    ring = (*corners, corners[0])
    edges = [(ring[at], ring[at + 1]) for at in range(len(corners))]
    nearest = min(oracle.distance_to(spot, *edge) for edge in edges)
    is_on = oracle.sign_of(nearest) == 0
    is_inside = not is_on and _winding(ring, spot) != 0
    is_near = is_on or is_inside or oracle.sign_of(nearest - reach) <= 0
    polygon = polygon_of(tuple(oracle.turned(each, way) for each in corners))
    there = oracle.turned(spot, way)
    assert is_strictly_inside(polygon, there) == is_inside
    assert is_inside_or_on(polygon, there) == (is_inside or is_on)
    assert is_near_polygon(polygon, there, reach) == (reach >= 0 and is_near)
    assert is_near_vertex(polygon, there, reach) == any(
        reach >= 0 and squared_distance(spot, corner) <= reach * reach for corner in corners
    )


def _winding(ring: tuple[Spot, ...], spot: Spot) -> int:
    """How often a ring goes round a point that is not on it: crossings of a half-line eastwards."""
    rounds = 0
    for at in range(len(ring) - 1):
        (ax, ay), (bx, by) = ring[at], ring[at + 1]
        turn = (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax)
        if ay <= spot[1] < by and turn > 0:
            rounds += 1
        elif by <= spot[1] < ay and turn < 0:
            rounds -= 1
    return rounds


@given(CORNERS, WAYS, st.integers(0, 11))
def test_a_hull_has_no_fault_whichever_way_it_is_told(
    corners: tuple[Spot, ...], way: int, first: int
) -> None:
    at = first % len(corners)
    stated = tuple(oracle.turned(each, way) for each in (*corners[at:], *corners[:at]))
    assert polygon_fault(stated) == (None if len(corners) > 2 else "polygon_degenerate")
    assert polygon_fault(stated[::-1]) == polygon_fault(stated)


@given(st.lists(SPOTS, min_size=3, max_size=6).map(tuple))
def test_what_has_no_fault_is_a_hull_in_order(corners: tuple[Spot, ...]) -> None:
    hull = oracle.hull(frozenset(corners))
    rounds = {(*ring[at:], *ring[:at]) for ring in (hull, hull[::-1]) for at in range(len(ring))}
    is_sound = len(hull) > 2 and corners in rounds
    assert (polygon_fault(corners) is None) is is_sound


@pytest.mark.parametrize(
    ("corners", "fault"),
    [
        (BUILDING, None),
        (BUILDING[::-1], None),
        (((0, 0), (4, 0), (0, 3)), None),
        (((0, 0), (4, 0)), "polygon_degenerate"),
        ((), "polygon_degenerate"),
        (((0, 0), (4, 0), (8, 0)), "polygon_degenerate"),
        (((0, 0), (2, 0), (4, 0), (0, 3)), "polygon_degenerate"),
        (((2, 0), (4, 0), (0, 3), (0, 0)), "polygon_degenerate"),
        (((0, 0), (0, 0), (4, 0), (0, 3)), "polygon_degenerate"),
        (((0, 0), (4, 4), (4, 0), (0, 4)), "polygon_degenerate"),
        (((0, 0), (6, 5), (4, 0), (0, 4)), "polygon_not_convex"),
        (((0, 0), (4, 0), (1, 1), (0, 4)), "polygon_not_convex"),
        (((0, -5), (3, 4), (-5, -1), (5, -1), (-3, 4)), "polygon_not_convex"),
        (((0, 0), (4, 0), (0, 3), (0, 0), (4, 0), (0, 3)), "polygon_not_convex"),
    ],
)
def test_faults_of_corners(corners: tuple[Spot, ...], fault: str | None) -> None:
    assert polygon_fault(corners) == fault


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((10000, 10000), (16000, 10000), True),
        ((10000, 8000), (16000, 8000), False),
        ((10000, 10000), (14000, 6000), False),
        ((10000, 10001), (14000, 6001), True),
        ((12000, 8000), (14000, 12000), True),
        ((13000, 9000), (13000, 9001), True),
        ((13000, 9000), (13000, 9000), False),
        ((10000, 10000), (12000, 10000), False),
        ((10000, 10000), (12001, 10000), True),
    ],
)
def test_along_an_edge_and_through_a_corner_nothing_is_entered(
    start: Spot, end: Spot, expected: bool
) -> None:
    assert enters_interior(polygon_of(BUILDING), start, end) is expected


@pytest.mark.parametrize(
    ("spot", "near"),
    [
        ((22000, 11900), True),
        ((22000, 11901), False),
        ((25200, 11300), True),
        ((25201, 11300), False),
        ((22000, 10200), True),
        ((18500, 10200), True),
        ((18499, 10200), False),
    ],
)
def test_near_a_wall(spot: Spot, near: bool) -> None:
    assert is_near_polygon(polygon_of(WALL), spot, 1500) is near


@pytest.mark.parametrize(
    ("spot", "near"),
    [((11400, 10000), False), ((11100, 6800), True), ((11099, 6800), False)],
)
def test_near_a_corner_of_a_building(spot: Spot, near: bool) -> None:
    assert is_near_vertex(polygon_of(BUILDING), spot, 1500) is near
