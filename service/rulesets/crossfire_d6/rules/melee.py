"""Preconditions of a melee attack: reach, and nothing solid in between."""

from service.engine.geometry.distance import DiagonalRule, cells_apart
from service.engine.geometry.lines import centre_line, is_met
from service.engine.geometry.spaces import Space, cells_of
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.geometry import CF_GEO_3
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL


def require_within_reach(distance_ft: int, reach_ft: int) -> None:
    """The target must be within the weapon's reach, by the distance of CF-RANGE-3.

    Raises Refused("out_of_reach").
    """
    if distance_ft > reach_ft:
        raise Refused("out_of_reach", distance_ft=distance_ft, reach_ft=reach_ft)


def require_open_strike(
    ground: Ground, attacker: Fighter, target: Fighter, reach_ft: int, rule: DiagonalRule
) -> None:
    """Nothing solid on the centre line of at least one pair of cells within reach.

    Raises Refused("line_of_sight_blocked").
    """
    if not can_strike(ground, attacker.space, target.space, reach_ft, rule):
        raise Refused("line_of_sight_blocked", rule=CF_GEO_3, reach_ft=reach_ft)


def can_strike(
    ground: Ground, attacker: Space, target: Space, reach_ft: int, rule: DiagonalRule
) -> bool:
    """Whether some pair of cells within reach has a centre line free of solid features."""
    return any(
        not is_met(ground.solid, centre_line(a, t))
        for a in cells_of(attacker)
        for t in cells_of(target)
        if FEET_PER_CELL * cells_apart(t[0] - a[0], t[1] - a[1], rule) <= reach_ft
    )
