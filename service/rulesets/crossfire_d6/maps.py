"""Maps: what a client sends, the immutable blob it becomes, and the board the rules look at.

How this works. A map comes as cells and borders or drawn in characters; both become one
normalised blob, sorted and without defaults, so that equal maps have equal digests. The board
of a battle is the blob with the changes of the state laid over it. It is made once for each
combination and kept, because making one reads every cell.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Final, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.geometry.features import Border
from service.engine.geometry.points import Cell as Point
from service.engine.geometry.spaces import Bounds
from service.engine.visibility.audience import EVERYONE
from service.errors import Malformed
from service.rulesets.crossfire_d6.rules.ground import Board, ground_of
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.terrain import (
    CellCoordinate,
    GroundBorder,
    GroundCell,
    TerrainChange,
)

Extent = Annotated[int, Meta(ge=1, le=256)]
"""Width or height of a map in cells."""

MAX_CELLS: Final = 65_536
MAX_BORDERS: Final = 131_584


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


def blob_of(given: MapInput) -> MapBlob:
    """The blob of a map.

    Raises Malformed for rows of different lengths, unknown characters, a cell or border stated
    twice or outside the bounds.
    """
    return _blob_of_rows(given) if isinstance(given, AsciiMap) else _blob_of_cells(given)


def _blob_of_rows(drawn: AsciiMap) -> MapBlob:
    width = len(drawn.rows[0])
    cells: list[GroundCell] = []
    for row, text in enumerate(drawn.rows):
        if len(text) != width:
            raise Malformed(path=f"$.map.rows[{row}]", allowed=f"{width} characters")
        cells += [
            _drawn_cell(character, f"$.map.rows[{row}]", drawn.x + column, drawn.y + row)
            for column, character in enumerate(text)
            if character != "."
        ]
    bounds = MapBounds(x=drawn.x, y=drawn.y, width=width, height=len(drawn.rows))
    return MapBlob(bounds=bounds, cells=tuple(cells))


def _drawn_cell(character: str, path: str, x: int, y: int) -> GroundCell:
    match character:
        case "#":
            return GroundCell(x=x, y=y, kind="solid")
        case "c":
            return GroundCell(x=x, y=y, kind="cover")
        case "s":
            return GroundCell(x=x, y=y, smoke=True)
        case "d":
            return GroundCell(x=x, y=y, dark=True)
        case _:
            raise Malformed(path=path, allowed=". # c s d")


def _blob_of_cells(given: CellMap) -> MapBlob:
    _require_once("cells", [(cell.x, cell.y) for cell in given.cells])
    _require_once("borders", [(side.axis, side.x, side.y) for side in given.borders])
    if given.bounds is not UNSET:
        bounds = bounds_of(given.bounds)
        _require_inside("cells", [is_inside(bounds, cell) for cell in given.cells])
        _require_inside("borders", [is_inside(bounds, side) for side in given.borders])
    cells = sorted(
        (cell for cell in given.cells if not _is_plain(cell)), key=lambda cell: (cell.y, cell.x)
    )
    borders = sorted(
        (side for side in given.borders if side.kind != "free"),
        key=lambda side: (side.axis, side.y, side.x),
    )
    return MapBlob(bounds=given.bounds, cells=tuple(cells), borders=tuple(borders))


def _is_plain(cell: GroundCell) -> bool:
    return cell == GroundCell(x=cell.x, y=cell.y)


def _require_once(name: str, keys: list[tuple[object, ...]]) -> None:
    known: set[tuple[object, ...]] = set()
    for index, key in enumerate(keys):
        if key in known:
            raise Malformed(path=f"$.map.{name}[{index}]", allowed="each stated once")
        known.add(key)


def _require_inside(name: str, inside: list[bool]) -> None:
    for index, is_in in enumerate(inside):
        if not is_in:
            raise Malformed(path=f"$.map.{name}[{index}]", allowed="inside the bounds")


def bounds_of(bounds: MapBounds) -> Bounds:
    """The bounds as geometry has them."""
    return Bounds(bounds.x, bounds.y, bounds.width, bounds.height)


def is_inside(bounds: Bounds, part: GroundCell | GroundBorder) -> bool:
    """Whether a cell lies on the map, or a border on it or on its edge."""
    is_v = isinstance(part, GroundBorder) and part.axis == "v"
    is_h = isinstance(part, GroundBorder) and part.axis == "h"
    return (
        bounds.x <= part.x < bounds.x + bounds.width + is_v
        and bounds.y <= part.y < bounds.y + bounds.height + is_h
    )


def board_of(rule: BattleState, blobs: Mapping[str, object]) -> Board:
    """The board as whoever holds this state knows it, hidden ground included if it has any."""
    return _board(rule, blobs, rule.secrets)


def public_board(rule: BattleState, blobs: Mapping[str, object]) -> Board:
    """The board without hidden ground: what everyone knows."""
    return _board(rule, blobs, ())


class _Named:
    """A blob under its digest: equal if the digests are, without looking at the cells."""

    __slots__ = ("blob", "digest")

    def __init__(self, digest: str, blob: MapBlob) -> None:
        self.digest = digest
        self.blob = blob

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and self.digest == other.digest


_NO_MAP: Final = MapBlob()


def _blob(rule: BattleState, blobs: Mapping[str, object]) -> MapBlob:
    return _NO_MAP if rule.map is UNSET else cast(MapBlob, blobs[rule.map])


def _board(
    rule: BattleState, blobs: Mapping[str, object], secrets: tuple[TerrainChange, ...]
) -> Board:
    """The same without reading the changes again, as long as nothing has changed."""
    boards, key, inputs = rule.lookups.boards, bool(secrets), (rule.map, rule.terrain, secrets)
    known = boards.find(key, inputs)
    if known is not None:
        return known
    named = _Named("" if rule.map is UNSET else rule.map, _blob(rule, blobs))
    return boards.keep(key, inputs, _built(named, rule.terrain, secrets))


@lru_cache(maxsize=256)
def _built(
    named: _Named, terrain: tuple[TerrainChange, ...], secrets: tuple[TerrainChange, ...]
) -> Board:
    blob = named.blob
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


def _cells(cells: Iterable[GroundCell], kind: str) -> Iterable[Point]:
    return ((cell.x, cell.y) for cell in cells if cell.kind == kind)


def _borders(borders: Iterable[GroundBorder], kind: str) -> Iterable[Border]:
    return (
        ("V" if side.axis == "v" else "H", side.x, side.y) for side in borders if side.kind == kind
    )
