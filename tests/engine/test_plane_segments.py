"""How near a point is to a segment of a plane without cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.segments import (
    Spot,
    is_near_segment,
    is_nearer_segment,
    is_within,
    leg_length,
    way_length,
)
from tests.engine import plane_oracle as oracle

SPOTS = st.tuples(st.integers(-12, 12), st.integers(-12, 12))
WAYS = st.integers(0, 7)


@given(SPOTS, SPOTS, SPOTS, st.integers(-2, 15), WAYS)
def test_a_point_is_as_near_as_its_distance_says(
    spot: Spot, start: Spot, end: Spot, reach: int, way: int
) -> None:
    gap = oracle.sign_of(oracle.distance_to(spot, start, end) - reach)
    there, here, beyond = (oracle.turned(each, way) for each in (spot, start, end))
    assert is_near_segment(there, here, beyond, reach) == (gap <= 0)
    assert is_nearer_segment(there, here, beyond, reach) == (gap < 0)
    assert is_near_segment(there, beyond, here, reach) == (gap <= 0)


@pytest.mark.parametrize(
    ("spot", "reach", "near", "nearer"),
    [
        ((22000, 11500), 4499, False, False),
        ((22000, 11500), 4500, True, False),
        ((22000, 11500), 4501, True, True),
        ((18997, 15996), 5, True, False),
        ((18997, 15996), 4, False, False),
        ((25003, 16004), 5, True, False),
        ((25003, 16004), 6, True, True),
        ((25000, 16000), 0, True, False),
        ((22000, 16000), -1, False, False),
    ],
)
def test_beside_and_beyond_the_ends(spot: Spot, reach: int, near: bool, nearer: bool) -> None:
    start, end = (19000, 16000), (25000, 16000)
    assert is_near_segment(spot, start, end, reach) is near
    assert is_nearer_segment(spot, start, end, reach) is nearer


@pytest.mark.parametrize(
    ("reach", "expected"), [(-1, False), (0, False), (4, False), (5, True), (6, True)]
)
def test_a_point_at_the_reach_is_within_it(reach: int, expected: bool) -> None:
    assert is_within((1, 1), (4, 5), reach) is expected
    assert is_within((1, 1), (1, 1), reach) is (reach >= 0)


def test_each_leg_of_a_way_is_rounded_up_by_itself() -> None:
    assert way_length((10000, 10000), ((13000, 14000), (14000, 14000))) == 6000
    assert way_length((10000, 10000), ((11000, 11000),)) == 1415
    assert way_length((0, 0), ((1, 1), (2, 2), (3, 3))) == 6
    assert leg_length((0, 0), (3, 3)) == 5
    assert way_length((7, 7), ()) == 0
    assert leg_length((7, 7), (7, 7)) == 0
