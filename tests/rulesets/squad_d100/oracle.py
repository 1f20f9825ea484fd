"""A second formulation of lines, ways to cover, barred arcs and the zone table, without haste.

A line is asked cell by cell and corner by corner where it passes, as exact fractions; prices of
ways are made cheaper until nothing changes; an arc lies between two rays. Nothing is looked up,
nothing is left early. Rows are those of a printed map, an open door being `/`.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Final, Literal

Cell = tuple[int, int]
Rows = Sequence[str]
CornerRule = Literal["both", "any"]
Metric = Literal["chebyshev", "manhattan", "steps", "euclid"]

STOPS_STEPS: Final = "█|XEFD"
STOPS_SHOTS: Final = "█DX"
STOPS_SIGHT: Final = "█D"

# --- SQ-LOS-1 and SQ-LOS-2: what a line meets -----------------------------------------------------


def span(start: int, end: int, cell: int) -> tuple[Fraction, Fraction]:
    """From which part of the segment to which it is strictly within a column or row.

    Half cells are counted, so that centres are whole: the cell n reaches from 2n - 1 to 2n + 1.
    """
    here, step = 2 * start, 2 * (end - start)
    sides = (2 * cell - 1, 2 * cell + 1)
    if step == 0:
        return (Fraction(0), Fraction(1)) if start == cell else (Fraction(1), Fraction(0))
    first, last = sorted(Fraction(side - here, step) for side in sides)
    return first, last


def is_crossed(start: Cell, end: Cell, cell: Cell) -> bool:
    """Whether the segment between the centres passes through the interior of the cell."""
    spans = [span(start[axis], end[axis], cell[axis]) for axis in (0, 1)]
    first = max(Fraction(0), *(each[0] for each in spans))
    last = min(Fraction(1), *(each[1] for each in spans))
    return first < last


def box(start: Cell, end: Cell) -> Iterator[Cell]:
    """Every cell of the rectangle that the two span."""
    (x1, x2), (y1, y2) = (sorted((start[axis], end[axis])) for axis in (0, 1))
    return ((x, y) for y in range(y1, y2 + 1) for x in range(x1, x2 + 1))


def corners_passed(start: Cell, end: Cell) -> Iterator[tuple[Cell, Cell]]:
    """The two side cells of every corner of the lattice that the segment goes through."""
    (x1, x2), (y1, y2) = (sorted((start[axis], end[axis])) for axis in (0, 1))
    across, down = end[0] - start[0], end[1] - start[1]
    for x in range(x1, x2):
        for y in range(y1, y2):
            # The corner lies half a cell beyond the centre of (x, y), in both directions.
            if across * (2 * y + 1 - 2 * start[1]) == down * (2 * x + 1 - 2 * start[0]):
                falls = across * down > 0
                yield ((x + 1, y), (x, y + 1)) if falls else ((x, y), (x + 1, y + 1))


def is_clear(rows: Rows, start: Cell, end: Cell, stops: str, rule: CornerRule = "both") -> bool:
    """Whether no cell and no corner of the map stops the line."""

    def blocks(cell: Cell) -> bool:
        return rows[cell[1]][cell[0]] in stops

    between = [cell for cell in box(start, end) if cell not in (start, end)]
    if any(blocks(cell) and is_crossed(start, end, cell) for cell in between):
        return False
    needed = 2 if rule == "both" else 1
    return all(sum(map(blocks, sides)) < needed for sides in corners_passed(start, end))


def crossed_cells(start: Cell, end: Cell) -> list[Cell]:
    """Every cell that the line crosses, but for its ends."""
    return [
        cell
        for cell in box(start, end)
        if cell not in (start, end) and is_crossed(start, end, cell)
    ]


def field_of_view(rows: Rows, viewer: Cell, stops: str, rule: CornerRule = "both") -> list[Cell]:
    """Every cell with a clear sight line, row by row."""
    whole = [(x, y) for y, row in enumerate(rows) for x, _ in enumerate(row)]
    return [cell for cell in whole if is_clear(rows, viewer, cell, stops, rule)]


# --- SQ-DIST-1 ------------------------------------------------------------------------------------


def steps_between(dx: int, dy: int) -> int:
    """The least price of a free way, in points, divided by 4."""
    return (6 * min(dx, dy) + 4 * (max(dx, dy) - min(dx, dy))) // 4


METRICS: Final[dict[Metric, Callable[[int, int], int]]] = {
    "chebyshev": max,
    "manhattan": lambda dx, dy: dx + dy,
    "steps": steps_between,
    "euclid": lambda dx, dy: isqrt(dx * dx + dy * dy),
}


def distance(start: Cell, end: Cell, metric: Metric = "chebyshev") -> int:
    """Cells between the two."""
    return METRICS[metric](abs(start[0] - end[0]), abs(start[1] - end[1]))


# --- SQ-SUP-5: ways to cover ----------------------------------------------------------------------


def prices_to_cover(
    rows: Rows, taken: Collection[Cell], rule: CornerRule = "both"
) -> dict[Cell, int]:
    """The least price from every free cell to a free cell of cover; who has no way is left out.

    `taken` are the cells of the others, which nobody enters.
    """

    def is_wall(cell: Cell) -> bool:
        return rows[cell[1]][cell[0]] in STOPS_STEPS

    free = {
        (x, y)
        for y, row in enumerate(rows)
        for x, _ in enumerate(row)
        if not is_wall((x, y)) and (x, y) not in taken
    }
    needed = 2 if rule == "both" else 1
    prices = {(x, y): 0 for x, y in free if rows[y][x] == "x"}
    is_settled = False
    while not is_settled:
        is_settled = True
        for x, y in sorted(free):
            for nx, ny in free & {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}:
                if (nx, ny) not in prices or (nx, ny) == (x, y):
                    continue
                is_diagonal = nx != x and ny != y
                if is_diagonal and sum(map(is_wall, ((nx, y), (x, ny)))) >= needed:
                    continue
                price = prices[nx, ny] + (6 if is_diagonal else 4)
                if price < prices.get((x, y), price + 1):
                    prices[x, y] = price
                    is_settled = False
    return prices


# --- SQ-SUP-4: the barred arc ---------------------------------------------------------------------


def is_within_cone(here: Cell, suppressor: Cell, target: Cell) -> bool:
    """Whether the target lies between the rays 45 degrees to either side of the suppressor."""
    ax, ay = suppressor[0] - here[0], suppressor[1] - here[1]
    bx, by = target[0] - here[0], target[1] - here[1]
    left, right = (ax - ay, ax + ay), (ax + ay, ay - ax)
    after_right = right[0] * by - right[1] * bx >= 0
    before_left = left[1] * bx - left[0] * by >= 0
    return (bx, by) != (0, 0) and after_right and before_left


def is_ahead(here: Cell, suppressor: Cell, target: Cell) -> bool:
    """Whether the target is nearer to the suppressor's end of the line than one's own cell is."""
    # Half-plane: the point mirrored through the own cell is farther away than the target.
    mirrored = (2 * here[0] - suppressor[0], 2 * here[1] - suppressor[1])
    near, far = (
        (target[0] - point[0]) ** 2 + (target[1] - point[1]) ** 2
        for point in (suppressor, mirrored)
    )
    return near < far


# --- SQ-AP: the armour test -----------------------------------------------------------------------

ZONES: Final = ("penetration", "green", "yellow", "red")
TABLE: Final = (
    ("1-50", "51-70", "71-90", "91-100"),
    ("1-40", "41-65", "66-85", "86-100"),
    ("1-30", "31-55", "56-80", "81-100"),
    ("1-20", "21-45", "46-70", "71-100"),
    ("1-10", "11-30", "31-60", "61-100"),
    ("", "1-20", "21-50", "51-100"),
)
"""Section 3.5 as it is printed."""


def swapped(natural: int) -> int:
    """The two digits of a percentile die in the other order, 00 being 100."""
    digits = f"{natural % 100:02}"
    return int(digits[::-1]) or 100


def zone(natural: int, difference: int) -> str:
    """The zone of the table, by the natural die and how much more the armour is."""
    row = TABLE[min(difference, 5)]
    number = swapped(natural)
    for name, bounds in zip(ZONES, row, strict=True):
        if bounds and int(bounds.split("-")[0]) <= number <= int(bounds.split("-")[1]):
            return name
    raise ValueError(natural)
