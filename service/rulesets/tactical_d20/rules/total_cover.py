"""TD-TOTAL: targets that no line of effect reaches."""

from typing import Final

from service.engine.geometry.features import Feature
from service.engine.geometry.open_lines import closed_by
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.tactical_d20.rules.geometry import has_open_line
from service.rulesets.tactical_d20.rules.ground import Ground, kept
from service.rulesets.tactical_d20.rules.words import CoverGrade

TD_TOTAL_1: Final = "TD-TOTAL-1"


@kept
def has_line_of_effect(ground: Ground, attacker: Space, target: Space) -> bool:
    """Whether a line between the two is not interrupted by a wall (TD-GEO-6)."""
    return has_open_line(ground.walls, attacker, target)


def require_line_of_effect(
    ground: Ground, attacker: Space, target: Space, override: CoverGrade | None = None
) -> None:
    """TD-TOTAL-1: without a line of effect the cover is total, and there is no attack at all.

    `override` is the game master's word on this target and this attacker: `total` refuses what
    the map leaves open, but no word opens what walls close. Raises Refused("total_cover").
    Source: «Существа не могут атаковать цели, находящиеся в полном укрытии».
    """
    if override == "total" or not has_line_of_effect(ground, attacker, target):
        raise Refused("total_cover", rule=TD_TOTAL_1)


def closing(ground: Ground, attacker: Space, target: Space) -> tuple[Feature, ...]:
    """The walls that interrupt the line between the nearest corners of the two.

    Ask it only where there is no line of effect.
    """
    _, walls = closed_by(ground.walls, attacker, target)
    return walls
