"""SK-DODGE: getting out of the way."""

from collections.abc import Callable
from typing import Final, NamedTuple

from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, Verdict, opposed
from service.rulesets.seeker_d100.rules.words import Delivery

SK_DODGE_1: Final = "SK-DODGE-1"
SK_DODGE_2: Final = "SK-DODGE-2"
SK_DODGE_3: Final = "SK-DODGE-3"

_TOO_FAST: Final[tuple[Delivery, ...]] = ("bullet", "explosive")


class DodgeReading(NamedTuple):
    """Which dodges a version of this rulebook reads as plain checks.

    `plain_rule` is the rule by which a plain check avoids an attack of this delivery, None where
    the dodge has to beat the attack's roll. `is_mixed`: there are such and such.
    """

    plain_rule: Callable[[Delivery], str | None]
    is_mixed: bool


def no_plain_rule(_delivery: Delivery) -> str | None:
    """None: every dodge has to beat the attack's roll."""
    return None


ALL_OPPOSED: Final = DodgeReading(plain_rule=no_plain_rule, is_mixed=False)
"""Every dodge is an opposed check (SK-DODGE-1)."""


def dodged(attack: CheckRoll, dodge: CheckRoll, die: OpposedDie) -> Verdict:
    """SK-DODGE-1: a dodge that beats the attack roll avoids damage, disarming and grappling.

    Source: «Это встречная проверка навыка "Уклонения" … против "Атаки"».
    """
    return opposed(attack, dodge, die)


def can_dodge(delivery: Delivery) -> bool:
    """SK-DODGE-2: blows, thrown weapons and arrows can be dodged.

    Source: «Обычный бросок на Уклонение позволяет избежать стрелы или брошенного оружия».
    """
    return not is_too_fast(delivery)


def is_too_fast(delivery: Delivery) -> bool:
    """SK-DODGE-3: nobody dodges bullets or fragments; one may take cover from them.

    Source: «Никто не может среагировать на пулю или осколки».
    """
    return delivery in _TOO_FAST
