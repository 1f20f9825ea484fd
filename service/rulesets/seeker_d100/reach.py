"""Points within reach: of a step beside an action, of a dive for cover, of a movement."""

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.geometry.segments import Spot, is_within
from service.engine.ruleset.legal_nodes import (
    FARTHEST,
    DiscBounds,
    DiscDomain,
    Domain,
    ObjectDomain,
    object_of,
    one_of,
    one_of_points,
    with_params,
)
from service.errors import Refused
from service.rulesets.seeker_d100.equipment import Arm
from service.rulesets.seeker_d100.rules.cover import (
    COVER_REACH_M,
    CoverSegment,
    is_cover_near,
    require_cover_destination,
)
from service.rulesets.seeker_d100.rules.geometry import is_in_reach
from service.rulesets.seeker_d100.rules.movement import STEP_M
from service.rulesets.seeker_d100.state import Options
from service.rulesets.seeker_d100.terrain import UNIT


def _around(metres: int) -> tuple[Spot, ...]:
    """All vectors of at most so many metres, the shortest first."""
    axis = range(-metres, metres + 1)
    ways = [(x, y) for x in axis for y in axis if is_within((0, 0), (x, y), metres)]
    return tuple(sorted(ways, key=lambda way: (way[0] ** 2 + way[1] ** 2, way)))


_STEPS: Final = _around(STEP_M)
_DIVES: Final = _around(COVER_REACH_M)


def _points(here: Spot, ways: Iterable[Spot]) -> tuple[Spot, ...]:
    points = ((here[0] + x, here[1] + y) for x, y in ways)
    return tuple(point for point in points if max(map(abs, point)) <= FARTHEST)


def disc(centre: Spot, radius_m: int | None) -> DiscDomain:
    """The domain of points at most `radius_m` away; None: any point."""
    x, y = centre
    radius = UNSET if radius_m is None else radius_m
    return DiscDomain(disc=DiscBounds(x=x, y=y, unit=UNIT, radius=radius))


def is_struck_from(origin: Spot, there: Spot, arm: Arm, options: Options) -> bool:
    """Whether an attack from `origin` reaches a spot: melee reach, and the weapon's range."""
    if arm.delivery == "melee" and not is_in_reach(origin, there, options.melee_reach_sq):
        return False
    return arm.range_m is None or is_within(origin, there, arm.range_m)


def striking_points(here: Spot, there: Spot, arm: Arm, options: Options) -> tuple[Spot, ...] | None:
    """The spots within a step from which an attack reaches `there`; None: all of them."""
    if arm.delivery != "melee" and arm.range_m is None:
        return None
    points = _points(here, _STEPS)
    return tuple(point for point in points if is_struck_from(point, there, arm, options))


def step(here: Spot) -> Domain:
    """The domain of a step beside an action that needs none."""
    return _step(disc(here, STEP_M), disc(here, STEP_M), optional=True)


def striking_step(here: Spot, points: tuple[Spot, ...] | None, *, is_needed: bool) -> Domain:
    """The domain of a step beside an attack: before it to these points, or after it anywhere.

    `is_needed`: the attack reaches nothing without it.
    """
    if points is None:
        return step(here)
    before = one_of_points(points, UNIT)
    if is_needed:
        return _step(before, None, optional=False)
    return _step(before, disc(here, STEP_M), optional=True)


def step_after(here: Spot) -> Domain:
    """The domain of a step that may only follow an attack."""
    return _step(None, disc(here, STEP_M), optional=True)


def _step(before: Domain | None, after: Domain | None, *, optional: bool) -> ObjectDomain:
    """The domain of a step to these points, by when it is taken."""
    moments = (("before", before), ("after", after))
    members = (with_params(when, {"to": to}) for when, to in moments if to is not None)
    return object_of({"when": one_of(members)}, optional=optional)


def dives(
    place: Spot, origin: Spot | UnsetType, covers: Iterable[CoverSegment]
) -> list[tuple[str, tuple[Spot, ...]]]:
    """The near covers behind which a dive gets out of the danger, with the spots behind them."""
    if origin is UNSET:
        return []
    near = (cover for cover in covers if is_cover_near(place, cover))
    points_by_cover = ((cover.id, _behind(place, origin, cover)) for cover in near)
    return [(cover, points) for cover, points in points_by_cover if points]


def _behind(place: Spot, origin: Spot, cover: CoverSegment) -> tuple[Spot, ...]:
    return tuple(to for to in _points(place, _DIVES) if is_dive_safe(place, origin, to, cover))


def is_dive_safe(place: Spot, origin: Spot, to: Spot, cover: CoverSegment) -> bool:
    """Whether a dive from `place` to `to` gets behind this cover, seen from `origin`."""
    try:
        require_cover_destination(origin, place, to, cover)
    except Refused:
        return False
    return True
