"""What a line meets that is too long to be walked, asked of the members near it.

The rules are those of `lines` and `corner_lines`; `bands` says how members are found and compared.
A line is a point and a vector in doubled coordinates: to the east, or straight to the south.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.engine.geometry.bands import Band, band_round
from service.engine.geometry.features import Feature, Features, key_of
from service.engine.geometry.points import Cell

LONGEST_WALK: Final = 64
"""The longest line, in columns or rows, that is walked; longer ones ask the members."""

_AT_ONCE: Final = 64
"""Members that are compared before it is seen whether any of them is met."""


class _Window(NamedTuple):
    """Where the places of one kind are that a line crosses.

    `least` <= x * dy - y * dx < `bound`, columns and rows likewise.
    """

    least: int
    bound: int
    west: int
    east: int
    north: int
    south: int


def is_long(dx: int, dy: int) -> bool:
    """Whether a line with this vector, in doubled coordinates, is too long to be walked."""
    return not -2 * LONGEST_WALK <= dx <= 2 * LONGEST_WALK or not (
        -2 * LONGEST_WALK <= dy <= 2 * LONGEST_WALK
    )


def features_crossed(features: Features, x: int, y: int, dx: int, dy: int) -> list[Feature]:
    """The cells whose interior the line crosses and the borders that it crosses."""
    band = _band(features, x, y, dx, dy)
    return [
        *(Feature("cell", *at) for at in _within(band.cells, dx, dy, _cells(x, y, dx, dy))),
        *(Feature("V", *at) for at in _within(band.vertical, dx, dy, _vertical(x, y, dx, dy))),
        *(Feature("H", *at) for at in _within(band.horizontal, dx, dy, _horizontal(x, y, dx, dy))),
    ]


def is_any_crossed(features: Features, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether the line crosses a member of the set."""
    band = _band(features, x, y, dx, dy)
    return (
        _is_any_within(band.cells, dx, dy, _cells(x, y, dx, dy))
        or _is_any_within(band.vertical, dx, dy, _vertical(x, y, dx, dy))
        or _is_any_within(band.horizontal, dx, dy, _horizontal(x, y, dx, dy))
    )


def features_along(
    features: Features, start: Cell, end: Cell
) -> tuple[list[Feature], list[Feature]]:
    """The borders that a line between vertices of one column or row runs along.

    And the cells beside them, on either side. The line runs to the east or to the south.
    """
    (x, y), (u, v) = start, end
    band = band_round(features, start, end)
    if x == u:
        borders = [Feature("V", *at) for at in band.vertical if at[0] == x and y <= at[1] < v]
        cells = [at for at in band.cells if x - 1 <= at[0] <= x and y <= at[1] < v]
    else:
        borders = [Feature("H", *at) for at in band.horizontal if at[1] == y and x <= at[0] < u]
        cells = [at for at in band.cells if y - 1 <= at[1] <= y and x <= at[0] < u]
    return borders, [Feature("cell", *at) for at in cells]


def crowded_inside(features: Features, x: int, y: int, dx: int, dy: int) -> list[int]:
    """The keys of the crowded vertices strictly inside the line."""
    band = _band(features, x, y, dx, dy)
    value, odd = divmod(x * dy - y * dx, 2)
    if odd or not band.crowded:
        return []
    columns = _passed(x, dx) if dx else (x >> 1, (x >> 1) + 1)
    rows = _passed(y, dy) if dy else (y >> 1, (y >> 1) + 1)
    window = _Window(value, value + 1, *columns, *rows)
    return [key_of(*at) for at in _within(band.crowded, dx, dy, window)]


def _band(features: Features, x: int, y: int, dx: int, dy: int) -> Band:
    return band_round(features, (x >> 1, y >> 1), ((x + dx) >> 1, (y + dy) >> 1))


def _within(places: Sequence[Cell], dx: int, dy: int, window: _Window) -> list[Cell]:
    least, bound, west, east, north, south = window
    return [
        (x, y)
        for x, y in places
        if least <= x * dy - y * dx < bound and west <= x < east and north <= y < south
    ]


def _is_any_within(places: Sequence[Cell], dx: int, dy: int, window: _Window) -> bool:
    return any(
        _within(places[at : at + _AT_ONCE], dx, dy, window)
        for at in range(0, len(places), _AT_ONCE)
    )


def _cells(x: int, y: int, dx: int, dy: int) -> _Window:
    """The cells whose open interior the line crosses."""
    value, fall = x * dy - y * dx, 2 * dy
    least, bound = _between(value - max(0, fall), value - min(0, fall) + 2 * dx)
    return _Window(least, bound, *_touched(x, dx), *_touched(y, dy))


def _vertical(x: int, y: int, dx: int, dy: int) -> _Window:
    """The borders whose open side the line crosses from west to east."""
    value = x * dy - y * dx
    least, bound = _between(value, value + 2 * dx)
    return _Window(least, bound, *_passed(x, dx), *_touched(y, dy))


def _horizontal(x: int, y: int, dx: int, dy: int) -> _Window:
    """The borders whose open side the line crosses from north to south, or the other way."""
    value, fall = x * dy - y * dx, 2 * dy
    least, bound = _between(value - max(0, fall), value - min(0, fall))
    return _Window(least, bound, *_touched(x, dx), *_passed(y, dy))


def _between(low: int, high: int) -> tuple[int, int]:
    """The numbers whose doubles lie strictly between two, as a range."""
    return low // 2 + 1, -(-high // 2)


def _touched(start: int, way: int) -> tuple[int, int]:
    """The columns or rows of cells of which the line has more than a point, as a range."""
    return min(start, start + way) >> 1, (max(start, start + way) + 1) >> 1


def _passed(start: int, way: int) -> tuple[int, int]:
    """The columns or rows of vertices strictly inside the line, as a range."""
    return (min(start, start + way) >> 1) + 1, (max(start, start + way) + 1) >> 1
