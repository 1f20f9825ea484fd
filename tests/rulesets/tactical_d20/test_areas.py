"""TD-COVER-7 and -9: effects that spread from a vertex."""

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.vocabulary.breakdown import GroundPart, Modifier, cancelled
from service.rulesets.tactical_d20.rules.areas import (
    cover_from,
    damage_after_save,
    is_in_area,
    is_saved,
    reflex_lines,
)
from service.rulesets.tactical_d20.rules.cover import overruled
from service.rulesets.tactical_d20.rules.ground import Ground, ground_of
from service.rulesets.tactical_d20.rules.reports import Vertex
from service.rulesets.tactical_d20.rules.words import LineOptions
from tests.rulesets.tactical_d20.scenes import DEFAULTS, covered, one, solid

T = one(4, 0)
COUNTED = LineOptions(partial_cover_method="line_count")


def part(x: int, y: int) -> GroundPart:
    return GroundPart(kind="cell", x=x, y=y)


@pytest.mark.rule("TD-COVER-9")
@pytest.mark.parametrize(
    ("ground", "origin", "reflex"),
    [
        (solid(), (0, 0), 0),
        (solid((2, 0)), (0, 0), 2),
        (solid((2, 1)), (0, 0), 0),
        (solid((2, 1)), (0, 1), 2),
        (covered({(3, 0): "partial"}), (0, 0), 1),
        (covered({(3, 0): "improved"}), (0, 0), 4),
    ],
)
def test_lines_run_from_the_vertex_alone(ground: Ground, origin: Cell, reflex: int) -> None:
    report = cover_from(ground, origin, T, height_ft=6, options=DEFAULTS)
    assert report.reflex == reflex
    assert report.corner == Vertex(x=origin[0], y=origin[1])


@pytest.mark.rule("TD-COVER-9")
def test_a_single_line_counts_for_areas_too() -> None:
    ground = ground_of(walls=[Feature("V", 4, 0)])
    reports = [
        cover_from(ground, (0, 0), T, height_ft=6, options=each) for each in (DEFAULTS, COUNTED)
    ]
    assert [report.reflex for report in reports] == [2, 1]


@pytest.mark.rule("TD-COVER-9")
def test_the_game_masters_word_counts_for_areas_too() -> None:
    report = cover_from(
        solid((2, 0)), (0, 0), T, height_ft=6, options=DEFAULTS, override="improved"
    )
    assert report == overruled("improved")
    line = Modifier(rule="TD-COVER-8", amount=4)
    assert reflex_lines(report, spread=False) == (line,)


@pytest.mark.rule("TD-COVER-7")
def test_a_cloud_goes_round_cover() -> None:
    report = cover_from(solid((2, 0)), (0, 0), T, height_ft=6, options=DEFAULTS)
    line = Modifier(rule="TD-COVER-2", amount=2, ground=(part(2, 0),))
    assert reflex_lines(report, spread=False) == (line,)
    assert reflex_lines(report, spread=True) == (cancelled(line, "spreads", "TD-COVER-7"),)


@pytest.mark.rule("TD-COVER-7")
def test_the_best_reflex_counts_and_the_others_are_shown() -> None:
    ground = covered({(2, 0): "improved", (3, 0): "partial"})
    report = cover_from(ground, (0, 0), T, height_ft=6, options=DEFAULTS)
    partial = Modifier(rule="TD-COVER-5", amount=1, ground=(part(3, 0),))
    assert reflex_lines(report, spread=False) == (
        cancelled(partial, "not_stacking", "TD-COVER-6"),
        Modifier(rule="TD-COVER-6", amount=4, ground=(part(2, 0),)),
    )


@pytest.mark.parametrize(
    ("origin", "radius_ft", "is_so"),
    [
        ((0, 0), 24, False),
        ((0, 0), 25, True),
        ((5, 0), 4, False),
        ((5, 0), 5, True),
        ((6, 1), 5, False),
        ((6, 1), 10, True),
        ((6, 2), 10, False),
        ((6, 2), 15, True),
    ],
)
def test_cells_are_counted_from_the_vertex(origin: Cell, radius_ft: int, is_so: bool) -> None:
    said = is_in_area(solid(), origin, T, radius_ft, "alternating", spread=False)
    assert said == is_so


def test_an_area_stops_at_walls_and_a_cloud_does_not() -> None:
    wall = ground_of(walls=[Feature("V", 2, y) for y in range(-8, 9)])
    reached = [
        is_in_area(wall, (0, 0), T, 30, "alternating", spread=each) for each in (False, True)
    ]
    assert reached == [False, True]
    assert is_in_area(solid((2, 0)), (0, 0), T, 30, "alternating", spread=False)


@pytest.mark.parametrize(("total", "saved"), [(14, False), (15, True), (16, True)])
def test_a_save_reaches_the_class(total: int, saved: bool) -> None:
    assert is_saved(total, 15) == saved


@pytest.mark.parametrize(
    ("damage", "saved", "left"), [(5, True, 2), (4, True, 2), (0, True, 0), (5, False, 5)]
)
def test_a_save_halves_the_damage_rounded_down(damage: int, saved: bool, left: int) -> None:
    assert damage_after_save(damage, is_saved=saved) == left
