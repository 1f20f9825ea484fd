"""Points and segments of a plane without cells, in whole units; every comparison is exact."""

from itertools import pairwise

from service.engine.geometry.roots import ceiling_root

Spot = tuple[int, int]
"""A point of a plane without cells, or a vector, in whole units; x to the east, y to the south."""


def squared_distance(a: Spot, b: Spot) -> int:
    """The square of the distance of two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return dx * dx + dy * dy


def is_within(a: Spot, b: Spot, reach: int) -> bool:
    """Whether two points are at most `reach` units apart; none are less than 0 apart."""
    return reach >= 0 and squared_distance(a, b) <= reach * reach


def leg_length(a: Spot, b: Spot) -> int:
    """The smallest whole number of units that is not below the distance of two points."""
    return ceiling_root(squared_distance(a, b))


def way_length(start: Spot, path: tuple[Spot, ...]) -> int:
    """The length of a way from `start` along `path`: each leg is rounded up by itself."""
    return sum(leg_length(a, b) for a, b in pairwise((start, *path)))


def cross(p: Spot, q: Spot, a: Spot) -> int:
    """On which side of the line from `p` to `q` the point `a` lies; 0 on the line itself."""
    return (q[0] - p[0]) * (a[1] - p[1]) - (q[1] - p[1]) * (a[0] - p[0])


def is_near_segment(spot: Spot, start: Spot, end: Spot, reach: int) -> bool:
    """Whether a point is at most `reach` units from the closed segment."""
    squared, over = _squared_gap(spot, start, end)
    return reach >= 0 and squared <= reach * reach * over


def is_nearer_segment(spot: Spot, start: Spot, end: Spot, reach: int) -> bool:
    """Whether a point is less than `reach` units from the closed segment."""
    squared, over = _squared_gap(spot, start, end)
    return reach > 0 and squared < reach * reach * over


def _squared_gap(spot: Spot, start: Spot, end: Spot) -> tuple[int, int]:
    """The square of the distance to the segment, as a numerator and a positive denominator."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = spot[0] - start[0], spot[1] - start[1]
    along, length = px * dx + py * dy, dx * dx + dy * dy
    if along <= 0:
        return px * px + py * py, 1
    if along >= length:
        return squared_distance(spot, end), 1
    off = dx * py - dy * px
    return off * off, length
