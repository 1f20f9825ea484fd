"""Distances, ways and segments in whole metres; every comparison is exact.

A point is a pair of whole metres. Roots are never taken but where a length is wanted, and then
of whole numbers, rounded up.
"""

from itertools import pairwise
from math import isqrt

from service.engine.geometry.points import cross, dot, vector

Point = tuple[int, int]
"""A point in metres."""


def squared_distance(a: Point, b: Point) -> int:
    """The square of the distance of two points."""
    way = vector(a, b)
    return dot(way, way)


def is_within(a: Point, b: Point, metres: int) -> bool:
    """Whether two points are at most so many metres apart."""
    return squared_distance(a, b) <= metres * metres


def leg_length(a: Point, b: Point) -> int:
    """The smallest whole number of metres that is not below the distance of two points."""
    squared = squared_distance(a, b)
    return isqrt(squared - 1) + 1 if squared else 0


def way_length(start: Point, path: tuple[Point, ...]) -> int:
    """The length in metres of a way from `start` along `path`: each leg is rounded up by itself."""
    points = (start, *path)
    return sum(leg_length(a, b) for a, b in pairwise(points))


def do_segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the closed segments ab and cd have a point in common.

    Ends, touching and lying along each other count; either may be a single point.
    """
    if _are_apart(a, b, c, d):
        return False
    # With their boxes meeting, each only has to reach both sides of the other's line, or touch it.
    return not (
        _are_beside(cross(a, b, c), cross(a, b, d)) or _are_beside(cross(c, d, a), cross(c, d, b))
    )


def is_on_segment(point: Point, c: Point, d: Point) -> bool:
    """Whether a point lies on the closed segment cd."""
    return cross(c, d, point) == 0 and dot(vector(point, c), vector(point, d)) <= 0


def is_near_segment(point: Point, c: Point, d: Point, metres: int) -> bool:
    """Whether a point is at most so many metres from the closed segment cd."""
    along, to_point = vector(c, d), vector(c, point)
    reached, length = dot(to_point, along), dot(along, along)
    if reached <= 0:
        return is_within(point, c, metres)
    if reached >= length:
        return is_within(point, d, metres)
    return cross(c, d, point) ** 2 <= metres * metres * length


def is_in_reach(a: Point, b: Point, reach_sq: int) -> bool:
    """Whether two points are in reach of hand to hand; `reach_sq` is the square of the reach."""
    return squared_distance(a, b) <= reach_sq


def _are_beside(side: int, other: int) -> bool:
    """Whether both ends of a segment lie on one side of a line, and off it."""
    return (side < 0 and other < 0) or (side > 0 and other > 0)


def _are_apart(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the upright boxes round two segments have no point in common."""
    return (
        (a[0] < c[0] and a[0] < d[0] and b[0] < c[0] and b[0] < d[0])
        or (a[0] > c[0] and a[0] > d[0] and b[0] > c[0] and b[0] > d[0])
        or (a[1] < c[1] and a[1] < d[1] and b[1] < c[1] and b[1] < d[1])
        or (a[1] > c[1] and a[1] > d[1] and b[1] > c[1] and b[1] > d[1])
    )
