"""A segment through opposite sides of a space."""

from service.engine.geometry.lines import crosses_open_rectangle
from service.engine.geometry.points import Point
from service.engine.geometry.spaces import Space


def passes_opposite_sides(p: Point, q: Point, space: Space) -> bool:
    """Whether the segment pq passes through a space by two opposite sides.

    It crosses the interior and meets both the west and the east side, or both the north and
    the south side; sides include their corners, so opposite corners count. A segment, not an
    endless line: two points on one side of the space never do.
    """
    left, top = 2 * space.x, 2 * space.y
    right, bottom = left + 2 * space.size, top + 2 * space.size
    if not crosses_open_rectangle(p, q, Point(left, top), Point(right, bottom)):
        return False
    if _meets_side(p, q, left, top, bottom) and _meets_side(p, q, right, top, bottom):
        return True
    p, q = Point(p.y, p.x), Point(q.y, q.x)
    return _meets_side(p, q, top, left, right) and _meets_side(p, q, bottom, left, right)


def _meets_side(p: Point, q: Point, c: int, low: int, high: int) -> bool:
    """Whether pq meets the closed side x = c between the ordinates low and high."""
    if (p.x - c) * (q.x - c) > 0 or p.x == q.x == c:
        return False
    run = q.x - p.x
    ordinate = p.y * run - (q.y - p.y) * (p.x - c)
    if run < 0:
        run, ordinate = -run, -ordinate
    return low * run <= ordinate <= high * run
