"""SK-DMG: ordinary damage and what it does."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.damage import (
    bonus_rules,
    critical_line,
    doubled_damage,
    felled_by,
    health_after,
    rolled_damage,
)
from service.rulesets.seeker_d100.rules.words import FelledState


@pytest.mark.rule("SK-DMG-1", "SK-DMG-2")
@pytest.mark.parametrize(
    ("health", "amount", "left"), [(12, 0, 12), (12, 9, 3), (12, 11, 1), (12, 12, 0), (12, 20, 0)]
)
def test_damage_is_taken_off_and_stops_at_nothing(health: int, amount: int, left: int) -> None:
    assert health_after(health, amount) == left


@pytest.mark.rule("SK-DMG-2")
@pytest.mark.parametrize(
    ("faces", "bonus", "damage"),
    [((1,), -1, 0), ((2,), -1, 1), ((1,), -2, 0), ((12,), 2, 14), ((10, 10), 0, 20), ((7,), 0, 7)],
)
def test_rolled_damage_is_never_below_nothing(
    faces: tuple[int, ...], bonus: int, damage: int
) -> None:
    assert rolled_damage(faces, bonus) == damage


@pytest.mark.rule("SK-DMG-3")
@pytest.mark.parametrize(
    ("level", "doubles", "damage"), [(2, True, 6), (3, True, 12), (3, False, 6), (1, True, 6)]
)
def test_a_critical_attack_doubles_damage(level: int, doubles: bool, damage: int) -> None:
    assert doubled_damage(6, level, critical_doubles=doubles) == damage


@pytest.mark.rule("SK-DMG-3")
def test_doubling_is_a_line_where_it_adds_something() -> None:
    assert critical_line(6, 12) == Modifier(rule="SK-DMG-3", amount=6, note="critical")
    assert critical_line(6, 6) is None
    assert critical_line(0, 0) is None


@pytest.mark.rule("SK-DMG-4")
@pytest.mark.parametrize(
    ("before", "after", "unconscious_at", "state"),
    [
        (12, 3, 2, None),
        (12, 2, 2, "unconscious"),
        (12, 1, 2, "unconscious"),
        (12, 0, 2, "dead"),
        (2, 2, 2, None),
        (2, 1, 2, "unconscious"),
        (12, 1, 0, None),
        (12, 0, 0, "dead"),
        (0, 0, 2, None),
        (12, 12, 100, None),
        (12, 11, 100, "unconscious"),
        (2, 5, 5, None),
    ],
)
def test_few_hit_points_fell_whoever_loses_some(
    before: int, after: int, unconscious_at: int, state: FelledState | None
) -> None:
    assert felled_by(before, after, unconscious_at) == state


@pytest.mark.rule("SK-DMG-2")
@pytest.mark.parametrize(
    ("rolled", "bonus", "rules"),
    [
        (1, 2, ("SK-DMG-1",)),
        (1, -1, ("SK-DMG-1",)),
        (1, -2, ("SK-DMG-1", "SK-DMG-2")),
    ],
)
def test_a_bonus_that_leaves_less_than_nothing_names_the_rule(
    rolled: int, bonus: int, rules: tuple[str, ...]
) -> None:
    assert bonus_rules(rolled, bonus) == rules
