"""Lines, sight and distance on drawn maps; the geometry itself is tested in tests/engine."""

import pytest

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.price_field import price_at
from service.rulesets.squad_d100.rules.distance import DistanceMetric, distance
from service.rulesets.squad_d100.rules.ground import (
    Ground,
    cells_of_terrain,
    cover_prices,
    field_of_view,
    has_shot_line,
    has_sight_line,
    is_inside,
    is_open_door,
    is_passable,
    open_doors,
    sees,
    terrain_at,
)
from service.rulesets.squad_d100.rules.lines import (
    LineOptions,
    cells_between,
    is_in_sight_range,
)

PLAIN = LineOptions()


def drawn(text: str) -> Ground:
    return Ground(tuple(text.split()))


def seen(ground: Ground, viewer: tuple[int, int], options: LineOptions = PLAIN) -> list[str]:
    view = set(field_of_view(ground, viewer, options))
    return [
        "".join("*" if (x, y) in view else "-" for x in range(ground.width))
        for y in range(ground.height)
    ]


@pytest.mark.rule("SQ-LOS-1")
@pytest.mark.rule("SQ-LOS-4")
def test_a_pillar_hides_what_lies_behind_it() -> None:
    pillar = drawn(".....\n..█..\n.....")
    assert seen(pillar, (0, 1)) == ["****-", "***--", "****-"]
    assert cells_between((0, 1), (4, 0)) == ((1, 1), (2, 1), (2, 0), (3, 0))
    assert cells_between((0, 1), (3, 0)) == ((1, 1), (2, 0))


@pytest.mark.rule("SQ-LOS-2")
@pytest.mark.parametrize(
    ("text", "corner_rule", "is_clear"),
    [
        (".█. █.. ...", "both", False),
        (".█. ... ...", "both", True),
        (".█. ... ...", "any", False),
        ("... ... ...", "any", True),
    ],
)
def test_a_corner_is_closed_by_both_cells_beside_it_or_by_any(
    text: str, corner_rule: CornerRule, is_clear: bool
) -> None:
    options = LineOptions(corner_rule=corner_rule)
    assert has_sight_line(drawn(text), (0, 0), (2, 2), options) is is_clear
    assert sees(drawn(text), (2, 2), (0, 0), options) is is_clear


@pytest.mark.rule("SQ-LOS-3")
def test_sight_and_shots_end_at_different_things() -> None:
    row = drawn("..X..|..D..█..")
    opened = drawn("..X..|../..█..")
    assert seen(row, (0, 0)) == ["*********-----"]
    assert seen(opened, (0, 0)) == ["************--"]
    shots = [has_shot_line(row, (0, 0), (x, 0), PLAIN) for x in range(14)]
    assert shots == [x <= 2 for x in range(14)]
    blocked = seen(row, (0, 0), LineOptions(x_blocks_sight=True))
    assert blocked == ["***-----------"]


@pytest.mark.rule("SQ-LOS-4")
@pytest.mark.parametrize(
    ("metric", "rows"),
    [
        ("chebyshev", ["***-", "***-", "***-", "----"]),
        ("manhattan", ["***-", "**--", "*---", "----"]),
        ("steps", ["***-", "***-", "**--", "----"]),
        ("euclid", ["***-", "***-", "***-", "----"]),
    ],
)
def test_sight_ends_at_its_range_by_the_metric(metric: DistanceMetric, rows: list[str]) -> None:
    options = LineOptions(sight_range=2, distance_metric=metric)
    floor = drawn(".... .... .... ....")
    assert seen(floor, (0, 0), options) == rows
    cells = [(x, y) for y in range(4) for x in range(4)]
    assert [sees(floor, (0, 0), cell, options) for cell in cells] == [
        mark == "*" for row in rows for mark in row
    ]
    assert is_in_sight_range((0, 0), (9, 9), PLAIN)


@pytest.mark.rule("SQ-DIST-1")
@pytest.mark.parametrize(
    ("metric", "distances"),
    [
        ("chebyshev", [0, 4, 4, 7]),
        ("manhattan", [0, 7, 8, 12]),
        ("steps", [0, 5, 6, 9]),
        ("euclid", [0, 5, 5, 8]),
    ],
)
def test_the_distance_of_two_cells_in_each_metric(
    metric: DistanceMetric, distances: list[int]
) -> None:
    ends = [(5, 5), (8, 1), (1, 9), (12, 0)]
    assert [distance((5, 5), end, metric) for end in ends] == distances
    assert [distance(end, (5, 5), metric) for end in ends] == distances


def test_the_ground_tells_of_each_cell_what_it_is() -> None:
    ground = drawn(".D/x X~█0")
    assert [terrain_at(ground, (x, 0)) for x in range(4)] == ["floor", "door", "door", "cover"]
    assert [is_passable(ground, (x, 0)) for x in range(4)] == [True, False, True, True]
    assert [is_passable(ground, (x, 1)) for x in range(4)] == [False, True, False, True]
    assert [is_open_door(ground, (x, 0)) for x in range(4)] == [False, False, True, False]
    assert open_doors(ground) == ((2, 0),)
    assert cells_of_terrain(ground, "door") == ((1, 0),)
    inside = [is_inside(ground, cell) for cell in ((0, 0), (3, 1), (4, 0), (0, 2), (0, -1))]
    assert inside == [True, True, False, False, False]
    assert not is_inside(Ground(()), (0, 0))


@pytest.mark.rule("SQ-SUP-5")
def test_the_nearest_cover_is_found_past_walls_and_others() -> None:
    ground = drawn("x..█. .█... ....x")
    field = cover_prices(ground, (), "both")
    assert [[price_at(field, (x, y)) for x in range(5)] for y in range(3)] == [
        [0, 4, 8, None, 8],
        [4, None, 10, 6, 4],
        [8, 10, 8, 4, 0],
    ]
    taken = cover_prices(ground, [(4, 2)], "both", [(3, 2)])
    assert price_at(taken, (3, 2)) == 16
