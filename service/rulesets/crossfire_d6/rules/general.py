"""CF-GEN: what all modifiers have in common, and the notes a breakdown uses."""

from typing import Final

from service.engine.vocabulary.breakdown import Modifier, total

COVER_PENALTY: Final = -2
"""Dice of the cover penalty, whatever it is for: cover, a near ally or poor visibility."""

NOTE_ALREADY_APPLIED: Final = "cover_penalty_applied"
"""A cover penalty that another one has replaced."""

NOTE_IGNORED: Final = "penalty_ignored"
"""A penalty that a trick of the attacker removes."""

NOTE_RECKLESS: Final = "reckless_fire"
"""A penalty the attacker drops by shooting without regard for an ally."""


def added_dice(lines: tuple[Modifier, ...]) -> int:
    """CF-GEN-1: situational modifiers change the size of the attack pool in dice, not the total.

    They sum with sign; their order matters only to the reader.
    Source: "бонус 1к6 к атаке".
    """
    return total(lines)
