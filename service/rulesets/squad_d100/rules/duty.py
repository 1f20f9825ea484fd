"""SQ-SUP-5: what a suppressed combatant must do in the turn that is due.

How this works. A `CoverField` says of a cell the least price in movement points of a way from it
to cover; None where no cover can be reached. A combatant without a suppression that is due has no
field and no duty.
"""

from collections.abc import Callable, Iterable
from typing import Final

from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.movement import (
    Footing,
    may_step,
    neighbours,
    step_price,
)

SQ_SUP_5: Final = "SQ-SUP-5"

CoverField = Callable[[Cell], int | None]
"""The price of the nearest cover from a cell; 0 in cover."""


def price_of_leaving(field: CoverField, footing: Footing, cell: Cell) -> int | None:
    """The price of the nearest cover from a cell that nobody can enter, such as a wall.

    The first step is any that leads out of it; none leads back, so that the field has no way
    through it.
    """
    prices = [
        step_price(cell, there) + price
        for there in neighbours(cell)
        if may_step(footing, cell, there) and (price := field(there)) is not None
    ]
    return min(prices, default=None)


def is_nearer(field: CoverField | None, here: Cell, there: Cell) -> bool:
    """Whether the duty to seek cover lets a step pass; without a duty it lets all of them."""
    if field is None:
        return True
    before, after = field(here), field(there)
    return not before or (after is not None and after < before)


def require_nearer_cover(field: CoverField | None, here: Cell, there: Cell, step: int) -> None:
    """SQ-SUP-5: every step of a suppressed combatant makes the way to cover strictly shorter.

    In cover, and where none can be reached, there is no duty. Raises Refused("must_seek_cover").
    Source: «и обязана двигаться к ближайшему укрытию».
    """
    if not is_nearer(field, here, there):
        raise Refused("must_seek_cover", rule=SQ_SUP_5, step=step, x=there[0], y=there[1])


def require_no_further_step(
    field: CoverField | None,
    here: Cell,
    steps: Iterable[Cell],
    mp_left: int,
    standing_price: int,
) -> None:
    """The movement phase does not end while a step nearer to cover can be paid.

    `steps` are the cells that the ground lets be entered from `here`; `standing_price` is to be
    paid before, 0 if nothing is. Raises Refused("must_seek_cover").
    """
    if field is None or not field(here):
        return
    for there in steps:
        price = standing_price + step_price(here, there)
        if price <= mp_left and is_nearer(field, here, there):
            raise Refused("must_seek_cover", rule=SQ_SUP_5, x=here[0], y=here[1], left=mp_left)
