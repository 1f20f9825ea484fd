"""SK-DODGE: getting out of the way of what flies."""

from typing import Final

from service.rulesets.seeker_d100.rules.dodge import DodgeReading
from service.rulesets.seeker_d100.rules.words import Delivery

SK_DODGE_4: Final = "SK-DODGE-4"

_FLYING: Final[tuple[Delivery, ...]] = ("thrown", "arrow")


def plain_dodge_rule(delivery: Delivery) -> str | None:
    """SK-DODGE-4: a plain check of dodge avoids a thrown weapon or an arrow.

    Its success is enough, however good the attack's roll was, and its failure never is. The rule's
    id for such an attack; None for a blow, which a dodge has to beat (SK-DODGE-1), and for what
    cannot be dodged at all (SK-DODGE-3).
    Source: «Обычный бросок на Уклонение позволяет избежать стрелы или брошенного оружия».
    """
    return SK_DODGE_4 if delivery in _FLYING else None


READING: Final = DodgeReading(plain_rule=plain_dodge_rule, is_mixed=True)
"""Blows are dodged by an opposed check, what flies by a plain one."""
