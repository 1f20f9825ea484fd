"""SQ-MOVE: movement points, the price of a step, and where no step leads.

How this works. A path is judged step by step; of each step every check is made in the catalogue's
order before the next step is looked at. The ground and who stands on it come in as two questions,
so the same checks serve what a side knows and the battle as it is.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.engine.geometry.strides import is_step
from service.errors import Refused

SQ_MOVE_1: Final = "SQ-MOVE-1"
SQ_MOVE_2: Final = "SQ-MOVE-2"
SQ_MOVE_3: Final = "SQ-MOVE-3"
SQ_MOVE_4: Final = "SQ-MOVE-4"
SQ_MOVE_5: Final = "SQ-MOVE-5"


class Footing(Struct, frozen=True, kw_only=True):
    """Where steps may lead: the size of the map in cells, what is passable, who stands where.

    `is_passable` is asked of cells on the map alone.
    """

    width: int
    height: int
    is_passable: Callable[[Cell], bool]
    is_occupied: Callable[[Cell], bool]
    corner_rule: CornerRule

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies on the map."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def stops(self, cell: Cell) -> bool:
        """Whether nobody can stand on a cell, for its terrain or because it is off the map."""
        return not (self.holds(cell) and self.is_passable(cell))


def movement_points(agility: int) -> int:
    """SQ-MOVE-1: the movement points of a turn are the current agility at its start.

    Wounds that come later in the turn take none of them away.
    Source: «Количество очков перемещения равно ловкости со всеми модификаторами».
    """
    return agility


def straight_price() -> int:
    """SQ-MOVE-2: a step along a row or column costs 4 movement points.

    Source: «Перемещение по линиям стоит 4 очка».
    """
    return 4


def diagonal_price() -> int:
    """SQ-MOVE-3: a diagonal step costs 6 movement points.

    Source: «по диагонали - 6 очков».
    """
    return 6


def step_price(here: Cell, there: Cell) -> int:
    """What a step to one of the eight neighbours costs in movement points."""
    is_diagonal = here[0] != there[0] and here[1] != there[1]
    return diagonal_price() if is_diagonal else straight_price()


def price_rule(here: Cell, there: Cell) -> str:
    """The rule that sets the price of a step to one of the eight neighbours."""
    [rule] = price_rules(here, (there,))
    return rule


def price_rules(start: Cell, path: Sequence[Cell]) -> tuple[str, ...]:
    """The rules that make the price of a path: of straight steps, of diagonal ones, or both."""
    prices = {step_price(here, there) for here, there in pairwise((start, *path))}
    by_price = ((straight_price(), SQ_MOVE_2), (diagonal_price(), SQ_MOVE_3))
    return tuple(rule for price, rule in by_price if price in prices)


def is_corner_closed(sides_closed: int, corner_rule: CornerRule) -> bool:
    """SQ-MOVE-4: a diagonal step does not lead between two impassable cells.

    `sides_closed` of the two side cells are impassable, 0 to 2; combatants do not count. With
    `corner_rule = any` a single one closes the corner. Default, not in the source text.
    """
    return sides_closed == 2 or (corner_rule == "any" and sides_closed == 1)


def require_enterable(footing: Footing, cell: Cell, step: int) -> None:
    """SQ-MOVE-5: no step into an impassable or an occupied cell.

    Friend and enemy occupy alike; who is down does not. `step` counts from 0. Default, not
    in the source text. Raises Refused("cell_blocked") or ("cell_occupied").
    """
    x, y = cell
    if not footing.is_passable(cell):
        raise Refused("cell_blocked", rule=SQ_MOVE_5, step=step, x=x, y=y)
    if footing.is_occupied(cell):
        raise Refused("cell_occupied", rule=SQ_MOVE_5, step=step, x=x, y=y)


def require_step(footing: Footing, here: Cell, there: Cell, step: int) -> int:
    """All checks of the ground on one step, in order; its price in movement points.

    Raises Refused("out_of_map"), ("not_a_step"), ("cell_blocked"), ("cell_occupied") or
    ("corner_blocked").
    """
    x, y = there
    if not footing.holds(there):
        width, height = footing.width, footing.height
        raise Refused("out_of_map", step=step, x=x, y=y, width=width, height=height)
    if not is_step((x - here[0], y - here[1])):
        raise Refused("not_a_step", step=step, x=x, y=y)
    require_enterable(footing, there, step)
    if is_corner_closed(_sides_closed(footing, here, there), footing.corner_rule):
        raise Refused("corner_blocked", rule=SQ_MOVE_4, step=step, x=x, y=y)
    return step_price(here, there)


def require_points(mp_left: int, price: int, rule: str) -> int:
    """What is left of the movement points after a price; `rule` is the one that sets it.

    Raises Refused("not_enough_mp").
    """
    if price > mp_left:
        raise Refused("not_enough_mp", rule=rule, needed=price, left=mp_left)
    return mp_left - price


def may_step(footing: Footing, here: Cell, there: Cell) -> bool:
    """Whether the ground lets one step to a neighbour pass."""
    return (
        footing.holds(there)
        and footing.is_passable(there)
        and not footing.is_occupied(there)
        and not is_corner_closed(_sides_closed(footing, here, there), footing.corner_rule)
    )


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The eight cells round a cell, row by row."""
    x, y = cell
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dx or dy:
                yield (x + dx, y + dy)


def _sides_closed(footing: Footing, here: Cell, there: Cell) -> int:
    """How many of the two cells beside a diagonal step are impassable; 0 of a straight one."""
    if here[0] == there[0] or here[1] == there[1]:
        return 0
    beside = ((there[0], here[1]), (here[0], there[1]))
    return sum(footing.stops(cell) for cell in beside)
