"""CF-GEO-1, CF-GEO-3 and CF-GEO-6: the chapter's geometry, done by `engine.geometry`."""

from typing import Final

from service.engine.geometry.features import Feature, Features
from service.engine.geometry.lines import centre_line, features_met
from service.engine.geometry.points import Cell, Point
from service.engine.geometry.sides import passes_opposite_sides
from service.engine.geometry.spaces import Space, centre

CF_GEO_3: Final = "CF-GEO-3"


def centre_of(space: Space) -> Point:
    """CF-GEO-1: the centre of a space in doubled coordinates, always whole numbers."""
    return centre(space)


def features_on_line(features: Features, cell: Cell, other: Cell) -> tuple[Feature, ...]:
    """CF-GEO-3: the members of a set that the line between two cell centres meets, sorted.

    Cells whose interior it crosses (its ends too; CF-GEO-2), borders it crosses, and whatever
    lies round a pinched vertex (CF-GEO-4). The same in both directions.
    """
    return features_met(features, centre_line(cell, other))


def are_sides_opposite(p: Point, q: Point, space: Space) -> bool:
    """CF-GEO-6: whether the segment pq enters and leaves a space by opposite sides.

    Sides include their corners; a segment, so two points on one side never do.
    """
    return passes_opposite_sides(p, q, space)
