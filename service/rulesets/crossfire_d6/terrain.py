"""The ground as clients, the log and the state write it: cells, borders, and what changed.

A cell or border is always stated whole: whatever is left out has its default.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.kit.terrain import key_on_grid, overlay
from service.engine.visibility.audience import EVERYONE

CellCoordinate = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""Column or row of a cell."""

UNIT: Final = "cell_5ft"
"""What one step of a coordinate is, in scenes and legal actions."""

FARTHEST = 10_000
"""The largest column or row in either direction; beyond it is `off_map`."""

Elevation = Annotated[int, Meta(ge=-1000, le=1000)]
"""Feet above (or below) the table."""

FeatureKind = Literal["free", "solid", "cover"]
"""`solid` stops sight and movement, `cover` can be hidden behind and shot over."""


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of 5 by 5 feet; x grows to the east, y to the south."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell; x grows to the east."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell; y grows to the south."""


class GroundCell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell and all that is on it."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell; x grows to the east."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell; y grows to the south."""
    kind: Annotated[FeatureKind, EVERYONE] = "free"
    """`solid` stops sight and movement, `cover` can be hidden behind and shot over, `free` is
    neither."""
    smoke: Annotated[bool, EVERYONE] = False
    """Smoke or fog: a shot whose line passes through the cell has poor visibility (CF-OBSC-1)."""
    dark: Annotated[bool, EVERYONE] = False
    """Darkness: a shot at a target in the cell has poor visibility (CF-OBSC-1); shots out of it are
    not hindered."""
    elevation_ft: Annotated[Elevation, EVERYONE] = 0
    """Height in feet of whoever has its north-west cell here and states no elevation of its own."""


class GroundBorder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side of a cell: `v` its west side, `h` its north side. A cover border stops no step."""

    axis: Annotated[Literal["v", "h"], EVERYONE]
    """`v`: the west side of the cell (x, y); `h`: its north side."""
    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell whose side this is."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell whose side this is."""
    kind: Annotated[FeatureKind, EVERYONE] = "free"
    """`solid` stops sight and movement, `cover` can be hidden behind and shot over, `free` is
    neither."""


class TerrainChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One cell or one border as it is from now on."""

    cell: Annotated[GroundCell | UnsetType, EVERYONE] = UNSET
    """The cell, whole; absent in a change of a border."""
    border: Annotated[GroundBorder | UnsetType, EVERYONE] = UNSET
    """The border, whole; absent in a change of a cell."""


class HiddenTerrain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ground that only the game master knows until somebody meets it."""

    cells: Annotated[Annotated[tuple[GroundCell, ...], Meta(max_length=4096)], EVERYONE] = ()
    """Cells that differ from the map, each whole; the last one stated for a place counts."""
    borders: Annotated[Annotated[tuple[GroundBorder, ...], Meta(max_length=4096)], EVERYONE] = ()
    """Borders that differ from the map; the last one stated for a place counts."""


def changes_of(
    cells: tuple[GroundCell, ...], borders: tuple[GroundBorder, ...]
) -> tuple[TerrainChange, ...]:
    """Cells and borders as changes, sorted by place; the last one stated for a place counts."""
    stated = (
        *(TerrainChange(cell=cell) for cell in cells),
        *(TerrainChange(border=border) for border in borders),
    )
    return overlay((), stated, key_on_grid)
