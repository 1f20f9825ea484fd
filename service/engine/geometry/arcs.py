"""Facings and the four quarters around them."""

from typing import Final, Literal

from service.engine.geometry.points import Point, dot

Heading = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
"""One of the eight directions."""

Quarter = Literal["front", "rear", "left", "right", "side"]
"""Where a vector points as seen from a facing; `side` is the vector of length zero."""

FACINGS: Final[tuple[Heading, ...]] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

_VECTORS: Final[dict[Heading, Point]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}


def quarter_of(direction: Point, facing: Heading) -> Quarter:
    """The quarter in which a vector points; exactly 45 degrees belongs to front and rear."""
    ahead = _VECTORS[facing]
    along = dot(direction, ahead)
    if direction != (0, 0) and 2 * along * along >= dot(direction, direction) * dot(ahead, ahead):
        return "front" if along > 0 else "rear"
    if direction == (0, 0):
        return "side"
    return "left" if dot(direction, (ahead[1], -ahead[0])) > 0 else "right"
