"""The square of cells that a combatant occupies, and the rectangle of a map."""

from typing import NamedTuple

from service.engine.geometry.points import Cell, Point


class Space(NamedTuple):
    """A square of `size` x `size` cells; (x, y) is its north-west cell; size >= 1."""

    x: int
    y: int
    size: int = 1


class Bounds(NamedTuple):
    """The rectangle of cells of a map; (x, y) is its north-west cell, width and height >= 1."""

    x: int
    y: int
    width: int
    height: int


def centre(space: Space) -> Point:
    """The centre of a space in doubled coordinates; even for even sizes."""
    return Point(2 * space.x + space.size, 2 * space.y + space.size)


def cells_of(space: Space) -> tuple[Cell, ...]:
    """Every cell of a space, row by row from the north-west."""
    columns = range(space.x, space.x + space.size)
    rows = range(space.y, space.y + space.size)
    return tuple((x, y) for y in rows for x in columns)


def has_cell(space: Space, cell: Cell) -> bool:
    """Whether the cell belongs to the space."""
    return 0 <= cell[0] - space.x < space.size and 0 <= cell[1] - space.y < space.size


def moved(space: Space, step: Cell) -> Space:
    """The space shifted by whole cells."""
    return Space(space.x + step[0], space.y + step[1], space.size)


def holds(bounds: Bounds, space: Space) -> bool:
    """Whether every cell of the space lies inside the map."""
    return (
        bounds.x <= space.x
        and space.x + space.size <= bounds.x + bounds.width
        and bounds.y <= space.y
        and space.y + space.size <= bounds.y + bounds.height
    )
