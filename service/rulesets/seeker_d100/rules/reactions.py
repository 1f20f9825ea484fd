"""SK-REACT: who may answer an attack, and how."""

from typing import Final

from service.errors import Refused
from service.rulesets.seeker_d100.rules.cover import SK_COVER_1
from service.rulesets.seeker_d100.rules.dodge import (
    SK_DODGE_1,
    SK_DODGE_2,
    SK_DODGE_3,
    can_dodge,
    is_too_fast,
)
from service.rulesets.seeker_d100.rules.opposed import SK_OPP_1
from service.rulesets.seeker_d100.rules.resist import SK_RES_1, SK_RES_2, can_resist
from service.rulesets.seeker_d100.rules.standing import does_answer
from service.rulesets.seeker_d100.rules.words import Answered, Delivery, ReactionOption

SK_REACT_1: Final = "SK-REACT-1"
SK_REACT_2: Final = "SK-REACT-2"
SK_REACT_3: Final = "SK-REACT-3"


def may_react(*, is_action_spent: bool) -> bool:
    """SK-REACT-1: dodging and resisting are actions: only who has not acted may answer so.

    The answer spends the action of the round; declining does not.
    Source: «одно из следующих действий».
    """
    return not is_action_spent


def reactions_to(
    delivery: Delivery, *, is_active: bool, is_aware: bool, is_held: bool, is_holding: bool
) -> tuple[ReactionOption, ...]:
    """SK-REACT-2: what a victim may choose from; empty where it is not asked.

    Blows: dodge or resist; thrown weapons and arrows: dodge; bullets and explosives: take
    cover, whether or not one is near (SK-COVER-2 refuses that). Who holds somebody may only
    resist. Does not ask whether the action is spent (SK-REACT-1).
    """
    if not is_active or not is_aware or is_held:
        return ()
    answers: tuple[ReactionOption, ...]
    if can_resist(delivery):
        answers = ("resist",) if is_holding else ("dodge", "resist")
    elif is_holding:
        return ()
    else:
        answers = ("dodge",) if can_dodge(delivery) else ("take_cover",)
    return (*answers, "pass")


def require_possible(choice: str, options: tuple[ReactionOption, ...], delivery: Delivery) -> None:
    """The answer must be one of those possible. Raises Refused("reaction_not_possible").

    The rule is the one that bars it from any attack of this delivery, if there is one.
    """
    if choice in options:
        return
    rule = SK_REACT_2
    if choice == "dodge" and is_too_fast(delivery):
        rule = SK_DODGE_3
    elif choice == "resist" and not can_resist(delivery):
        rule = SK_RES_1
    raise Refused("reaction_not_possible", rule=rule, choice=choice, allowed=list(options))


def answer_rules(
    answered: Answered | None, delivery: Delivery | None, plain_rule: str | None = None
) -> tuple[str, ...]:
    """The rules of an answer in their order; `answered` is None for a dive for cover.

    That one dodges what is thrown or shot with a bow (SK-DODGE-2) is told where the delivery is.
    `plain_rule` is the rule of a dodge that opposes nothing.
    """
    if answered is None:
        return (SK_COVER_1,)
    if answered != "dodge":
        return (SK_RES_2, SK_OPP_1)
    if plain_rule is not None:
        return (SK_DODGE_2, plain_rule)
    is_missile = delivery in ("thrown", "arrow")
    return (SK_DODGE_1, *((SK_DODGE_2,) if is_missile else ()), SK_OPP_1)


def is_rolled_now(stance: Answered, delivery: Delivery) -> bool:
    """SK-REACT-3: a dodge or resist taken in one's own turn is rolled when first needed.

    Whether this attack needs it; the roll stands from then on.
    Default, not in the source text.
    """
    return does_answer(stance, delivery)
