"""Points on the table and on a path, in u: 1 step is 1000 u (ML-GEO-1)."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.values import Coordinate, Place

STEP: Final = 1000
"""Units of length in a step."""

Length = Annotated[int, Meta(ge=0, le=200_000)]
"""A length in u."""


class Point(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point of the table."""

    x: Annotated[Coordinate, EVERYONE]
    """u east of the north-west corner."""
    y: Annotated[Coordinate, EVERYONE]
    """u south of the north-west corner."""


class PathPoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point on a path (ML-GEO-9)."""

    leg: Annotated[Annotated[int, Meta(ge=0, le=10_000)], EVERYONE]
    """Leg of the path, from 0."""
    permille: Annotated[Annotated[int, Meta(ge=0, le=10_000)], EVERYONE]
    """Thousandths of the leg, 0 to 1000."""


PATH_START: Final = PathPoint(leg=0, permille=0)
"""Where every path begins."""


def place_at(point: Point) -> Place:
    """A point as the place of a combatant."""
    return Place(x=point.x, y=point.y)


def point_at(place: Place) -> Point:
    """The place of a combatant as a point."""
    return Point(x=place.x, y=place.y)
