"""SK-RES: blocking and counter-attacking."""

from typing import Final

from service.errors import Refused
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, Verdict, Winner, opposed
from service.rulesets.seeker_d100.rules.words import (
    MELEE_SKILLS,
    Answered,
    AttackSkill,
    Delivery,
    Intent,
)

SK_RES_1: Final = "SK-RES-1"
SK_RES_2: Final = "SK-RES-2"
SK_RES_3: Final = "SK-RES-3"


def can_resist(delivery: Delivery) -> bool:
    """SK-RES-1: blows are resisted with melee weapons or unarmed combat, nothing else is.

    Source: «сопротивление навыками "Оружие ближнего боя" или "Рукопашный бой" атакам при
    помощи аналогичных навыков».
    """
    return delivery == "melee"


def is_melee_skill(skill: AttackSkill) -> bool:
    """Whether a skill is one of fighting hand to hand."""
    return skill in MELEE_SKILLS


def require_melee_weapon(weapon: str, skill: AttackSkill) -> None:
    """One resists with a melee weapon or unarmed. Raises Refused("weapon_not_melee")."""
    if not is_melee_skill(skill):
        raise Refused("weapon_not_melee", rule=SK_RES_1, weapon=weapon, skill=skill)


def resisting(intent: Intent) -> Answered:
    """How a resist with this intent answers."""
    return "resist_block" if intent == "block" else "resist_counter"


def resisted(attack: CheckRoll, resist: CheckRoll, die: OpposedDie) -> Verdict:
    """SK-RES-2: a resist that beats the attack roll stops the attack.

    Source: «Блок или контратака».
    """
    return opposed(attack, resist, die)


def deals_counter(winner: Winner, answered: Answered) -> bool:
    """SK-RES-3: a won resist deals the resisting weapon's damage, unless it only blocks.

    Doubled if the resist was critical (SK-DMG-3). Also where the attack missed by itself.
    Source: «контратакует и блокирует» / «контратакует или блокирует».
    """
    return winner == "answering" and answered == "resist_counter"
