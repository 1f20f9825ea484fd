"""Paths that the checks of a move or a charge accept, found by trying.

The table has no cells, so not all of them can be listed. Tried are points all round the mover, as
far as its allowance leads and half as far; for a charge points of contact all round the enemy,
straight or past one corner or base that is in the way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.geometry.roots import ceiling_root
from service.engine.geometry.segments import Spot, is_within, squared_distance
from service.engine.ruleset.legal_nodes import is_allowed
from service.rulesets.melody_d6.actions import Path
from service.rulesets.melody_d6.deciding.moves import allowance_of, surroundings_of
from service.rulesets.melody_d6.occupancy import base_of, spot_of
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.rules.geometry import path_cost
from service.rulesets.melody_d6.rules.movement import (
    CONTACT,
    Base,
    Deed,
    Standing,
    Surroundings,
    Way,
    is_leg_blocked,
    is_leg_closed,
    is_on_ground,
    overlaps,
    require_way,
)
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


@dataclass(frozen=True)
class Leeway:
    """A warrior who may move, how far, and what is around it."""

    mover: Combatant
    allowance: int
    surroundings: Surroundings

    @property
    def here(self) -> Spot:
        """Where it stands."""
        return spot_of(self.mover)

    @cached_property
    def turns(self) -> tuple[Spot, ...]:
        """Where one may turn to get past a feature or an enemy, the nearest to the mover first."""
        return tuple([spot for spot in _corners(self) if self._may_come_to(spot)])

    def _may_come_to(self, spot: Spot) -> bool:
        """Whether a first leg may lead to a point; what no path has to mind on its way is left."""
        ground, radius = self.surroundings.ground, self.mover.base_radius
        if not is_on_ground(Base(spot, radius), ground):
            return False
        if any(is_leg_closed(self.here, spot, each) for each in ground.obstacles):
            return False
        enemies = self.surroundings.enemies
        return not any(is_leg_blocked(self.here, spot, radius, each.base) for each in enemies)

    def may_stand_at(self, spot: Spot) -> bool:
        """Whether a path may end at a point as far as the table and the others there go."""
        base, around = Base(spot, self.mover.base_radius), self.surroundings
        return is_on_ground(base, around.ground) and not any(
            overlaps(base, each.base) for each in (*around.enemies, *around.friends)
        )

    def may_take(self, *spots: Spot, deed: Deed, target: str = "") -> bool:
        """Whether a path by these points is accepted; the cheapest check comes first."""
        if path_cost(self.here, spots) > self.allowance:
            return False
        way = Way(mover=base_of(self.mover), path=spots, allowance=self.allowance)
        return is_allowed(lambda: require_way(way, self.surroundings, deed=deed, target=target))


def leeway_of(view: View, mover: Combatant) -> Leeway:
    """How a warrior may move who has its movement still; of others those whom it could reach."""
    allowance = allowance_of(view, mover)
    whole = surroundings_of(view, mover)
    here, reach = spot_of(mover), allowance + mover.base_radius + CONTACT

    def near(others: tuple[Standing, ...]) -> tuple[Standing, ...]:
        return tuple(
            each for each in others if is_within(here, each.base.spot, reach + each.base.radius)
        )

    surroundings = replace(whole, enemies=near(whole.enemies), friends=near(whole.friends))
    return Leeway(mover, allowance, surroundings)


def paths_of(leeway: Leeway) -> tuple[Path, ...]:
    """Paths of moves that are accepted: one straight leg each, to points all round."""
    spots = dict.fromkeys(_all_round(leeway))
    return tuple(_path(spot) for spot in spots if leeway.may_take(spot, deed="move"))


def _all_round(leeway: Leeway) -> Iterator[Spot]:
    for part, of in _FRACTIONS:
        for direction in COMPASS:
            yield _kept_on(leeway, away(leeway.here, direction, leeway.allowance * part // of))


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


def _kept_on(leeway: Leeway, spot: Spot) -> Spot:
    """A point, or the nearest one to it where the whole base is on the table."""
    ground, radius = leeway.surroundings.ground, leeway.mover.base_radius
    return (
        min(max(spot[0], radius), ground.width - radius),
        min(max(spot[1], radius), ground.height - radius),
    )


def charges_of(leeway: Leeway, target: Combatant) -> tuple[Path, ...]:
    """Paths of charges at an enemy that are accepted: straight ones, else one past an obstacle."""
    if not _is_near_enough(leeway, target):
        return ()
    ends = tuple(_round(leeway, target))
    straight = (end for end in ends if leeway.may_take(end, deed="charge", target=target.id))
    paths = tuple(_path(end) for end in straight)
    return paths or tuple(islice(_detours(leeway, target, ends), 1))


def _detours(leeway: Leeway, target: Combatant, ends: tuple[Spot, ...]) -> Iterator[Path]:
    free = [end for end in ends if leeway.may_stand_at(end)]
    for corner in leeway.turns:
        for end in free:
            if leeway.may_take(corner, end, deed="charge", target=target.id):
                yield _path(corner, end)


def _round(leeway: Leeway, target: Combatant) -> Iterator[Spot]:
    """Points of contact: the nearest one to the mover, and others all round the enemy."""
    here, there = leeway.here, spot_of(target)
    gap = leeway.mover.base_radius + target.base_radius + _GAP
    towards = here[0] - there[0], here[1] - there[1]
    directions = (towards, *COMPASS) if any(towards) else COMPASS
    for direction in directions:
        yield away(there, direction, gap)


def _is_near_enough(leeway: Leeway, target: Combatant) -> bool:
    """Whether any way to the enemy could be within the allowance."""
    reach = leeway.allowance + leeway.mover.base_radius + target.base_radius
    longest = reach + 2 * _GAP
    return squared_distance(leeway.here, spot_of(target)) <= longest**2


def _corners(leeway: Leeway) -> list[Spot]:
    """Corners of features and points round enemies, the nearest to the mover first."""
    here, surroundings = leeway.here, leeway.surroundings
    high = (each.polygon for each in surroundings.ground.obstacles if each.is_high)
    corners = [spot for polygon in high for spot in polygon.vertices]
    for enemy in surroundings.enemies:
        clear = 2 * (leeway.mover.base_radius + enemy.base.radius)
        corners += [away(enemy.base.spot, direction, clear) for direction in COMPASS[:8]]
    near = [spot for spot in corners if squared_distance(here, spot) <= leeway.allowance**2]
    near.sort(key=lambda spot: (squared_distance(here, spot), spot))
    return near[:_MOST_DETOURS]


def _path(*spots: Spot) -> Path:
    return tuple(Point(x=x, y=y) for x, y in spots)
