"""ML-GEO: the catalogue's examples of distances, sight, ways and templates, one off each limit."""

import pytest

from service.engine.geometry.polygons import polygon_of
from service.engine.geometry.segments import Spot, squared_distance
from service.engine.geometry.templates import Coverage, beam, cone, disc
from service.rulesets.melody_d6.rules.geometry import (
    Measure,
    Near,
    beam_coverage,
    cone_coverage,
    counted_radii,
    disc_coverage,
    has_line_of_sight,
    is_near_feature,
    is_within_distance,
    nearest,
    passes_within,
    path_cost,
    path_order,
    point_on_path,
    sees,
)

BUILDING = polygon_of(((12000, 8000), (14000, 8000), (14000, 12000), (12000, 12000)))
WALL = polygon_of(((20000, 10000), (24000, 10000), (24000, 10400), (20000, 10400)))
O = (10000, 10000)  # noqa: E741 - the name of the catalogue's examples


@pytest.mark.rule("ML-GEO-2")
@pytest.mark.parametrize(
    ("a", "b", "reach", "measure", "expected"),
    [
        ((22000, 11500), (22000, 16500), 4000, "edge", True),
        ((22000, 11500), (22000, 16501), 4000, "edge", False),
        ((22000, 11500), (22000, 15500), 4000, "centre", True),
        ((22000, 11500), (22000, 15501), 4000, "centre", False),
        (O, (13000, 14000), 4000, "edge", True),
        (O, (13000, 14001), 4000, "edge", False),
        (O, (11000, 10000), 0, "edge", True),
        (O, (10999, 10000), -1, "edge", True),
        (O, (11000, 10000), -1, "edge", False),
        (O, O, -1000, "edge", True),
        (O, O, -1001, "edge", False),
        (O, O, -1, "centre", False),
    ],
)
def test_bases_are_within_a_distance_from_edge_to_edge(
    a: Spot, b: Spot, reach: int, measure: Measure, expected: bool
) -> None:
    assert is_within_distance(a, b, reach, 1000, measure) is expected


@pytest.mark.rule("ML-GEO-2")
def test_between_centres_no_radius_counts() -> None:
    assert counted_radii("edge", 500, 700) == 1200
    assert counted_radii("centre", 500, 700) == 0


def near(combatant: str, spot: Spot, radius: int, mobility: int, order: int) -> Near:
    """How near somebody is to a warrior of E36 at (10000, 10000), base 500."""
    return Near(combatant, squared_distance(O, spot), 500 + radius, mobility, order)


@pytest.mark.rule("ML-GEO-3")
@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([near("s1", (16000, 10000), 500, 4, 0), near("s2", (10000, 16400), 1000, 4, 1)], "s2"),
        ([near("s1", (16000, 10000), 500, 4, 0), near("s2", (10000, 16500), 1000, 4, 1)], "s1"),
        ([near("s2", (10000, 16500), 1000, 4, 1), near("s1", (16000, 10000), 500, 4, 0)], "s1"),
        ([near("s1", (16000, 10000), 500, 4, 0), near("s2", (10000, 16500), 1000, 5, 1)], "s2"),
        ([near("s1", (16000, 10000), 500, 5, 1), near("s2", (10000, 16499), 1000, 4, 0)], "s2"),
        ([near("s1", (16000, 10000), 500, 4, 0), near("s2", (10000, 16501), 1000, 9, 1)], "s1"),
        # √2 less one is nearer than √6 less two by a hair: 0.414… against 0.449…
        ([Near("a", 2, 1, 4, 1), Near("b", 6, 2, 4, 0)], "a"),
        # √5 less two against √2 less one: 0.236… against 0.414…
        ([Near("a", 2, 1, 4, 0), Near("b", 5, 2, 4, 1)], "b"),
    ],
)
def test_the_nearest_edge_counts_not_the_nearest_centre(
    candidates: list[Near], expected: str
) -> None:
    chosen = nearest(candidates)
    assert chosen is not None
    assert chosen.combatant == expected


@pytest.mark.rule("ML-GEO-3")
def test_of_nobody_none_is_nearest() -> None:
    assert nearest([]) is None


@pytest.mark.rule("ML-GEO-4")
@pytest.mark.parametrize(
    ("reach", "expected"), [(4499, False), (4500, True), (5000, True), (-1, False)]
)
def test_a_leg_passes_whoever_its_ends_are_far_from(reach: int, expected: bool) -> None:
    assert passes_within((22000, 11500), (19000, 16000), (25000, 16000), reach) is expected


@pytest.mark.rule("ML-GEO-5")
@pytest.mark.parametrize(
    ("spot", "measure", "expected"),
    [
        ((22000, 11900), "edge", True),
        ((22000, 11901), "edge", False),
        ((25200, 11300), "edge", True),
        ((25201, 11300), "edge", False),
        ((22000, 11400), "centre", True),
        ((22000, 11401), "centre", False),
        ((22000, 10200), "edge", True),
    ],
)
def test_a_warrior_is_near_a_wall(spot: Spot, measure: Measure, expected: bool) -> None:
    assert is_near_feature(WALL, spot, 1000, 500, measure) is expected


@pytest.mark.rule("ML-GEO-6")
@pytest.mark.parametrize(
    ("start", "end", "free"),
    [
        ((10000, 10000), (16000, 10000), False),
        ((10000, 8000), (16000, 8000), True),
        ((10000, 10000), (14000, 6000), True),
        ((10000, 10001), (14000, 6001), False),
        ((13000, 9000), (13000, 9000), True),
        ((13000, 9000), (13001, 9000), False),
    ],
)
def test_a_building_blocks_lines_through_its_interior(start: Spot, end: Spot, free: bool) -> None:
    assert has_line_of_sight(start, end, (BUILDING,)) is free
    assert has_line_of_sight(end, start, (WALL, BUILDING)) is free
    assert has_line_of_sight(start, end, ()) is True


@pytest.mark.rule("ML-GEO-7")
@pytest.mark.parametrize(
    ("spot", "measure", "expected"),
    [
        ((21000, 10000), "edge", True),
        ((21001, 10000), "edge", False),
        ((20000, 10000), "centre", True),
        ((20001, 10000), "centre", False),
    ],
)
def test_sight_reaches_the_edge_of_a_base(spot: Spot, measure: Measure, expected: bool) -> None:
    assert sees(O, spot, 10000, 1000, measure, ()) is expected
    assert sees(O, spot, 10000, 1000, measure, (BUILDING,)) is False


@pytest.mark.rule("ML-GEO-8")
@pytest.mark.parametrize(
    ("path", "cost"),
    [
        (((13000, 14000), (14000, 14000)), 6000),
        (((11000, 11000),), 1415),
        (((10000, 10000),), 0),
        ((), 0),
        (((10001, 10001), (10002, 10002)), 4),
    ],
)
def test_each_leg_of_a_path_is_rounded_up(path: tuple[Spot, ...], cost: int) -> None:
    assert path_cost(O, path) == cost


@pytest.mark.rule("ML-GEO-9")
@pytest.mark.parametrize(
    ("start", "path", "leg", "permille", "expected"),
    [
        ((10000, 20000), ((16000, 20000),), 0, 250, (11500, 20000)),
        ((16000, 20000), ((10001, 20000),), 0, 333, (14003, 20000)),
        ((10000, 20000), ((16000, 20000), (16000, 14000)), 0, 1000, (16000, 20000)),
        ((10000, 20000), ((16000, 20000), (16000, 14000)), 1, 0, (16000, 20000)),
        ((10000, 20000), ((16000, 20000), (16000, 13999)), 1, 500, (16000, 17000)),
        ((0, 0), ((-1, 1),), 0, 999, (0, 0)),
        ((0, 0), ((-1, 1),), 0, 1000, (-1, 1)),
    ],
)
def test_a_point_on_a_path(
    start: Spot, path: tuple[Spot, ...], leg: int, permille: int, expected: Spot
) -> None:
    assert point_on_path(start, path, leg, permille) == expected


@pytest.mark.rule("ML-GEO-9")
@pytest.mark.parametrize(
    ("leg", "permille", "expected"),
    [(0, 0, (0, 0)), (0, 999, (0, 999)), (0, 1000, (1, 0)), (1, 1000, (1, 1000))],
)
def test_the_end_of_a_leg_is_the_start_of_the_next(
    leg: int, permille: int, expected: tuple[int, int]
) -> None:
    assert path_order(2, leg, permille) == expected


@pytest.mark.rule("ML-GEO-10")
@pytest.mark.parametrize(
    ("spot", "radius", "expected"),
    [
        ((11000, 10000), 500, "full"),
        ((10600, 10800), 500, "full"),
        ((11001, 10000), 500, "part"),
        ((11999, 10000), 500, "part"),
        ((12000, 10000), 500, "none"),
        (O, 1500, "full"),
        (O, 1501, "part"),
    ],
)
def test_a_disc(spot: Spot, radius: int, expected: Coverage) -> None:
    assert disc_coverage(disc(O, 1500), spot, radius) == expected


@pytest.mark.rule("ML-GEO-12")
@pytest.mark.parametrize(
    ("aim", "spot", "expected"),
    [
        ((10003, 10004), (11800, 12400), "full"),
        ((10003, 10004), (11400, 12700), "full"),
        ((10003, 10004), (11399, 12700), "part"),
        ((10003, 10004), (10601, 13300), "part"),
        ((10003, 10004), (10600, 13300), "none"),
        ((10003, 10004), (14500, 16000), "full"),
        ((10003, 10004), (15099, 16799), "part"),
        ((10003, 10004), (15100, 16800), "none"),
        ((10001, 10001), (15303, 15303), "full"),
        ((10001, 10001), (15304, 15304), "part"),
    ],
)
def test_a_beam(aim: Spot, spot: Spot, expected: Coverage) -> None:
    assert beam_coverage(beam(O, aim, 8000, 1000), spot, 500) == expected


@pytest.mark.rule("ML-GEO-13")
@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ((11786, 10000), "full"),
        ((11785, 10000), "part"),
        ((19100, 10000), "full"),
        ((19101, 10000), "part"),
        ((19100, 12133), "full"),
        ((19100, 12134), "part"),
        ((20099, 10000), "part"),
        ((20100, 10000), "none"),
    ],
)
def test_a_cone(spot: Spot, expected: Coverage) -> None:
    assert cone_coverage(cone(O, (20000, 10000), 9600, 2800), spot, 500) == expected
