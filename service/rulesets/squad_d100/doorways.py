"""The doors of a map that stand open when it is laid."""

from service.rulesets.squad_d100.map_text import Imported
from service.rulesets.squad_d100.rules.terrain import KINDS
from service.rulesets.squad_d100.terrain import Cell, TerrainChange


def doors_of(laid: Imported, *, are_open: bool) -> tuple[Cell, ...]:
    """The doors of a map that stand open, row by row: all if `are_open`, else those in use."""
    if not are_open:
        return laid.doors
    door = KINDS["door"].glyph
    return tuple(
        Cell(x=x, y=y)
        for y, row in enumerate(laid.blob.rows)
        for x, glyph in enumerate(row)
        if glyph == door
    )


def opened(doors: tuple[Cell, ...]) -> tuple[TerrainChange, ...]:
    """Doors that stand open, as changes of the ground."""
    return tuple(TerrainChange(x=each.x, y=each.y, terrain="door", open=True) for each in doors)
