"""SQ-LOS: what a line crosses, what stops sight and shots, who sees whom."""

from typing import Final, Literal, NamedTuple

from service.engine.geometry.cell_board import CellBoard
from service.engine.geometry.cell_lines import CornerRule, cells_crossed, is_clear
from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.rules.distance import DistanceMetric, distance
from service.rulesets.squad_d100.rules.terrain import KINDS, Terrain

SQ_LOS_1: Final = "SQ-LOS-1"
SQ_LOS_2: Final = "SQ-LOS-2"
SQ_LOS_3: Final = "SQ-LOS-3"
SQ_LOS_4: Final = "SQ-LOS-4"

LineKind = Literal["sight", "shot"]
"""What a line is for."""


class LineOptions(NamedTuple):
    """What the table has chosen about lines; without a sight range everybody sees to the edge."""

    corner_rule: CornerRule = "both"
    x_blocks_sight: bool = False
    sight_range: int | None = None
    distance_metric: DistanceMetric = "chebyshev"


def cells_between(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """SQ-LOS-1: the cells that the line crosses between its ends, from `start` on.

    From centre to centre; crossed is a cell through whose interior it passes.
    Default, not in the source text.
    """
    return cells_crossed(start, end)


def is_line_clear(blockers: CellBoard, start: Cell, end: Cell, corner_rule: CornerRule) -> bool:
    """SQ-LOS-2: no blocking cell is crossed, and no corner on the way is closed.

    Through a corner of the grid the line goes diagonally from cell to cell; the two cells beside
    it close it if both block, or with `any` if one does. The ends never block.
    Default, not in the source text.
    """
    return is_clear(blockers, start, end, corner_rule)


def stops_line(terrain: Terrain, kind: LineKind, *, x_blocks_sight: bool) -> bool:
    """SQ-LOS-3: whether a cell of this terrain blocks a line; a door does while it is closed.

    Walls and closed doors stop sight and shots, a solid obstacle shots, and sight with
    `x_blocks_sight`. Nobody who stands on a line stops it.
    Source: «простреливаемое/непростреливаемое».
    """
    of = KINDS[terrain]
    if kind == "shot":
        return of.stops_shots
    return of.stops_sight or (x_blocks_sight and of.may_stop_sight)


def sees(opaque: CellBoard, here: Cell, there: Cell, options: LineOptions) -> bool:
    """SQ-LOS-4: a cell is in the field of view if the line of sight is clear and not too long.

    There is no facing; a wall can be seen; who sees somebody is seen by him. `opaque` are the
    cells that stop sight.
    Source: «в его поле зрения … попадает противник».
    """
    return is_in_sight_range(here, there, options) and is_line_clear(
        opaque, here, there, options.corner_rule
    )


def is_in_sight_range(here: Cell, there: Cell, options: LineOptions) -> bool:
    """Whether two cells are no further apart than the option `sight_range`, if it is set."""
    if options.sight_range is None:
        return True
    return distance(here, there, options.distance_metric) <= options.sight_range
