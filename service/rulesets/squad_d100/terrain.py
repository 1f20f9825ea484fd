"""Cells of the ground as requests and the battle state them."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.engine.visibility.audience import EVERYONE
from service.rulesets.squad_d100.rules.map_checks import LONGEST_SIDE
from service.rulesets.squad_d100.rules.terrain import Terrain

UNIT: Final = "cell"
"""What one step of a coordinate is."""

MAX_CHANGES: Final = LONGEST_SIDE * LONGEST_SIDE

CellCoordinate = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""Column or row that a request names; on a map they begin with 0."""


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell by its column and row, both from 0; rows run from the top down."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column, from 0 on the left."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row, from 0 at the top."""


class TerrainChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One cell as it is from now on."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column, from 0 on the left."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row, from 0 at the top."""
    terrain: Annotated[Terrain, EVERYONE]
    """What the cell is."""
    open: Annotated[bool, EVERYONE] = False
    """Of a `door`: whether it stands open; not read otherwise."""


def key_of_change(change: TerrainChange) -> tuple[str, int, int]:
    """What names the part of the ground that a change is about: sorted row by row."""
    return "cell", change.y, change.x
