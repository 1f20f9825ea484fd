"""The ground as the rules look at it: which terrain each cell is, which doors are open.

How this works. The ground is rows of glyphs, an open door having a letter of its own. What the
rules ask of many cells at once, such as what stops a line, is a board made of the rows; a row is
read once for all boards that have it, so that a change of one cell costs one row.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Final, get_args

from msgspec import Struct

from service.engine.geometry import cell_board
from service.engine.geometry import field_of_view as geometry
from service.engine.geometry.cell_board import CellBoard
from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.engine.geometry.price_field import PriceField, StepPrices, price_field
from service.rulesets.squad_d100.rules import lines, terrain
from service.rulesets.squad_d100.rules.lines import LineKind, LineOptions, stops_line
from service.rulesets.squad_d100.rules.movement import diagonal_price, straight_price
from service.rulesets.squad_d100.rules.terrain import KINDS, TERRAINS, Terrain

OPEN_DOOR: Final = "/"
"""An open door in the rows of a ground: no glyph of the legend, for a text shows it as `D`."""


_MANY_VIEWERS: Final = 200
"""Lines between as many pairs of cells as one field of view takes the time of, roughly."""


class Ground(Struct, frozen=True, gc=False):
    """A map as it is now: rows of canonical glyphs from north to south, open doors `/`.

    Without a map there are no rows.
    """

    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        """Cells of a row; 0 without a map."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Rows; 0 without a map."""
        return len(self.rows)


def is_inside(ground: Ground, cell: Cell) -> bool:
    """Whether a cell lies on the map."""
    return 0 <= cell[0] < ground.width and 0 <= cell[1] < ground.height


def terrain_at(ground: Ground, cell: Cell) -> Terrain:
    """The terrain of a cell on the map."""
    glyph = ground.rows[cell[1]][cell[0]]
    return "door" if glyph == OPEN_DOOR else TERRAINS[glyph]


def is_open_door(ground: Ground, cell: Cell) -> bool:
    """Whether a cell on the map is a door that is open."""
    return ground.rows[cell[1]][cell[0]] == OPEN_DOOR


def is_passable(ground: Ground, cell: Cell) -> bool:
    """Whether somebody can stand on a cell of the map, as far as the terrain goes."""
    return terrain.is_passable(terrain_at(ground, cell), is_open=is_open_door(ground, cell))


def cells_of_terrain(ground: Ground, sought: Terrain) -> tuple[Cell, ...]:
    """The cells of one terrain, row by row; of doors the closed ones."""
    return _cells_of_glyph(ground.rows, KINDS[sought].glyph)


def open_doors(ground: Ground) -> tuple[Cell, ...]:
    """The doors that are open, row by row."""
    return _cells_of_glyph(ground.rows, OPEN_DOOR)


def sees(ground: Ground, here: Cell, there: Cell, options: LineOptions) -> bool:
    """Whether the one cell is in the field of view of the other (SQ-LOS-4)."""
    return lines.sees(_blockers(ground, "sight", options), here, there, options)


def seen_from(
    ground: Ground, cell: Cell, viewers: Collection[Cell], options: LineOptions
) -> frozenset[Cell]:
    """Of these viewers on the map those in whose field of view a cell is (SQ-LOS-4).

    Whoever sees is seen: of many viewers one field of view from the cell tells, of few a line each.
    """
    near = [each for each in viewers if lines.is_in_sight_range(each, cell, options)]
    if len(near) < _MANY_VIEWERS:
        return frozenset([each for each in near if sees(ground, each, cell, options)])
    reach = geometry.FARTHEST if options.sight_range is None else options.sight_range
    board = _blockers(ground, "sight", options)
    view = geometry.field_of_view(board, cell, options.corner_rule, reach)
    return frozenset([each for each in near if view[each[1] * board.width + each[0]]])


def has_sight_line(ground: Ground, here: Cell, there: Cell, options: LineOptions) -> bool:
    """Whether the line of sight between two cells is clear, however long it is (SQ-LOS-3)."""
    board = _blockers(ground, "sight", options)
    return lines.is_line_clear(board, here, there, options.corner_rule)


def has_shot_line(ground: Ground, here: Cell, there: Cell, options: LineOptions) -> bool:
    """Whether the line of a shot between two cells is clear (SQ-LOS-3)."""
    board = _blockers(ground, "shot", options)
    return lines.is_line_clear(board, here, there, options.corner_rule)


def field_of_view(ground: Ground, viewer: Cell, options: LineOptions) -> tuple[Cell, ...]:
    """All cells in the field of view of a cell, row by row: those that it sees (SQ-LOS-4)."""
    board = _blockers(ground, "sight", options)
    reach = geometry.FARTHEST if options.sight_range is None else options.sight_range
    view = geometry.field_of_view(board, viewer, options.corner_rule, reach)
    width = ground.width
    seen = ((at % width, at // width) for at, mark in enumerate(view) if mark)
    # No metric says less than the longer offset, by which the sweep was bounded.
    return tuple([cell for cell in seen if lines.is_in_sight_range(viewer, cell, options)])


def cover_prices(
    ground: Ground,
    occupied: Collection[Cell],
    corner_rule: CornerRule,
    wanted: Collection[Cell] | None = None,
) -> PriceField:
    """The least movement points from cells to a free cell of cover: D of SQ-SUP-5.

    Of all cells, or at least of the `wanted` ones. `occupied` are the cells of the others, who
    stand in the way and in the cover they hold.
    """
    return price_field(
        _impassable(ground),
        occupied,
        cells_of_terrain(ground, "cover"),
        StepPrices(straight_price(), diagonal_price()),
        corner_rule,
        wanted,
    )


def _glyphs(kind: LineKind, *, x_blocks_sight: bool) -> str:
    stopping = [each for each in KINDS if stops_line(each, kind, x_blocks_sight=x_blocks_sight)]
    return "".join([KINDS[each].glyph for each in stopping])


_BLOCKING: Final = {
    (kind, x_blocks_sight): _glyphs(kind, x_blocks_sight=x_blocks_sight)
    for kind in get_args(LineKind)
    for x_blocks_sight in (False, True)
}
"""The glyphs that stop a line of a kind, by the option `x_blocks_sight`."""

_IMPASSABLE: Final = "".join([kind.glyph for kind in KINDS.values() if not kind.is_passable])


def _blockers(ground: Ground, kind: LineKind, options: LineOptions) -> CellBoard:
    return _board(ground.rows, _BLOCKING[kind, options.x_blocks_sight])


def _impassable(ground: Ground) -> CellBoard:
    return _board(ground.rows, _IMPASSABLE)


_board = lru_cache(maxsize=64)(cell_board.board_of_rows)


@lru_cache(maxsize=64)
def _cells_of_glyph(rows: tuple[str, ...], glyph: str) -> tuple[Cell, ...]:
    return tuple(
        [
            (x, y)
            for y, row in enumerate(rows)
            if glyph in row
            for x, each in enumerate(row)
            if each == glyph
        ]
    )
