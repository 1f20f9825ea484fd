"""Distances in cells and lengths of paths."""

from typing import Literal

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space

DiagonalRule = Literal["equal", "alternating"]
"""`equal`: a diagonal step counts one cell. `alternating`: every second one counts two."""


def cells_apart(dx: int, dy: int, rule: DiagonalRule) -> int:
    """The distance in cells for offsets of either sign."""
    longer, shorter = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    return longer if rule == "equal" else longer + shorter // 2


def space_distance(a: Space, b: Space, rule: DiagonalRule) -> int:
    """The least distance in cells over all pairs of a cell of `a` and a cell of `b`.

    Both metrics grow with either offset, so the nearest columns and rows decide.
    """
    dx = max(b.x - a.x - a.size + 1, a.x - b.x - b.size + 1, 0)
    dy = max(b.y - a.y - a.size + 1, a.y - b.y - b.size + 1, 0)
    return cells_apart(dx, dy, rule)


def path_length(steps: tuple[Cell, ...], rule: DiagonalRule) -> int:
    """The length in cells of a path of single steps; every second diagonal of it counts two."""
    diagonals = sum(1 for dx, dy in steps if dx and dy)
    return len(steps) + (diagonals // 2 if rule == "alternating" else 0)
