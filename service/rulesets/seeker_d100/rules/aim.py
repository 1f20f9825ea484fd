"""SK-AIM: taking a round to aim."""

from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.attack import is_attack_action

SK_AIM_2: Final = "SK-AIM-2"

AIM_BONUS: Final = 20

AimLost = Literal["used", "acted", "hurt"]
"""Why an aim is gone: by the attack it was for, by another action, by an injury."""


def aim_modifier(aimed_in: int | None, round_: int) -> Modifier | None:
    """SK-AIM-1: 20 per cent more for an attack action in the round after that of aiming.

    `aimed_in` is the round of the last aim that is not lost. Not for reactions.
    Source: «Потратьте один ход, чтобы прицелиться, и в следующий ход получите + 20% к вашей
    атаке. Не требует броска».
    """
    if aimed_in is None or round_ != aimed_in + 1:
        return None
    return Modifier(rule="SK-AIM-1", amount=AIM_BONUS, facts={"round": aimed_in})


def aim_lost(aimed_in: int, round_: int, *, action: str | None, hp_lost: int) -> AimLost | None:
    """SK-AIM-2: an aim is lost with the action of the next round, and by losing 1 HP before.

    `action` is the one that has just ended in `round_` (a reaction counts as one), None while
    none has; aiming anew renews instead. `hp_lost` is what has just been lost.
    Source: «После следующего хода, или если ваш агент получит какие-либо повреждения до своей
    атаки, бонус теряется».
    """
    if action is not None and action != "aim" and round_ > aimed_in:
        return "used" if is_attack_action(action) else "acted"
    return "hurt" if hp_lost > 0 else None


def aim_rule(aimed_in: int | None) -> str:
    """The rule of taking aim; `aimed_in` is the round of an aim that is renewed, else None."""
    return "SK-AIM-1" if aimed_in is None else "SK-AIM-3"


def is_aim_over(aimed_in: int, round_: int) -> bool:
    """Whether the round that the aim was for has passed, though its combatant did not act in it."""
    return round_ > aimed_in + 1


def renewed_aim(aimed_in: int | None, round_: int) -> int:
    """SK-AIM-3: aiming again renews the aim and does not add up.

    The round the aim dates from after aiming in `round_`.
    Default, not in the source text.
    """
    return round_ if aimed_in is None else max(aimed_in, round_)
