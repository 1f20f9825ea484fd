"""ML-FIGHT-1: who wins a fight."""

import pytest

from service.rulesets.melody_d6.rules.fights import (
    BARE_HANDS,
    FightOutcome,
    defender_melee,
    fight_outcome,
)
from service.rulesets.melody_d6.rules.wounds import Hit


@pytest.mark.rule("ML-FIGHT-1")
@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"),
    [(7, 6, "hit"), (7, 7, "stalemate"), (7, 8, "stopped"), (1, 16, "stopped"), (16, 1, "hit")],
)
def test_the_higher_total_wins(attacker: int, defender: int, outcome: FightOutcome) -> None:
    assert fight_outcome(attacker, defender) == outcome


@pytest.mark.rule("ML-FIGHT-1")
@pytest.mark.parametrize(("is_stunned", "melee"), [(False, 3), (True, 0)])
def test_a_stunned_defender_adds_nothing(is_stunned: bool, melee: int) -> None:
    assert defender_melee(3, is_stunned=is_stunned) == melee


@pytest.mark.rule("ML-FIGHT-1")
def test_what_bare_hands_do() -> None:
    assert Hit(strength=3, pen=0, damage=1) == BARE_HANDS
