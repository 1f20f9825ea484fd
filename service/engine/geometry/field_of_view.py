"""All cells to which a line from one cell is clear, in one sweep instead of one line for each.

How this works. The eight octants are swept outward, column by column; `i` counts columns from the
viewer, `j` cells off the axis. In an octant a line is its slope, at least 0 and less than 1. A
marked cell (i, j) crosses all slopes strictly between those of its two corners
(2j - 1) / (2i + 1) and (2j + 1) / (2i - 1), and it does so before any cell of a later column. The
line of such a bounding slope passes the corner: it is stopped where the cell on the other side of
the corner is marked too, or, with `any`, in any case. Neighbours in a column overlap, so a run of
them is one interval. What is left of the slopes tells the cells of the next column that are in
view. The two diagonals are walked as lines: beside their corners stand cells of two octants.

Slopes are whole numbers: the numerator is shifted before the division. Two different slopes with
denominators up to 2 * FARTHEST + 1 differ by more than one then, so an open interval is one of
whole numbers too.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.engine.geometry.cell_board import MARK, CellBoard
from service.engine.geometry.cell_lines import CornerRule, is_clear
from service.engine.geometry.points import Cell

FARTHEST: Final = 1023
"""Columns and rows that a field may be wide and high at most."""

_SHIFT: Final = 22
_ONE: Final = 1 << _SHIFT

Slopes = tuple[int, int]
"""An interval of slopes, the second not in it."""


class _Octant(NamedTuple):
    """An eighth of the cells round `origin`: each step outward adds `out`, each aside `aside`.

    `length` columns are on the board, and `breadth` cells beside the first of each.
    """

    origin: int
    out: int
    aside: int
    length: int
    breadth: int


def field_of_view(
    board: CellBoard, viewer: Cell, corner_rule: CornerRule, reach: int = FARTHEST
) -> bytes:
    """One byte for each cell, as on the board: 1 where the line from `viewer` is clear.

    Cells more than `reach` columns or rows away are 0. Marked cells are in view like others.
    Raises ValueError for a board wider or higher than FARTHEST.
    """
    if max(board.width, board.height) > FARTHEST:
        raise ValueError("the board is too large for a field of view")
    view = bytearray(len(board.cells))
    view[viewer[1] * board.width + viewer[0]] = MARK
    for octant in _octants(board, viewer, reach):
        _sweep(board.cells, view, octant, is_any=corner_rule == "any")
    for cell in _diagonals(board, viewer, reach):
        if is_clear(board, viewer, cell, corner_rule):
            view[cell[1] * board.width + cell[0]] = MARK
    return bytes(view)


def _octants(board: CellBoard, viewer: Cell, reach: int) -> Iterator[_Octant]:
    x, y = viewer
    width = board.width
    origin = y * width + x
    horizontal = ((1, min(width - 1 - x, reach)), (-1, min(x, reach)))
    vertical = ((width, min(board.height - 1 - y, reach)), (-width, min(y, reach)))
    for across, columns in horizontal:
        for down, rows in vertical:
            yield _Octant(origin, across, down, columns, rows)
            yield _Octant(origin, down, across, rows, columns)


def _diagonals(board: CellBoard, viewer: Cell, reach: int) -> Iterator[Cell]:
    x, y = viewer
    for dx in (-1, 1):
        for dy in (-1, 1):
            columns = board.width - 1 - x if dx > 0 else x
            rows = board.height - 1 - y if dy > 0 else y
            for step in range(1, min(columns, rows, reach) + 1):
                yield x + step * dx, y + step * dy


def _sweep(cells: bytes, view: bytearray, octant: _Octant, *, is_any: bool) -> None:
    """Mark what is in view of an octant, its diagonal excepted."""
    clear: list[Slopes] = [(0, _ONE)]
    before, column = b"", _column(cells, octant, 0)
    for i in range(1, octant.length + 1):
        before, column, after = column, _column(cells, octant, i), b""
        _see(view, octant, i, clear)
        if MARK in column:
            after = _column(cells, octant, i + 1) if i < octant.length else b""
            clear = list(_left(clear, _stopped(column, before, after, i, is_any=is_any)))
            if not clear:
                return


def _column(cells: bytes, octant: _Octant, i: int) -> bytes:
    """The cells of a column from the axis to the diagonal."""
    first = octant.origin + i * octant.out
    count = min(i, octant.breadth) + 1
    last = first + (count - 1) * octant.aside
    if octant.aside > 0:
        return cells[first : last + 1 : octant.aside]
    return cells[last : first + 1 : -octant.aside][::-1]


def _see(view: bytearray, octant: _Octant, i: int, clear: list[Slopes]) -> None:
    """Mark the cells of column `i` to which a clear slope leads."""
    first = octant.origin + i * octant.out
    most = min(i - 1, octant.breadth) + 1
    for low, high in clear:
        start = (low * i + _ONE - 1) >> _SHIFT
        end = min((high * i + _ONE - 1) >> _SHIFT, most)
        for at in range(first + start * octant.aside, first + end * octant.aside, octant.aside):
            view[at] = MARK


def _stopped(
    column: bytes, before: bytes, after: bytes, i: int, *, is_any: bool
) -> Iterator[Slopes]:
    """The slopes that the marked cells of column `i` stop, from the axis on."""
    start = column.find(MARK)
    while start >= 0:
        end = column.find(0, start)
        end = len(column) if end < 0 else end
        low = ((2 * start - 1) << _SHIFT) // (2 * i + 1)
        high = ((2 * end - 1) << _SHIFT) // (2 * i - 1)
        closes_low = is_any or after[max(start - 1, 0) : start] == b"\1"
        closes_high = is_any or before[end : end + 1] == b"\1"
        yield low + (not closes_low), high + closes_high
        start = column.find(MARK, end)


def _left(clear: list[Slopes], stopped: Iterator[Slopes]) -> Iterator[Slopes]:
    """The clear slopes without those that are stopped; both begin with the least."""
    closed = next(stopped, None)
    for interval in clear:
        low, high = interval
        while closed is not None and closed[1] <= low:
            closed = next(stopped, None)
        while closed is not None and closed[0] < high:
            if low < closed[0]:
                yield low, closed[0]
            low = closed[1]
            if low >= high:
                break
            closed = next(stopped, None)
        if low < high:
            yield low, high
