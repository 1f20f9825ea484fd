"""Prices of ways over square cells, held against a plain relaxation."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.cell_board import CellBoard, board_of_rows, is_marked, is_on_board
from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.engine.geometry.price_field import StepPrices, price_at, price_field

PRICES = StepPrices(4, 6)
SIZES = st.tuples(st.integers(1, 8), st.integers(1, 8))
BOARDS = SIZES.flatmap(
    lambda size: st.builds(
        lambda cells: CellBoard(*size, bytes(cells)),
        st.lists(
            st.sampled_from((0, 0, 1)), min_size=size[0] * size[1], max_size=size[0] * size[1]
        ),
    )
)


def cells_of(board: CellBoard) -> list[Cell]:
    return [(x, y) for y in range(board.height) for x in range(board.width)]


def steps(
    board: CellBoard, occupied: frozenset[Cell], corner_rule: CornerRule, cell: Cell
) -> Iterator[tuple[Cell, int]]:
    """The steps from a cell, each with its price."""
    x, y = cell
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            there = (x + dx, y + dy)
            if there == cell or not is_on_board(board, there) or there in occupied:
                continue
            if is_marked(board, there):
                continue
            sides = [is_marked(board, side) for side in ((x + dx, y), (x, y + dy))]
            if dx and dy and (all(sides) if corner_rule == "both" else any(sides)):
                continue
            yield there, 6 if dx and dy else 4


def relaxed(
    board: CellBoard, occupied: frozenset[Cell], goals: frozenset[Cell], corner_rule: CornerRule
) -> dict[Cell, int]:
    """The least prices from each cell to a goal, by going over all cells until nothing changes."""
    prices = {
        goal: 0
        for goal in goals
        if goal not in occupied and is_on_board(board, goal) and not is_marked(board, goal)
    }
    changed = True
    while changed:
        changed = False
        for cell in cells_of(board):
            if cell in occupied or is_marked(board, cell):
                continue
            for there, price in steps(board, occupied, corner_rule, cell):
                total = prices.get(there, 10_000) + price
                if total < prices.get(cell, 10_000):
                    prices[cell] = total
                    changed = True
    return prices


@given(BOARDS, st.data(), st.sampled_from(("both", "any")))
def test_prices_are_those_of_a_plain_relaxation(
    board: CellBoard, data: st.DataObject, corner_rule: CornerRule
) -> None:
    cells = cells_of(board)
    occupied = data.draw(st.frozensets(st.sampled_from(cells), max_size=5))
    goals = data.draw(st.frozensets(st.sampled_from(cells), max_size=5))
    expected = relaxed(board, occupied, goals, corner_rule)
    field = price_field(board, occupied, goals, PRICES, corner_rule)
    assert {cell: price_at(field, cell) for cell in cells} == {
        cell: expected.get(cell) for cell in cells
    }
    wanted = data.draw(st.frozensets(st.sampled_from(cells), max_size=3))
    early = price_field(board, occupied, goals, PRICES, corner_rule, wanted)
    assert [price_at(early, cell) for cell in wanted] == [expected.get(cell) for cell in wanted]
    assert all(price_at(early, cell) in (None, expected.get(cell)) for cell in cells)


@pytest.mark.parametrize(("corner_rule", "price"), [("both", 6), ("any", 8)])
def test_a_corner_is_cut_past_one_blocked_cell_by_the_rule(
    corner_rule: CornerRule, price: int
) -> None:
    board = board_of_rows([".#", ".."], "#")
    field = price_field(board, (), [(1, 1)], PRICES, corner_rule)
    assert price_at(field, (0, 0)) == price


def test_somebody_in_the_way_closes_no_corner() -> None:
    board = board_of_rows(["..", ".."], "#")
    field = price_field(board, [(1, 0), (0, 1)], [(1, 1)], PRICES, "any")
    assert [price_at(field, cell) for cell in cells_of(board)] == [6, None, None, 0]


def test_a_search_ends_when_all_wanted_cells_are_settled() -> None:
    board = board_of_rows(["." * 40], "#")
    field = price_field(board, (), [(0, 0)], PRICES, "both", [(3, 0), (2, 0)])
    assert [price_at(field, (x, 0)) for x in (0, 2, 3, 4, 39)] == [0, 8, 12, None, None]
