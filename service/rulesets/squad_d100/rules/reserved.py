"""SQ-MAP-4: where whoever has no cell yet is put."""

from collections.abc import Collection, Iterable
from typing import Final

from service.engine.geometry.points import Cell
from service.errors import Refused

SQ_MAP_4: Final = "SQ-MAP-4"


def reserved_place(reserved: Iterable[Cell], held: Collection[Cell], combatant: str) -> Cell:
    """SQ-MAP-4: the first of the reserved cells, row by row, that nobody holds.

    Raises Refused("no_reserved_cell"). Source: «Резервированное место (0)».
    """
    for cell in reserved:
        if cell not in held:
            return cell
    raise Refused("no_reserved_cell", rule=SQ_MAP_4, combatant=combatant)
