"""Where a walk on square cells could end, what it costs, and one cheapest path to each end."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from msgspec import Struct

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.points import Cell

_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))

_Stop = tuple[Cell, int]
"""A cell, and whether an odd number of diagonal steps led to it: the next one may cost two."""


class Reached(Struct, frozen=True, kw_only=True):
    """A cell where a walk may end, its cost in cells, and one cheapest path to it."""

    cell: Cell
    cost: int
    path: tuple[Cell, ...]


class Walker(Struct, frozen=True, kw_only=True):
    """Who walks from `start`: `budget` cells far, in at most `longest` steps.

    `may_step` says whether a step from a cell is possible, `may_end` whether a walk may end there.
    """

    start: Cell
    budget: int
    longest: int
    diagonal_rule: DiagonalRule
    may_step: Callable[[Cell, Cell], bool]
    may_end: Callable[[Cell], bool]


def walks_of(walker: Walker) -> tuple[Reached, ...]:
    """Every other cell where the walk may end, by row and column."""
    costs, ways = _explored(walker)
    best: dict[Cell, _Stop] = {}
    for stop in sorted(costs, key=lambda each: (costs[each], each)):
        best.setdefault(stop[0], stop)
    return tuple(
        Reached(cell=cell, cost=costs[stop], path=_path(ways, stop))
        for cell, stop in sorted(best.items(), key=lambda item: (item[0][1], item[0][0]))
        if costs[stop] and walker.may_end(cell)
    )


def _explored(walker: Walker) -> tuple[dict[_Stop, int], dict[_Stop, _Stop]]:
    """The least cost in cells of every stop, and the stop before it."""
    first: _Stop = (walker.start, 0)
    costs: dict[_Stop, int] = {first: 0}
    ways: dict[_Stop, _Stop] = {}
    steps_from: dict[Cell, tuple[Cell, ...]] = {}
    queue: list[tuple[int, int, _Stop]] = [(0, 0, first)]
    while queue:
        cost, steps, here = heappop(queue)
        if cost > costs[here] or cost >= walker.budget or steps >= walker.longest:
            continue
        if here[0] not in steps_from:
            steps_from[here[0]] = tuple([step for step in _STEPS if walker.may_step(here[0], step)])
        for there, price in _next(walker, here, steps_from[here[0]]):
            total = cost + price
            if total <= walker.budget and total < costs.get(there, total + 1):
                costs[there] = total
                ways[there] = here
                heappush(queue, (total, steps + 1, there))
    return costs, ways


def _next(walker: Walker, here: _Stop, steps: tuple[Cell, ...]) -> Iterator[tuple[_Stop, int]]:
    """The stops that these steps lead to, and what each step costs."""
    cell, odd = here
    is_alternating = walker.diagonal_rule == "alternating"
    for step in steps:
        is_diagonal = 0 not in step
        there = (cell[0] + step[0], cell[1] + step[1])
        yield (
            (there, odd ^ (is_diagonal and is_alternating)),
            1 + (is_diagonal and odd and is_alternating),
        )


def _path(ways: dict[_Stop, _Stop], stop: _Stop) -> tuple[Cell, ...]:
    path = []
    while stop in ways:
        path.append(stop[0])
        stop = ways[stop]
    return tuple(reversed(path))
