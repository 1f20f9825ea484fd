"""Points and vectors in doubled coordinates."""

Point = tuple[int, int]
"""A point or vector in doubled coordinates: two units are one side of a cell."""

Cell = tuple[int, int]
"""A cell by its column and row, or a lattice vertex by the cell it is the north-west corner of."""


def centre_of_cell(cell: Cell) -> Point:
    """The centre of a cell; both coordinates are odd."""
    return 2 * cell[0] + 1, 2 * cell[1] + 1


def vector(start: Point, end: Point) -> Point:
    """The way from `start` to `end`."""
    return end[0] - start[0], end[1] - start[1]


def dot(a: Point, b: Point) -> int:
    """Positive for vectors less than 90 degrees apart, 0 at 90, negative beyond."""
    return a[0] * b[0] + a[1] * b[1]


def cross(p: Point, q: Point, a: Point) -> int:
    """On which side of the line from `p` to `q` the point `a` lies; 0 on the line itself."""
    return (q[0] - p[0]) * (a[1] - p[1]) - (q[1] - p[1]) * (a[0] - p[0])


def is_beyond_right_angle(apex: Point, a: Point, b: Point) -> bool:
    """Whether the angle a-apex-b is more than 90 degrees; exactly 90 is not."""
    return dot(vector(apex, a), vector(apex, b)) < 0
