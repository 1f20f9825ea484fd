"""What one step of a space enters and passes."""

from functools import lru_cache
from typing import NamedTuple

from service.engine.geometry.features import FeatureKeys, key_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of, has_cell, moved


class Stride(NamedTuple):
    """One step of a space at the origin.

    `entered`: the cells it newly occupies. `way`: these cells, the borders it passes over and
    the borders that would come to lie inside it. `corners`, for a diagonal step only: the cells
    on both orthogonal sides of the step and the borders at the vertices it passes.
    """

    entered: tuple[Cell, ...]
    way: FeatureKeys
    corners: FeatureKeys


def is_step(step: Cell) -> bool:
    """Whether an offset leads to one of the eight neighbours."""
    return step != (0, 0) and abs(step[0]) <= 1 and abs(step[1]) <= 1


def steps_of(start: Cell, path: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The offsets between successive cells of a path that begins after `start`."""
    before = (start, *path)
    return tuple((x - before[i][0], y - before[i][1]) for i, (x, y) in enumerate(path))


@lru_cache(maxsize=128)
def stride(size: int, step: Cell) -> Stride:
    """The step of a space of this size; `step` is one of the eight neighbours."""
    here = Space(0, 0, size)
    there = moved(here, step)
    entered = tuple(cell for cell in cells_of(there) if not has_cell(here, cell))
    vertical: set[int] = set()
    horizontal: set[int] = set()
    for x, y in entered:
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside = (x + dx, y + dy)
            if has_cell(there, beside) or (0 in step and has_cell(here, beside)):
                (vertical if dx else horizontal).add(key_of(max(x, x + dx), max(y, y + dy)))
    way = FeatureKeys(
        cells=tuple(key_of(*cell) for cell in entered),
        vertical=tuple(sorted(vertical)),
        horizontal=tuple(sorted(horizontal)),
    )
    return Stride(entered, way, FeatureKeys() if 0 in step else _corners(size, step))


def _corners(size: int, step: Cell) -> FeatureKeys:
    """What a diagonal step squeezes past: for one cell, the shared vertex and its two sides."""
    ahead_x = size if step[0] > 0 else 0
    ahead_y = size if step[1] > 0 else 0
    beyond_x, behind_x = (size, 0) if step[0] > 0 else (-1, size - 1)
    beyond_y, behind_y = (size, 0) if step[1] > 0 else (-1, size - 1)
    shift_x, shift_y = max(step[0], 0), max(step[1], 0)
    vertices = [
        (x + shift_x, y + shift_y)
        for x in range(size)
        for y in range(size)
        if x + shift_x == ahead_x or y + shift_y == ahead_y
    ]
    return FeatureKeys(
        cells=(key_of(beyond_x, behind_y), key_of(behind_x, beyond_y)),
        vertical=tuple(sorted({key_of(x, y + end) for x, y in vertices for end in (-1, 0)})),
        horizontal=tuple(sorted({key_of(x + end, y) for x, y in vertices for end in (-1, 0)})),
    )
