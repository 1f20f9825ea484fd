"""Distances in cells and lengths of paths."""

from typing import Literal

from service.engine.geometry.features import Feature
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


def feature_distance(feature: Feature, space: Space, rule: DiagonalRule) -> int:
    """The distance in cells from a space to a marked cell, or to the nearer cell of a border."""
    kind, x, y = feature
    here = space_distance(Space(x, y), space, rule)
    if kind == "cell":
        return here
    beyond = Space(x - 1, y) if kind == "V" else Space(x, y - 1)
    return min(here, space_distance(beyond, space, rule))


def vertex_distance(vertex: Cell, space: Space, rule: DiagonalRule) -> int:
    """How far a space is from a vertex, in cells: 1 for a space with a cell at the vertex.

    Columns and rows are counted from the vertex, the first on either side being 1.
    """
    columns = max(space.x - vertex[0], vertex[0] - space.x - space.size, 0) + 1
    rows = max(space.y - vertex[1], vertex[1] - space.y - space.size, 0) + 1
    return cells_apart(columns, rows, rule)


def path_length(steps: tuple[Cell, ...], rule: DiagonalRule) -> int:
    """The length in cells of a path of single steps; every second diagonal of it counts two."""
    diagonals = sum(1 for dx, dy in steps if dx and dy)
    return len(steps) + (diagonals // 2 if rule == "alternating" else 0)
