"""ML-PANIC-3: the way of those who flee. Default, not in the source text."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from service.engine.geometry.segments import Spot

ML_PANIC_3: Final = "ML-PANIC-3"

Edge = Literal["north", "south", "west", "east"]

STRIDE: Final = 100
"""How far one goes on at a time, in u, from where one cannot stay."""

_WAYS: Final[dict[Edge, Spot]] = {
    "north": (0, -1),
    "south": (0, 1),
    "west": (-1, 0),
    "east": (1, 0),
}


class Table(NamedTuple):
    """The size of the table in u."""

    width: int
    height: int


class Flight(NamedTuple):
    """Where a flight ends; `has_left`: beyond the edge, or so near that the base touches it."""

    end: Spot
    has_left: bool


def flight(
    start: Spot,
    radius: int,
    move: int,
    edge: Edge,
    table: Table,
    may_stand: Callable[[Spot], bool],
) -> Flight:
    """ML-PANIC-3: straight to the home edge by `move` u; who touches the edge leaves the table.

    Who may not stand there (a base or a high feature is in the way) goes on by 100 u at a time, and
    may leave by this. Nothing on the way stops it (E58).
    """
    at = _onward(start, edge, move)
    while not _touches(at, radius, edge, table):
        if may_stand(at):
            return Flight(at, has_left=False)
        at = _onward(at, edge, STRIDE)
    return Flight(at, has_left=True)


def _onward(at: Spot, edge: Edge, length: int) -> Spot:
    dx, dy = _WAYS[edge]
    return at[0] + dx * length, at[1] + dy * length


def _touches(at: Spot, radius: int, edge: Edge, table: Table) -> bool:
    """Whether a base touches or crosses an edge of the table."""
    return distance_to_edge(at, edge, table) <= radius


def distance_to_edge(at: Spot, edge: Edge, table: Table) -> int:
    """How far a point is from an edge, in u; negative beyond it."""
    match edge:
        case "north":
            return at[1]
        case "south":
            return table.height - at[1]
        case "west":
            return at[0]
        case "east":
            return table.width - at[0]
