"""Where the movement points that are left lead."""

from itertools import product
from random import Random

import pytest

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.reach import MOST_POINTS, reachable
from service.rulesets.squad_d100.rules.duty import is_nearer
from service.rulesets.squad_d100.rules.movement import Footing, may_step, step_price


def anywhere(here: Cell, there: Cell) -> bool:
    return True


def drawn(dice: Random, corner_rule: CornerRule) -> Footing:
    """A map of random ground, with somebody here and there."""
    width, height = dice.randint(1, 9), dice.randint(1, 9)
    cells = list(product(range(width), range(height)))
    closed = frozenset(cell for cell in cells if dice.random() < 0.25)
    held = frozenset(cell for cell in cells if dice.random() < 0.1)
    return Footing(
        width=width,
        height=height,
        is_passable=lambda cell: cell not in closed,
        is_occupied=lambda cell: cell in held,
        corner_rule=corner_rule,
    )


def costs_by_hand(footing: Footing, start: Cell, budget: int) -> dict[Cell, int]:
    """Every cell with its least cost: all steps again until nothing gets cheaper."""
    costs = {start: 0}
    is_cheaper = True
    while is_cheaper:
        is_cheaper = False
        for here, (dx, dy) in product(list(costs), product((-1, 0, 1), repeat=2)):
            there = (here[0] + dx, here[1] + dy)
            if there == here or not may_step(footing, here, there):
                continue
            total = costs[here] + step_price(here, there)
            if total <= budget and total < costs.get(there, budget + 1):
                costs[there] = total
                is_cheaper = True
    return {cell: cost for cell, cost in costs.items() if cell != start}


@pytest.mark.parametrize("seed", range(60))
def test_every_cell_in_reach_is_found_at_its_least_cost(seed: int) -> None:
    dice = Random(seed)
    footing = drawn(dice, dice.choice(("both", "any")))
    start = (dice.randrange(footing.width), dice.randrange(footing.height))
    budget = dice.randint(0, 40)
    walks = reachable(footing, start, budget, anywhere)
    assert {walk.cell: walk.cost for walk in walks} == costs_by_hand(footing, start, budget)
    for walk in walks:
        here, cost = start, 0
        for there in walk.path:
            assert may_step(footing, here, there)
            here, cost = there, cost + step_price(here, there)
        assert (here, cost) == (walk.cell, walk.cost)


def test_a_walk_under_the_duty_comes_nearer_with_every_step() -> None:
    footing = Footing(
        width=5,
        height=1,
        is_passable=lambda cell: True,
        is_occupied=lambda cell: False,
        corner_rule="both",
    )
    field = {(x, 0): 4 * (4 - x) for x in range(5)}.get
    walks = reachable(footing, (2, 0), 100, lambda here, there: is_nearer(field, here, there))
    assert [walk.cell for walk in walks] == [(3, 0), (4, 0)]


def test_no_more_than_thirty_cells_are_looked_at() -> None:
    footing = Footing(
        width=256,
        height=1,
        is_passable=lambda cell: True,
        is_occupied=lambda cell: False,
        corner_rule="both",
    )
    assert len(reachable(footing, (0, 0), MOST_POINTS - 1, anywhere)) == 29
    assert len(reachable(footing, (0, 0), 1000, anywhere)) == 30
