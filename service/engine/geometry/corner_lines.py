"""What a straight line between two lattice vertices meets.

How this works. A vertex is written as the cell it is the north-west corner of. A line meets the
cells of a set whose interior it crosses and the borders it crosses, as `lines` says, and beside
them the borders it runs along. A cell along whose side it runs is met if such contact counts
(`along`), or else only if the cells on both sides of it belong to the set. A single common point is
no part of a line.

Pinched vertices (`sectors`) are met with everything round them. At its first vertex a line arrives
from the cells of the space that it leaves, at its last vertex it departs into the cells of the
space that it comes to: so a corner that lies on a wall does not open the far side of the wall,
while the free end of a wall does. A line of length zero goes from the one's cells to the other's,
and meets by this alone.

What a line crosses, passes and runs along depends on its vector: it is worked out once and moved.
A line that is too long for that asks the members near it instead (`long_lines`).
A line and its reverse are the same line and meet the same.
"""

from functools import lru_cache
from typing import NamedTuple

from service.engine.geometry import long_lines
from service.engine.geometry.bands import band_between
from service.engine.geometry.features import (
    Feature,
    FeatureKeys,
    Features,
    features_within,
    is_any_on,
    key_of,
    place_of,
)
from service.engine.geometry.lines import walk
from service.engine.geometry.long_lines import LONGEST_WALK
from service.engine.geometry.points import Cell
from service.engine.geometry.sectors import (
    features_round,
    is_pinched,
    opposite,
    sector_towards,
    sectors_of,
)
from service.engine.geometry.spaces import Space


class CornerLine(NamedTuple):
    """A line between vertices, relative to the first of them by column, then row.

    `crossed` has the borders that it runs along, too. `beside` are the cells to the south or east
    of these, `across` is the way from such a cell to the one on the other side; `touched` is
    `crossed` and all these cells. `vertices` lie strictly inside; `arrival` is the sector from
    which the line comes to them and to its end.
    """

    crossed: FeatureKeys
    touched: FeatureKeys
    beside: tuple[int, ...]
    across: int
    vertices: tuple[int, ...]
    arrival: int


def corners_of(space: Space) -> tuple[Cell, ...]:
    """The four corners of a space, by row, then column."""
    x, y, size = space
    return (x, y), (x + size, y), (x, y + size), (x + size, y + size)


def lattice_corners(space: Space) -> tuple[Cell, ...]:
    """The corners of all cells of a space, (size + 1) squared, by row, then column."""
    columns = range(space.x, space.x + space.size + 1)
    rows = range(space.y, space.y + space.size + 1)
    return tuple((x, y) for y in rows for x in columns)


def features_on(
    features: Features,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
    *,
    along: bool,
) -> tuple[Feature, ...]:
    """The members of the set that the line meets, sorted.

    `near` is the space that the line leaves at `start`, `far` the one that it comes to at `end`;
    without one nothing is pinched at that vertex. `along`: running along a side of a cell counts.
    """
    if end < start:
        start, end, near, far = end, start, far, near
    more: list[Feature] = []
    if _is_long(start, end):
        met = tuple(sorted(_met_on_long(features, start, end, along=along)))
        pinched = _pinched_on_long(features, start, end, near, far)
    else:
        line = corner_line(end[0] - start[0], end[1] - start[1])
        met = features_within(features, line.touched if along else line.crossed, start)
        if not along:
            between = _between(features, line, key_of(*start))
            more += [Feature("cell", *place_of(cell)) for cell in between]
        pinched = _pinched_on(features, line, start, end, near, far)
    for vertex in pinched:
        more += features_round(features, vertex)
    return tuple(sorted({*met, *more})) if more else met


def is_met(
    features: Features,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
    *,
    along: bool,
) -> bool:
    """Whether the line meets any member of the set; quicker than `features_on`."""
    if end < start:
        start, end, near, far = end, start, far, near
    if _is_long(start, end):
        return _is_long_met(features, start, end, along=along) or bool(
            _pinched_on_long(features, start, end, near, far)
        )
    line = corner_line(end[0] - start[0], end[1] - start[1])
    return (
        is_any_on(features, line.touched if along else line.crossed, start)
        or (not along and bool(_between(features, line, key_of(*start))))
        or bool(_pinched_on(features, line, start, end, near, far))
    )


def features_crossed(features: Features, start: Cell, end: Cell) -> tuple[Feature, ...]:
    """The marked cells whose interior the line crosses, sorted: no contact, no pinch, no border."""
    if end < start:
        start, end = end, start
    if _is_long(start, end):
        crossed = long_lines.features_crossed(features, *_doubled(start, end))
        return tuple(sorted([each for each in crossed if each.kind == "cell"]))
    line = corner_line(end[0] - start[0], end[1] - start[1])
    return features_within(features, FeatureKeys(cells=line.crossed.cells), start)


def are_far_apart(near: Space, far: Space) -> bool:
    """Whether every line between two spaces is too long to be walked."""
    return max(columns_between(near, far), rows_between(near, far)) > LONGEST_WALK


def columns_between(near: Space, far: Space) -> int:
    """The columns between two spaces; negative where they share some."""
    return max(far.x - near.x - near.size, near.x - far.x - far.size)


def rows_between(near: Space, far: Space) -> int:
    """The rows between two spaces; negative where they share some."""
    return max(far.y - near.y - near.size, near.y - far.y - far.size)


def has_features_between(features: Features, near: Space, far: Space) -> bool:
    """Whether a member lies in the rectangle round both spaces or touches it.

    If not, no line between their corners meets anything. Of spaces far apart it is asked whether
    one lies near any line between them.
    """
    if are_far_apart(near, far):
        return any(band_between(features, near, far))
    left, top = min(near.x, far.x), min(near.y, far.y)
    right = max(near.x + near.size, far.x + far.size)
    bottom = max(near.y + near.size, far.y + far.size)
    return any(
        not members.isdisjoint(range(key_of(x, first), key_of(x, bottom) + 1))
        for members, before, first in (
            (features.cells, left - 1, top - 1),
            (features.vertical, left, top - 1),
            (features.horizontal, left - 1, top),
        )
        if members
        for x in range(before, right + 1)
    )


@lru_cache(maxsize=16384)
def corner_line(dx: int, dy: int) -> CornerLine:
    """The line with this vector, which does not point to the west, nor straight to the north."""
    crossed, vertices, arrival = walk(0, 0, 2 * dx, 2 * dy)
    beside: tuple[int, ...] = ()
    across = key_of(-1, 0) if dx == 0 else key_of(0, -1)
    if dx == 0:
        beside = tuple(key_of(0, y) for y in range(dy))
        crossed = FeatureKeys(vertical=beside)
    elif dy == 0:
        beside = tuple(key_of(x, 0) for x in range(dx))
        crossed = FeatureKeys(horizontal=beside)
    touched = crossed._replace(
        cells=(*crossed.cells, *beside, *(cell + across for cell in beside)),
    )
    return CornerLine(crossed, touched, beside, across, vertices, arrival)


def _is_long(start: Cell, end: Cell) -> bool:
    return abs(end[0] - start[0]) > LONGEST_WALK or abs(end[1] - start[1]) > LONGEST_WALK


def _doubled(start: Cell, end: Cell) -> tuple[int, int, int, int]:
    (x, y), (u, v) = start, end
    return 2 * x, 2 * y, 2 * (u - x), 2 * (v - y)


def _met_on_long(features: Features, start: Cell, end: Cell, *, along: bool) -> list[Feature]:
    """What a long line meets but for pinched vertices."""
    if start[0] != end[0] and start[1] != end[1]:
        return long_lines.features_crossed(features, *_doubled(start, end))
    borders, cells = long_lines.features_along(features, start, end)
    return [*borders, *(cells if along else _on_both_sides(cells, start, end))]


def _is_long_met(features: Features, start: Cell, end: Cell, *, along: bool) -> bool:
    if start[0] != end[0] and start[1] != end[1]:
        return long_lines.is_any_crossed(features, *_doubled(start, end))
    return bool(_met_on_long(features, start, end, along=along))


def _on_both_sides(cells: list[Feature], start: Cell, end: Cell) -> list[Feature]:
    """Of the cells beside a column or row of borders those with the one on the other side."""
    (x, y), marked = start, set(cells)
    if start[0] == end[0]:
        return [each for each in cells if each._replace(x=2 * x - 1 - each.x) in marked]
    return [each for each in cells if each._replace(y=2 * y - 1 - each.y) in marked]


def _between(features: Features, line: CornerLine, at: int) -> list[int]:
    """The cells of the set between which the line runs, both of each pair."""
    marked = features.cells
    if not marked or not line.beside:
        return []
    pairs = ((at + cell, at + cell + line.across) for cell in line.beside)
    return [cell for pair in pairs if marked.issuperset(pair) for cell in pair]


def _pinched_on_long(
    features: Features, start: Cell, end: Cell, near: Space | None, far: Space | None
) -> list[Cell]:
    """The pinched vertices of a long line, its ends included."""
    if not features.crowded:
        return []
    passed = long_lines.crowded_inside(features, *_doubled(start, end))
    arrival = opposite(sector_towards(end[0] - start[0], end[1] - start[1]))
    return _pinched_among(features, passed, arrival, start, end, near, far)


def _pinched_on(
    features: Features,
    line: CornerLine,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
) -> list[Cell]:
    """The pinched vertices of the line, its ends included."""
    crowded, at = features.crowded, key_of(*start)
    if not crowded:
        return []
    passed = [at + vertex for vertex in line.vertices if at + vertex in crowded]
    return _pinched_among(features, passed, line.arrival, start, end, near, far)


def _pinched_among(
    features: Features,
    passed: list[int],
    arrival: int,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
) -> list[Cell]:
    """Those of the crowded vertices inside a line that are pinched, and its ends if they are."""
    crowded, at, to = features.crowded, key_of(*start), key_of(*end)
    starts, ends = near is not None and at in crowded, far is not None and to in crowded
    if not (passed or starts or ends):
        return []
    arrivals, departures = (arrival,), (opposite(arrival),)
    leaving = sectors_of(near, start) if near is not None else ()
    coming = sectors_of(far, end) if far is not None else ()
    if at == to:
        is_closed = starts and ends and is_pinched(features, at, leaving, coming)
        return [start] if is_closed else []
    pinched = [
        place_of(vertex) for vertex in passed if is_pinched(features, vertex, arrivals, departures)
    ]
    if starts and is_pinched(features, at, leaving, departures):
        pinched.append(start)
    if ends and is_pinched(features, to, arrivals, coming):
        pinched.append(end)
    return pinched
