"""SK-FREE: breaking out of a hold."""

from typing import Final, Literal

from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, Verdict, opposed

SK_FREE_1: Final = "SK-FREE-1"

_STRENGTH_FACTOR: Final = 5


EscapeRating = Literal["strength", "unarmed"]
"""What one breaks free with: five times strength, or unarmed combat."""


def break_free_chance(strength: int, unarmed: int) -> int:
    """The better of five times strength and unarmed combat, in per cent."""
    return max(_STRENGTH_FACTOR * strength, unarmed)


def escape_rating(strength: int, unarmed: int) -> EscapeRating:
    """The attribute or skill that breaking free is rolled on; strength if both are equal."""
    return "strength" if _STRENGTH_FACTOR * strength >= unarmed else "unarmed"


def breaks_free(held: CheckRoll, holder: CheckRoll, die: OpposedDie) -> Verdict:
    """SK-FREE-1: the held one (`acting`) must beat the holder; the same roll keeps the hold.

    The holder rolls unarmed combat beside his action, or his grapple's roll serves
    (`break_free_versus`). If both fail the hold stays.
    Source: «Бросьте либо СИЛ×5, либо "Рукопашный бой", в зависимости от того, что лучше —
    против "Атаки" персонажа, применяющего Захват».
    """
    verdict = opposed(held, holder, die)
    if verdict.why == "tie_to_attacker":
        return Verdict("answering", "tie_to_holder")
    return verdict
