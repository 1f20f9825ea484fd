"""A second formulation of TD-GEO, TD-COVER, TD-CONC and TD-FLANK, word by word and without haste.

Every line is tried and every feature asked where along the line it is, as exact fractions; nothing
is looked up, nothing is left early. Lengths are cells, a corner is a pair of whole numbers.
"""

import itertools
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

Corner = tuple[int, int]
Cell = tuple[int, int]
MarkKind = Literal["cell", "v", "h"]
Mark = tuple[MarkKind, int, int]
"""A cell, or the border on the west (`v`) or north (`h`) side of a cell."""

NONE: frozenset[Mark] = frozenset()


class Square(NamedTuple):
    """A space: its north-west cell and its size."""

    x: int
    y: int
    size: int = 1

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells of it."""
        span = range(self.size)
        return tuple((self.x + dx, self.y + dy) for dy in span for dx in span)

    @property
    def lattice(self) -> tuple[Corner, ...]:
        """Every corner of every cell, by Y, then X."""
        span = range(self.size + 1)
        return tuple((self.x + dx, self.y + dy) for dy in span for dx in span)

    @property
    def corners(self) -> tuple[Corner, ...]:
        """The four corners of the space, by Y, then X."""
        span = (0, self.size)
        return tuple((self.x + dx, self.y + dy) for dy in span for dx in span)


# --- TD-GEO-4: what a line meets ------------------------------------------------------------------


def crosses(start: Corner, end: Corner, cell: Cell) -> bool:
    """Whether the line has a point in the interior of the cell."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        here, step = start[axis], end[axis] - start[axis]
        if step == 0:
            # A line along the lattice is in the interior of no cell.
            return False
        ends = sorted(Fraction(cell[axis] + side - here, step) for side in (0, 1))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high


def runs_along(start: Corner, end: Corner, axis: str, x: int, y: int) -> bool:
    """Whether the line runs along the border (`v` west, `h` north side) with positive length."""
    across, along = (0, 1) if axis == "v" else (1, 0)
    border = (x, y)
    if start[across] != end[across] or start[across] != border[across]:
        return False
    low, high = sorted((start[along], end[along]))
    return max(low, border[along]) < min(high, border[along] + 1)


def passes(start: Corner, end: Corner, axis: str, x: int, y: int) -> bool:
    """Whether the line goes through the border from one side to the other."""
    across, along = (0, 1) if axis == "v" else (1, 0)
    border = (x, y)
    step = end[across] - start[across]
    if step == 0:
        return False
    when = Fraction(border[across] - start[across], step)
    where = start[along] + when * (end[along] - start[along])
    return 0 < when < 1 and border[along] < where < border[along] + 1


def beside(cell: Cell, start: Corner, end: Corner) -> list[Cell]:
    """The cells across those sides of a cell along which the line runs."""
    x, y = cell
    sides = {("v", x, y): (x - 1, y), ("v", x + 1, y): (x + 1, y)}
    sides |= {("h", x, y): (x, y - 1), ("h", x, y + 1): (x, y + 1)}
    return [other for side, other in sides.items() if runs_along(start, end, *side)]


# --- TD-GEO-5: pinches ----------------------------------------------------------------------------

ROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Directions from a vertex, in turn; the even ones are borders."""


def sectors(vertex: Corner) -> tuple[Mark, ...]:
    """Border, cell, border, cell … round a vertex, from the border to the north."""
    x, y = vertex
    return (
        ("v", x, y - 1),
        ("cell", x, y - 1),
        ("h", x, y),
        ("cell", x, y),
        ("v", x, y),
        ("cell", x - 1, y),
        ("h", x - 1, y),
        ("cell", x - 1, y - 1),
    )


def sector_towards(vertex: Corner, point: Corner) -> int:
    """The sector of the vertex in which a line to the point lies."""
    signs = tuple((b > a) - (b < a) for a, b in zip(vertex, point, strict=True))
    return ROUND.index(signs)


def is_closed(
    vertex: Corner, arrivals: Iterable[int], leaves: Iterable[int], of: set[Mark]
) -> bool:
    """Whether every way from each arrival to each departure has a feature strictly between."""
    marks = sectors(vertex)
    for one, other in itertools.product(arrivals, leaves):
        for turn in (1, -1):
            between = []
            at = one
            while at != other:
                at = (at + turn) % 8
                between.append(marks[at])
            if not any(mark in of for mark in between[:-1]):
                return False
    return True


def inside(vertex: Corner, space: Square) -> list[int]:
    """The sectors of a vertex that are cells of a space."""
    marks = sectors(vertex)
    return [at for at in (1, 3, 5, 7) if (marks[at][1], marks[at][2]) in space.cells]


def vertices_within(start: Corner, end: Corner) -> list[Corner]:
    """The vertices that the line passes between its ends."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    found = []
    for n in range(1, steps):
        x, y = (start[axis] + Fraction(n * (end[axis] - start[axis]), steps) for axis in (0, 1))
        if x.denominator == 1 and y.denominator == 1:
            found.append((int(x), int(y)))
    return found


def pinched(
    start: Corner, end: Corner, of: set[Mark], near: Square | None, far: Square | None
) -> list[Corner]:
    """The vertices at which the line is pinched; no space at an end: none there."""
    found = []
    if start == end:
        if near and far and is_closed(start, inside(start, near), inside(start, far), of):
            found.append(start)
        return found
    if near and is_closed(start, inside(start, near), [sector_towards(start, end)], of):
        found.append(start)
    found += [
        vertex
        for vertex in vertices_within(start, end)
        if is_closed(vertex, [sector_towards(vertex, start)], [sector_towards(vertex, end)], of)
    ]
    if far and is_closed(end, inside(end, far), [sector_towards(end, start)], of):
        found.append(end)
    return found


def met(
    start: Corner,
    end: Corner,
    features: Iterable[Mark],
    near: Square | None,
    far: Square | None,
    *,
    along: bool,
) -> set[Mark]:
    """TD-GEO-4: the features that a line meets."""
    every = set(features)
    found = set()
    for mark in every:
        kind, x, y = mark
        if kind != "cell":
            if passes(start, end, kind, x, y) or runs_along(start, end, kind, x, y):
                found.add(mark)
        elif crosses(start, end, (x, y)) or any(
            along or ("cell", *other) in every for other in beside((x, y), start, end)
        ):
            found.add(mark)
    for vertex in pinched(start, end, every, near, far):
        found |= {mark for mark in sectors(vertex) if mark in every}
    return found


# --- TD-GEO-2, 6, 7 -------------------------------------------------------------------------------


def distance(one: Square, other: Square, *, equal: bool = False, height: int = 0) -> int:
    """Feet between two spaces; `height` is their difference of elevation."""
    cells = []
    for (ax, ay), (bx, by) in itertools.product(one.cells, other.cells):
        low, high = sorted((abs(ax - bx), abs(ay - by)))
        cells.append(high if equal else high + low // 2)
    return max(5 * min(cells), abs(height))


def feet_to(space: Square, mark: Mark, *, equal: bool = False) -> int:
    """Feet from a space to a cell, or to the nearer cell of a border."""
    kind, x, y = mark
    cells = {"cell": [(x, y)], "v": [(x, y), (x - 1, y)], "h": [(x, y), (x, y - 1)]}[kind]
    return min(distance(space, Square(*cell), equal=equal) for cell in cells)


def open_lines(near: Square, far: Square, of: Iterable[Mark]) -> list[tuple[Corner, Corner]]:
    """TD-GEO-6: all lines that nothing of the set interrupts."""
    every = tuple(of)
    return [
        (start, end)
        for start in near.lattice
        for end in far.lattice
        if not met(start, end, every, near, far, along=False)
    ]


def nearest_line(near: Square, far: Square) -> tuple[Corner, Corner]:
    """2.1: the nearest pair of corners."""
    pairs = itertools.product(near.lattice, far.lattice)
    return min(
        pairs,
        key=lambda pair: (
            (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2,
            (pair[0][1], pair[0][0]),
            (pair[1][1], pair[1][0]),
        ),
    )


def through_opposite_sides(
    p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction], space: Square
) -> bool:
    """TD-GEO-7: whether a segment of points crosses the space and meets two opposite sides."""
    low = (space.x, space.y)
    high = (space.x + space.size, space.y + space.size)
    enters, leaves = Fraction(0), Fraction(1)
    for axis in (0, 1):
        step = q[axis] - p[axis]
        if step == 0:
            if not low[axis] < p[axis] < high[axis]:
                return False
            continue
        ends = sorted((side - p[axis]) / step for side in (low[axis], high[axis]))
        enters, leaves = max(enters, ends[0]), min(leaves, ends[1])
    if not enters < leaves:
        return False
    for axis in (0, 1):
        step, other = q[axis] - p[axis], 1 - axis
        if step == 0:
            continue
        whens = [Fraction(side - p[axis]) / step for side in (low[axis], high[axis])]
        wheres = [p[other] + when * (q[other] - p[other]) for when in whens]
        if all(0 <= when <= 1 for when in whens) and all(
            low[other] <= where <= high[other] for where in wheres
        ):
            return True
    return False


def centre(space: Square) -> tuple[Fraction, Fraction]:
    """The centre of a space."""
    half = Fraction(space.size, 2)
    return space.x + half, space.y + half


def flanks(attacker: Square, partner: Square, target: Square, *, any_cell: bool = False) -> bool:
    """TD-FLANK-4 and TD-FLANK-5, without who controls what."""
    starts = [centre(attacker), *(centre(Square(*cell)) for cell in attacker.cells)]
    ends = [centre(partner)]
    if any_cell:
        ends += [centre(Square(*cell)) for cell in partner.cells]
    pairs = itertools.product(starts, ends)
    return any(through_opposite_sides(start, end, target) for start, end in pairs)


# --- TD-COVER, TD-LOW, TD-SOFT --------------------------------------------------------------------


Grade = Literal["partial", "normal", "improved"]


class Covering(NamedTuple):
    """What a feature is as cover: a grade, and its height if it is perhaps a low one."""

    grade: Grade = "normal"
    low_height_ft: int = 0


WORTH = {"partial": (2, 1), "normal": (4, 2), "improved": (8, 4)}
RULES = {"partial": "TD-COVER-5", "normal": "TD-COVER-2", "improved": "TD-COVER-6"}
ORDER = ("TD-COVER-2", "TD-COVER-5", "TD-COVER-6", "TD-LOW-1", "TD-SOFT-1")


class Cover(NamedTuple):
    """The cover of a target, as the attacker's best corner gives it.

    `sources` are the values of all rules met, by rule: AC and Reflex.
    """

    ac: int
    reflex: int
    corner: Corner
    sources: dict[str, tuple[int, int]]
    features: set[Mark]
    creatures: set[int]
    lines_meeting: int


class Table(NamedTuple):
    """What a table has chosen, as far as lines ask."""

    along: bool = True
    equal: bool = False
    line_count: bool = False
    soft_vs_melee: bool = False
    low_range_ft: int = 30


USUAL = Table()


def gives_cover(
    mark: Mark, what: Covering, attacker: Square, target: Square, height_ft: int, table: Table
) -> bool:
    """TD-LOW-1…3: whether a feature that may be a low obstacle gives this target cover."""
    if not what.low_height_ft or 2 * what.low_height_ft > height_ft:
        return True
    behind = feet_to(target, mark, equal=table.equal)
    before = feet_to(attacker, mark, equal=table.equal)
    return behind <= table.low_range_ft and not before < behind


def cover(
    attacker: Square,
    target: Square,
    covering: Mapping[Mark, Covering],
    living: tuple[Square, ...] = (),
    *,
    ranged: bool = True,
    height_ft: int = 6,
    named: Corner | None = None,
    table: Table = USUAL,
) -> Cover:
    """TD-COVER-1…6 for one target; `living` are all other living creatures."""
    effective = {
        mark: what
        for mark, what in covering.items()
        if gives_cover(mark, what, attacker, target, height_ft, table)
    }
    bodies = living if ranged or table.soft_vs_melee else ()
    corners = attacker.lattice if named is None else (named,)
    found = [
        _from_corner(corner, attacker, target, effective, bodies, height_ft, table)
        for corner in corners
    ]
    return min(found, key=lambda each: (each.ac, each.reflex, each.corner[1], each.corner[0]))


def _from_corner(
    corner: Corner,
    attacker: Square,
    target: Square,
    covering: Mapping[Mark, Covering],
    bodies: tuple[Square, ...],
    height_ft: int,
    table: Table,
) -> Cover:
    features: set[Mark] = set()
    creatures: set[int] = set()
    meeting = 0
    for end in target.corners:
        of_line = met(corner, end, covering, attacker, target, along=table.along)
        crossed = {
            n
            for n, body in enumerate(bodies)
            if any(crosses(corner, end, cell) for cell in body.cells)
        }
        meeting += bool(of_line or crossed)
        features |= of_line
        creatures |= crossed
    sources: dict[str, tuple[int, int]] = {}
    for mark in features:
        what = covering[mark]
        is_low = what.low_height_ft and 2 * what.low_height_ft <= height_ft
        rule = "TD-LOW-1" if is_low else RULES[what.grade]
        sources[rule] = max(sources.get(rule, (0, 0)), WORTH[what.grade])
    if creatures:
        sources["TD-SOFT-1"] = (4, 0)
    best = [max((worth[n] for worth in sources.values()), default=0) for n in (0, 1)]
    if table.line_count and meeting == 1:
        best = [min(best[0], 2), min(best[1], 1)]
    return Cover(best[0], best[1], corner, sources, features, creatures, meeting)


# --- TD-CONC --------------------------------------------------------------------------------------


class Concealment(NamedTuple):
    """The degree by lines, from which corner, and what was met."""

    percent: int
    corner: Corner
    features: set[Mark]


def concealment(
    attacker: Square,
    target: Square,
    concealing: Mapping[Mark, int],
    *,
    chosen_by_attacker: bool = False,
    named: Corner | None = None,
    along: bool = True,
) -> Concealment:
    """TD-CONC-2: by lines alone."""
    corners = attacker.lattice if named is None else (named,)
    found = []
    for corner in corners:
        features: set[Mark] = set()
        for end in target.corners:
            features |= met(corner, end, concealing, attacker, target, along=along)
        degree = max((concealing[mark] for mark in features), default=0)
        found.append(Concealment(degree, corner, features))
    sign = 1 if chosen_by_attacker else -1
    return min(found, key=lambda each: (sign * each.percent, each.corner[1], each.corner[0]))


def adjacent_concealment(target: Square, concealing: Mapping[Mark, int]) -> int:
    """TD-CONC-6: the least over the target's cells."""
    return min(concealing.get(("cell", *cell), 0) for cell in target.cells)
