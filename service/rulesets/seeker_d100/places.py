"""Points of the table in their four forms: of a sheet, an action, the rules, a preview."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.geometry.segments import Spot
from service.engine.vocabulary.values import Place
from service.rulesets.seeker_d100.state import Combatant
from service.rulesets.seeker_d100.terrain import Point


def spot_of(combatant: Combatant) -> Spot:
    """Where a combatant stands."""
    return combatant.place.x, combatant.place.y


def spot_at(point: Point) -> Spot:
    """A point of an action as the rules use it."""
    return point.x, point.y


def place_at(point: Spot, before: Place | UnsetType = UNSET) -> Place:
    """A spot as a sheet states it, at the elevation of the place before."""
    if before is UNSET:
        return Place(x=point[0], y=point[1])
    return replace(before, x=point[0], y=point[1])


def point_at(spot: Spot) -> Point:
    """A spot as actions state it."""
    return Point(x=spot[0], y=spot[1])
