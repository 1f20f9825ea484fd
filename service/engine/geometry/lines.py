"""What a straight line crosses and meets on the grid.

How this works. A line is walked column by column: between two vertical grid lines its
ordinate runs over an interval, and the cells of that column whose open interior the interval
enters are crossed. A border is crossed where the line passes its open side; a point that is a
lattice vertex belongs to no border. The walk depends only on where in its cell the line starts
and on its vector, so it is done once and moved. The line from P to Q and the line from Q to P
are the same walk, hence meet the same features.

Inside a line, a vertex is pinched (`sectors`) if each of the two ways round it, from the sector the
line arrives from to the opposite one, holds a member of the set: then the line meets every member
round that vertex. Touching a cell only at a corner is otherwise not meeting it: a point has no
width.

A line that is too long for a walk asks the members near it instead (`long_lines`).

Not here: lines that *begin* at a vertex have no arrival sector there, and running along a border
is not crossing it. `corner_lines` adds those two cases.
"""

from functools import lru_cache
from typing import NamedTuple

from service.engine.geometry import long_lines
from service.engine.geometry.features import (
    Feature,
    FeatureKeys,
    Features,
    features_within,
    is_any_on,
    key_of,
    place_of,
)
from service.engine.geometry.long_lines import is_long
from service.engine.geometry.points import Cell, Point, cross
from service.engine.geometry.sectors import features_round, is_pinched, opposite, sector_towards


class Segment(NamedTuple):
    """A line from (x, y) by (dx, dy), in doubled coordinates: to the east, or straight south."""

    x: int
    y: int
    dx: int
    dy: int


class _Walk(NamedTuple):
    """What a line crosses, relative to the cell `origin`.

    `vertices` are the lattice vertices strictly inside it; `arrival` is the sector from which
    it comes to them.
    """

    origin: Cell
    crossed: FeatureKeys
    vertices: tuple[int, ...]
    arrival: int


def line_between(p: Point, q: Point) -> Segment:
    """The line between two points in doubled coordinates, in either direction."""
    if (q.x, q.y) < (p.x, p.y):
        p, q = q, p
    return Segment(p.x, p.y, q.x - p.x, q.y - p.y)


def centre_line(cell: Cell, other: Cell) -> Segment:
    """The line between the centres of two cells, in either direction."""
    if other < cell:
        cell, other = other, cell
    x, y = cell
    return Segment(2 * x + 1, 2 * y + 1, 2 * (other[0] - x), 2 * (other[1] - y))


def cells_crossed(line: Segment) -> tuple[Cell, ...]:
    """The cells whose open interior the line crosses, sorted; those of its ends included."""
    walked = _walked(line)
    at = key_of(*walked.origin)
    return tuple(sorted(place_of(at + key) for key in walked.crossed.cells))


def vertices_inside(line: Segment) -> tuple[Cell, ...]:
    """The lattice vertices strictly inside the line, sorted."""
    walked = _walked(line)
    at = key_of(*walked.origin)
    return tuple(sorted(place_of(at + key) for key in walked.vertices))


def features_met(features: Features, line: Segment) -> tuple[Feature, ...]:
    """The members of the set that the line meets, sorted.

    Cells whose interior it crosses, borders it crosses, and everything round a pinched vertex.
    A line of length zero meets nothing.
    """
    if is_long(line.dx, line.dy):
        crossed = tuple(sorted(long_lines.features_crossed(features, *line)))
    else:
        walked = _walked(line)
        crossed = features_within(features, walked.crossed, walked.origin)
    pinched = _pinched_vertices(features, line)
    if not pinched:
        return crossed
    around = (features_round(features, vertex) for vertex in pinched)
    return tuple(sorted({*crossed, *(feature for marked in around for feature in marked)}))


def is_met(features: Features, line: Segment) -> bool:
    """Whether the line meets any member of the set; quicker than `met`, which names them."""
    if is_long(line.dx, line.dy):
        is_any = long_lines.is_any_crossed(features, *line)
    else:
        walked = _walked(line)
        is_any = is_any_on(features, walked.crossed, walked.origin)
    return is_any or bool(_pinched_vertices(features, line))


def crosses_open_rectangle(p: Point, q: Point, corner: Point, opposite: Point) -> bool:
    """Whether the segment pq crosses the interior of the rectangle between two corners.

    `corner` is the north-west one. Separating axes of a segment and an open rectangle: exact.
    """
    if min(p.x, q.x) >= opposite.x or max(p.x, q.x) <= corner.x:
        return False
    if min(p.y, q.y) >= opposite.y or max(p.y, q.y) <= corner.y:
        return False
    corners = (corner, Point(corner.x, opposite.y), Point(opposite.x, corner.y), opposite)
    turns = [cross(p, q, vertex) for vertex in corners]
    return min(turns) < 0 < max(turns)


def walk(px: int, py: int, dx: int, dy: int) -> tuple[FeatureKeys, tuple[int, ...], int]:
    """Walk from (px, py) in cell (0, 0) by a vector that does not point to the west.

    What is crossed, the vertices strictly inside, and the sector of arrival. Not stored here.
    """
    vertical, vertices = _grid_lines(px, py, dx, dy)
    if dy >= 0:
        turned, turned_vertices = _grid_lines(py, px, dy, dx)
    else:
        turned, turned_vertices = _grid_lines(py + dy, px + dx, -dy, -dx)
    if dx == 0:
        vertices = [(x, y) for y, x in turned_vertices]
    crossed = FeatureKeys(
        cells=tuple(_cells_on(px, py, dx, dy)),
        vertical=tuple(key_of(x, y) for x, y in vertical),
        horizontal=tuple(key_of(x, y) for y, x in turned),
    )
    return crossed, tuple(key_of(x, y) for x, y in vertices), opposite(sector_towards(dx, dy))


_walk = lru_cache(maxsize=4096)(walk)


def _cells_on(px: int, py: int, dx: int, dy: int) -> list[int]:
    """The keys of the cells crossed: those of one column follow each other."""
    cells: list[int] = []
    if dx == 0:
        if px % 2 and dy:
            low, high = min(py, py + dy), max(py, py + dy)
            cells += range(key_of(px >> 1, low >> 1), key_of(px >> 1, (high + 1) >> 1))
        return cells
    for x in range(px >> 1, (px + dx + 1) >> 1):
        enters = py * dx + dy * (max(px, 2 * x) - px)
        leaves = py * dx + dy * (min(px + dx, 2 * x + 2) - px)
        low, high = (enters, leaves) if enters < leaves else (leaves, enters)
        cells += range(key_of(x, low // (2 * dx)), key_of(x, (high - 1) // (2 * dx) + 1))
    return cells


def _grid_lines(px: int, py: int, dx: int, dy: int) -> tuple[list[Cell], list[Cell]]:
    """The vertical borders crossed, and the vertices passed, for dx >= 0."""
    borders: list[Cell] = []
    vertices: list[Cell] = []
    for x in range((px >> 1) + 1, (px + dx + 1) >> 1):
        y, rest = divmod(py * dx + dy * (2 * x - px), 2 * dx)
        (borders if rest else vertices).append((x, y))
    return borders, vertices


def _walked(line: Segment) -> _Walk:
    crossed, vertices, arrival = _walk(line.x & 1, line.y & 1, line.dx, line.dy)
    return _Walk((line.x >> 1, line.y >> 1), crossed, vertices, arrival)


def _pinched_vertices(features: Features, line: Segment) -> list[Cell]:
    if not features.crowded or line.dx == line.dy == 0:
        return []
    if is_long(line.dx, line.dy):
        passed = long_lines.crowded_inside(features, *line)
    else:
        walked = _walked(line)
        at = key_of(*walked.origin)
        passed = [at + vertex for vertex in walked.vertices if at + vertex in features.crowded]
    if not passed:
        return []
    departure = sector_towards(line.dx, line.dy)
    ways = (opposite(departure),), (departure,)
    return [place_of(vertex) for vertex in passed if is_pinched(features, vertex, *ways)]
