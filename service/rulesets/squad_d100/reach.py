"""Where a combatant could walk to with the movement points it has left.

How this works. Prices are 4 and 6, so the search goes through the costs from 0 up, two points at a
time, and settles all cells of one cost before those of the next. What the duty of the suppressed
forbids depends on the two cells of a step alone, so it is a question about each step.
"""

from collections.abc import Callable
from typing import Final

from service.engine.geometry.points import Cell
from service.engine.kit.walks import Reached
from service.rulesets.squad_d100.rules.movement import (
    Footing,
    may_step,
    neighbours,
    step_price,
    straight_price,
)

MOST_STEPS: Final = 30
"""Straight steps that the walks lead at most that are looked at, however far somebody gets."""

MOST_POINTS: Final = MOST_STEPS * straight_price()
"""Movement points at most of these walks."""


def reachable(
    footing: Footing, start: Cell, mp_left: int, is_allowed: Callable[[Cell, Cell], bool]
) -> tuple[Reached, ...]:
    """Every other cell where a walk for at most so many movement points may end, row by row.

    `is_allowed` says of a step that the ground lets pass whether it may be made.
    """
    budget = min(mp_left, MOST_POINTS)
    costs: dict[Cell, int] = {start: 0}
    before: dict[Cell, Cell] = {}
    rings: list[list[Cell]] = [[] for _ in range(budget + 1)]
    rings[0].append(start)
    for cost in range(0, budget + 1, 2):
        for here in rings[cost]:
            if costs[here] < cost:
                continue
            for there in neighbours(here):
                total = cost + step_price(here, there)
                if total > budget or costs.get(there, total + 1) <= total:
                    continue
                if may_step(footing, here, there) and is_allowed(here, there):
                    costs[there] = total
                    before[there] = here
                    rings[total].append(there)
    ends = sorted(before, key=lambda cell: (cell[1], cell[0]))
    return tuple(Reached(cell=cell, cost=costs[cell], path=_path(before, cell)) for cell in ends)


def _path(before: dict[Cell, Cell], end: Cell) -> tuple[Cell, ...]:
    path = []
    here = end
    while here in before:
        path.append(here)
        here = before[here]
    return tuple(reversed(path))
