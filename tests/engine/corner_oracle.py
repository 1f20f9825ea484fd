"""A second formulation of lines between corners: every corner, every line, piece by piece.

A line is cut wherever it meets a column or a row of the lattice. The middle of a piece lies in the
open interior of a cell or of a border, a cut in that of a border or on a vertex. Round a vertex a
flood over the ring of sectors says whether one gets through. Nothing here is shared with the
service: places are named by their own numbers, doubled so that middles are whole.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

Pair = tuple[int, int]
"""A vertex by its column and row, or a cell by its north-west vertex."""

Mark = tuple[Literal["H", "V", "cell"], int, int]


class Square(NamedTuple):
    """The space of a creature."""

    x: int
    y: int
    size: int

    def cells(self) -> set[Pair]:
        return {(self.x + i, self.y + j) for i in range(self.size) for j in range(self.size)}

    def corners(self) -> tuple[Pair, ...]:
        last = self.size
        return tuple((self.x + i, self.y + j) for j in (0, last) for i in (0, last))

    def lattice(self) -> tuple[Pair, ...]:
        steps = range(self.size + 1)
        return tuple((self.x + i, self.y + j) for j in steps for i in steps)


class Course(NamedTuple):
    """What a line goes through: cells, borders it crosses, borders it lies in, vertices."""

    cells: set[Pair]
    crossed: set[Mark]
    along: set[Mark]
    vertices: set[Pair]


RING: Final[tuple[Mark, ...]] = (
    ("V", 0, -1),
    ("cell", 0, -1),
    ("H", 0, 0),
    ("cell", 0, 0),
    ("V", 0, 0),
    ("cell", -1, 0),
    ("H", -1, 0),
    ("cell", -1, -1),
)
"""What lies round the vertex (0, 0), in turn, each sector touching the one before and after."""


@lru_cache(maxsize=8192)
def course(start: Pair, end: Pair) -> Course:
    """Cut the line and look where its pieces and its cuts lie; asked several times of each."""
    (x, y), (u, v) = start, end
    dx, dy = u - x, v - y
    parts = 2 * max(abs(dx), 1) * max(abs(dy), 1)
    result = Course(set(), set(), set(), set())
    if dx == dy == 0:
        return result
    cuts = {parts * step // abs(run) for run in (dx, dy) if run for step in range(abs(run) + 1)}
    ordered = sorted(cuts)
    for before, after in pairwise(ordered):
        # The middle of the piece, as whole numbers of 1 / (2 * parts).
        middle = before + after
        column, across = divmod(2 * parts * x + dx * middle, 2 * parts)
        row, down = divmod(2 * parts * y + dy * middle, 2 * parts)
        if across and down:
            result.cells.add((column, row))
        elif across:
            result.along.add(("H", column, row))
        else:
            result.along.add(("V", column, row))
    for cut in ordered[1:-1]:
        column, across = divmod(parts * x + dx * cut, parts)
        row, down = divmod(parts * y + dy * cut, parts)
        if across:
            result.crossed.add(("H", column, row))
        elif down:
            result.crossed.add(("V", column, row))
        else:
            result.vertices.add((column, row))
    return result


def at(vertex: Pair, sector: int) -> Mark:
    kind, x, y = RING[sector]
    return kind, vertex[0] + x, vertex[1] + y


def is_shut(
    marks: set[Mark], vertex: Pair, arrivals: Iterable[int], departures: Iterable[int]
) -> bool:
    """Whether one cannot get round the vertex from an arrival to a departure past the marks."""
    goals, reached, fresh = set(departures), set(arrivals), list(arrivals)
    while fresh and not goals & reached:
        here = fresh.pop()
        for beside in ((here + 1) % 8, (here - 1) % 8):
            if beside not in reached and (beside in goals or at(vertex, beside) not in marks):
                reached.add(beside)
                fresh.append(beside)
    return not goals & reached


@lru_cache
def heading(dx: int, dy: int) -> int:
    """The sector that holds the beginning of a line with this vector."""
    for sector, (kind, x, y) in enumerate(RING):
        east = 0 if kind == "V" else (1 if x == 0 else -1)
        south = 0 if kind == "H" else (1 if y == 0 else -1)
        if (dx > 0) - (dx < 0) == east and (dy > 0) - (dy < 0) == south:
            return sector
    raise AssertionError((dx, dy))


def own_sectors(space: Square, vertex: Pair) -> list[int]:
    sectors: list[int] = []
    for sector in (1, 3, 5, 7):
        _, x, y = at(vertex, sector)
        if space.x <= x < space.x + space.size and space.y <= y < space.y + space.size:
            sectors.append(sector)
    return sectors


def pinched(
    marks: set[Mark], start: Pair, end: Pair, near: Square | None, far: Square | None
) -> Iterator[Pair]:
    """The vertices of the line at which it cannot get through."""
    if start == end:
        if near and far:
            leave, come = own_sectors(near, start), own_sectors(far, end)
            # Somebody whose own cell is the other's has not to go round anything.
            if not set(leave) & set(come) and is_shut(marks, start, leave, come):
                yield start
        return
    forth = heading(end[0] - start[0], end[1] - start[1])
    back = heading(start[0] - end[0], start[1] - end[1])
    if near and is_shut(marks, start, own_sectors(near, start), [forth]):
        yield start
    if far and is_shut(marks, end, [back], own_sectors(far, end)):
        yield end
    for vertex in course(start, end).vertices:
        if is_shut(marks, vertex, [back], [forth]):
            yield vertex


def met(
    marks: set[Mark],
    start: Pair,
    end: Pair,
    near: Square | None,
    far: Square | None,
    *,
    contact: bool,
) -> set[Mark]:
    """The marks that the line meets; `contact`: running along one side of a cell counts."""
    way = course(start, end)
    through = {("cell", x, y) for x, y in way.cells} | way.crossed | way.along
    result = {mark for mark in marks if mark in through}
    for kind, x, y in way.along:
        sides: set[Mark] = {
            ("cell", x, y),
            ("cell", x - 1, y) if kind == "V" else ("cell", x, y - 1),
        }
        if contact or sides <= marks:
            result |= sides & marks
    for vertex in pinched(marks, start, end, near, far):
        result |= {at(vertex, sector) for sector in range(8)} & marks
    return result


def open_lines(marks: set[Mark], near: Square, far: Square) -> list[tuple[Pair, Pair]]:
    """Every line between lattice corners that is not interrupted, nearest first."""
    lines = [
        (start, end)
        for start in near.lattice()
        for end in far.lattice()
        if not met(marks, start, end, near, far, contact=False)
    ]
    return sorted(lines, key=by_length)


def by_length(line: tuple[Pair, Pair]) -> tuple[int, int, int, int, int]:
    (x, y), (u, v) = line
    return (u - x) ** 2 + (v - y) ** 2, y, x, v, u


def enters(start: Pair, end: Pair, space: Square) -> bool:
    """Whether the line has a piece inside a cell of the space."""
    return bool(course(start, end).cells & space.cells())
