"""Where a combatant could walk to with one action, as far as a viewer knows the ground."""

from collections.abc import Iterator
from heapq import heappop, heappush

from msgspec import Struct

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.geometry.strides import stride
from service.rulesets.crossfire_d6.fighters import occupied_by_others, space_of
from service.rulesets.crossfire_d6.rules.ground import Board, Ground
from service.rulesets.crossfire_d6.rules.movement import Occupied, can_step
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL
from service.rulesets.crossfire_d6.state import BattleState, Combatant
from service.rulesets.crossfire_d6.terrain import FARTHEST

_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))

_Stop = tuple[Cell, int]
"""A cell, and whether an odd number of diagonal steps led to it: the next one may cost two."""


class Reached(Struct, frozen=True, kw_only=True):
    """A cell where a walk may end, what it costs, and one cheapest path to it."""

    cell: Cell
    cost_ft: int
    path: tuple[Cell, ...]


class _Walker(Struct, frozen=True, kw_only=True):
    ground: Ground
    occupied: Occupied
    size: int
    budget: int
    longest: int
    diagonal_rule: DiagonalRule


def reachable(rule: BattleState, board: Board, mover: Combatant) -> tuple[Reached, ...]:
    """Every other cell where the mover may end a walk, by row and column.

    Actions are not looked at.
    """
    budget = mover.speed_ft // FEET_PER_CELL
    walker = _Walker(
        ground=board.ground,
        occupied=occupied_by_others(rule, mover.id),
        size=mover.size,
        budget=budget,
        longest=1 if "prone" in mover.conditions else budget,
        diagonal_rule=rule.options.diagonal_rule,
    )
    start = space_of(mover)
    costs, ways = _explored(walker, (start.x, start.y))
    best: dict[Cell, _Stop] = {}
    for stop in sorted(costs, key=lambda each: (costs[each], each)):
        best.setdefault(stop[0], stop)
    return tuple(
        Reached(cell=cell, cost_ft=FEET_PER_CELL * costs[stop], path=_path(ways, stop))
        for cell, stop in sorted(best.items(), key=lambda item: (item[0][1], item[0][0]))
        if costs[stop] and _is_free(walker, cell)
    )


def _explored(walker: _Walker, start: Cell) -> tuple[dict[_Stop, int], dict[_Stop, _Stop]]:
    """The least cost in cells of every stop, and the stop before it."""
    first: _Stop = (start, 0)
    costs: dict[_Stop, int] = {first: 0}
    ways: dict[_Stop, _Stop] = {}
    queue: list[tuple[int, int, _Stop]] = [(0, 0, first)]
    while queue:
        cost, steps, here = heappop(queue)
        if cost > costs[here] or steps >= walker.longest:
            continue
        for there, price in _next(walker, here):
            total = cost + price
            if total <= walker.budget and total < costs.get(there, total + 1):
                costs[there] = total
                ways[there] = here
                heappush(queue, (total, steps + 1, there))
    return costs, ways


def _next(walker: _Walker, here: _Stop) -> Iterator[tuple[_Stop, int]]:
    (x, y), odd = here
    space = Space(x, y, walker.size)
    for step in _STEPS:
        cell = (x + step[0], y + step[1])
        if max(map(abs, cell)) > FARTHEST or _is_taken(walker, space, step):
            continue
        if not can_step(walker.ground, space, step):
            continue
        is_diagonal = 0 not in step
        price = 1 + (is_diagonal and odd and walker.diagonal_rule == "alternating")
        after = odd ^ (is_diagonal and walker.diagonal_rule == "alternating")
        yield (cell, after), price


def _is_taken(walker: _Walker, space: Space, step: Cell) -> bool:
    return any(
        (space.x + x, space.y + y) in walker.occupied.standing
        for x, y in stride(space.size, step).entered
    )


def _is_free(walker: _Walker, cell: Cell) -> bool:
    return walker.occupied.bodies.isdisjoint(cells_of(Space(*cell, walker.size)))


def _path(ways: dict[_Stop, _Stop], stop: _Stop) -> tuple[Cell, ...]:
    path = []
    while stop in ways:
        path.append(stop[0])
        stop = ways[stop]
    return tuple(reversed(path))
