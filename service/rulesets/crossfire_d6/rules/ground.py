"""What the rules look at: the ground of a battle and the fighters on it.

Build a `Ground` once per map and keep it: making one reads every marked cell, asking it about a
line does not. A `Fighter` holds the few values that rules about several combatants need.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from service.engine.geometry.features import Border, Features, features_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space

Posture = Literal["open", "in_cover", "blocked"]
"""What a fighter declares: the catalogue's stance."""

Position = Literal["open", "in_cover", "blocked"]
"""What a fighter is against one enemy, computed from posture and map."""


class Ground(Struct, frozen=True, kw_only=True, eq=False):
    """The map as the rules see it; make it with `ground_of`. Equal only to itself.

    Solid and cover hold cells and borders, smoke and dark only cells. Without bounds the map
    has no edge.
    """

    solid: Features = Features()
    cover: Features = Features()
    smoke: Features = Features()
    dark: Features = Features()
    bounds: Bounds | None = None


class Board(NamedTuple):
    """The ground as rules see it, and the elevation in feet of every cell that has one."""

    ground: Ground
    heights: Mapping[Cell, int]


class Fighter(Struct, frozen=True, kw_only=True, cache_hash=True):
    """A combatant as the rules about lines and several combatants see it.

    `longest_shot_ft` is the greatest maximum range of its ready ranged weapons (CF-RANGE-2),
    `reach_ft` the greatest reach of its ready melee weapons; 0 means that it has none.
    """

    id: str
    side: str
    space: Space
    elevation_ft: int = 0
    posture: Posture = "open"
    is_helpless: bool = False
    is_dead: bool = False
    longest_shot_ft: int = 0
    reach_ft: int = 0


def ground_of(
    *,
    solid_cells: Iterable[Cell] = (),
    solid_borders: Iterable[Border] = (),
    cover_cells: Iterable[Cell] = (),
    cover_borders: Iterable[Border] = (),
    smoke: Iterable[Cell] = (),
    dark: Iterable[Cell] = (),
    bounds: Bounds | None = None,
) -> Ground:
    """The ground with these cells and borders marked."""
    return Ground(
        solid=features_of(solid_cells, solid_borders),
        cover=features_of(cover_cells, cover_borders),
        smoke=features_of(smoke),
        dark=features_of(dark),
        bounds=bounds,
    )


def can_act(fighter: Fighter) -> bool:
    """Whether a fighter is neither helpless nor dead."""
    return not (fighter.is_helpless or fighter.is_dead)


def are_hostile(fighter: Fighter, other: Fighter) -> bool:
    """Whether two fighters are of different sides."""
    return fighter.side != other.side
