"""SK-FREE: breaking out of a hold."""

import pytest

from service.rulesets.seeker_d100.rules.checks import check_roll
from service.rulesets.seeker_d100.rules.escape import break_free_chance, breaks_free
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, Verdict, Why, Winner


@pytest.mark.rule("SK-FREE-1")
@pytest.mark.parametrize(
    ("strength", "unarmed", "chance"),
    [(12, 40, 60), (12, 59, 60), (12, 60, 60), (12, 61, 61), (0, 0, 0)],
)
def test_the_better_of_strength_and_unarmed_combat_counts(
    strength: int, unarmed: int, chance: int
) -> None:
    assert break_free_chance(strength, unarmed) == chance


@pytest.mark.rule("SK-FREE-1")
@pytest.mark.parametrize(
    ("held", "holder", "die", "winner", "why"),
    [
        (40, 40, "high", "answering", "tie_to_holder"),
        (30, 40, "high", "answering", "die"),
        (41, 40, "high", "acting", "die"),
        (70, 90, "high", "stalemate", None),
        (60, 55, "high", "acting", "level"),
        (44, 49, "high", "acting", "level"),
        (70, 50, "high", "answering", "level"),
        (30, 40, "low", "acting", "die"),
        (40, 40, "low", "answering", "tie_to_holder"),
    ],
)
def test_the_held_one_has_to_be_better(
    held: int, holder: int, die: OpposedDie, winner: Winner, why: Why | None
) -> None:
    verdict = breaks_free(
        check_roll(held, 60, doubles=True), check_roll(holder, 50, doubles=True), die
    )
    assert verdict == Verdict(winner, why)
