"""Cells of the ground as requests and the battle state them.

The battle keeps the cells that changed by rows, so that a change costs its own row and no more,
however much has burnt or been blown up before.
"""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.engine.kit.terrain import overlay
from service.engine.visibility.audience import EVERYONE
from service.rulesets.squad_d100.rules.map_checks import LONGEST_SIDE
from service.rulesets.squad_d100.rules.terrain import Terrain

UNIT: Final = "cell"
"""What one step of a coordinate is."""

MAX_CHANGES: Final = LONGEST_SIDE * LONGEST_SIDE
"""Cells that one request states at most: a whole map."""

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


class ChangedCell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell of a row as it is now."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column, from 0 on the left."""
    terrain: Annotated[Terrain, EVERYONE]
    """What the cell is."""
    open: Annotated[bool, EVERYONE] = False
    """Of a `door`: whether it stands open; not read otherwise."""


class ChangedRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the map with the cells that are no longer what they were."""

    y: Annotated[CellCoordinate, EVERYONE]
    """Row, from 0 at the top."""
    cells: Annotated[tuple[ChangedCell, ...], EVERYONE]
    """The cells that changed, from left to right."""


def with_changes(
    rows: tuple[ChangedRow, ...], changes: Iterable[TerrainChange]
) -> tuple[ChangedRow, ...]:
    """Rows, from the top down, with changes laid over them; the last one of a cell counts."""
    by_row: dict[int, list[ChangedCell]] = {}
    for change in changes:
        cell = ChangedCell(x=change.x, terrain=change.terrain, open=change.open)
        by_row.setdefault(change.y, []).append(cell)
    before = {row.y: row.cells for row in rows if row.y in by_row}
    after = tuple(
        ChangedRow(y=y, cells=overlay(before.get(y, ()), tuple(cells), _column))
        for y, cells in by_row.items()
    )
    return overlay(rows, after, _row)


def _column(cell: ChangedCell) -> int:
    return cell.x


def _row(row: ChangedRow) -> int:
    return row.y
