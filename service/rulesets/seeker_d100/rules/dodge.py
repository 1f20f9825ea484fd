"""SK-DODGE: getting out of the way."""

from typing import Final

from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, Verdict, opposed
from service.rulesets.seeker_d100.rules.words import Delivery

SK_DODGE_1: Final = "SK-DODGE-1"
SK_DODGE_2: Final = "SK-DODGE-2"
SK_DODGE_3: Final = "SK-DODGE-3"

_TOO_FAST: Final[tuple[Delivery, ...]] = ("bullet", "explosive")


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
