"""Points within reach: of a step beside an action, of a dive for cover, of a movement."""

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.kit.action_nodes import FARTHEST, Domain
from service.errors import Refused
from service.rulesets.seeker_d100.rule_inputs import Arm
from service.rulesets.seeker_d100.rules.cover import (
    COVER_REACH_M,
    Cover,
    is_cover_near,
    require_cover_destination,
)
from service.rulesets.seeker_d100.rules.geometry import Point, is_in_reach, is_within
from service.rulesets.seeker_d100.rules.movement import STEP_M
from service.rulesets.seeker_d100.state import Options


def _around(metres: int) -> tuple[Point, ...]:
    """All ways that are no longer, the nearest first."""
    axis = range(-metres, metres + 1)
    ways = [(x, y) for x in axis for y in axis if is_within((0, 0), (x, y), metres)]
    return tuple(sorted(ways, key=lambda way: (way[0] ** 2 + way[1] ** 2, way)))


_STEPS: Final = _around(STEP_M)
_DIVES: Final = _around(COVER_REACH_M)


def _points(here: Point, ways: Iterable[Point]) -> tuple[Point, ...]:
    points = ((here[0] + x, here[1] + y) for x, y in ways)
    return tuple(point for point in points if max(map(abs, point)) <= FARTHEST)


def told(point: Point) -> dict[str, int]:
    """A point as clients write it."""
    return {"x": point[0], "y": point[1]}


def disc(centre: Point, radius_m: int | None) -> Domain:
    """Any point at most so far away; None: any point."""
    return {"disc": {**told(centre), **({} if radius_m is None else {"radius": radius_m})}}


def is_struck_from(origin: Point, there: Point, arm: Arm, options: Options) -> bool:
    """Whether an attack reaches a place: hand to hand, and within the weapon's range."""
    if arm.delivery == "melee" and not is_in_reach(origin, there, options.melee_reach_sq):
        return False
    return arm.range_m is None or is_within(origin, there, arm.range_m)


def striking_points(
    here: Point, there: Point, arm: Arm, options: Options
) -> tuple[Point, ...] | None:
    """Where a step may lead from which an attack reaches a place; None: anywhere."""
    if arm.delivery != "melee" and arm.range_m is None:
        return None
    points = _points(here, _STEPS)
    return tuple(each for each in points if is_struck_from(each, there, arm, options))


def step(here: Point) -> Domain:
    """A step beside an action that may be taken from anywhere."""
    return {"optional": True, "params": _step_params(disc(here, STEP_M), disc(here, STEP_M))}


def striking_step(here: Point, points: tuple[Point, ...] | None, *, is_needed: bool) -> Domain:
    """A step beside an attack: before it to one of these points, or after it anywhere.

    `is_needed`: the attack reaches nothing without it.
    """
    if points is None:
        return step(here)
    before: Domain = {"one_of": [told(point) for point in points]}
    if is_needed:
        return {"params": _step_params(before, None)}
    return {"optional": True, "params": _step_params(before, disc(here, STEP_M))}


def step_after(here: Point) -> Domain:
    """A step that may only follow an attack."""
    return {"optional": True, "params": _step_params(None, disc(here, STEP_M))}


def _step_params(before: Domain | None, after: Domain | None) -> Domain:
    moments: list[tuple[str, Domain | None]] = [("before", before), ("after", after)]
    return {
        "when": {
            "one_of": [
                {"value": when, "params": {"to": points}} for when, points in moments if points
            ]
        }
    }


def dives(
    place: Point, origin: Point | UnsetType, covers: Iterable[Cover]
) -> list[tuple[str, tuple[Point, ...]]]:
    """The near covers behind which one can dive from a danger, with the points behind them."""
    if origin is UNSET:
        return []
    near = (cover for cover in covers if is_cover_near(place, cover))
    found = ((cover.id, _behind(place, origin, cover)) for cover in near)
    return [(cover, points) for cover, points in found if points]


def _behind(place: Point, origin: Point, cover: Cover) -> tuple[Point, ...]:
    return tuple(to for to in _points(place, _DIVES) if _is_safe(place, origin, to, cover))


def _is_safe(place: Point, origin: Point, to: Point, cover: Cover) -> bool:
    try:
        require_cover_destination(origin, place, to, cover)
    except Refused:
        return False
    return True
