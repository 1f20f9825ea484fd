"""Distances, ways and segments in whole metres; every comparison is exact.

Roots are never taken but where a length is wanted, and then
of whole numbers, rounded up.
"""

from itertools import pairwise
from math import isqrt

Spot = tuple[int, int]
"""A point of the table, or a vector, in whole metres; there are no cells here."""


def squared_distance(a: Spot, b: Spot) -> int:
    """The square of the distance of two points."""
    way = _vector(a, b)
    return _dot(way, way)


def is_within(a: Spot, b: Spot, metres: int) -> bool:
    """Whether two points are at most so many metres apart."""
    return squared_distance(a, b) <= metres * metres


def leg_length(a: Spot, b: Spot) -> int:
    """The smallest whole number of metres that is not below the distance of two points."""
    squared = squared_distance(a, b)
    return isqrt(squared - 1) + 1 if squared else 0


def way_length(start: Spot, path: tuple[Spot, ...]) -> int:
    """The length in metres of a way from `start` along `path`: each leg is rounded up by itself."""
    points = (start, *path)
    return sum(leg_length(a, b) for a, b in pairwise(points))


def do_segments_meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether the closed segments ab and cd have a point in common.

    Ends, touching and lying along each other count; either may be a single point.
    """
    if _are_apart(a, b, c, d):
        return False
    # With their boxes meeting, each only has to reach both sides of the other's line, or touch it.
    return not (
        _are_beside(_cross(a, b, c), _cross(a, b, d))
        or _are_beside(_cross(c, d, a), _cross(c, d, b))
    )


def is_on_segment(point: Spot, c: Spot, d: Spot) -> bool:
    """Whether a point lies on the closed segment cd."""
    return _cross(c, d, point) == 0 and _dot(_vector(point, c), _vector(point, d)) <= 0


def is_near_segment(point: Spot, c: Spot, d: Spot, metres: int) -> bool:
    """Whether a point is at most so many metres from the closed segment cd."""
    along, to_point = _vector(c, d), _vector(c, point)
    reached, length = _dot(to_point, along), _dot(along, along)
    if reached <= 0:
        return is_within(point, c, metres)
    if reached >= length:
        return is_within(point, d, metres)
    return _cross(c, d, point) ** 2 <= metres * metres * length


def is_in_reach(a: Spot, b: Spot, reach_sq: int) -> bool:
    """Whether two points are in reach of hand to hand; `reach_sq` is the square of the reach."""
    return squared_distance(a, b) <= reach_sq


def _vector(start: Spot, end: Spot) -> Spot:
    return end[0] - start[0], end[1] - start[1]


def _dot(a: Spot, b: Spot) -> int:
    return a[0] * b[0] + a[1] * b[1]


def _cross(p: Spot, q: Spot, a: Spot) -> int:
    """On which side of the line from `p` to `q` the spot `a` lies; 0 on the line itself."""
    return (q[0] - p[0]) * (a[1] - p[1]) - (q[1] - p[1]) * (a[0] - p[0])


def _are_beside(side: int, other: int) -> bool:
    """Whether both ends of a segment lie on one side of a line, and off it."""
    return (side < 0 and other < 0) or (side > 0 and other > 0)


def _are_apart(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether the upright boxes round two segments have no point in common."""
    return (
        (a[0] < c[0] and a[0] < d[0] and b[0] < c[0] and b[0] < d[0])
        or (a[0] > c[0] and a[0] > d[0] and b[0] > c[0] and b[0] > d[0])
        or (a[1] < c[1] and a[1] < d[1] and b[1] < c[1] and b[1] < d[1])
        or (a[1] > c[1] and a[1] > d[1] and b[1] > c[1] and b[1] > d[1])
    )
