"""SK-WAIT: an attack that waited for answers while the game master changed the battle."""

from typing import Final

from service.engine.geometry.segments import Spot
from service.rulesets.seeker_d100.rules.waiting import WaitingReading
from service.rulesets.seeker_d100.v3.rules.cover import danger_from


def rounds_given_back(left: int | None, shots: int) -> int | None:
    """SK-WAIT-1: an attack that waited continues only if it would be allowed now.

    It is judged as if it were stated now, its action and its rounds given back: with how many
    rounds in the weapon, None for one that never runs out.
    Default, not in the source text.
    """
    return None if left is None else left + shots


def is_step_due(here: Spot, to: Spot) -> bool:
    """SK-WAIT-2: what the game master undid of a declaration is done again when it continues.

    Whether the step before the attack is: the attacker is not where it led.
    Default, not in the source text.
    """
    return here != to


JUDGED_AGAIN: Final = WaitingReading(
    rounds_given_back=rounds_given_back, is_step_due=is_step_due, danger_from=danger_from
)
"""Attacks that waited are judged again."""
