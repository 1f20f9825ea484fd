"""Convex polygons of a plane without cells, in whole units; every comparison is exact.

How this works. A polygon is kept with its edges as half-planes: the interior is where
`a * x + b * y > c` holds for every edge. An open convex polygon and a segment have nothing in
common iff a line parallel to an edge of the polygon, or to the segment, lies between them; so no
crossing point is ever worked out. An upright box round the polygon is asked first.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from service.engine.geometry.segments import Spot, cross, is_near_segment, is_within

HalfPlane = tuple[int, int, int]
"""a, b and c of `a * x + b * y > c`."""

PolygonFault = Literal["polygon_degenerate", "polygon_not_convex"]
"""What keeps corners from being those of a convex polygon."""


class Polygon(Struct, frozen=True, kw_only=True):
    """A convex polygon with its interior on the left of each edge; make it with `polygon_of`."""

    vertices: tuple[Spot, ...]
    half_planes: tuple[HalfPlane, ...]
    west: int
    north: int
    east: int
    south: int


def polygon_fault(vertices: tuple[Spot, ...]) -> PolygonFault | None:
    """What is wrong with these corners, which may turn either way; None for a convex polygon.

    Degenerate is an area of 0, or three corners in a row on one line (a corner stated twice in a
    row among them). Not convex is whatever else is none: dents, crossing edges, several rounds.
    """
    count = len(vertices)
    if count < 3 or not _doubled_area(vertices):
        return "polygon_degenerate"
    if not all(_turn(vertices, at) for at in range(count)):
        return "polygon_degenerate"
    turn = _turn(vertices, 0)
    for at, start in enumerate(vertices):
        after = (at + 1) % count
        for other, vertex in enumerate(vertices):
            if other not in (at, after) and cross(start, vertices[after], vertex) * turn <= 0:
                return "polygon_not_convex"
    return None


@lru_cache(maxsize=2048)
def polygon_of(vertices: tuple[Spot, ...]) -> Polygon:
    """The polygon with these corners, in which `polygon_fault` finds no fault."""
    ring = vertices if _doubled_area(vertices) > 0 else vertices[::-1]
    edges = zip(ring, (*ring[1:], ring[0]), strict=True)
    columns, rows = zip(*ring, strict=True)
    return Polygon(
        vertices=ring,
        half_planes=tuple(_half_plane(start, end) for start, end in edges),
        west=min(columns),
        north=min(rows),
        east=max(columns),
        south=max(rows),
    )


def is_strictly_inside(polygon: Polygon, spot: Spot) -> bool:
    """Whether a point lies in the interior; a point of an edge does not."""
    x, y = spot
    return all(a * x + b * y > c for a, b, c in polygon.half_planes)


def is_inside_or_on(polygon: Polygon, spot: Spot) -> bool:
    """Whether a point lies in the interior or on an edge."""
    x, y = spot
    return all(a * x + b * y >= c for a, b, c in polygon.half_planes)


def enters_interior(polygon: Polygon, start: Spot, end: Spot) -> bool:
    """Whether the segment has a piece of positive length in the interior.

    Running along an edge or touching a corner is none, and a single point has no length.
    """
    (ax, ay), (bx, by) = start, end
    if (
        (ax <= polygon.west and bx <= polygon.west)
        or (ax >= polygon.east and bx >= polygon.east)
        or (ay <= polygon.north and by <= polygon.north)
        or (ay >= polygon.south and by >= polygon.south)
        or start == end
    ):
        return False
    for a, b, c in polygon.half_planes:
        if a * ax + b * ay <= c and a * bx + b * by <= c:
            return False
    dx, dy = bx - ax, by - ay
    level = dx * ay - dy * ax
    sides = [dx * y - dy * x for x, y in polygon.vertices]
    return min(sides) < level < max(sides)


def is_near_polygon(polygon: Polygon, spot: Spot, reach: int) -> bool:
    """Whether a point is in the polygon, on it, or at most `reach` units from one of its edges.

    A reach below 0 is near nothing.
    """
    x, y = spot
    if (
        reach < 0
        or x < polygon.west - reach
        or x > polygon.east + reach
        or y < polygon.north - reach
        or y > polygon.south + reach
    ):
        return False
    if is_inside_or_on(polygon, spot):
        return True
    ring = polygon.vertices
    return any(
        is_near_segment(spot, start, end, reach)
        for start, end in zip(ring, (*ring[1:], ring[0]), strict=True)
    )


def is_near_vertex(polygon: Polygon, spot: Spot, reach: int) -> bool:
    """Whether a point is at most `reach` units from a corner; a reach below 0 is near nothing."""
    return any(is_within(spot, vertex, reach) for vertex in polygon.vertices)


def _turn(vertices: tuple[Spot, ...], at: int) -> int:
    """How the corner at this index turns; 0 if it lies on a line with its neighbours."""
    return cross(vertices[at - 1], vertices[at], vertices[(at + 1) % len(vertices)])


def _doubled_area(vertices: tuple[Spot, ...]) -> int:
    """Twice the area, positive where the interior is on the left of each edge."""
    first = vertices[0]
    return sum(cross(first, a, b) for a, b in pairwise(vertices[1:]))


def _half_plane(start: Spot, end: Spot) -> HalfPlane:
    a, b = start[1] - end[1], end[0] - start[0]
    return a, b, a * start[0] + b * start[1]
