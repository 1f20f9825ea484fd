"""What the cheapest way from each cell to the nearest of several goals costs.

How this works. One search runs outward from all goals together. Prices are small whole numbers,
so the cells that are due stand in a ring of buckets, one for each price up to that of the dearest
step; the ring is read bucket by bucket. A step back costs what the step costs, and the corner rule
is the same from both ends, so ways from the goals are ways to them. The search ends when all
wanted cells are settled. The board is laid into one with an edge of blocked cells, which saves
asking whether a neighbour is on it.

`kit.walks` answers what one walker can reach within a budget, with the paths; here are prices
alone, over a whole map.
"""

from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

from service.engine.geometry.cell_board import MARK, CellBoard
from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell

_FAR: Final = 1 << 30
"""The price of a cell to which no way was found yet."""

_BLOCKED: Final = -1
"""The price of a cell on which nobody can stand: no way to it is cheaper."""


class StepPrices(Struct, frozen=True, gc=False):
    """What a step along a row or column and a diagonal one cost, each at least 1."""

    straight: int
    diagonal: int


class PriceField(Struct, frozen=True):
    """The least price from each cell to a goal. `limit` is the greatest that was searched.

    `prices` has the rows of the board, each one cell longer, behind a row of its edge.
    """

    width: int
    limit: int
    prices: tuple[int, ...]


def price_at(field: PriceField, cell: Cell) -> int | None:
    """The least price from a cell of the board to a goal.

    None where no way leads to one, and where the search ended before it came there.
    """
    price = field.prices[_index(field.width, cell)]
    return price if 0 <= price <= field.limit else None


def price_field(
    impassable: CellBoard,
    occupied: Collection[Cell],
    goals: Collection[Cell],
    step_prices: StepPrices,
    corner_rule: CornerRule,
    wanted: Collection[Cell] | None = None,
) -> PriceField:
    """The prices from all cells, or at least from the `wanted` ones, to the nearest goal.

    Nobody stands on an `impassable` or an `occupied` cell, goals included; only the former close
    corners. All cells are on the board.
    """
    walls = _edged(impassable)
    prices = [_BLOCKED if wall else _FAR for wall in walls]
    for cell in occupied:
        prices[_index(impassable.width, cell)] = _BLOCKED
    first = [_index(impassable.width, cell) for cell in goals]
    due = [at for at in first if prices[at] != _BLOCKED]
    for at in due:
        prices[at] = 0
    unsettled = None
    if wanted is not None:
        indices = {_index(impassable.width, cell) for cell in wanted}
        unsettled = {at for at in indices if prices[at] != _BLOCKED}
    limit = 0
    for price, settled in _settled(
        prices, due, walls, impassable.width + 1, step_prices, corner_rule
    ):
        limit = price
        if unsettled is not None:
            unsettled.difference_update(settled)
            if not unsettled:
                break
    return PriceField(impassable.width, limit, tuple(prices))


def _index(width: int, cell: Cell) -> int:
    return (cell[1] + 1) * (width + 1) + cell[0]


def _edged(board: CellBoard) -> bytes:
    """The board with a marked cell behind each row, a marked row above and one below."""
    width, edge = board.width, b"\1"
    rows = [board.cells[at : at + width] for at in range(0, len(board.cells), width)]
    return b"".join([edge * (width + 1), *(row + edge for row in rows), edge * (width + 1)])


def _settled(
    prices: list[int],
    due: list[int],
    walls: bytes,
    width: int,
    step_prices: StepPrices,
    corner_rule: CornerRule,
) -> Iterator[tuple[int, list[int]]]:
    """Each price in turn with the cells that have it; their neighbours are priced afterwards."""
    straight, diagonal = step_prices.straight, step_prices.diagonal
    size = max(straight, diagonal) + 1
    closed = 2 * MARK if corner_rule == "both" else MARK
    ring: list[list[int]] = [[] for _ in range(size)]
    ring[0] = due
    price, empty = 0, 0
    while empty < size:
        settled = [at for at in ring[price % size] if prices[at] == price]
        ring[price % size] = []
        empty = 0 if settled else empty + 1
        if settled:
            yield price, settled
        beside, across = ring[(price + straight) % size], ring[(price + diagonal) % size]
        for at in settled:
            for step in (-width, -1, 1, width):
                there = at + step
                if prices[there] > price + straight:
                    prices[there] = price + straight
                    beside.append(there)
            for down in (-width, width):
                for aside in (-1, 1):
                    there = at + down + aside
                    if (
                        prices[there] > price + diagonal
                        and walls[at + down] + walls[at + aside] < closed
                    ):
                        prices[there] = price + diagonal
                        across.append(there)
        price += 1
