"""Whether any line between the corners of two spaces is not interrupted.

How this works. Between spaces of sizes m and n run (m + 1)^2 * (n + 1)^2 lines. The nearest is
tried by itself: mostly it is open. If not, a few lines are asked one by one, many all at once,
vector by vector from the shortest on: on a `VertexBoard` one shift answers for every line of a
vector whether it meets a member of the set at one place. The lines that are left after all places
that the vector crosses, runs along and passes are open. Interrupted means met where contact with
the side of one cell does not count.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, product
from typing import Final

from service.engine.geometry.corner_lines import (
    CornerLine,
    are_far_apart,
    corner_line,
    corners_of,
    features_on,
    is_met,
    lattice_corners,
)
from service.engine.geometry.far_lines import FarLines
from service.engine.geometry.features import Feature, Features, key_of, place_of
from service.engine.geometry.points import Cell
from service.engine.geometry.sectors import SECTORS, opposite, sector_towards
from service.engine.geometry.spaces import Space, cells_of
from service.engine.geometry.vertex_board import (
    VertexBoard,
    bits_at,
    board_of,
    closed_between,
    shifted,
    vertices_at,
)

Line = tuple[Cell, Cell]
"""A line between two vertices."""


FEW: Final = 3
"""Sizes of two spaces, added up, between which lines are few enough to ask them one by one."""


def open_line(features: Features, near: Space, far: Space) -> Line | None:
    """The nearest line between a corner of a cell of each space that is not interrupted, if any.

    Of equally long ones that with the least row, then column of near's corner, then of far's.
    """
    nearest = nearest_line(near, far)
    if not is_met(features, *nearest, near, far, along=False):
        return nearest
    if near.size + far.size <= FEW:
        return _first_open(features, near, far)
    lines = (
        FarLines(features, near, far)
        if are_far_apart(near, far)
        else NearLines(features, near, far)
    )
    vectors = vectors_between(far.x - near.x, far.y - near.y, near.size, far.size)
    for _, equally_long in groupby(vectors, _square):
        candidates = [line for vector in equally_long for line in lines.open_along(*vector)]
        if candidates:
            return min(candidates, key=_by_rows)
    return None


def _first_open(features: Features, near: Space, far: Space) -> Line | None:
    """The same, line by line."""
    x, y = near.x, near.y
    for (dx, dy), (ex, ey) in _lines(far.x - x, far.y - y, near.size, far.size):
        start, end = (x + dx, y + dy), (x + ex, y + ey)
        if not is_met(features, start, end, near, far, along=False):
            return start, end
    return None


def closed_by(features: Features, near: Space, far: Space) -> tuple[Line, tuple[Feature, ...]]:
    """The nearest line between two spaces, and the members of the set that interrupt it, sorted."""
    nearest = nearest_line(near, far)
    return nearest, features_on(features, *nearest, near, far, along=False)


def open_line_from(features: Features, origin: Cell, far: Space) -> Line | None:
    """The nearest line from a vertex to one of the four corners of a space, not interrupted.

    Nothing is pinched at the origin. Of equally long ones that with the least row, then column.
    """
    corners = sorted(
        corners_of(far), key=lambda at: _square((at[0] - origin[0], at[1] - origin[1]))
    )
    for corner in corners:
        if not is_met(features, origin, corner, None, far, along=False):
            return origin, corner
    return None


def nearest_line(near: Space, far: Space) -> Line:
    """The shortest line between corners of two spaces; of equally long ones as in `open_line`."""
    column, other_column = _nearest(near.x, near.size, far.x, far.size)
    row, other_row = _nearest(near.y, near.size, far.y, far.size)
    return (column, row), (other_column, other_row)


def _nearest(near: int, size: int, far: int, other_size: int) -> tuple[int, int]:
    if near + size < far:
        return near + size, far
    if far + other_size < near:
        return near, far + other_size
    return max(near, far), max(near, far)


def _square(vector: Cell) -> int:
    return vector[0] * vector[0] + vector[1] * vector[1]


def _by_rows(line: Line) -> tuple[int, int, int, int]:
    (x, y), (u, v) = line
    return y, x, v, u


@lru_cache(maxsize=4096)
def _lines(dx: int, dy: int, size: int, other_size: int) -> tuple[Line, ...]:
    """The lines from the corners of a space at the origin to those of one at (dx, dy)."""
    lines = product(lattice_corners(Space(0, 0, size)), lattice_corners(Space(dx, dy, other_size)))
    return tuple(sorted(lines, key=_by_length))


def _by_length(line: Line) -> tuple[int, int, int, int, int]:
    (x, y), (u, v) = line
    return _square((u - x, v - y)), *_by_rows(line)


@lru_cache(maxsize=256)
def vectors_between(dx: int, dy: int, size: int, other_size: int) -> tuple[Cell, ...]:
    """The vectors from the corners of a space to those of one (dx, dy) away, shortest first."""
    columns = range(dx - size, dx + other_size + 1)
    rows = range(dy - size, dy + other_size + 1)
    return tuple(sorted(product(columns, rows), key=_square))


class NearLines:
    """All lines between the corners of two spaces, on the board of a set.

    What depends on the direction alone, and what lies at a place as seen from the corners of
    `near`, is worked out once, where it is first asked for.
    """

    def __init__(self, features: Features, near: Space, far: Space) -> None:
        board = board_of(features, near, far)
        self._board = board
        self._near = bits_at(board, lattice_corners(near))
        self._far = bits_at(board, lattice_corners(far))
        self._near_cells = _corners_by_sector(board, near)
        self._far_cells = _corners_by_sector(board, far)
        self._cells = self._seen(board.cells)
        self._vertical = self._seen(board.vertical)
        self._horizontal = self._seen(board.horizontal)
        self._columns = self._seen(board.cells & board.cells << 1)
        self._rows = self._seen(board.cells & board.cells << board.width)
        self._leaving: dict[int, int] = {}
        self._coming: dict[int, int] = {}
        self._pinched: dict[int, _Seen] = {}

    def open_along(self, dx: int, dy: int) -> Iterator[Line]:
        """The lines with this vector that are not interrupted."""
        for x, y in vertices_at(self._board, self._open_starts(dx, dy)):
            yield (x, y), (x + dx, y + dy)

    def _open_starts(self, dx: int, dy: int) -> int:
        way = dy * self._board.width + dx
        starts = self._near & shifted(self._far, way)
        if dx == dy == 0:
            return starts & _unpinched(self._board, self._near_cells, self._far_cells)
        departure = sector_towards(dx, dy)
        if departure not in self._leaving:
            self._work_out(departure)
        starts &= self._leaving[departure] & shifted(self._coming[departure], way)
        if (dx, dy) < (0, 0):
            return self._unmet(starts, corner_line(-dx, -dy), key_of(dx, dy))
        return self._unmet(starts, corner_line(dx, dy), 0)

    def _work_out(self, departure: int) -> None:
        """What is pinched for lines into this sector: at their ends and in between."""
        board, arrival = self._board, opposite(departure)
        here, there = ((departure, board.full),), ((arrival, board.full),)
        self._leaving[departure] = _unpinched(board, self._near_cells, here)
        self._coming[departure] = _unpinched(board, there, self._far_cells)
        if arrival not in self._pinched:
            pinched = self._seen(closed_between(board, arrival, departure))
            self._pinched[arrival] = self._pinched[departure] = pinched

    def _unmet(self, starts: int, line: CornerLine, walked_from: int) -> int:
        """Those of the starts whose line meets nothing between its ends.

        `walked_from` is the place, relative to a start, from which the line is walked.
        """
        along = self._columns if line.crossed.vertical else self._rows
        for seen, places in (
            (self._cells, line.crossed.cells),
            (self._vertical, line.crossed.vertical),
            (self._horizontal, line.crossed.horizontal),
            (along, line.beside),
            (self._pinched[line.arrival], line.vertices),
        ):
            if not seen.closed:
                continue
            for place in places:
                if not starts:
                    return 0
                starts &= seen[walked_from + place]
        return starts

    def _seen(self, closed: int) -> "_Seen":
        return _Seen(self._near, closed, self._board.width)


class _Seen(dict[int, int]):
    """The corners from which a place is not closed, by the key of the place relative to them."""

    def __init__(self, corners: int, closed: int, width: int) -> None:
        super().__init__()
        self.closed = closed
        self._corners = corners
        self._width = width

    def __missing__(self, place: int) -> int:
        x, y = place_of(place)
        corners = self._corners & ~shifted(self.closed, y * self._width + x)
        self[place] = corners
        return corners


_AtSectors = tuple[tuple[int, int], ...]
"""Sectors, each with the vertices at which a line may come from it or go into it."""


def _corners_by_sector(board: VertexBoard, space: Space) -> _AtSectors:
    """The sectors that are cells of a space, with the corners of these cells."""
    return tuple(
        (sector, bits_at(board, ((x - left, y - top) for x, y in cells_of(space))))
        for sector, (kind, left, top) in enumerate(SECTORS)
        if kind == "cell"
    )


def _unpinched(board: VertexBoard, arrivals: _AtSectors, departures: _AtSectors) -> int:
    """The vertices where some way from an arrival to a departure is open.

    Those without an arrival or a departure are not among them.
    """
    unpinched = 0
    for arrival, at_arrival in arrivals:
        for departure, at_departure in departures:
            at_both = at_arrival & at_departure
            if at_both:
                unpinched |= at_both & ~closed_between(board, arrival, departure)
    return unpinched
