"""SK-DODGE: getting out of the way."""

import pytest

from service.rulesets.seeker_d100.rules.checks import check_roll
from service.rulesets.seeker_d100.rules.dodge import can_dodge, dodged, is_too_fast
from service.rulesets.seeker_d100.rules.opposed import Verdict, Why, Winner
from service.rulesets.seeker_d100.rules.words import Delivery


@pytest.mark.rule("SK-DODGE-1")
@pytest.mark.parametrize(
    ("attack", "dodge", "winner", "why"),
    [
        (40, 30, "acting", "die"),
        (30, 40, "answering", "die"),
        (40, 40, "acting", "tie_to_attacker"),
        (33, 40, "acting", "level"),
        (60, 20, "answering", "level"),
        (60, 70, "stalemate", None),
        (40, 44, "answering", "level"),
        (20, 30, "answering", "die"),
    ],
)
def test_a_dodge_has_to_be_better(attack: int, dodge: int, winner: Winner, why: Why | None) -> None:
    rolls = [check_roll(face, 50, doubles=True) for face in (attack, dodge)]
    assert dodged(rolls[0], rolls[1], "high") == Verdict(winner, why)


@pytest.mark.rule("SK-DODGE-2")
@pytest.mark.parametrize("delivery", ["melee", "thrown", "arrow"])
def test_blows_throws_and_arrows_are_dodged(delivery: Delivery) -> None:
    assert can_dodge(delivery)
    assert not is_too_fast(delivery)


@pytest.mark.rule("SK-DODGE-3")
@pytest.mark.parametrize("delivery", ["bullet", "explosive"])
def test_bullets_and_fragments_are_not(delivery: Delivery) -> None:
    assert is_too_fast(delivery)
    assert not can_dodge(delivery)
