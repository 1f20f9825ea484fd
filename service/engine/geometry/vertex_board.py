"""A rectangle of the map as whole numbers, with one bit for each place.

How this works. Rows follow each other in a number; the bit of a vertex is that of the cell whose
north-west corner it is, and of the borders that begin there. Shifting a board by the offset of a
place asks all vertices at once what lies there, as seen from each. Bits of places outside the
rectangle mean nothing: whoever shifts masks the result with vertices inside.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from service.engine.geometry.features import Features, place_of
from service.engine.geometry.points import Cell
from service.engine.geometry.sectors import SECTORS, ways_between
from service.engine.geometry.spaces import Space


class VertexBoard(Struct, frozen=True, kw_only=True):
    """The members of a set in the rectangle round two spaces, and those that touch it.

    `marked[i]` are the vertices whose sector i holds a member.
    """

    left: int
    top: int
    width: int
    full: int
    cells: int
    vertical: int
    horizontal: int
    marked: tuple[int, ...]


def board_of(features: Features, near: Space, far: Space) -> VertexBoard:
    """The board of a set for lines between the corners of two spaces."""
    left, top = min(near.x, far.x) - 1, min(near.y, far.y) - 1
    right = max(near.x + near.size, far.x + far.size)
    bottom = max(near.y + near.size, far.y + far.size)
    # Empty columns on the right, so that no vector from a corner of `near` leads into another row.
    width = right - left + 1 + near.size

    def bits_of(members: frozenset[int]) -> int:
        return _cut(_rows_of(members), left, top, right, bottom, width) if members else 0

    cells, vertical, horizontal = map(
        bits_of, (features.cells, features.vertical, features.horizontal)
    )
    members = {"cell": cells, "V": vertical, "H": horizontal}
    return VertexBoard(
        left=left,
        top=top,
        width=width,
        full=(1 << width * (bottom - top + 1)) - 1,
        cells=cells,
        vertical=vertical,
        horizontal=horizontal,
        marked=tuple(shifted(members[kind], y * width + x) for kind, x, y in SECTORS),
    )


class _Rows(NamedTuple):
    """Members row by row: bit i of a row is the place `left` + i; the first row is `top`."""

    left: int
    top: int
    rows: tuple[int, ...]


@lru_cache(maxsize=256)
def _rows_of(members: frozenset[int]) -> _Rows:
    """Members of one kind by rows; at least one of them."""
    places = [place_of(key) for key in members]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    rows = [0] * (max(y for _, y in places) - top + 1)
    for x, y in places:
        rows[y - top] |= 1 << x - left
    return _Rows(left, top, tuple(rows))


def _cut(rows: _Rows, left: int, top: int, right: int, bottom: int, width: int) -> int:
    """The members of a rectangle of cells as bits, in rows of this width."""
    bits = 0
    first, within = max(top, rows.top), (1 << right - left + 1) - 1
    for y in range(min(bottom, rows.top + len(rows.rows) - 1), first - 1, -1):
        bits = bits << width | shifted(rows.rows[y - rows.top], left - rows.left) & within
    return bits << (first - top) * width


def shifted(bits: int, offset: int) -> int:
    """What each place sees at an offset from itself."""
    return bits >> offset if offset >= 0 else bits << -offset


def bits_at(board: VertexBoard, vertices: Iterable[Cell]) -> int:
    """These vertices of the rectangle."""
    return sum(1 << (y - board.top) * board.width + x - board.left for x, y in set(vertices))


def vertices_at(board: VertexBoard, bits: int) -> tuple[Cell, ...]:
    """The vertices of these bits, by row, then column."""
    vertices: list[Cell] = []
    while bits:
        y, x = divmod((bits & -bits).bit_length() - 1, board.width)
        vertices.append((x + board.left, y + board.top))
        bits &= bits - 1
    return tuple(vertices)


def closed_between(board: VertexBoard, arrival: int, departure: int) -> int:
    """The vertices where a member lies on each of the two ways between these sectors."""
    closed = board.full
    for way in ways_between(arrival, departure):
        marked = 0
        for sector in way:
            marked |= board.marked[sector]
        closed &= marked
    return closed
