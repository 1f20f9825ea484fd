"""Paths that the checks of a move or a charge accept, found by trying.

The table has no cells, so not all of them can be listed. Tried are points all round the mover, as
far as its allowance leads and half as far; for a charge points of contact all round the enemy,
straight or past one corner or base that is in the way.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from service.engine.battle.state import State
from service.engine.geometry.roots import ceiling_root
from service.engine.geometry.segments import Spot, squared_distance
from service.engine.kit.action_nodes import is_allowed
from service.rulesets.melody_d6.actions import Charge, Move, Path
from service.rulesets.melody_d6.deciding.charges import require_charge
from service.rulesets.melody_d6.deciding.moves import allowance_of, require_move
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.occupancy import enemies_of, spot_of
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.state import BattleState, Combatant

View = State[BattleState]
"""The battle as somebody may know it."""

COMPASS: Final[tuple[Spot, ...]] = (
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (2, 1),
    (-2, -1),
    (1, -2),
    (-1, 2),
)
"""Directions that are tried, all round."""

_FRACTIONS: Final = ((1, 1), (1, 2))
"""How much of the allowance is tried: all of it, and half."""

_GAP: Final = 50
"""How far from the enemy a charge that is tried ends, in u; up to 100 are contact."""

_MOST_DETOURS: Final = 16
"""Corners and bases that are tried to get past, the nearest to the mover first."""


def paths_of(view: View, mover: Combatant) -> tuple[Path, ...]:
    """Paths of moves that are accepted: one straight leg each, to points all round."""
    ground = ground_of(view.rule, view.blobs)
    allowance = allowance_of(view.rule, view.blobs, mover)
    spots = dict.fromkeys(_all_round(spot_of(mover), allowance, mover.base_radius, ground))
    paths = ((_point(spot),) for spot in spots)
    return tuple(path for path in paths if _may_move(view, mover, path))


def _all_round(here: Spot, allowance: int, radius: int, ground: Ground) -> Iterator[Spot]:
    for part, of in _FRACTIONS:
        for direction in COMPASS:
            yield _kept_on(ground, radius, away(here, direction, allowance * part // of))


def away(here: Spot, direction: Spot, distance: int) -> Spot:
    """The point at most so far from here in a direction, which is not zero."""
    length = ceiling_root(direction[0] ** 2 + direction[1] ** 2)
    return here[0] + _share(direction[0], distance, length), here[1] + _share(
        direction[1], distance, length
    )


def _share(part: int, distance: int, of: int) -> int:
    """A part of a distance in whole u, rounded towards zero."""
    size = abs(part) * distance // of
    return size if part > 0 else -size


def _kept_on(ground: Ground, radius: int, spot: Spot) -> Spot:
    """A point, or the nearest one to it where the whole base is on the table."""
    return (
        min(max(spot[0], radius), ground.width - radius),
        min(max(spot[1], radius), ground.height - radius),
    )


def _may_move(view: View, mover: Combatant, path: Path) -> bool:
    return is_allowed(partial(require_move, view, Move(combatant=mover.id, path=path)))


def charges_of(view: View, mover: Combatant, target: Combatant) -> tuple[Path, ...]:
    """Paths of charges at an enemy that are accepted: straight ones, else one past an obstacle."""
    ends = tuple(_round(mover, target))
    direct: list[Path] = [(_point(end),) for end in ends]
    straight = tuple(path for path in direct if _may_charge(view, mover, target, path))
    if straight or not _is_near_enough(view, mover, target):
        return straight
    detours = ((_point(corner), _point(end)) for corner in _corners(view, mover) for end in ends)
    return tuple(islice((way for way in detours if _may_charge(view, mover, target, way)), 1))


def _round(mover: Combatant, target: Combatant) -> Iterator[Spot]:
    """Points of contact: the nearest one to the mover, and others all round the enemy."""
    here, there = spot_of(mover), spot_of(target)
    gap = mover.base_radius + target.base_radius + _GAP
    towards = here[0] - there[0], here[1] - there[1]
    directions = (towards, *COMPASS) if any(towards) else COMPASS
    for direction in directions:
        yield away(there, direction, gap)


def _is_near_enough(view: View, mover: Combatant, target: Combatant) -> bool:
    """Whether a way round to the enemy could be within the allowance at all."""
    reach = allowance_of(view.rule, view.blobs, mover) + mover.base_radius
    longest = reach + target.base_radius + 2 * _GAP
    return squared_distance(spot_of(mover), spot_of(target)) <= longest**2


def _corners(view: View, mover: Combatant) -> tuple[Spot, ...]:
    """Where one may turn to get past a feature or an enemy, the nearest to the mover first."""
    here = spot_of(mover)
    obstacles = ground_of(view.rule, view.blobs).obstacles
    corners = [spot for each in obstacles if each.is_high for spot in each.polygon.vertices]
    for enemy in enemies_of(view.rule, mover.side):
        clear = mover.base_radius + enemy.base_radius
        corners += [away(spot_of(enemy), direction, 2 * clear) for direction in COMPASS[:8]]
    corners.sort(key=lambda spot: (squared_distance(here, spot), spot))
    return tuple(corners[:_MOST_DETOURS])


def _may_charge(view: View, mover: Combatant, target: Combatant, path: Path) -> bool:
    charge = Charge(combatant=mover.id, target=target.id, path=path)
    return is_allowed(partial(require_charge, view, charge))


def _point(spot: Spot) -> Point:
    return Point(x=spot[0], y=spot[1])
