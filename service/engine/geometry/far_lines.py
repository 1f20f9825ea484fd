"""All lines between the corners of two spaces far apart, asked of the members near them.

How this works. Along the longer way from one space to the other every line leads to the same side,
so the coordinates are named for it: u grows from one space to the other, v across. Lines of one
vector differ in t, the value of u * dv - v * du at their start. A member closes an open interval of
t (`bands`), and of the lines of one vector those stay that no member closes.

Between the spaces a member is in the way of every line whose t it closes; in the columns of the
spaces themselves only of lines that begin before it and end behind it. Members of the fullest
columns, or rows where lines lead across these, come first: what closes all lines is mostly a wall.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.engine.geometry.bands import band_between
from service.engine.geometry.corner_lines import columns_between, lattice_corners, rows_between
from service.engine.geometry.features import Features, key_of
from service.engine.geometry.points import Cell
from service.engine.geometry.sectors import is_pinched, opposite, sector_towards, sectors_of
from service.engine.geometry.spaces import Space

_AT_FIRST: Final = 64
"""Members that are compared before it is seen which lines are left; four times as many each time
after."""


class _Start(NamedTuple):
    """Where a line begins, and its value t."""

    value: int
    u: int
    v: int


class _Members(NamedTuple):
    """Members of one kind, in the coordinates of the lines.

    `between` are in the way of every line; `at_ends` of those alone that begin `before` columns
    before them or more, and end in a later column.
    """

    between: tuple[Cell, ...]
    at_ends: tuple[Cell, ...]
    before: int


class FarLines:
    """The lines between two spaces with a whole column or row between them."""

    def __init__(self, features: Features, near: Space, far: Space) -> None:
        columns, rows = far.x - near.x, far.y - near.y
        self._is_turned = rows_between(near, far) > columns_between(near, far)
        self._is_back = (rows if self._is_turned else columns) < 0
        self._is_level = 4 * min(abs(columns), abs(rows)) < max(abs(columns), abs(rows))
        self._features = features
        self._spaces = (far, near) if self._is_back else (near, far)
        self._first, self._last = (self._space(space) for space in self._spaces)
        band = band_between(features, near, far)
        kinds = (band.horizontal, band.vertical) if self._is_turned else band[1:3]
        across, beside, cells = (self._places(kind) for kind in (*kinds, band.cells))
        self._crowded = self._places(band.crowded)
        self._cells = self._members(cells, 0)
        self._across = self._members(across, 1)
        self._beside = self._members(beside, 0)
        marked = set(cells)
        pairs = tuple([(u, v) for u, v in cells if (u, v - 1) in marked])
        self._level = self._members((*beside, *pairs), 0)
        self._pinched: dict[tuple[int, Cell], bool] = {}
        self._ends: dict[int, tuple[frozenset[Cell], frozenset[Cell]]] = {}

    def open_along(self, dx: int, dy: int) -> Iterator[tuple[Cell, Cell]]:
        """The lines with this vector that are not interrupted."""
        du, dv = (dy, dx) if self._is_turned else (dx, dy)
        if self._is_back:
            du, dv = -du, -dv
        for _, u, v in self._open_starts(du, dv):
            start, end = self._place((u, v)), self._place((u + du, v + dv))
            yield (end, start) if self._is_back else (start, end)

    def _open_starts(self, du: int, dv: int) -> list[_Start]:
        starts = self._starts(du, dv)
        for members, least, most in self._closing(du, dv):
            starts = _unmet(starts, members, (du, dv), (least, most))
            if not starts:
                return []
        return self._unpinched(starts, du, dv)

    def _closing(self, du: int, dv: int) -> Iterator[tuple[_Members, int, int]]:
        """Members of each kind, and the interval of values that each closes, from its own value."""
        low, high = min(0, dv), max(0, dv)
        yield self._across, -du, 0
        if dv:
            yield self._cells, low - du, high
            yield self._beside, low, high
        else:
            yield self._level, -1, 1

    def _starts(self, du: int, dv: int) -> list[_Start]:
        """The lines of this vector that are not pinched at their ends."""
        leaving, coming = self._pinched_ends(dv)
        (u, v, size), (end_u, end_v, end_size) = self._first, self._last
        return [
            _Start(x * dv - y * du, x, y)
            for x in range(max(u, end_u - du), min(u + size, end_u + end_size - du) + 1)
            for y in range(max(v, end_v - dv), min(v + size, end_v + end_size - dv) + 1)
            if (x, y) not in leaving and (x + du, y + dv) not in coming
        ]

    def _unpinched(self, starts: list[_Start], du: int, dv: int) -> list[_Start]:
        """Those of them whose line passes no pinched vertex."""
        values = {start.value for start in starts}
        passed = [at for at in self._crowded if at[0] * dv - at[1] * du in values]
        for u, v in passed:
            if self._is_pinched((u, v), dv):
                value = u * dv - v * du
                starts = [
                    start
                    for start in starts
                    if start.value != value or not start.u < u < start.u + du
                ]
        return starts

    def _is_pinched(self, vertex: Cell, dv: int) -> bool:
        departure = self._departure(dv)
        known = self._pinched.get((departure, vertex))
        if known is None:
            at = key_of(*self._place(vertex))
            known = is_pinched(self._features, at, (opposite(departure),), (departure,))
            self._pinched[departure, vertex] = known
        return known

    def _pinched_ends(self, dv: int) -> tuple[frozenset[Cell], frozenset[Cell]]:
        """The corners of the two spaces where lines into this sector are pinched."""
        departure = self._departure(dv)
        if departure not in self._ends:
            first, last = self._spaces
            self._ends[departure] = (
                self._pinched_corners(first, departure),
                self._pinched_corners(last, opposite(departure)),
            )
        return self._ends[departure]

    def _pinched_corners(self, space: Space, outward: int) -> frozenset[Cell]:
        """The corners from which no way leads out of the space into a sector."""
        return frozenset(
            self._place(corner)
            for corner in lattice_corners(space)
            if (at := key_of(*corner)) in self._features.crowded
            and is_pinched(self._features, at, sectors_of(space, corner), (outward,))
        )

    def _departure(self, dv: int) -> int:
        return sector_towards(*self._place((1, (dv > 0) - (dv < 0))))

    def _space(self, space: Space) -> Space:
        return Space(*self._place((space.x, space.y)), space.size)

    def _place(self, place: Cell) -> Cell:
        """A place of the map in the coordinates of the lines, or the other way round."""
        return (place[1], place[0]) if self._is_turned else place

    def _places(self, places: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple([(y, x) for x, y in places]) if self._is_turned else places

    def _members(self, places: Sequence[Cell], before: int) -> _Members:
        first, last = self._first.x + self._first.size + before, self._last.x
        between = [at for at in places if first <= at[0] < last]
        at_ends = tuple([at for at in places if not first <= at[0] < last])
        columns, rows = Counter(u for u, _ in between), Counter(v for _, v in between)
        if self._is_level:
            rows.clear()
        between.sort(key=lambda at: -max(columns[at[0]], rows[at[1]]))
        return _Members(tuple(between), at_ends, before)


def _unmet(
    starts: list[_Start], members: _Members, vector: Cell, closed: tuple[int, int]
) -> list[_Start]:
    """Those whose line meets none of the members.

    A member at (u, v) closes the values strictly between u * dv - v * du + each of `closed`.
    """
    du, _ = vector
    at, many = 0, _AT_FIRST
    while at < len(members.between) and starts:
        starts = _left(starts, members.between[at : at + many], vector, closed)
        at, many = at + many, 4 * many
    if not members.at_ends:
        return starts
    left: list[_Start] = []
    for column in sorted({start.u for start in starts}):
        in_the_way = [
            at for at in members.at_ends if column + members.before <= at[0] < column + du
        ]
        here = [start for start in starts if start.u == column]
        left += _left(here, in_the_way, vector, closed)
    return left


def _left(
    starts: list[_Start], places: Sequence[Cell], vector: Cell, closed: tuple[int, int]
) -> list[_Start]:
    if not places:
        return starts
    (du, dv), (least, most) = vector, closed
    values = sorted([u * dv - v * du for u, v in places])
    left: list[_Start] = []
    for start in starts:
        at = bisect_left(values, start.value - least)
        if not at or values[at - 1] <= start.value - most:
            left.append(start)
    return left
