"""TD-FLANK and TD-GEO-3, -7: who flanks whom, and who controls a cell."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.features import Feature
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.rules.control import does_control, require_in_reach
from service.rulesets.tactical_d20.rules.flanking import (
    are_opposite,
    attacker_points,
    counts_as_flanker,
    flanking_modifier,
    flanking_report,
    is_partner,
    may_flank,
    partner_points,
)
from service.rulesets.tactical_d20.rules.geometry import are_sides_opposite, centre_of
from service.rulesets.tactical_d20.rules.ground import Fighter, ground_of
from service.rulesets.tactical_d20.rules.reports import FlankingReport
from service.rulesets.tactical_d20.rules.words import LineOptions
from tests.rulesets.tactical_d20.scenes import DEFAULTS, creature, one, refusal, solid

OPEN = solid()
TARGET = Fighter(id="t", side="blue", space=one(1, 1), reach_ft=5)
ATTACKER = creature("a", 0, 1)
PARTNER = creature("p", 2, 1)
ANY_CELL = LineOptions(flank_partner="any_cell")
ANY_SIDE = LineOptions(flank_partner_side="any")


def partner_of(
    attacker: Fighter, target: Fighter, *others: Fighter, options: LineOptions = DEFAULTS
) -> str | None:
    report = flanking_report(OPEN, attacker, target, others, options)
    return None if report.partner is UNSET else report.partner


@pytest.mark.rule("TD-FLANK-1")
def test_a_partner_gives_two_points_and_no_partner_none() -> None:
    line = Modifier(rule="TD-FLANK-1", amount=2, combatants=("p",))
    assert flanking_modifier(FlankingReport(partner="p")) == line
    assert flanking_modifier(FlankingReport()) is None


@pytest.mark.rule("TD-FLANK-1")
@pytest.mark.rule("TD-FLANK-4")
@pytest.mark.parametrize(
    ("attacker", "partner", "is_flanked"),
    [
        ((0, 1), (2, 1), True),
        ((0, 1), (2, 2), False),
        ((0, 0), (2, 2), True),
        ((0, 0), (1, 2), False),
        ((0, 1), (0, 0), False),
        ((0, 1), (0, 1), False),
    ],
)
def test_the_segment_passes_opposite_sides_or_corners(
    attacker: tuple[int, int], partner: tuple[int, int], is_flanked: bool
) -> None:
    pair = creature("a", *attacker), creature("p", *partner)
    assert (partner_of(pair[0], TARGET, pair[1]) == "p") == is_flanked
    assert are_opposite(pair[0].space, pair[1].space, TARGET.space, "centre") == is_flanked


@pytest.mark.rule("TD-FLANK-1")
def test_the_first_partner_is_named_and_each_of_four_flanks() -> None:
    four = (ATTACKER, PARTNER, creature("q", 2, 2), creature("r", 0, 0))
    assert [partner_of(each, TARGET, *four) for each in four] == ["p", "a", "r", "q"]


@pytest.mark.rule("TD-FLANK-2")
@pytest.mark.parametrize(
    ("changes", "is_flanked"),
    [
        ({}, True),
        ({"reach_ft": 0}, False),
        ({"is_out": True}, False),
        ({"side": "blue"}, False),
        ({"elevation_ft": 5}, True),
        ({"elevation_ft": 6}, False),
    ],
)
def test_a_partner_is_hostile_to_the_target_and_controls_its_cell(
    changes: dict[str, object], is_flanked: bool
) -> None:
    assert (partner_of(ATTACKER, TARGET, replace(PARTNER, **changes)) == "p") == is_flanked


@pytest.mark.rule("TD-FLANK-2")
def test_the_attacker_controls_the_cell_too_and_nobody_helps_himself() -> None:
    assert partner_of(replace(ATTACKER, reach_ft=0), TARGET, PARTNER) is None
    assert partner_of(creature("a", -1, 1), TARGET, PARTNER) is None
    assert partner_of(ATTACKER, TARGET, ATTACKER, TARGET) is None
    assert counts_as_flanker(OPEN, ATTACKER, TARGET, DEFAULTS)
    assert not counts_as_flanker(OPEN, creature("a", -1, 1), TARGET, DEFAULTS)


@pytest.mark.rule("TD-FLANK-2")
def test_with_any_side_friends_of_the_target_help_but_not_the_target() -> None:
    friend = replace(PARTNER, side="blue")
    assert partner_of(ATTACKER, TARGET, friend) is None
    assert partner_of(ATTACKER, TARGET, TARGET, friend, options=ANY_SIDE) == "p"
    assert [is_partner(friend, TARGET, side) for side in ("hostile", "any")] == [False, True]


@pytest.mark.rule("TD-FLANK-3")
@pytest.mark.parametrize(("reach_ft", "may"), [(0, False), (1, True), (5, True)])
def test_reach_zero_never_flanks(reach_ft: int, may: bool) -> None:
    assert may_flank(reach_ft) == may


@pytest.mark.rule("TD-FLANK-2")
@pytest.mark.rule("TD-FLANK-4")
@pytest.mark.parametrize(
    ("target", "attacker", "partner", "reach_ft", "is_flanked"),
    [
        ((1, 1), (0, 1), (3, 1), 10, True),
        ((1, 1), (0, 1), (3, 1), 5, False),
        ((2, 1), (1, 1), (0, 1), 10, False),
        ((2, 2), (1, 1), (4, 4), 15, True),
        ((2, 2), (1, 1), (4, 4), 10, False),
    ],
)
def test_flanking_with_reach(
    target: tuple[int, int],
    attacker: tuple[int, int],
    partner: tuple[int, int],
    reach_ft: int,
    is_flanked: bool,
) -> None:
    far = replace(creature("p", *partner), reach_ft=reach_ft)
    victim = replace(TARGET, space=one(*target))
    assert (partner_of(creature("a", *attacker), victim, far) == "p") == is_flanked


@pytest.mark.rule("TD-FLANK-5")
def test_a_large_attacker_flanks_from_any_of_his_cells_a_large_partner_does_not() -> None:
    large, small = creature("a", 0, 0, 2), creature("p", 3, 2)
    victim = replace(TARGET, space=one(2, 1))
    assert partner_of(large, victim, small) == "p"
    assert partner_of(small, victim, large) is None
    assert partner_of(small, victim, large, options=ANY_CELL) == "a"


@pytest.mark.rule("TD-FLANK-5")
def test_the_points_of_a_space_are_its_centre_and_those_of_its_cells() -> None:
    space = Space(2, 1, 2)
    cells = tuple(centre_of(one(x, y)) for y in (1, 2) for x in (2, 3))
    assert attacker_points(space) == (centre_of(space), *cells)
    assert attacker_points(one(2, 1)) == (centre_of(one(2, 1)),)
    assert partner_points(space, "centre") == (centre_of(space),)
    assert partner_points(space, "any_cell") == (centre_of(space), *cells)


@pytest.mark.rule("TD-GEO-1")
@pytest.mark.parametrize(
    ("space", "point"), [((0, 0, 1), (1, 1)), ((0, 0, 2), (2, 2)), ((-3, 4, 3), (-3, 11))]
)
def test_centres_are_whole_in_doubled_coordinates(
    space: tuple[int, int, int], point: tuple[int, int]
) -> None:
    centre = centre_of(Space(*space))
    assert (centre.x, centre.y) == point


@pytest.mark.rule("TD-GEO-7")
@pytest.mark.parametrize(
    ("start", "end", "is_through"),
    [
        ((0, 1), (2, 1), True),
        ((0, 0), (2, 2), True),
        ((0, 1), (2, 2), False),
        ((0, 1), (0, 2), False),
        ((-1, 0), (3, 2), True),
        ((0, 1), (1, 1), False),
    ],
)
def test_sides_are_opposite_with_their_corners(
    start: tuple[int, int], end: tuple[int, int], is_through: bool
) -> None:
    points = centre_of(one(*start)), centre_of(one(*end))
    assert are_sides_opposite(*points, one(1, 1)) == is_through
    assert are_sides_opposite(points[1], points[0], one(1, 1)) == is_through


@pytest.mark.rule("TD-GEO-3")
@pytest.mark.parametrize(
    ("place", "reach_ft", "rule", "controls"),
    [
        ((1, 0), 5, "alternating", True),
        ((1, 1), 5, "alternating", True),
        ((2, 0), 5, "alternating", False),
        ((2, 0), 10, "alternating", True),
        ((2, 2), 10, "alternating", False),
        ((2, 2), 10, "equal", True),
        ((1, 0), 4, "alternating", False),
        ((0, 0), 0, "alternating", False),
    ],
)
def test_control_reaches_as_far_as_the_greatest_reach(
    place: tuple[int, int], reach_ft: int, rule: DiagonalRule, controls: bool
) -> None:
    fighter = replace(creature("x", 0, 0), reach_ft=reach_ft)
    assert does_control(OPEN, fighter, one(*place), 0, rule) == controls


@pytest.mark.rule("TD-GEO-3")
def test_nobody_controls_through_a_wall_or_when_out() -> None:
    wall = ground_of(walls=[Feature("V", 1, y) for y in range(-6, 7)])
    near = creature("x", 0, 0)
    assert does_control(OPEN, near, one(1, 0), 0, "alternating")
    assert not does_control(wall, near, one(1, 0), 0, "alternating")
    assert not does_control(OPEN, replace(near, is_out=True), one(1, 0), 0, "alternating")


@pytest.mark.rule("TD-GEO-2")
@pytest.mark.parametrize(
    ("distance_ft", "reach_ft", "is_refused"),
    [(5, 5, False), (5, 4, True), (10, 5, True), (0, 5, False), (0, 0, True)],
)
def test_a_strike_needs_its_target_in_reach(
    distance_ft: int, reach_ft: int, is_refused: bool
) -> None:
    facts: dict[str, object] = {"distance_ft": distance_ft, "reach_ft": reach_ft}
    expected = ("out_of_reach", "TD-GEO-2", facts) if is_refused else None
    assert refusal(lambda: require_in_reach(distance_ft, reach_ft)) == expected
