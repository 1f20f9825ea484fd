"""Sets of marked cells and borders (walls, cover, smoke), made for fast membership.

How this works. A cell or border is kept as one whole number, x * 65536 + y, so that moving a
shape by a number of cells is one addition. Shapes (what a line crosses, what surrounds a space)
are worked out once round the origin, cached, and moved to where they are asked about.
Sets serve membership only: whatever leaves this module is sorted.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, has_cell

_STRIDE_BITS = 16
_HALF = 1 << (_STRIDE_BITS - 1)
_MASK = (1 << _STRIDE_BITS) - 1

BorderSide = Literal["H", "V"]
"""`V` at (x, y) is the west side of that cell, `H` its north side."""

Border = tuple[BorderSide, int, int]
"""A unit side of a cell."""


class Feature(NamedTuple):
    """A marked cell (`cell`) or border (`H`, `V`) at (x, y)."""

    kind: Literal["H", "V", "cell"]
    x: int
    y: int


class FeatureKeys(NamedTuple):
    """Cells and borders relative to an origin, as keys."""

    cells: tuple[int, ...] = ()
    vertical: tuple[int, ...] = ()
    horizontal: tuple[int, ...] = ()


class Features(Struct, frozen=True, kw_only=True):
    """A set of marked cells and borders; make it with `features_of`.

    `crowded` are the vertices that at least two members touch: only these can be pinched.
    """

    cells: frozenset[int] = frozenset()
    vertical: frozenset[int] = frozenset()
    horizontal: frozenset[int] = frozenset()
    crowded: frozenset[int] = frozenset()


def key_of(x: int, y: int) -> int:
    """The key of a cell, border or vertex; |x| and |y| below 32,768. Keys add like vectors."""
    return (x << _STRIDE_BITS) + y


def place_of(key: int) -> Cell:
    """The (x, y) of a key."""
    y = ((key + _HALF) & _MASK) - _HALF
    return (key - y) >> _STRIDE_BITS, y


_EAST, _SOUTH = key_of(1, 0), key_of(0, 1)
_CORNERS: Final = {
    "cell": (0, _EAST, _SOUTH, _EAST + _SOUTH),
    "V": (0, _SOUTH),
    "H": (0, _EAST),
}
"""The vertices that a feature touches, relative to its place."""


def features_of(cells: Iterable[Cell] = (), borders: Iterable[Border] = ()) -> Features:
    """The set of these cells and borders; duplicates count once."""
    cell_keys = frozenset(key_of(x, y) for x, y in cells)
    sides = tuple(borders)
    vertical = frozenset(key_of(x, y) for side, x, y in sides if side == "V")
    horizontal = frozenset(key_of(x, y) for side, x, y in sides if side == "H")
    return Features(
        cells=cell_keys,
        vertical=vertical,
        horizontal=horizontal,
        crowded=_crowded(cell_keys, vertical, horizontal),
    )


def without(features: Features, parts: Iterable[Feature]) -> Features:
    """The set without these members; quicker than making it anew where they are few."""
    gone: dict[str, list[int]] = {"cell": [], "V": [], "H": []}
    vertices: set[int] = set()
    for kind, x, y in parts:
        key = key_of(x, y)
        gone[kind].append(key)
        vertices.update(key + corner for corner in _CORNERS[kind])
    cells = features.cells.difference(gone["cell"])
    vertical = features.vertical.difference(gone["V"])
    horizontal = features.horizontal.difference(gone["H"])
    lonely = [
        vertex
        for vertex in vertices & features.crowded
        if len(
            [
                corner
                for kind, members in (("cell", cells), ("V", vertical), ("H", horizontal))
                for corner in _CORNERS[kind]
                if vertex - corner in members
            ]
        )
        < 2
    ]
    return Features(
        cells=cells,
        vertical=vertical,
        horizontal=horizontal,
        crowded=features.crowded.difference(lonely),
    )


def has_marked_cell(features: Features, cell: Cell) -> bool:
    """Whether this cell is in the set."""
    return key_of(*cell) in features.cells


def has_border_between(features: Features, cell: Cell, neighbour: Cell) -> bool:
    """Whether the border between two orthogonal neighbours is in the set."""
    x, y = max(cell[0], neighbour[0]), max(cell[1], neighbour[1])
    return key_of(x, y) in (features.vertical if cell[1] == neighbour[1] else features.horizontal)


def features_within(features: Features, shape: FeatureKeys, origin: Cell) -> tuple[Feature, ...]:
    """The members of the set that lie on a shape put at `origin`, sorted."""
    move = key_of(*origin).__add__
    members: list[Feature] = []
    if features.cells:
        hits = features.cells.intersection(map(move, shape.cells))
        members += [Feature("cell", *place_of(hit)) for hit in hits]
    if features.vertical:
        hits = features.vertical.intersection(map(move, shape.vertical))
        members += [Feature("V", *place_of(hit)) for hit in hits]
    if features.horizontal:
        hits = features.horizontal.intersection(map(move, shape.horizontal))
        members += [Feature("H", *place_of(hit)) for hit in hits]
    return tuple(sorted(members)) if len(members) > 1 else tuple(members)


def is_any_on(features: Features, shape: FeatureKeys, origin: Cell) -> bool:
    """Whether the set has a member on a shape put at `origin`."""
    move = key_of(*origin).__add__
    return (
        (bool(features.cells) and not features.cells.isdisjoint(map(move, shape.cells)))
        or (bool(features.vertical) and not features.vertical.isdisjoint(map(move, shape.vertical)))
        or (
            bool(features.horizontal)
            and not features.horizontal.isdisjoint(map(move, shape.horizontal))
        )
    )


@lru_cache(maxsize=64)
def surroundings(size: int) -> FeatureKeys:
    """What is adjacent to a space of this size at the origin.

    Cells at most one step from one of its cells, diagonals and its own cells included;
    borders on its outline.
    """
    around = range(-1, size + 1)
    along = range(size)
    return FeatureKeys(
        cells=tuple(key_of(x, y) for x in around for y in around),
        vertical=tuple(key_of(x, y) for x in (0, size) for y in along),
        horizontal=tuple(key_of(x, y) for x in along for y in (0, size)),
    )


def adjacent_features(features: Features, space: Space) -> tuple[Feature, ...]:
    """The members of the set adjacent to a space, as `surroundings` says, sorted."""
    return features_within(features, surroundings(space.size), (space.x, space.y))


def is_adjacent(feature: Feature, space: Space) -> bool:
    """Whether one feature is adjacent to a space, as `surroundings` says."""
    kind, x, y = feature
    if kind == "cell":
        return has_cell(Space(space.x - 1, space.y - 1, space.size + 2), (x, y))
    if kind == "V":
        return x in (space.x, space.x + space.size) and 0 <= y - space.y < space.size
    return y in (space.y, space.y + space.size) and 0 <= x - space.x < space.size


def _crowded(
    cells: frozenset[int], vertical: frozenset[int], horizontal: frozenset[int]
) -> frozenset[int]:
    touched: Counter[int] = Counter()
    for kind, keys in (("cell", cells), ("V", vertical), ("H", horizontal)):
        touched.update(key + corner for key in keys for corner in _CORNERS[kind])
    return frozenset(vertex for vertex, count in touched.items() if count > 1)
