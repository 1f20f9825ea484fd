"""Segments that meet and reach of hand to hand, in whole metres; every comparison is exact."""

from service.engine.geometry.segments import Spot, cross, squared_distance


def do_segments_meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether the closed segments ab and cd have a point in common.

    Ends, touching and lying along each other count; either may be a single point.
    """
    if _are_apart(a, b, c, d):
        return False
    # With their boxes meeting, each only has to reach both sides of the other's line, or touch it.
    return not (
        _are_beside(cross(a, b, c), cross(a, b, d)) or _are_beside(cross(c, d, a), cross(c, d, b))
    )


def is_on_segment(point: Spot, c: Spot, d: Spot) -> bool:
    """Whether a point lies on the closed segment cd."""
    return cross(c, d, point) == 0 and _dot(_vector(point, c), _vector(point, d)) <= 0


def is_in_reach(a: Spot, b: Spot, reach_sq: int) -> bool:
    """Whether two points are in reach of hand to hand; `reach_sq` is the square of the reach."""
    return squared_distance(a, b) <= reach_sq


def _vector(start: Spot, end: Spot) -> Spot:
    return end[0] - start[0], end[1] - start[1]


def _dot(a: Spot, b: Spot) -> int:
    return a[0] * b[0] + a[1] * b[1]


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
