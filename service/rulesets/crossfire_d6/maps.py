"""Maps: what a client sends, the immutable blob it becomes, and the board the rules look at.

How this works. A map comes as cells and borders or drawn in characters; both become one
normalised blob, sorted and without defaults, so that equal maps have equal digests. The board
of a battle is the blob with the changes of the state laid over it. It is made once for each
combination and kept, because making one reads every cell.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.geometry.features import Border, Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds
from service.engine.kit.grid import (
    NOTHING,
    border_of,
    drawing_problems,
    drawn_cells,
    require_extent,
    require_on_map,
    require_once,
)
from service.engine.kit.maps import MAX_BORDERS, MAX_CELLS, Extent, MapByDigest, map_of
from service.engine.map_check import MapReport, attempt, of_first, report_of
from service.engine.visibility.audience import EVERYONE
from service.rulesets.crossfire_d6.rules.ground import Board, ground_of
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.terrain import (
    FARTHEST,
    CellCoordinate,
    GroundBorder,
    GroundCell,
    TerrainChange,
)


class MapBounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rectangle of cells a map has; (x, y) is its north-west cell."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Westernmost column of the map."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Northernmost row of the map."""
    width: Annotated[Extent, EVERYONE]
    """Cells from west to east."""
    height: Annotated[Extent, EVERYONE]
    """Cells from north to south."""


class CellMap(
    Struct, frozen=True, kw_only=True, tag_field="form", tag="cells", forbid_unknown_fields=True
):
    """A map by its marked cells and borders; all others are free. Without bounds it has no edge."""

    bounds: Annotated[MapBounds | UnsetType, EVERYONE] = UNSET
    """Rectangle that nobody leaves; absent, the map has no edge."""
    cells: Annotated[Annotated[tuple[GroundCell, ...], Meta(max_length=MAX_CELLS)], EVERYONE] = ()
    """The cells that are not free, flat and clear, each stated once and inside the bounds."""
    borders: Annotated[
        Annotated[tuple[GroundBorder, ...], Meta(max_length=MAX_BORDERS)], EVERYONE
    ] = ()
    """The borders that are not free, each stated once; those of the edge belong to the map."""


class AsciiMap(
    Struct, frozen=True, kw_only=True, tag_field="form", tag="ascii", forbid_unknown_fields=True
):
    """A map drawn in rows of equal length from (x, y) on, which are its bounds.

    `.` free, `#` solid, `c` cover, `s` smoke, `d` dark.
    """

    rows: Annotated[
        Annotated[
            tuple[Annotated[str, Meta(min_length=1, max_length=256)], ...],
            Meta(min_length=1, max_length=256),
        ],
        EVERYONE,
    ]
    """Rows from north to south, one character for each cell from west to east."""
    x: Annotated[CellCoordinate, EVERYONE] = 0
    """Column of the first character of each row."""
    y: Annotated[CellCoordinate, EVERYONE] = 0
    """Row of the first line."""


MapInput = CellMap | AsciiMap
"""A map as a client sends it."""


class MapBlob(Struct, frozen=True, kw_only=True):
    """A map as it is kept: what is free is left out, the rest sorted by row, then column."""

    bounds: Annotated[MapBounds | UnsetType, EVERYONE] = UNSET
    """Rectangle that nobody leaves; absent, the map has no edge."""
    cells: Annotated[tuple[GroundCell, ...], EVERYONE] = ()
    """The cells that are not free, flat and clear; all others are."""
    borders: Annotated[tuple[GroundBorder, ...], EVERYONE] = ()
    """The borders that are solid or cover; all others are free."""


_LEGEND: Final = {
    "#": GroundCell(x=0, y=0, kind="solid"),
    "c": GroundCell(x=0, y=0, kind="cover"),
    "s": GroundCell(x=0, y=0, smoke=True),
    "d": GroundCell(x=0, y=0, dark=True),
}
"""What the characters of a drawing stand for."""


def blob_of(map_input: MapInput) -> MapBlob:
    """The blob of a map.

    Raises Malformed for rows of different lengths or past the farthest cells, unknown characters,
    a cell or border stated twice or outside the bounds.
    """
    if isinstance(map_input, AsciiMap):
        return _blob_of_rows(map_input)
    return _blob_of_cells(map_input)


def check_map(stated: MapInput, _: Struct) -> MapReport:
    """Everything that is wrong with a drawing, else the first problem of the map."""
    rows = stated.rows if isinstance(stated, AsciiMap) else (NOTHING,)
    drawn = drawing_problems(rows, _LEGEND, "$.map.rows")
    return report_of(of_first(drawn, attempt(blob_of, stated)), stated)


def _blob_of_rows(drawing: AsciiMap) -> MapBlob:
    bounds = MapBounds(
        x=drawing.x, y=drawing.y, width=len(drawing.rows[0]), height=len(drawing.rows)
    )
    require_extent(bounds_of(bounds), FARTHEST, "$.map.rows")
    cells = drawn_cells(drawing.rows, (drawing.x, drawing.y), _LEGEND, "$.map.rows")
    return MapBlob(
        cells=tuple([replace(ground, x=x, y=y) for (x, y), ground in cells]), bounds=bounds
    )


def _blob_of_cells(cell_map: CellMap) -> MapBlob:
    cells = [part_of(cell) for cell in cell_map.cells]
    borders = [part_of(side) for side in cell_map.borders]
    require_once(cells, "$.map.cells")
    require_once(borders, "$.map.borders")
    if cell_map.bounds is not UNSET:
        bounds = bounds_of(cell_map.bounds)
        require_on_map(bounds, cells, "$.map.cells")
        require_on_map(bounds, borders, "$.map.borders")
    return MapBlob(
        bounds=cell_map.bounds,
        cells=tuple(sorted(filter(_is_marked, cell_map.cells), key=lambda cell: (cell.y, cell.x))),
        borders=tuple(
            sorted(
                (side for side in cell_map.borders if side.kind != "free"),
                key=lambda side: (side.axis, side.y, side.x),
            )
        ),
    )


def _is_marked(cell: GroundCell) -> bool:
    return cell != GroundCell(x=cell.x, y=cell.y)


def bounds_of(bounds: MapBounds) -> Bounds:
    """The bounds as geometry has them."""
    return Bounds(bounds.x, bounds.y, bounds.width, bounds.height)


def part_of(ground: GroundCell | GroundBorder) -> Feature:
    """The cell or border that is stated."""
    if isinstance(ground, GroundBorder):
        return Feature(*border_of(ground.axis, ground.x, ground.y))
    return Feature("cell", ground.x, ground.y)


def board_of(battle: State[BattleState]) -> Board:
    """The board of this state, with the hidden ground that the state has."""
    return _board(battle, battle.rule.secrets)


def public_board(battle: State[BattleState]) -> Board:
    """The board without hidden ground: what everyone knows."""
    return _board(battle, ())


_NO_MAP: Final = MapBlob()


def _board(battle: State[BattleState], secrets: tuple[TerrainChange, ...]) -> Board:
    """The board with these secrets, built again only when map, terrain or secrets change."""
    rule = battle.rule
    boards, terrain = rule.lookups.boards, rule.terrain
    before = boards.get(bool(secrets))
    if before is not None:
        digest, earlier, hidden, board = before
        if digest == rule.map and earlier is terrain and hidden is secrets:
            return board
    board = _build(map_of(battle, _NO_MAP), terrain, secrets)
    boards[bool(secrets)] = (rule.map, terrain, secrets, board)
    return board


@lru_cache(maxsize=256)
def _build(
    laid: MapByDigest[MapBlob],
    terrain: tuple[TerrainChange, ...],
    secrets: tuple[TerrainChange, ...],
) -> Board:
    blob = laid.blob
    cells = {(cell.x, cell.y): cell for cell in blob.cells}
    borders = {(side.axis, side.x, side.y): side for side in blob.borders}
    for change in (*terrain, *secrets):
        if change.cell is not UNSET:
            cells[change.cell.x, change.cell.y] = change.cell
        if change.border is not UNSET:
            borders[change.border.axis, change.border.x, change.border.y] = change.border
    ground = ground_of(
        solid_cells=_cells(cells.values(), "solid"),
        solid_borders=_borders(borders.values(), "solid"),
        cover_cells=_cells(cells.values(), "cover"),
        cover_borders=_borders(borders.values(), "cover"),
        smoke=((cell.x, cell.y) for cell in cells.values() if cell.smoke),
        dark=((cell.x, cell.y) for cell in cells.values() if cell.dark),
        bounds=None if blob.bounds is UNSET else bounds_of(blob.bounds),
    )
    heights = {place: cell.elevation_ft for place, cell in cells.items() if cell.elevation_ft}
    return Board(ground, heights)


def _cells(cells: Iterable[GroundCell], kind: str) -> Iterable[Cell]:
    return ((cell.x, cell.y) for cell in cells if cell.kind == kind)


def _borders(borders: Iterable[GroundBorder], kind: str) -> Iterable[Border]:
    return (border_of(side.axis, side.x, side.y) for side in borders if side.kind == kind)
