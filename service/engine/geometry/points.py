"""Points and vectors in doubled coordinates, and the cells between them."""

from msgspec import Struct

Cell = tuple[int, int]
"""A cell by its column and row, or a lattice vertex by the cell it is the north-west corner of."""


class Point(Struct, frozen=True, gc=False):
    """A point or vector in doubled coordinates: two units are one side of a cell.

    No tuple, so that the type checker tells it from a cell. The lines of play are walked from
    cell to cell and make none.
    """

    x: int
    y: int


def vector(start: Point, end: Point) -> Point:
    """The way from `start` to `end`."""
    return Point(end.x - start.x, end.y - start.y)


def dot(a: Point, b: Point) -> int:
    """Positive for vectors less than 90 degrees apart, 0 at 90, negative beyond."""
    return a.x * b.x + a.y * b.y


def cross(p: Point, q: Point, a: Point) -> int:
    """On which side of the line from `p` to `q` the point `a` lies; 0 on the line itself."""
    return (q.x - p.x) * (a.y - p.y) - (q.y - p.y) * (a.x - p.x)


def is_beyond_right_angle(apex: Point, a: Point, b: Point) -> bool:
    """Whether the angle a-apex-b is more than 90 degrees; exactly 90 is not."""
    return dot(vector(apex, a), vector(apex, b)) < 0
