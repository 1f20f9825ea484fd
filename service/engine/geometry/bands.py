"""The members of a set between two squares, for lines too long to be walked.

How this works. A line of 20,000 cells takes tens of milliseconds to walk, and most of the cells it
crosses are free. What it meets is asked of the members instead: of those in the hull of the squares
at its ends, which are few. The members are kept sorted by column, so that each column that has
any gives its part of the hull by bisection.

A member is compared with a line by cross products. With d the line's vector and
f(x, y) = x * d.y - y * d.x, the line is where f has the value t of its start. It crosses what has
vertices on either side: the open interval of the values of a member's vertices holds t.
"""

from bisect import bisect_left
from functools import lru_cache
from typing import Final, NamedTuple

from service.engine.geometry.features import Features, key_of, place_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space

_TILE: Final = 32
"""Lines that begin in one square of so many cells, and end in one, share a band."""


class Band(NamedTuple):
    """Members of a set in the hull of two squares, and those that touch it, sorted by column.

    `crowded` are the vertices that at least two members touch.
    """

    cells: tuple[Cell, ...]
    vertical: tuple[Cell, ...]
    horizontal: tuple[Cell, ...]
    crowded: tuple[Cell, ...]


def band_round(features: Features, start: Cell, end: Cell) -> Band:
    """A band that holds whatever a line between two cells or vertices may meet."""
    return band_between(features, _tile_of(start), _tile_of(end))


@lru_cache(maxsize=64)
def band_between(features: Features, one: Space, other: Space) -> Band:
    """The members that lines between two squares may meet, and no others far from them."""
    if (other.x, other.y) < (one.x, one.y):
        one, other = other, one
    return Band(
        _members_between(features.cells, one, other),
        _members_between(features.vertical, one, other),
        _members_between(features.horizontal, one, other),
        _members_between(features.crowded, one, other),
    )


def _tile_of(cell: Cell) -> Space:
    return Space(cell[0] // _TILE * _TILE, cell[1] // _TILE * _TILE, _TILE)


@lru_cache(maxsize=64)
def _sorted(members: frozenset[int]) -> list[int]:
    """Members by column, then row."""
    return sorted(members)


def _members_between(members: frozenset[int], one: Space, other: Space) -> tuple[Cell, ...]:
    """Members of one kind, column by column; `one` is not to the east of `other`."""
    keys, places = _sorted(members), list[Cell]()
    last = other.x + max(one.size, other.size) + 1
    at = bisect_left(keys, key_of(one.x - 1, -_FARTHEST))
    while at < len(keys):
        x, _ = place_of(keys[at])
        if x > last:
            break
        top, bottom = _rows_of_hull(one, other, x)
        at = bisect_left(keys, key_of(x, top), at)
        end = bisect_left(keys, key_of(x, bottom + 1), at)
        column = key_of(x, 0)
        places += [(x, key - column) for key in keys[at:end]]
        at = bisect_left(keys, key_of(x + 1, -_FARTHEST), end)
    return tuple(places)


_FARTHEST: Final = 30_000
"""More rows than there are in either direction."""


def _rows_of_hull(one: Space, other: Space, x: int) -> tuple[int, int]:
    """The rows that the hull of two squares has in a column, with one more on either side.

    The hull is made of all squares on the way from one to the other.
    """
    size, columns, rows = max(one.size, other.size), other.x - one.x, other.y - one.y
    if not columns:
        first, last = sorted((one.y, other.y))
    else:
        # How far on the way, as a part of `columns`, squares are that touch the column.
        begin = min(max(x - 1 - size - one.x, 0), columns)
        end = min(max(x + 2 - one.x, 0), columns)
        ends = rows * begin // columns, rows * end // columns
        first, last = one.y + min(ends), one.y + max(ends) + 1
    return first - 2, last + size + 2
