"""SK-CHECK: chances and levels."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.checks import (
    CRITICAL,
    FAILURE,
    FUMBLE,
    OUTCOMES,
    SUCCESS,
    CheckRoll,
    Level,
    chance_of,
    check_roll,
    fixed_level,
    gm_modifier,
    is_double,
    is_success,
    level_of,
    level_rule,
)


@pytest.mark.rule("SK-CHECK-1")
@pytest.mark.parametrize(
    ("skill", "amounts", "chance"),
    [(50, (), 50), (50, (20,), 70), (60, (20, -40), 40), (200, (20, 20), 240), (0, (-40,), -40)],
)
def test_the_chance_is_the_skill_and_all_modifiers(
    skill: int, amounts: tuple[int, ...], chance: int
) -> None:
    lines = tuple(Modifier(rule="SK-AIM-1", amount=amount) for amount in amounts)
    assert chance_of(skill, lines) == chance


@pytest.mark.rule("SK-CHECK-1")
def test_a_modifier_of_the_game_master_is_a_line_unless_it_is_nothing() -> None:
    assert gm_modifier(-15) == Modifier(rule="SK-CHECK-1", amount=-15, note="gm")
    assert gm_modifier(0) is None


@pytest.mark.rule("SK-CHECK-2")
def test_only_the_lowest_and_the_highest_face_are_fixed() -> None:
    fixed = {face: fixed_level(face) for face in range(1, 101)}
    assert {face: level for face, level in fixed.items() if level is not None} == {
        1: CRITICAL,
        100: FUMBLE,
    }


@pytest.mark.rule("SK-CHECK-3")
def test_doubles_are_the_nine_with_equal_digits() -> None:
    assert [face for face in range(1, 101) if is_double(face)] == [
        11,
        22,
        33,
        44,
        55,
        66,
        77,
        88,
        99,
    ]


@pytest.mark.rule("SK-CHECK-4")
@pytest.mark.parametrize(
    ("natural", "chance", "level", "plain"),
    [
        (50, 50, SUCCESS, SUCCESS),
        (51, 50, FAILURE, FAILURE),
        (49, 50, SUCCESS, SUCCESS),
        (1, 0, CRITICAL, CRITICAL),
        (1, -40, CRITICAL, CRITICAL),
        (2, 1, FAILURE, FAILURE),
        (100, 130, FUMBLE, FUMBLE),
        (100, 100, FUMBLE, FUMBLE),
        (99, 99, CRITICAL, SUCCESS),
        (44, 50, CRITICAL, SUCCESS),
        (44, 44, CRITICAL, SUCCESS),
        (44, 43, FUMBLE, FAILURE),
        (55, 50, FUMBLE, FAILURE),
        (33, 32, FUMBLE, FAILURE),
    ],
)
def test_a_roll_has_one_of_four_levels(
    natural: int, chance: int, level: Level, plain: Level
) -> None:
    assert level_of(natural, chance, doubles=True) == level
    assert level_of(natural, chance, doubles=False) == plain
    assert check_roll(natural, chance, doubles=True) == CheckRoll(natural, level)


@pytest.mark.rule("SK-CHECK-4")
def test_levels_are_numbered_and_named_from_the_worst() -> None:
    assert (FUMBLE, FAILURE, SUCCESS, CRITICAL) == (0, 1, 2, 3)
    assert OUTCOMES == ("fumble", "failure", "success", "critical")
    assert [is_success(level) for level in range(4)] == [False, False, True, True]


@pytest.mark.rule("SK-CHECK-2", "SK-CHECK-3")
@pytest.mark.parametrize(
    ("natural", "rule", "plain"),
    [
        (1, "SK-CHECK-2", "SK-CHECK-2"),
        (2, None, None),
        (10, None, None),
        (11, "SK-CHECK-3", None),
        (12, None, None),
        (99, "SK-CHECK-3", None),
        (100, "SK-CHECK-2", "SK-CHECK-2"),
    ],
)
def test_what_marks_a_face_is_named(natural: int, rule: str | None, plain: str | None) -> None:
    assert level_rule(natural, doubles=True) == rule
    assert level_rule(natural, doubles=False) == plain
