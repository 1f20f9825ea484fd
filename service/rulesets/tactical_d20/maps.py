"""Maps: what a client sends, and the immutable blob it becomes.

A map comes as cells and borders or drawn in characters; both become one normalised blob, sorted
and without defaults, so that equal maps have equal digests.
"""

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.geometry.features import Feature
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
from service.engine.kit.maps import MAX_BORDERS, MAX_CELLS, Extent
from service.engine.map_check import MapReport, attempt, of_first, report_of
from service.engine.visibility.audience import EVERYONE
from service.errors import Malformed
from service.rulesets.tactical_d20.terrain import (
    FARTHEST,
    CellCoordinate,
    GroundBorder,
    GroundCell,
    Marking,
)


class MapBounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rectangle of cells that a map has, up to 256 by 256; (x, y) is its north-west cell."""

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
    """The cells that are not free and lit, each stated once and inside the bounds."""
    borders: Annotated[
        Annotated[tuple[GroundBorder, ...], Meta(max_length=MAX_BORDERS)], EVERYONE
    ] = ()
    """The borders that are not free, each stated once; those of the edge belong to the map."""


class AsciiMap(
    Struct, frozen=True, kw_only=True, tag_field="form", tag="ascii", forbid_unknown_fields=True
):
    """A map drawn in rows of equal length from (x, y) on, which are its bounds.

    `.` nothing, `#` wall, `c` normal cover, `s` smoke of 20 per cent, `l` low light, `d` dark.
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
    """The cells that are not free and lit; all others are."""
    borders: Annotated[tuple[GroundBorder, ...], EVERYONE] = ()
    """The borders on which there is something; all others are free."""


_LEGEND: Final = {
    "#": GroundCell(x=0, y=0, wall=True),
    "c": GroundCell(x=0, y=0, cover="normal"),
    "s": GroundCell(x=0, y=0, concealment_pct=20),
    "l": GroundCell(x=0, y=0, light="dim"),
    "d": GroundCell(x=0, y=0, light="dark"),
}
"""What the characters of a drawing stand for."""


def blob_of(map_input: MapInput) -> MapBlob:
    """The blob of a map.

    Raises Malformed for rows of different lengths or past the farthest cells, unknown characters,
    a cell or border stated twice or outside the bounds, and attributes that do not go together.
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
    width, height = len(drawing.rows[0]), len(drawing.rows)
    bounds = MapBounds(x=drawing.x, y=drawing.y, width=width, height=height)
    require_extent(Bounds(drawing.x, drawing.y, width, height), FARTHEST, "$.map.rows")
    cells = drawn_cells(drawing.rows, (drawing.x, drawing.y), _LEGEND, "$.map.rows")
    return MapBlob(
        cells=tuple([replace(ground, x=x, y=y) for (x, y), ground in cells]), bounds=bounds
    )


def _blob_of_cells(cell_map: CellMap) -> MapBlob:
    require_whole(cell_map.cells, "$.map.cells")
    require_whole(cell_map.borders, "$.map.borders")
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
                filter(_is_marked, cell_map.borders),
                key=lambda side: (side.axis, side.y, side.x),
            )
        ),
    )


def _is_marked(ground: GroundCell | GroundBorder) -> bool:
    """Whether anything is stated of a cell or border."""
    if isinstance(ground, GroundBorder):
        return ground != GroundBorder(axis=ground.axis, x=ground.x, y=ground.y)
    return ground != GroundCell(x=ground.x, y=ground.y)


def require_whole(parts: Sequence[Marking], path: str) -> None:
    """What a request states of cells or borders at `path` goes together.

    Raises Malformed for `transparent` without `wall`, and for `low_height_ft` without `cover` or
    with `wall`.
    """
    for index, part in enumerate(parts):
        if part.transparent and not part.wall:
            raise Malformed(path=f"{path}[{index}].transparent", allowed="only with wall")
        if part.low_height_ft is not UNSET and (part.cover is UNSET or part.wall):
            allowed = "only with cover and without wall"
            raise Malformed(path=f"{path}[{index}].low_height_ft", allowed=allowed)


def bounds_of(bounds: MapBounds) -> Bounds:
    """The bounds as geometry has them; where they lead past the farthest cells, those end them."""
    width, height = FARTHEST + 1 - bounds.x, FARTHEST + 1 - bounds.y
    return Bounds(bounds.x, bounds.y, min(bounds.width, width), min(bounds.height, height))


def part_of(ground: GroundCell | GroundBorder) -> Feature:
    """The cell or border that is stated."""
    if isinstance(ground, GroundBorder):
        return Feature(*border_of(ground.axis, ground.x, ground.y))
    return Feature("cell", ground.x, ground.y)
