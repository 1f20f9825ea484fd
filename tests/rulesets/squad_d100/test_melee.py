"""SQ-MELEE: threshold, outcome, damage and reach of a blow."""

import pytest

from service.rulesets.squad_d100.rules.melee import (
    melee_damage,
    melee_outcome,
    melee_threshold,
    require_in_reach,
)
from tests.rulesets.squad_d100.refusals import refusal


@pytest.mark.rule("SQ-MELEE-1")
@pytest.mark.parametrize(
    ("agility", "accuracy", "threshold"), [(30, 61, 60), (30, 62, 61), (0, 1, 0), (5, 0, 5)]
)
def test_the_threshold_is_agility_and_half_of_accuracy(
    agility: int, accuracy: int, threshold: int
) -> None:
    assert melee_threshold(agility, accuracy) == threshold


@pytest.mark.rule("SQ-MELEE-1")
@pytest.mark.parametrize(
    ("natural", "modifiers", "strict", "lenient"),
    [
        (59, 0, "hit", "hit"),
        (60, 0, "miss", "hit"),
        (61, 0, "miss", "miss"),
        (61, -1, "miss", "hit"),
        (61, -2, "hit", "hit"),
        (1, 500, "critical_success", "critical_success"),
        (100, -500, "critical_failure", "critical_failure"),
    ],
)
def test_an_equal_die_hits_where_the_table_says_so(
    natural: int, modifiers: int, strict: str, lenient: str
) -> None:
    ended = (
        melee_outcome(natural, modifiers, 60, 1, equal_hits=False),
        melee_outcome(natural, modifiers, 60, 1, equal_hits=True),
    )
    assert ended == (strict, lenient)


@pytest.mark.rule("SQ-MELEE-2")
@pytest.mark.parametrize("strength", [0, 40, 1000])
def test_a_blow_does_as_much_damage_as_one_is_strong(strength: int) -> None:
    assert melee_damage(strength) == strength


@pytest.mark.rule("SQ-MELEE-3")
@pytest.mark.parametrize(
    ("distance", "reach", "is_refused"),
    [(0, 1, False), (1, 1, False), (2, 1, True), (10, 10, False), (11, 10, True)],
)
def test_a_blow_reaches_so_far(distance: int, reach: int, is_refused: bool) -> None:
    facts: dict[str, object] = {"distance": distance, "longest": reach}
    expected = ("out_of_reach", "SQ-MELEE-3", facts) if is_refused else None
    assert refusal(lambda: require_in_reach(distance, reach)) == expected
