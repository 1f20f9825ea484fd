"""The eight sectors round a vertex, and when a vertex is pinched.

Round a vertex lie eight sectors in turn: border, cell, border, cell... Two ways lead round it from
one sector to another, and a member of a set strictly between closes a way. A vertex is pinched for
a line where every way from the sectors it arrives from to those it departs into is closed.
"""

from typing import Final, Literal

from service.engine.geometry.features import Feature, FeatureKeys, Features, features_within, key_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, has_cell

SECTORS: Final[tuple[tuple[Literal["H", "V", "cell"], int, int], ...]] = (
    ("V", 0, -1),  # north
    ("cell", 0, -1),
    ("H", 0, 0),  # east
    ("cell", 0, 0),
    ("V", 0, 0),  # south
    ("cell", -1, 0),
    ("H", -1, 0),  # west
    ("cell", -1, -1),
)
"""Clockwise from the north, relative to the vertex."""

ALL_ROUND: Final = FeatureKeys(
    cells=tuple(key_of(x, y) for kind, x, y in SECTORS if kind == "cell"),
    vertical=tuple(key_of(x, y) for kind, x, y in SECTORS if kind == "V"),
    horizontal=tuple(key_of(x, y) for kind, x, y in SECTORS if kind == "H"),
)
"""Everything that touches a vertex."""


_PLACES: Final = tuple(
    (kind, key_of(x, y), 1 << sector) for sector, (kind, x, y) in enumerate(SECTORS)
)
_TOWARDS: Final = ((7, 0, 1), (6, 0, 2), (5, 4, 3))
_CELL_SECTORS: Final = tuple(at for at, (kind, _, _) in enumerate(SECTORS) if kind == "cell")


def sector_towards(dx: int, dy: int) -> int:
    """The sector into which a line with this vector leaves a vertex; the vector is not zero."""
    return _TOWARDS[(dy > 0) - (dy < 0) + 1][(dx > 0) - (dx < 0) + 1]


def opposite(sector: int) -> int:
    """The sector on the other side of the vertex."""
    return (sector + 4) % 8


def sectors_of(space: Space, vertex: Cell) -> tuple[int, ...]:
    """The sectors round a vertex that are cells of the space."""
    x, y = vertex
    return tuple(
        sector
        for sector in _CELL_SECTORS
        if has_cell(space, (x + SECTORS[sector][1], y + SECTORS[sector][2]))
    )


def ways_between(arrival: int, departure: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The sectors strictly between two, clockwise and the other way round.

    Both are empty for a sector and itself: nothing can lie between.
    """
    clockwise = (departure - arrival) % 8
    if clockwise == 0:
        return (), ()
    return (
        tuple((arrival + step) % 8 for step in range(1, clockwise)),
        tuple((departure + step) % 8 for step in range(1, 8 - clockwise)),
    )


_WAYS: Final = tuple(
    tuple(
        tuple(sum(1 << sector for sector in way) for way in ways_between(arrival, departure))
        for departure in range(8)
    )
    for arrival in range(8)
)
"""The ways from one sector to another, as bits."""


def features_round(features: Features, vertex: Cell) -> tuple[Feature, ...]:
    """The members of the set that touch a vertex, sorted."""
    return features_within(features, ALL_ROUND, vertex)


def is_pinched(
    features: Features, vertex: int, arrivals: tuple[int, ...], departures: tuple[int, ...]
) -> bool:
    """Whether every way from every arrival to every departure is closed; `vertex` is a key.

    Without an arrival or a departure nothing is open, so the vertex counts as pinched.
    """
    marks = _marks(features, vertex)
    return all(
        marks & way
        for arrival in arrivals
        for departure in departures
        for way in _WAYS[arrival][departure]
    )


def _marks(features: Features, vertex: int) -> int:
    """The sectors round a vertex that hold a member, as bits."""
    members = {"cell": features.cells, "V": features.vertical, "H": features.horizontal}
    marks = 0
    for kind, place, sector in _PLACES:
        if vertex + place in members[kind]:
            marks |= sector
    return marks
