"""SQ-SPRINT: movement points instead of the shooting phase."""

from typing import Final

from service.rulesets.squad_d100.rules.halves import half

SQ_SPRINT_1: Final = "SQ-SPRINT-1"


def sprint_points(endurance: int, agility: int) -> int:
    """SQ-SPRINT-1: instead of the shooting phase, END and half of AGI in movement points.

    Both are current values at the moment of declaring; only the agility is halved.
    Source: «вместо фазы стрельбы добавляется количество очков действия, равное END+AGI/2».
    """
    return endurance + half(agility)
