"""ML-SHOOT: whom one may shoot at, when a die hits, and what is added to it."""

from collections.abc import Callable
from itertools import combinations

import pytest

from service.engine.geometry.polygons import polygon_of
from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.rules.shooting import (
    Aim,
    HitDie,
    RollReason,
    cover_line,
    hit_die,
    long_range_line,
    require_shootable,
    state_lines,
)
from tests.rulesets.melody_d6.refusals import refusal

CODES = (
    "target_friendly",
    "target_gone",
    "target_masked",
    "target_engaged",
    "out_of_sight",
    "no_line_of_sight",
    "out_of_range",
)

TOLD = {"out_of_sight": {"sight": 24_000}, "out_of_range": {"longest": 20_000}}
"""What a refusal says besides the target."""


def aim_with(*faults: str) -> Aim:
    """What is asked of a target in which these things are wrong, and no others."""

    def claim(fault: str, *, otherwise: bool = False) -> Callable[[], bool]:
        return lambda: (fault in faults) != otherwise

    return Aim(
        is_friendly="target_friendly" in faults,
        is_gone="target_gone" in faults,
        is_masked="target_masked" in faults,
        is_engaged=claim("target_engaged"),
        is_in_sight=claim("out_of_sight", otherwise=True),
        has_line=claim("no_line_of_sight", otherwise=True),
        is_in_range=claim("out_of_range", otherwise=True),
        sight=24_000,
        longest=20_000,
    )


@pytest.mark.rule("ML-SHOOT-1")
def test_an_enemy_in_plain_sight_may_be_shot_at() -> None:
    assert refusal(lambda: require_shootable("b1", aim_with())) is None


@pytest.mark.rule("ML-SHOOT-1")
@pytest.mark.parametrize(("first", "second"), [*combinations((*CODES, ""), 2)])
def test_the_first_thing_wrong_with_a_target_is_told(first: str, second: str) -> None:
    told = refusal(lambda: require_shootable("b1", aim_with(first, second)))
    assert told is not None
    assert (told[0], told[2]) == (first, {"target": "b1", **TOLD.get(first, {})})


@pytest.mark.rule("ML-SHOOT-1")
def test_lines_are_not_worked_out_for_a_target_that_is_refused_before() -> None:
    def never() -> bool:
        raise AssertionError("asked")

    aim = aim_with("target_masked")._replace(
        is_engaged=never, is_in_sight=never, has_line=never, is_in_range=never
    )
    told = refusal(lambda: require_shootable("b1", aim))
    assert told is not None
    assert told[0] == "target_masked"


@pytest.mark.rule("ML-SHOOT-2")
@pytest.mark.parametrize(
    ("natural", "bonus", "is_hit", "reason"),
    [
        (1, 10, False, "natural_1"),
        (6, -20, True, "natural_6"),
        (6, 0, True, "natural_6"),
        (2, 4, False, "total"),
        (2, 5, True, "total"),
        (2, 6, True, "total"),
        (5, 2, True, "total"),
        (5, 1, False, "total"),
    ],
)
def test_seven_hits_and_naturals_decide_first(
    natural: int, bonus: int, is_hit: bool, reason: RollReason
) -> None:
    assert hit_die(natural, bonus) == HitDie(is_hit=is_hit, reason=reason)


LONG = Line(rule="ML-SHOOT-3", amount=-1, note="long_range")


@pytest.mark.rule("ML-SHOOT-3")
@pytest.mark.parametrize(
    ("distance", "reach", "radii", "line"),
    [
        (13_000, 24_000, 1000, None),
        (13_001, 24_000, 1000, LONG),
        (12_000, 24_000, 0, None),
        (12_001, 24_000, 0, LONG),
        (0, 1000, 0, None),
    ],
)
def test_more_than_half_the_range_is_long(
    distance: int, reach: int, radii: int, line: Line | None
) -> None:
    assert long_range_line(distance * distance, reach, radii) == line


WALL = polygon_of(((20_000, 9000), (20_400, 9000), (20_400, 11_000), (20_000, 11_000)))
COVER = Line(rule="ML-SHOOT-4", amount=-1, note="cover")
SHOOTER = (10_000, 10_000)


@pytest.mark.rule("ML-SHOOT-4")
@pytest.mark.parametrize(
    ("target", "radius", "line"),
    [
        ((21_899, 10_000), 500, COVER),
        ((21_900, 10_000), 500, COVER),
        ((21_901, 10_000), 500, None),
        ((21_400, 10_000), 0, COVER),
        ((21_401, 10_000), 0, None),
        ((19_000, 10_000), 500, None),
        ((20_001, 10_000), 500, COVER),
        ((20_000, 10_000), 500, None),
    ],
)
def test_cover_lies_on_the_line_and_near_the_target(
    target: Spot, radius: int, line: Line | None
) -> None:
    assert cover_line(SHOOTER, target, radius, (WALL,)) == line


@pytest.mark.rule("ML-SHOOT-4")
def test_a_line_along_the_edge_of_cover_does_not_count() -> None:
    assert cover_line((10_000, 9000), (21_000, 9000), 500, (WALL,)) is None
    assert cover_line((10_000, 9001), (21_000, 9001), 500, (WALL,)) == COVER


@pytest.mark.rule("ML-SHOOT-4")
def test_cover_counts_once_and_any_of_several_gives_it() -> None:
    far = polygon_of(((12_000, 9000), (12_400, 9000), (12_400, 11_000), (12_000, 11_000)))
    beside = polygon_of(((21_000, 11_000), (22_000, 11_000), (22_000, 12_000), (21_000, 12_000)))
    target = (21_500, 10_000)
    assert cover_line(SHOOTER, target, 500, ()) is None
    assert cover_line(SHOOTER, target, 500, (far, beside)) is None
    assert cover_line(SHOOTER, target, 500, (far, beside, WALL, WALL)) == COVER


def melody_line(melody: str, amount: int) -> Line:
    """A line as the chapter of lasting Melodies states it."""
    return Line(rule="ML-LAST-9", amount=amount, note="melody", melody=melody, combatants=("a1",))


@pytest.mark.rule("ML-SHOOT-5")
def test_dazed_comes_before_melodies_by_the_shooter_and_those_at_the_target() -> None:
    lines = state_lines(
        is_dazed=True,
        melodies_by=[melody_line("haste", 2)],
        melodies_at=[melody_line("veil_of_mist", -1)],
    )
    by, at = (
        Line(
            rule="ML-SHOOT-5",
            amount=amount,
            note=note,
            melody=melody,
            combatants=("a1",),
            rules=("ML-LAST-9",),
        )
        for amount, note, melody in ((2, "melody_by", "haste"), (-1, "melody_at", "veil_of_mist"))
    )
    assert lines == (Line(rule="ML-SHOOT-5", amount=-1, note="dazed"), by, at)


@pytest.mark.rule("ML-SHOOT-5")
def test_a_shooter_in_whose_way_nothing_is_has_no_lines() -> None:
    assert state_lines(is_dazed=False, melodies_by=(), melodies_at=()) == ()
