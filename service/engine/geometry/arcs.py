"""Facings and the four quarters around them."""

from typing import Final, Literal

from service.engine.geometry.points import Point, dot

Heading = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
"""One of the eight directions."""

Quarter = Literal["front", "rear", "left", "right", "side"]
"""Where a vector points as seen from a facing; `side` is the vector of length zero."""

FACINGS: Final[tuple[Heading, ...]] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

_VECTORS: Final[dict[Heading, Point]] = {
    "N": Point(0, -1),
    "NE": Point(1, -1),
    "E": Point(1, 0),
    "SE": Point(1, 1),
    "S": Point(0, 1),
    "SW": Point(-1, 1),
    "W": Point(-1, 0),
    "NW": Point(-1, -1),
}


def quarter_of(direction: Point, facing: Heading) -> Quarter:
    """The quarter in which a vector points; exactly 45 degrees belongs to front and rear."""
    ahead = _VECTORS[facing]
    along = dot(direction, ahead)
    length_squared = dot(direction, direction)
    if length_squared == 0:
        return "side"
    if 2 * along * along >= length_squared * dot(ahead, ahead):
        return "front" if along > 0 else "rear"
    return "left" if dot(direction, Point(ahead.y, -ahead.x)) > 0 else "right"
