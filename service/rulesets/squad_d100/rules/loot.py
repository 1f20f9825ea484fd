"""SQ-LOOT: weapons and ammunition that lie on the map."""

from collections.abc import Iterable
from typing import Final

from service.engine.geometry.points import Cell
from service.errors import Refused

SQ_LOOT_1: Final = "SQ-LOOT-1"

MOST_ITEMS: Final = 20
"""Weapons that one carries at most, and kinds of grenades; what is more is left and lost."""


def require_loot(cell: Cell, *, is_loot: bool) -> None:
    """SQ-LOOT-1: whoever stands on weapons and ammunition may pick them up for `pickup_cost`.

    All its weapons are full then, what lies there is added, and the cell is floor.
    Default, not in the source text. Raises Refused("nothing_here").
    """
    if not is_loot:
        raise Refused("nothing_here", rule=SQ_LOOT_1, x=cell[0], y=cell[1])


def free_ids(wanted: Iterable[str], carried: Iterable[str], longest: int) -> tuple[str, ...]:
    """Ids for items that join those carried: one that is taken gets `_2`, `_3` and so on.

    An id of more than `longest` characters loses as many at its end as the suffix needs.
    """
    taken = set(carried)
    given: list[str] = []
    for item in wanted:
        name, count = item, 1
        while name in taken:
            count += 1
            suffix = f"_{count}"
            name = item[: longest - len(suffix)] + suffix
        taken.add(name)
        given.append(name)
    return tuple(given)
