"""TD-COVER and TD-GEO-4: corners, grades, several sources, and the game master's word."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.vocabulary.breakdown import GroundPart, Modifier
from service.rulesets.tactical_d20.rules.cover import (
    cover_lines,
    is_corner_of,
    overruled,
    require_corner,
    require_no_cover,
    used_corner,
)
from service.rulesets.tactical_d20.rules.cover_grades import (
    Bonus,
    bonus_of,
    doubled,
    grade_of,
    limited,
    normal_bonus,
    rule_of,
)
from service.rulesets.tactical_d20.rules.geometry import features_met
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Ground, ground_of
from service.rulesets.tactical_d20.rules.reports import (
    CoverReport,
    CoverSource,
    MetLine,
    Vertex,
    ground_part,
)
from service.rulesets.tactical_d20.rules.words import CoverGrade, FeatureGrade, LineOptions
from tests.rulesets.tactical_d20.scenes import (
    INTERIOR,
    cover,
    covered,
    creature,
    one,
    refusal,
    solid,
)

A, T = one(0, 0), one(4, 0)
COUNTED = LineOptions(partial_cover_method="line_count")
CORRIDOR = solid(*((x, y) for x in range(-1, 6) for y in (-1, 1)))


def at(x: int, y: int) -> Vertex:
    return Vertex(x=x, y=y)


def part(x: int, y: int) -> GroundPart:
    return GroundPart(kind="cell", x=x, y=y)


def summary(report: CoverReport) -> tuple[int, int, Cell]:
    """Armour class, Reflex and the corner used."""
    assert report.corner is not UNSET
    return report.ac, report.reflex, (report.corner.x, report.corner.y)


@pytest.mark.rule("TD-COVER-1")
@pytest.mark.rule("TD-GEO-4")
@pytest.mark.parametrize(
    ("ground", "target", "expected"),
    [
        (solid(), (4, 0), (0, 0, (0, 0))),
        (solid((2, 1)), (4, 0), (0, 0, (0, 0))),
        (solid((2, 0)), (4, 0), (4, 2, (0, 0))),
        (solid((1, 0)), (2, 2), (0, 0, (0, 1))),
        (CORRIDOR, (3, 0), (4, 2, (0, 0))),
        (ground_of(walls=[Feature("V", 2, 0)]), (2, 0), (4, 2, (0, 0))),
        (solid((0, 1)), (1, 1), (4, 2, (0, 0))),
    ],
)
def test_the_corner_that_leaves_least_cover_is_used(
    ground: Ground, target: Cell, expected: tuple[int, int, Cell]
) -> None:
    assert summary(cover(ground, A, one(*target))) == expected


@pytest.mark.rule("TD-COVER-1")
def test_a_corner_that_is_named_is_used_even_if_it_is_worse() -> None:
    ground, target = solid((1, 0)), one(2, 2)
    assert summary(cover(ground, A, target, corner=(0, 1))) == (0, 0, (0, 1))
    assert summary(cover(ground, A, target, corner=(1, 0))) == (4, 2, (1, 0))


@pytest.mark.rule("TD-COVER-1")
def test_the_end_of_a_wall_opens_one_side_of_it() -> None:
    ground = ground_of(walls=[Feature("V", 2, 0)])
    assert summary(cover(ground, one(2, 0), A)) == (0, 0, (2, 0))


@pytest.mark.rule("TD-COVER-1")
def test_melee_is_covered_as_shots_are() -> None:
    parapet = ground_of(covers={Feature("V", 1, 0): CoverFeature()})
    assert summary(cover(CORRIDOR, A, one(1, 0), mode="melee")) == (4, 2, (0, 0))
    assert summary(cover(parapet, A, one(1, 0), mode="melee")) == (4, 2, (0, 0))
    assert summary(cover(solid((0, 1)), A, one(1, 1), mode="melee")) == (4, 2, (0, 0))
    assert summary(cover(solid((0, 1)), one(1, 1), A, mode="melee")) == (4, 2, (1, 1))


@pytest.mark.rule("TD-COVER-1")
@pytest.mark.parametrize(
    ("gains", "corner"),
    [
        ({}, (0, 0)),
        ({(0, 0): Bonus(4, 0), (1, 0): Bonus(2, 1)}, (0, 1)),
        (
            {(0, 0): Bonus(4, 2), (1, 0): Bonus(4, 0), (0, 1): Bonus(4, 0), (1, 1): Bonus(8, 0)},
            (1, 0),
        ),
        (
            {(0, 0): Bonus(8, 4), (1, 0): Bonus(8, 4), (0, 1): Bonus(2, 1), (1, 1): Bonus(2, 1)},
            (0, 1),
        ),
    ],
)
def test_ties_go_to_armour_class_then_reflex_then_rows_then_columns(
    gains: dict[Cell, Bonus], corner: Cell
) -> None:
    def gained(place: Cell, unless: Bonus | None) -> Bonus | None:
        bonus = gains.get(place, Bonus(0, 0))
        return bonus if unless is None or bonus < unless else None

    assert used_corner(A, gained) == corner


@pytest.mark.rule("TD-GEO-4")
def test_contact_counts_unless_the_table_wants_the_interior() -> None:
    assert summary(cover(CORRIDOR, A, one(3, 0), options=INTERIOR)) == (0, 0, (0, 0))
    assert summary(cover(solid((0, 1)), A, one(1, 1), options=INTERIOR)) == (0, 0, (1, 0))


@pytest.mark.rule("TD-GEO-4")
@pytest.mark.parametrize(
    ("start", "end", "is_contact_counted", "is_met"),
    [
        ((0, 0), (2, 0), True, True),
        ((0, 0), (2, 0), False, False),
        ((0, 0), (1, 0), True, False),
        ((0, 1), (3, 0), True, True),
        ((0, 1), (3, 0), False, True),
        ((0, 2), (1, 1), True, False),
    ],
)
def test_a_single_common_point_is_no_meeting(
    start: Cell, end: Cell, is_contact_counted: bool, is_met: bool
) -> None:
    marked = solid((1, 0)).walls
    met = features_met(marked, start, end, None, None, is_contact_counted=is_contact_counted)
    assert met == ((Feature("cell", 1, 0),) if is_met else ())


@pytest.mark.rule("TD-COVER-2")
@pytest.mark.rule("TD-COVER-5")
@pytest.mark.rule("TD-COVER-6")
@pytest.mark.parametrize(
    ("grade", "bonus", "rule"),
    [
        ("partial", Bonus(2, 1), "TD-COVER-5"),
        ("normal", Bonus(4, 2), "TD-COVER-2"),
        ("improved", Bonus(8, 4), "TD-COVER-6"),
    ],
)
def test_each_grade_has_its_points_and_its_rule(
    grade: FeatureGrade, bonus: Bonus, rule: str
) -> None:
    assert (bonus_of(grade), rule_of(grade), grade_of(bonus.ac)) == (bonus, rule, grade)
    report = cover(covered({(3, 0): grade}), A, T)
    source = CoverSource(rule=rule, ac=bonus.ac, reflex=bonus.reflex, ground=(part(3, 0),))
    assert (report.grade, report.ac, report.reflex) == (grade, *bonus)
    assert (report.sources, report.can_hide) == ((source,), True)


@pytest.mark.rule("TD-COVER-2")
def test_normal_cover_gives_four_and_two() -> None:
    assert normal_bonus() == Bonus(4, 2)


@pytest.mark.rule("TD-COVER-5")
@pytest.mark.parametrize(
    ("bonus", "less"),
    [((0, 0), (0, 0)), ((2, 1), (2, 1)), ((4, 0), (2, 0)), ((4, 2), (2, 1)), ((8, 4), (2, 1))],
)
def test_partial_cover_is_at_most_two_and_one(
    bonus: tuple[int, int], less: tuple[int, int]
) -> None:
    assert limited(Bonus(*bonus)) == Bonus(*less)


@pytest.mark.rule("TD-COVER-5")
@pytest.mark.parametrize(
    ("ground", "lines_met", "counted"),
    [
        (solid((3, 3)), 0, (0, 0)),
        (ground_of(walls=[Feature("V", 4, 0)]), 1, (2, 1)),
        (solid((3, 0)), 4, (4, 2)),
    ],
)
def test_with_line_count_a_single_line_gives_partial_cover(
    ground: Ground, lines_met: int, counted: tuple[int, int]
) -> None:
    declared = cover(ground, A, T, corner=(0, 0))
    by_count = cover(ground, A, T, corner=(0, 0), options=COUNTED)
    assert (declared.ac, declared.reflex) == ((4, 2) if lines_met else (0, 0))
    assert (by_count.ac, by_count.reflex) == counted
    assert [len(each.lines) for each in (declared, by_count)] == [lines_met] * 2


@pytest.mark.rule("TD-COVER-5")
def test_with_line_count_the_corner_with_a_single_line_is_sought() -> None:
    assert summary(cover(solid((2, 0)), A, T, options=COUNTED)) == (4, 2, (0, 0))
    before_target = ground_of(walls=[Feature("V", 4, 0)])
    assert summary(cover(before_target, A, T)) == (4, 2, (0, 0))
    assert summary(cover(before_target, A, T, options=COUNTED)) == (2, 1, (0, 0))
    beside, target = solid((1, 1), (3, 0)), one(3, 1)
    assert summary(cover(beside, A, target)) == (4, 2, (0, 0))
    assert summary(cover(beside, A, target, options=COUNTED)) == (2, 1, (1, 0))


@pytest.mark.rule("TD-COVER-5")
def test_with_line_count_a_creature_on_a_single_line_gives_two() -> None:
    report = cover(solid(), A, one(3, 3), creature("s", 2, 1), corner=(0, 0), options=COUNTED)
    source = CoverSource(rule="TD-COVER-5", ac=2, reflex=0, combatants=("s",), rules=("TD-SOFT-1",))
    assert (report.sources, len(report.lines), report.can_hide) == ((source,), 1, False)


@pytest.mark.rule("TD-COVER-5")
@pytest.mark.parametrize(
    ("grade", "source"),
    [
        ("normal", CoverSource(rule="TD-COVER-5", ac=2, reflex=1, rules=("TD-COVER-2",))),
        ("improved", CoverSource(rule="TD-COVER-5", ac=2, reflex=1, rules=("TD-COVER-6",))),
        ("partial", CoverSource(rule="TD-COVER-5", ac=2, reflex=1)),
    ],
)
def test_the_source_of_a_single_line_keeps_its_own_rule_beside(
    grade: FeatureGrade, source: CoverSource
) -> None:
    wall = Feature("V", 4, 0)
    ground = ground_of(covers={wall: CoverFeature(grade)})
    report = cover(ground, A, T, corner=(0, 0), options=COUNTED)
    assert report.sources == (replace(source, ground=(ground_part(wall),)),)
    assert (report.grade, report.ac, report.reflex, len(report.lines)) == ("partial", 2, 1, 1)


@pytest.mark.rule("TD-COVER-6")
def test_improved_cover_is_twice_the_normal_one_and_the_best_counts() -> None:
    assert doubled(normal_bonus()) == Bonus(8, 4)
    report = cover(covered({(2, 0): "improved", (3, 0): "partial"}), A, T)
    assert (report.grade, report.ac, report.reflex) == ("improved", 8, 4)
    assert cover_lines(report) == (
        Modifier(
            rule="TD-COVER-5",
            amount=0,
            note="not_stacking",
            ground=(part(3, 0),),
            rules=("TD-COVER-6",),
        ),
        Modifier(rule="TD-COVER-6", amount=8, ground=(part(2, 0),)),
    )


@pytest.mark.rule("TD-COVER-6")
def test_armour_class_and_reflex_take_their_best_by_themselves() -> None:
    report = cover(covered({(3, 0): "partial"}), A, T, creature("s", 2, 0))
    assert (report.grade, report.ac, report.reflex, report.can_hide) == ("normal", 4, 1, True)
    assert report.sources == (
        CoverSource(rule="TD-COVER-5", ac=2, reflex=1, ground=(part(3, 0),)),
        CoverSource(rule="TD-SOFT-1", ac=4, reflex=0, combatants=("s",)),
    )


@pytest.mark.rule("TD-COVER-6")
def test_a_tie_is_won_by_the_ground() -> None:
    report = cover(solid((3, 0)), A, T, creature("s", 2, 0))
    assert cover_lines(report) == (
        Modifier(rule="TD-COVER-2", amount=4, ground=(part(3, 0),)),
        Modifier(
            rule="TD-SOFT-1",
            amount=0,
            note="not_stacking",
            combatants=("s",),
            rules=("TD-COVER-6",),
        ),
    )
    assert cover_lines(cover(solid(), A, T)) == ()


@pytest.mark.rule("TD-COVER-1")
def test_the_report_names_the_corner_the_lines_and_what_they_meet() -> None:
    report = cover(solid((1, 0)), A, one(2, 2), corner=(1, 0))
    assert report == CoverReport(
        grade="normal",
        ac=4,
        reflex=2,
        can_hide=True,
        sources=(CoverSource(rule="TD-COVER-2", ac=4, reflex=2, ground=(part(1, 0),)),),
        corner=at(1, 0),
        lines=tuple(
            MetLine(end=at(*end), ground=(part(1, 0),)) for end in ((2, 2), (3, 2), (2, 3), (3, 3))
        ),
    )


@pytest.mark.rule("TD-COVER-3")
@pytest.mark.parametrize("grade", ["none", "partial", "normal", "improved"])
def test_cover_of_any_grade_stops_an_opportunity_attack(grade: CoverGrade) -> None:
    facts: dict[str, object] = {"grade": grade}
    expected = None if grade == "none" else ("target_has_cover", "TD-COVER-3", facts)
    assert refusal(lambda: require_no_cover(overruled(grade))) == expected


@pytest.mark.rule("TD-COVER-8")
@pytest.mark.parametrize(
    ("grade", "ac", "reflex"),
    [("none", 0, 0), ("partial", 2, 1), ("normal", 4, 2), ("improved", 8, 4)],
)
def test_the_game_masters_word_stands_alone(grade: CoverGrade, ac: int, reflex: int) -> None:
    report = cover(solid((2, 0)), A, T, creature("s", 1, 0), override=grade)
    assert report == CoverReport(
        grade=grade,
        ac=ac,
        reflex=reflex,
        can_hide=reflex > 0,
        sources=(CoverSource(rule="TD-COVER-8", ac=ac, reflex=reflex),),
    )
    assert cover_lines(report) == (Modifier(rule="TD-COVER-8", amount=ac),)


@pytest.mark.rule("TD-COVER-1")
@pytest.mark.parametrize(
    ("corner", "is_one"),
    [
        ((2, 3), True),
        ((3, 4), True),
        ((4, 5), True),
        ((5, 4), False),
        ((1, 3), False),
        ((4, 6), False),
        ((2, 2), False),
    ],
)
def test_every_corner_of_every_own_cell_may_be_named(corner: Cell, is_one: bool) -> None:
    space = one(2, 3, 2)
    assert is_corner_of(corner, space) == is_one
    facts: dict[str, object] = {"x": corner[0], "y": corner[1]}
    expected = None if is_one else ("bad_corner", "TD-COVER-1", facts)
    assert refusal(lambda: require_corner(corner, space)) == expected
    assert refusal(lambda: require_corner(None, space)) is None
