"""SQ-DOOR: opening and closing doors."""

from typing import Final

from service.engine.geometry.points import Cell
from service.errors import Refused

SQ_DOOR_1: Final = "SQ-DOOR-1"


def require_door(here: Cell, cell: Cell, *, is_door: bool, is_closing: bool, is_free: bool) -> None:
    """SQ-DOOR-1: a neighbour may open or close a door, for `door_cost` movement points.

    The distance is counted in king's steps, whatever the metric of the battle; a door closes on
    nobody. Default, not in the source text.
    Raises Refused("not_a_door"), ("not_adjacent") or ("cell_occupied").
    """
    x, y = cell
    if not is_door:
        raise Refused("not_a_door", rule=SQ_DOOR_1, x=x, y=y)
    distance = max(abs(x - here[0]), abs(y - here[1]))
    if distance != 1:
        raise Refused("not_adjacent", rule=SQ_DOOR_1, x=x, y=y, distance=distance)
    if is_closing and not is_free:
        raise Refused("cell_occupied", rule=SQ_DOOR_1, x=x, y=y)
