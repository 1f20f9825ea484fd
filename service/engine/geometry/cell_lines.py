"""Whether a line from cell to cell is clear where cells alone stop it, corners by a rule.

How this works. The line runs from centre to centre and is walked from cell to cell, as far as it
is clear: after i columns and j rows the next vertical border lies (1 + 2i) / 2dx of the way along
and the next horizontal one (1 + 2j) / 2dy, so two products tell which comes first. Where both come
at once it passes a corner of the grid, and the two cells beside it count by the corner rule. The
ends never count. A line and its reverse cross the same cells and pass the same corners.

`lines` names everything that a line meets of cells and borders, vertices included; here the first
cell that counts ends the walk, and what is beside a corner is no more than two cells.
"""

from collections.abc import Iterator
from typing import Literal

from service.engine.geometry.cell_board import MARK, CellBoard
from service.engine.geometry.points import Cell

CornerRule = Literal["both", "any"]
"""What closes a corner between two cells: both cells beside it, or any one of them."""


def is_clear(board: CellBoard, start: Cell, end: Cell, corner_rule: CornerRule) -> bool:
    """Whether no marked cell stops the line between two cells of the board."""
    cells, goal = board.cells, end[1] * board.width + end[0]
    needed = 2 * MARK if corner_rule == "both" else MARK
    for at, beside in _walk(start, end, board.width):
        if beside is not None and cells[beside[0]] + cells[beside[1]] >= needed:
            return False
        if cells[at] and at != goal:
            return False
    return True


def cells_crossed(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """The cells whose interior the line crosses, from `start` on, without its two ends."""
    width = max(start[0], end[0]) + 1
    crossed = [(at % width, at // width) for at, _ in _walk(start, end, width)]
    return tuple(crossed[:-1])


def corners_passed(start: Cell, end: Cell) -> tuple[tuple[Cell, Cell], ...]:
    """The two cells beside each corner that the line passes, from `start` on."""
    width = max(start[0], end[0]) + 1
    return tuple(
        ((first % width, first // width), (second % width, second // width))
        for _, beside in _walk(start, end, width)
        if beside is not None
        for first, second in (beside,)
    )


def _walk(start: Cell, end: Cell, width: int) -> Iterator[tuple[int, tuple[int, int] | None]]:
    """Each cell after `start` up to `end`, with the two cells beside the corner before it, if any.

    Cells are y * width + x.
    """
    columns, rows = abs(end[0] - start[0]), abs(end[1] - start[1])
    aside = 1 if end[0] > start[0] else -1
    down = width if end[1] > start[1] else -width
    at = start[1] * width + start[0]
    to_column, to_row = rows, columns
    column = row = 0
    while column < columns or row < rows:
        beside = (at + aside, at + down) if to_column == to_row else None
        moves_aside, moves_down = to_column <= to_row, to_column >= to_row
        if moves_aside:
            at += aside
            column += 1
            to_column += 2 * rows
        if moves_down:
            at += down
            row += 1
            to_row += 2 * columns
        yield at, beside
