"""A rectangle of cells of which some are marked, such as those that stop a line."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from service.engine.geometry.points import Cell

MARK = 1
"""The byte of a marked cell; any other cell is 0."""


class CellBoard(Struct, frozen=True, gc=False):
    """Cells by rows from north to south, one byte each: cell (x, y) is `cells[y * width + x]`."""

    width: int
    height: int
    cells: bytes


def is_on_board(board: CellBoard, cell: Cell) -> bool:
    """Whether the board has this cell."""
    return 0 <= cell[0] < board.width and 0 <= cell[1] < board.height


def is_marked(board: CellBoard, cell: Cell) -> bool:
    """Whether a cell of the board is marked; it must be on the board."""
    return board.cells[cell[1] * board.width + cell[0]] == MARK


def board_of_rows(rows: Sequence[str], marks: str) -> CellBoard:
    """The board of a drawing with at least one row of equal length: `marks` are the characters of
    marked cells.

    Rows are read once and kept: where one of many changed, the others cost nothing.
    """
    return CellBoard(len(rows[0]), len(rows), b"".join([_marked_row(row, marks) for row in rows]))


def board_of_cells(width: int, height: int, marked: Iterable[Cell]) -> CellBoard:
    """The board of this size with these cells marked; all of them must be on it."""
    cells = bytearray(width * height)
    for x, y in marked:
        cells[y * width + x] = MARK
    return CellBoard(width, height, bytes(cells))


@lru_cache(maxsize=4096)
def _marked_row(row: str, marks: str) -> bytes:
    return bytes([character in marks for character in row])
