"""TD-LOW: low obstacles, their range, and who ignores them."""

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.rulesets.tactical_d20.rules.areas import cover_from
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Ground, ground_of
from service.rulesets.tactical_d20.rules.low_obstacles import (
    covering_for,
    is_ignored_by,
    is_low,
    is_near_enough,
    low_features,
)
from service.rulesets.tactical_d20.rules.reports import CoverReport
from service.rulesets.tactical_d20.rules.words import FeatureGrade, LineOptions
from tests.rulesets.tactical_d20.scenes import DEFAULTS, cell, cover, covered, one

EQUAL = LineOptions(diagonal_rule="equal")


def low(*places: Cell, height_ft: int = 3, grade: FeatureGrade = "normal") -> Ground:
    return covered(dict.fromkeys(places, CoverFeature(grade, height_ft)))


def said(report: CoverReport) -> tuple[int, int, tuple[str, ...]]:
    return report.ac, report.reflex, tuple(source.rule for source in report.sources)


@pytest.mark.rule("TD-LOW-1")
@pytest.mark.parametrize(
    ("low_height_ft", "height_ft", "is_so"),
    [(3, 5, False), (3, 6, True), (3, 7, True), (4, 6, False), (0, 6, False), (1, 1, False)],
)
def test_a_low_obstacle_is_at_most_half_as_high(
    low_height_ft: int, height_ft: int, is_so: bool
) -> None:
    assert is_low(low_height_ft, height_ft) == is_so


@pytest.mark.rule("TD-LOW-2")
@pytest.mark.parametrize(("away_ft", "is_so"), [(25, True), (30, True), (35, False)])
def test_it_covers_targets_within_thirty_feet(away_ft: int, is_so: bool) -> None:
    assert is_near_enough(away_ft, 30) == is_so


@pytest.mark.rule("TD-LOW-3")
@pytest.mark.parametrize(("away_ft", "is_so"), [(5, True), (10, False), (15, False)])
def test_only_an_attacker_strictly_closer_ignores_it(away_ft: int, is_so: bool) -> None:
    assert is_ignored_by(away_ft, 10) == is_so


@pytest.mark.rule("TD-LOW-1")
@pytest.mark.rule("TD-LOW-2")
@pytest.mark.rule("TD-LOW-3")
@pytest.mark.parametrize(
    ("wall", "attacker", "target", "height_ft", "expected"),
    [
        (5, 0, 6, 3, (4, 2, ("TD-LOW-1",))),
        (5, 4, 6, 3, (4, 2, ("TD-LOW-1",))),
        (5, 4, 7, 3, (0, 0, ())),
        (3, -4, 9, 3, (4, 2, ("TD-LOW-1",))),
        (3, -9, 10, 3, (0, 0, ())),
        (3, -9, 10, 4, (4, 2, ("TD-COVER-2",))),
    ],
)
def test_a_low_wall_along_a_row(
    wall: int, attacker: int, target: int, height_ft: int, expected: tuple[int, int, tuple[str]]
) -> None:
    ground = low((wall, 0), height_ft=height_ft)
    assert said(cover(ground, one(attacker, 0), one(target, 0))) == expected


@pytest.mark.rule("TD-LOW-2")
@pytest.mark.parametrize(
    ("target", "options", "ac"),
    [((5, 5), DEFAULTS, 0), ((5, 5), EQUAL, 4), ((4, 4), DEFAULTS, 4)],
)
def test_thirty_feet_along_a_diagonal(target: Cell, options: LineOptions, ac: int) -> None:
    assert cover(low((0, 0)), one(-7, -7), one(*target), options=options).ac == ac


@pytest.mark.rule("TD-LOW-1")
@pytest.mark.parametrize(
    ("grade", "ac", "reflex"), [("partial", 2, 1), ("normal", 4, 2), ("improved", 8, 4)]
)
def test_its_cover_has_the_value_of_its_grade(grade: FeatureGrade, ac: int, reflex: int) -> None:
    report = cover(low((5, 0), grade=grade), one(0, 0), one(6, 0))
    assert said(report) == (ac, reflex, ("TD-LOW-1",))


@pytest.mark.rule("TD-LOW-1")
def test_it_is_low_by_the_height_of_the_target() -> None:
    ground, attacker, target = low((5, 0)), one(4, 0), one(7, 0)
    assert said(cover(ground, attacker, target, height_ft=6)) == (0, 0, ())
    assert said(cover(ground, attacker, target, height_ft=5)) == (4, 2, ("TD-COVER-2",))


@pytest.mark.rule("TD-LOW-2")
def test_the_nearer_cell_of_a_border_is_its_place() -> None:
    border = Feature("V", 3, 0)
    ground = ground_of(covers={border: CoverFeature("normal", 3)})
    assert low_features(ground) == ((border, 3),)
    assert said(cover(ground, one(-9, 0), one(9, 0))) == (4, 2, ("TD-LOW-1",))
    assert said(cover(ground, one(-9, 0), one(10, 0))) == (0, 0, ())


@pytest.mark.rule("TD-LOW-3")
def test_one_that_gives_nothing_pinches_nothing() -> None:
    wall, low_wall = cell(2, 0), cell(1, 1)
    ground = ground_of(walls=[wall], covers={low_wall: CoverFeature("normal", 3)})
    near = covering_for(ground, one(1, 2), one(5, -3), 6, DEFAULTS, is_attacked=True)
    far = covering_for(ground, one(-3, 5), one(3, -1), 6, DEFAULTS, is_attacked=True)
    assert (len(near.cells), far is ground.covering) == (1, True)
    assert near.crowded == frozenset()


@pytest.mark.rule("TD-LOW-2")
@pytest.mark.rule("TD-LOW-3")
def test_against_an_area_nobody_is_closer_to_it() -> None:
    ground = low((5, 0))
    reports = [
        cover_from(ground, (5, 0), one(x, 0), height_ft=6, options=DEFAULTS) for x in (7, 11, 12)
    ]
    assert [report.reflex for report in reports] == [2, 2, 0]
