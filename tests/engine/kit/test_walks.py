"""Where a walk may end, and what it costs."""

from service.engine.geometry.points import Cell
from service.engine.kit.walks import Reached, Walker, walks_of


def walker(budget: int, *, walls: frozenset[Cell] = frozenset(), longest: int = 40) -> Walker:
    """Somebody at (0, 0) whose second, fourth … diagonal step costs two cells."""

    def may_step(cell: Cell, step: Cell) -> bool:
        return (cell[0] + step[0], cell[1] + step[1]) not in walls

    return Walker(
        start=(0, 0),
        budget=budget,
        longest=longest,
        diagonal_rule="alternating",
        may_step=may_step,
        may_end=(1, 0).__ne__,
    )


def test_on_free_ground_every_cell_costs_its_distance_and_its_path_as_much() -> None:
    found = walks_of(walker(6))
    distances = {
        (x, y): max(abs(x), abs(y)) + min(abs(x), abs(y)) // 2
        for x in range(-6, 7)
        for y in range(-6, 7)
        if (x, y) not in ((0, 0), (1, 0))
    }
    near = {cell: cost for cell, cost in distances.items() if cost <= 6}
    assert {each.cell: each.cost for each in found} == near
    assert [each.cell for each in found] == sorted(near, key=lambda cell: (cell[1], cell[0]))
    assert all(each.path[-1] == each.cell for each in found)
    assert all(len(each.path) == max(abs(each.cell[0]), abs(each.cell[1])) for each in found)


def test_a_walk_goes_round_what_is_in_its_way() -> None:
    wall = frozenset((1, y) for y in range(-2, 2))
    over = {each.cell: each for each in walks_of(walker(4, walls=wall))}
    assert over[2, 1] == Reached(cell=(2, 1), cost=4, path=((0, 1), (1, 2), (2, 1)))
    assert (2, 0) not in over


def test_one_who_is_slow_takes_no_more_steps_than_allowed() -> None:
    found = walks_of(walker(6, longest=1))
    assert [each.cost for each in found] == [1] * 7


def test_nobody_without_a_budget_goes_anywhere() -> None:
    assert walks_of(walker(0)) == ()
