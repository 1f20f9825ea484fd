"""A second formulation of the geometry: slow, with fractions, over every place of a small map."""

from fractions import Fraction
from typing import Final, Literal

Pair = tuple[int, int]
"""A point in doubled coordinates, or a vertex, by its numbers alone."""

Kind = Literal["H", "V", "cell"]
Mark = tuple[Kind, int, int]

SECTORS: Final[tuple[Mark, ...]] = (
    ("cell", -1, -1),
    ("cell", 0, -1),
    ("cell", -1, 0),
    ("cell", 0, 0),
    ("V", 0, -1),
    ("V", 0, 0),
    ("H", -1, 0),
    ("H", 0, 0),
)
"""What touches the vertex (0, 0)."""


def inside(p: Pair, q: Pair, low: Pair, high: Pair) -> bool:
    """Whether pq has more than a point in the open rectangle: clipping by parameter."""
    if p == q:
        return False
    start, end = Fraction(0), Fraction(1)
    for axis in (0, 1):
        run = q[axis] - p[axis]
        if run == 0:
            if not low[axis] < p[axis] < high[axis]:
                return False
            continue
        bounds = sorted((Fraction(low[axis] - p[axis], run), Fraction(high[axis] - p[axis], run)))
        start, end = max(start, bounds[0]), min(end, bounds[1])
    return start < end


def crosses_cell(p: Pair, q: Pair, x: int, y: int) -> bool:
    return inside(p, q, (2 * x, 2 * y), (2 * x + 2, 2 * y + 2))


def crosses_border(p: Pair, q: Pair, kind: Kind, x: int, y: int) -> bool:
    """Whether pq passes from one side of the border to the other between its ends."""
    if kind == "H":
        p, q, x, y = (p[1], p[0]), (q[1], q[0]), y, x
    low, high = sorted((p[0], q[0]))
    if not low < 2 * x < high:
        return False
    ordinate = p[1] + Fraction((q[1] - p[1]) * (2 * x - p[0]), q[0] - p[0])
    return 2 * y < ordinate < 2 * y + 2


def is_inside_line(p: Pair, q: Pair, vertex: Pair) -> bool:
    """Whether a lattice vertex lies on pq and is none of its ends."""
    point = (2 * vertex[0], 2 * vertex[1])
    shares: set[Fraction] = set()
    for axis in (0, 1):
        run, way = q[axis] - p[axis], point[axis] - p[axis]
        if run:
            shares.add(Fraction(way, run))
        elif way:
            return False
    return len(shares) == 1 and 0 < min(shares) < 1


def ways_round(p: Pair, q: Pair) -> tuple[list[Mark], list[Mark]]:
    """The sectors to the left and to the right of a line through the vertex (0, 0)."""
    run, rise = q[0] - p[0], q[1] - p[1]
    left: list[Mark] = []
    right: list[Mark] = []
    for kind, x, y in SECTORS:
        middle = {"cell": (2 * x + 1, 2 * y + 1), "V": (0, 2 * y + 1), "H": (2 * x + 1, 0)}[kind]
        holds_line = (
            middle[0] * run >= 0
            and middle[1] * rise >= 0
            and bool(middle[0]) == bool(run)
            and bool(middle[1]) == bool(rise)
        )
        opposite = (
            middle[0] * run <= 0
            and middle[1] * rise <= 0
            and bool(middle[0]) == bool(run)
            and bool(middle[1]) == bool(rise)
        )
        if holds_line or opposite:
            continue
        (left if run * middle[1] - rise * middle[0] < 0 else right).append((kind, x, y))
    return left, right


def met(p: Pair, q: Pair, features: set[Mark]) -> set[Mark]:
    """Which of the features the line meets."""
    result = {
        (kind, x, y)
        for kind, x, y in features
        if (crosses_cell(p, q, x, y) if kind == "cell" else crosses_border(p, q, kind, x, y))
    }
    left, right = ways_round(p, q)
    touched = {
        (x - dx, y - dy) for kind, x, y in features for sector, dx, dy in SECTORS if sector == kind
    }
    for vx, vy in sorted(touched):
        if not is_inside_line(p, q, (vx, vy)):
            continue
        closed = [
            any((kind, vx + x, vy + y) in features for kind, x, y in way) for way in (left, right)
        ]
        if all(closed):
            around = {(kind, vx + x, vy + y) for kind, x, y in SECTORS}
            result |= features & around
    return result
