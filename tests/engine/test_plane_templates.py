"""Templates on a plane without cells, held against distances in decimals of 120 places."""

from decimal import Decimal
from typing import Final, Literal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from service.engine.geometry.segments import Spot
from service.engine.geometry.templates import (
    Coverage,
    beam,
    cone,
    corners_drawn,
    coverage,
    disc,
)
from tests.engine import plane_oracle as oracle

SPOTS = st.tuples(st.integers(-14, 14), st.integers(-14, 14))
AIMS = SPOTS | st.sampled_from(((3, 4), (-4, 3), (5, 12), (1, 1), (0, -7), (8, 0)))
SIZES = st.integers(1, 14)
RADII = st.integers(1, 6)
WAYS = st.integers(0, 7)
HALF: Final = Decimal("0.5")


@given(st.sampled_from(("beam", "cone")), SPOTS, AIMS, SIZES, SIZES, SPOTS, RADII, WAYS)
@example("cone", (0, 0), (8, 0), 4, 3, (6, 0), 2, 0)
@example("cone", (0, 0), (8, 0), 4, 3, (5, 3), 1, 0)
@example("cone", (0, 0), (8, 0), 8, 6, (5, 0), 3, 0)
@example("beam", (0, 0), (3, 4), 5, 2, (6, 8), 5, 3)
def test_rays_cover_what_lies_within_their_edges(
    kind: Literal["beam", "cone"],
    origin: Spot,
    aim: Spot,
    length: int,
    half_width: int,
    spot: Spot,
    radius: int,
    way: int,
) -> None:
    assume(origin != aim)
    corners = oracle.ray_corners(kind, origin, aim, length, half_width)
    expected = oracle.covered(corners, spot, radius)
    here, there, base = (oracle.turned(each, way) for each in (origin, aim, spot))
    template = (beam if kind == "beam" else cone)(here, there, length, half_width)
    assert coverage(template, base, radius) == expected


@given(
    st.sampled_from(("beam", "cone")),
    st.integers(1, 10**6),
    st.integers(-(10**6), 10**6),
    st.integers(100, 20000),
    st.integers(100, 20000),
    st.tuples(st.integers(-26000, 26000), st.integers(-26000, 26000)),
    st.integers(100, 5000),
)
def test_rays_of_the_size_of_a_table(
    kind: Literal["beam", "cone"],
    dx: int,
    dy: int,
    length: int,
    half_width: int,
    spot: Spot,
    radius: int,
) -> None:
    corners = oracle.ray_corners(kind, (0, 0), (dx, dy), length, half_width)
    template = (beam if kind == "beam" else cone)((0, 0), (dx, dy), length, half_width)
    assert coverage(template, spot, radius) == oracle.covered(corners, spot, radius)


@given(SPOTS, st.integers(0, 12), SPOTS, RADII)
def test_discs_cover_by_the_distance_of_the_middles(
    centre: Spot, size: int, spot: Spot, radius: int
) -> None:
    apart = oracle.distance_to(spot, centre, centre)
    expected = "part" if oracle.sign_of(apart - size - radius) < 0 else "none"
    if oracle.sign_of(apart + radius - size) <= 0:
        expected = "full"
    assert coverage(disc(centre, size), spot, radius) == expected


O = (10000, 10000)  # noqa: E741 - the name of the catalogue's examples


@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ((11000, 10000), "full"),
        ((10600, 10800), "full"),
        ((11001, 10000), "part"),
        ((11999, 10000), "part"),
        ((12000, 10000), "none"),
        ((8000, 10000), "none"),
    ],
)
def test_a_disc_at_its_tangents(spot: Spot, expected: Coverage) -> None:
    assert coverage(disc(O, 1500), spot, 500) == expected


def test_a_disc_holds_a_base_of_its_own_size() -> None:
    assert [coverage(disc(O, 1500), O, radius) for radius in (1499, 1500, 1501)] == [
        "full",
        "full",
        "part",
    ]


@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ((11800, 12400), "full"),
        ((11400, 12700), "full"),
        ((11399, 12700), "part"),
        ((10601, 13300), "part"),
        ((10600, 13300), "none"),
        ((14500, 16000), "full"),
        ((15099, 16799), "part"),
        ((15100, 16800), "none"),
    ],
)
def test_a_beam_along_three_and_four(spot: Spot, expected: Coverage) -> None:
    assert coverage(beam(O, (10003, 10004), 8000, 1000), spot, 500) == expected


@pytest.mark.parametrize(("spot", "expected"), [((15303, 15303), "full"), ((15304, 15304), "part")])
def test_a_beam_along_an_irrational_axis(spot: Spot, expected: Coverage) -> None:
    assert coverage(beam(O, (10001, 10001), 8000, 1000), spot, 500) == expected


@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ((11785, 10000), "part"),
        ((11786, 10000), "full"),
        ((19100, 10000), "full"),
        ((19101, 10000), "part"),
        ((19100, 12133), "full"),
        ((19100, 12134), "part"),
        ((19100, 7867), "full"),
        ((19100, 7866), "part"),
        ((20099, 10000), "part"),
        ((20100, 10000), "none"),
        ((10000, 10000), "part"),
        ((9501, 10000), "part"),
        ((9500, 10000), "none"),
    ],
)
def test_a_cone_at_its_tangents(spot: Spot, expected: Coverage) -> None:
    assert coverage(cone(O, (20000, 10000), 9600, 2800), spot, 500) == expected


@given(st.sampled_from(("beam", "cone")), SPOTS, AIMS, SIZES, SIZES)
def test_corners_are_drawn_to_the_nearest_unit(
    kind: Literal["beam", "cone"], origin: Spot, aim: Spot, length: int, half_width: int
) -> None:
    assume(origin != aim)
    exact = set(oracle.ray_corners(kind, origin, aim, length, half_width))
    drawn = corners_drawn((beam if kind == "beam" else cone)(origin, aim, length, half_width))
    assert len(drawn) == len(exact)
    for x, y in drawn:
        near = [at for at in exact if max(abs(at[0] - x), abs(at[1] - y)) <= HALF + oracle.TINY]
        assert near, (x, y)
