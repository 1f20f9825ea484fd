"""The ground as clients, the log and the state write it: cells, borders, and what changed.

A cell or border is always stated whole: whatever is left out has its default.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.kit.terrain import key_on_grid, overlay
from service.engine.visibility.audience import EVERYONE
from service.rulesets.tactical_d20.rules.words import FeatureGrade, Light

FARTHEST: Final = 10_000
"""The largest column or row in either direction; beyond it is `off_map`."""

CellCoordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
"""Column or row of a cell."""

CornerCoordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST + 8)]
"""Column or row of a corner, those of a space of size 8 in the farthest cell included."""

UNIT: Final = "cell_5ft"
"""What one step of a coordinate is, in scenes and legal actions."""

MAX_CHANGES: Final = 4096
"""Cells, and borders, of one change of the ground at most."""


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of 5 by 5 feet; x grows to the east, y to the south."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell."""


class Corner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corner of the grid: the north-west corner of the cell (x, y)."""

    x: Annotated[CornerCoordinate, EVERYONE]
    """Column of the cell whose north-west corner this is."""
    y: Annotated[CornerCoordinate, EVERYONE]
    """Row of the cell whose north-west corner this is."""


class Marking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell and a border have in common: where they are, and what stands there."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell, or of the cell whose side this is; x grows to the east."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell, or of the cell whose side this is; y grows to the south."""
    wall: Annotated[bool, EVERYONE] = False
    """Whether it stops movement and the line of effect and, unless `transparent`, the line of
    sight; it gives cover, of the grade `cover` or else `normal` (TD-GEO-6)."""
    transparent: Annotated[bool, EVERYONE] = False
    """Whether one sees through the wall; only with `wall`."""
    cover: Annotated[FeatureGrade | UnsetType, EVERYONE] = UNSET
    """Grade of the cover it gives (TD-COVER-2, TD-COVER-5, TD-COVER-6); absent: none, or `normal`
    of a wall."""
    low_height_ft: Annotated[Annotated[int, Meta(ge=1, le=200)] | UnsetType, EVERYONE] = UNSET
    """Height in feet of an obstacle that may be low for a tall target (TD-LOW-1); only with
    `cover` and without `wall`. Absent: it is not low."""
    concealment_pct: Annotated[Annotated[int, Meta(ge=1, le=100)] | UnsetType, EVERYONE] = UNSET
    """Per cent of concealment that smoke, fog or a curtain gives (TD-CONC-2); absent: none."""
    opaque: Annotated[bool, EVERYONE] = False
    """Whether it stops the line of sight alone (TD-GEO-6)."""


class GroundCell(Marking, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell and all that is on it."""

    light: Annotated[Light | UnsetType, EVERYONE] = UNSET
    """Low light (`dim`) or darkness (`dark`) in the cell (TD-CONC-8); absent: it is lit."""


class GroundBorder(Marking, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side of a cell: `v` its west side, `h` its north side. Cover on it stops no step."""

    axis: Annotated[Literal["v", "h"], EVERYONE]
    """`v`: the west side of the cell (x, y); `h`: its north side."""


class TerrainChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One cell or one border as it is from now on."""

    cell: Annotated[GroundCell | UnsetType, EVERYONE] = UNSET
    """The cell, whole; absent in a change of a border."""
    border: Annotated[GroundBorder | UnsetType, EVERYONE] = UNSET
    """The border, whole; absent in a change of a cell."""


Cells = Annotated[tuple[GroundCell, ...], Meta(max_length=MAX_CHANGES)]
Borders = Annotated[tuple[GroundBorder, ...], Meta(max_length=MAX_CHANGES)]


class HiddenTerrain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ground that only the game master knows until somebody meets it."""

    cells: Annotated[Cells, EVERYONE] = ()
    """Cells that differ from the map, each whole; the last one stated for a place counts."""
    borders: Annotated[Borders, EVERYONE] = ()
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
