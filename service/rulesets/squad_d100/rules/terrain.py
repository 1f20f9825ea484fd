"""SQ-MAP-1, SQ-MAP-3: what the cells of a map are, and what each terrain lets pass."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

SQ_MAP_1: Final = "SQ-MAP-1"
SQ_MAP_3: Final = "SQ-MAP-3"

Terrain = Literal[
    "wall",
    "floor",
    "fire",
    "shootable_obstacle",
    "reserved",
    "door",
    "explosive_cargo",
    "fuel",
    "weapons_ammo",
    "solid_obstacle",
    "cover",
]
"""What a cell of a map is; every cell is exactly one of them."""


class TerrainKind(Struct, frozen=True, kw_only=True):
    """What a terrain lets pass: whether somebody can stand there, whether shots and sight cross.

    Of a door it is what a closed one does: an open one is passed by all three. `may_stop_sight`:
    it does with the option `x_blocks_sight`.
    """

    glyph: str
    is_passable: bool = True
    stops_shots: bool = False
    stops_sight: bool = False
    may_stop_sight: bool = False


KINDS: Final[Mapping[Terrain, TerrainKind]] = MappingProxyType(
    {
        "wall": TerrainKind(glyph="█", is_passable=False, stops_shots=True, stops_sight=True),
        "floor": TerrainKind(glyph="."),
        "fire": TerrainKind(glyph="~"),
        "shootable_obstacle": TerrainKind(glyph="|", is_passable=False),
        "reserved": TerrainKind(glyph="0"),
        "door": TerrainKind(glyph="D", is_passable=False, stops_shots=True, stops_sight=True),
        "explosive_cargo": TerrainKind(glyph="E", is_passable=False),
        "fuel": TerrainKind(glyph="F", is_passable=False),
        "weapons_ammo": TerrainKind(glyph="W"),
        "solid_obstacle": TerrainKind(
            glyph="X", is_passable=False, stops_shots=True, may_stop_sight=True
        ),
        "cover": TerrainKind(glyph="x"),
    }
)
"""The terrains of the legend, in its order; passability, sight and cover are defaults where the
source text is silent."""

TERRAINS: Final[Mapping[str, Terrain]] = MappingProxyType(
    {kind.glyph: terrain for terrain, kind in KINDS.items()}
)
"""Terrain by its glyph."""


def terrain_of(glyph: str) -> Terrain | None:
    """SQ-MAP-1: the terrain that a glyph of the legend stands for; None where it stands for none.

    Only the canonical code points: nothing is folded here.
    Source: «█ - это очевидная стена, точка - очевидное "пустое место"».
    """
    return TERRAINS.get(glyph)


def is_passable(terrain: Terrain, *, is_open: bool = False) -> bool:
    """SQ-MAP-3: whether somebody can stand on a terrain; on a door if it is open.

    An obstacle that can be shot through stops movement only, one that cannot stops shots as well.
    Source: «Простреливаемое препятствие (|)», «Непростреливаемое препятствие (X)».
    """
    return is_open or KINDS[terrain].is_passable
