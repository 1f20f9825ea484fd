"""SK-STAND: rolls that stand until the end of the round."""

from typing import Final, NamedTuple

from service.errors import Refused
from service.rulesets.seeker_d100.rules.attack import attack_skill
from service.rulesets.seeker_d100.rules.dodge import can_dodge
from service.rulesets.seeker_d100.rules.resist import can_resist, is_melee_skill, resisting
from service.rulesets.seeker_d100.rules.words import (
    MELEE_SKILLS,
    Answered,
    AttackKind,
    AttackSkill,
    Delivery,
    Intent,
    ReactionOption,
)

SK_STAND_1: Final = "SK-STAND-1"
SK_STAND_2: Final = "SK-STAND-2"
SK_STAND_3: Final = "SK-STAND-3"


class StandingAnswer(NamedTuple):
    """How an attack's roll answers others, and with which weapon (None: bare hands)."""

    kind: Answered
    weapon: str | None


def standing_of_attack(
    kind: AttackKind, weapon: str | None, skill: AttackSkill, intent: Intent | None
) -> StandingAnswer | None:
    """SK-STAND-1: an attack action with a melee skill also resists until the end of the round.

    With the action's weapon, bare hands for disarm and grapple; an `attack` with its own
    intent, everything else counters. None for shots, throws and explosives. `skill` is the
    weapon's and says nothing where there is none.
    Source: «также означает, что ваш Искатель контратакует или блокирует».
    """
    if not is_melee_skill(attack_skill(kind, skill)):
        return None
    with_weapon = weapon if kind in ("attack", "called_shot") else None
    named = intent if kind == "attack" and intent is not None else "counter"
    return StandingAnswer(resisting(named), with_weapon)


def require_intent_allowed(skill: AttackSkill, intent: Intent | None) -> None:
    """Only an attack that resists too has an intent. Raises Refused("invalid_field")."""
    if intent is not None and not is_melee_skill(skill):
        raise Refused(
            "invalid_field",
            rule=SK_STAND_1,
            field="intent",
            skill=skill,
            allowed=list(MELEE_SKILLS),
        )


def does_stand(reaction: ReactionOption) -> bool:
    """SK-STAND-2: the roll of a dodge or resist stands until the end of the round.

    Against everything it can answer (`does_answer`), without asking, and even against an
    attack one does not know of. Taking cover does not stand.
    Default, not in the source text.
    """
    return reaction in ("dodge", "resist")


def does_answer(kind: Answered, delivery: Delivery) -> bool:
    """Whether a standing roll or a stance of this kind answers an attack of this delivery."""
    return can_dodge(delivery) if kind == "dodge" else can_resist(delivery)


def is_standing_over(*, is_round_over: bool, is_held: bool, is_active: bool) -> bool:
    """SK-STAND-3: standing rolls and stances end with the round, and when held or out.

    Default, not in the source text.
    """
    return is_round_over or is_held or not is_active
