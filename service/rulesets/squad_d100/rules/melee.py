"""SQ-MELEE: hand to hand."""

from typing import Final

from service.errors import Refused
from service.rulesets.squad_d100.rules.halves import half
from service.rulesets.squad_d100.rules.shots import (
    Outcome,
    is_below,
    is_critical_failure,
    is_critical_success,
)

SQ_MELEE_1: Final = "SQ-MELEE-1"
SQ_MELEE_2: Final = "SQ-MELEE-2"
SQ_MELEE_3: Final = "SQ-MELEE-3"


def melee_threshold(agility: int, accuracy: int) -> int:
    """SQ-MELEE-1: agility and half of accuracy, both as wounds leave them.

    Source: «шанс успешной атаки - ловкости плюс половине точности (AGI+ACC/2)».
    """
    return agility + half(accuracy)


def melee_outcome(
    natural: int, modifiers: int, threshold: int, crit_success_max: int, *, equal_hits: bool
) -> Outcome:
    """How a blow ends: natural 100 and 1 as of a shot; with `equal_hits` an equal die hits too."""
    if is_critical_failure(natural):
        return "critical_failure"
    if is_critical_success(natural, crit_success_max):
        return "critical_success"
    return "hit" if is_below(natural + modifiers, threshold + equal_hits) else "miss"


def melee_damage(strength: int) -> int:
    """SQ-MELEE-2: a blow does as much damage as one is strong.

    Source: «урон успешной атаки равен силе (STR)».
    """
    return strength


def require_in_reach(distance: int, reach: int) -> None:
    """SQ-MELEE-3: a blow reaches so many cells, 1 unless the table says otherwise.

    Raises Refused("out_of_reach"). Default, not in the source text.
    """
    if distance > reach:
        raise Refused("out_of_reach", rule=SQ_MELEE_3, distance=distance, longest=reach)
