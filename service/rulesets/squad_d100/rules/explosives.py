"""SQ-EXP: cargo that explodes, fuel that burns, and how one sets off the other."""

from collections import deque
from collections.abc import Iterable
from typing import Final, Literal

from service.engine.geometry.points import Cell

SQ_EXP_1: Final = "SQ-EXP-1"
SQ_EXP_2: Final = "SQ-EXP-2"
SQ_EXP_3: Final = "SQ-EXP-3"

MOST_EXPLOSIVES: Final = 4096
"""Cells with cargo or fuel that a map may have. Default, not in the source text: one shot may set
off all of them, and what it does is one event.
"""

Explosive = Literal["explosive_cargo", "fuel"]


def does_blast(terrain: str) -> bool:
    """SQ-EXP-1: cargo that is hit or in a blast explodes: a blast of its own, and floor is left.

    Default, not in the source text; «Взрывоопасный груз (E)».
    """
    return terrain == "explosive_cargo"


def burns_beside(terrain: str, distance: int) -> bool:
    """SQ-EXP-2: fuel that is hit or in a blast burns, with floor, reserved and cover next to it.

    `distance` is in cells from the fuel, whose own cell is at 0.
    Default, not in the source text; «Топливо (F)».
    """
    if distance == 0:
        return terrain == "fuel"
    return distance == 1 and terrain in ("floor", "reserved", "cover")


class ExplosionQueue:
    """SQ-EXP-3 as a queue: what a blast touches goes off later, first in, first out, once each."""

    def __init__(self) -> None:
        self._waiting: deque[Cell] = deque()
        self._queued: set[Cell] = set()

    def touch(self, cells: Iterable[Cell]) -> None:
        """Put the objects in these cells into the queue, row by row."""
        for cell in touch_order(each for each in cells if each not in self._queued):
            self._queued.add(cell)
            self._waiting.append(cell)

    def next(self) -> Cell | None:
        """The object that goes off next; None if none is left."""
        return self._waiting.popleft() if self._waiting else None


def touch_order(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """SQ-EXP-3: what one blast touches goes off in row-major order.

    Default, not in the source text.
    """
    return tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))
