"""TD-LOW: obstacles of at most half the height of whoever is behind them."""

from typing import Final

from service.engine.geometry.features import Feature, Features, without
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.rules.geometry import feature_distance_ft
from service.rulesets.tactical_d20.rules.ground import Ground, kept
from service.rulesets.tactical_d20.rules.words import LineOptions

TD_LOW_1: Final = "TD-LOW-1"


def is_low(low_height_ft: int, height_ft: int) -> bool:
    """TD-LOW-1: an obstacle is low for a target at least twice as high.

    `low_height_ft` 0: its height is not stated, and it is ordinary cover. So is one that is
    higher; the two rules that follow do not apply to either.
    Source: «стенка высотой не более половины вашего роста».
    """
    return 0 < 2 * low_height_ft <= height_ft


def is_near_enough(target_distance_ft: int, range_ft: int) -> bool:
    """TD-LOW-2: a low obstacle covers only a target at most so many feet from it, inclusive.

    Source: «только существам в пределах 30 футов (6 клеток) от него».
    """
    return target_distance_ft <= range_ft


def is_ignored_by(attacker_distance_ft: int, target_distance_ft: int) -> bool:
    """TD-LOW-3: an attacker strictly closer to a low obstacle than the target ignores it.

    At equal distances it gives cover. The attacker always would, so nobody is asked.
    Source: «Атакующий может игнорировать эффекты такого укрытия, если он находится к нему ближе,
    чем цель».
    """
    return attacker_distance_ft < target_distance_ft


def covering_for(
    ground: Ground,
    start: Space,
    target: Space,
    height_ft: int,
    options: LineOptions,
    *,
    is_attacked: bool,
) -> Features:
    """The features that can cover this target against lines that begin at `start`.

    All of them but the low obstacles that give it nothing: such a one is as good as not there and
    takes part in no pinch. `is_attacked`: an attacker stands at `start`, who may be closer to them
    than the target; an area has none.
    """
    round_both = _cells_round(start, target)
    idle = [
        part
        for part, low_height_ft in low_features(ground)
        if _is_within(part, round_both)
        and is_low(low_height_ft, height_ft)
        and not _does_cover(part, start if is_attacked else None, target, options)
    ]
    return without(ground.covering, idle) if idle else ground.covering


@kept
def low_features(ground: Ground) -> tuple[tuple[Feature, int], ...]:
    """The covering features whose height is stated, with it in feet."""
    return tuple(
        (part, cover.low_height_ft) for part, cover in ground.covers.items() if cover.low_height_ft
    )


def _does_cover(part: Feature, attacker: Space | None, target: Space, options: LineOptions) -> bool:
    away_ft = feature_distance_ft(part, target, options.diagonal_rule)
    if not is_near_enough(away_ft, options.low_obstacle_range_ft):
        return False
    if attacker is None:
        return True
    return not is_ignored_by(feature_distance_ft(part, attacker, options.diagonal_rule), away_ft)


_Rectangle = tuple[int, int, int, int]
"""Columns and rows of the first cell and of the last one."""


def _cells_round(near: Space, far: Space) -> _Rectangle:
    """The cells of the rectangle round both spaces and those that touch it."""
    return (
        min(near.x, far.x) - 1,
        min(near.y, far.y) - 1,
        max(near.x + near.size, far.x + far.size),
        max(near.y + near.size, far.y + far.size),
    )


def _is_within(part: Feature, rectangle: _Rectangle) -> bool:
    west, north, east, south = rectangle
    return west <= part.x <= east and north <= part.y <= south
