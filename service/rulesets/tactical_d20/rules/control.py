"""TD-GEO-3: which creatures control a cell."""

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.tactical_d20.rules.geometry import TD_GEO_2, distance_ft
from service.rulesets.tactical_d20.rules.ground import Fighter, Ground
from service.rulesets.tactical_d20.rules.total_cover import has_line_of_effect


def does_control(
    ground: Ground, fighter: Fighter, target: Space, target_elevation_ft: int, rule: DiagonalRule
) -> bool:
    """TD-GEO-3: a creature controls the cells of a target within its greatest reach.

    It is neither unconscious nor dead, has a ready melee weapon of a reach above 0, the distance
    is at most that reach, and there is a line of effect. Whose the target is plays no part.
    Source: «контролируют занятую противником клетку»; what controlling is comes from a page that
    the source text only names.
    """
    return (
        not fighter.is_out
        and fighter.reach_ft > 0
        and distance_ft(fighter.space, fighter.elevation_ft, target, target_elevation_ft, rule)
        <= fighter.reach_ft
        and has_line_of_effect(ground, fighter.space, target)
    )


def require_in_reach(distance_ft: int, reach_ft: int) -> None:
    """A melee attack needs its target within the reach of the weapon, and a reach above 0.

    Raises Refused("out_of_reach").
    """
    if reach_ft == 0 or distance_ft > reach_ft:
        raise Refused("out_of_reach", rule=TD_GEO_2, distance_ft=distance_ft, reach_ft=reach_ft)
