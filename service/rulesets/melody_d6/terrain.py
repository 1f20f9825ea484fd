"""Terrain as clients, the log and the state write it: convex features of the table.

A feature is always stated whole. Lengths are in u, 1,000 of them one step; x grows east and y
south. What a feature leaves out follows from its kind.
"""

from typing import Annotated, Final, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.geometry.polygons import Polygon, polygon_of
from service.engine.geometry.segments import Spot
from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.rulesets.melody_d6.points import Point

UNIT: Final = "u"
"""What one step of a coordinate is, in scenes and legal actions."""

MAX_FEATURES: Final = 500
"""Features of a map at most; the same for changed ones."""

FeatureKind = Literal["low_wall", "column", "rock", "building", "debris", "other"]
"""What a feature is called; it says what is not stated of it."""

Height = Literal["low", "high"]
"""`high` blocks lines of sight and movement, `low` neither."""

MaskMode = Literal["edge", "corner", "none"]
"""Where one may mask: near any edge, near a vertex alone, or nowhere (ML-MASK-3)."""

FeatureId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a feature, unique on its map."""


class Traits(NamedTuple):
    """What a kind of feature is unless a feature states otherwise."""

    height: Height
    mask_mode: MaskMode
    cover: bool


KINDS: Final[dict[FeatureKind, Traits]] = {
    "low_wall": Traits("low", "edge", cover=True),
    "column": Traits("high", "edge", cover=False),
    "rock": Traits("low", "edge", cover=True),
    "building": Traits("high", "corner", cover=False),
    "debris": Traits("low", "edge", cover=True),
    "other": Traits("low", "none", cover=False),
}
"""The defaults by kind."""


Vertices = Annotated[tuple[Point, ...], Meta(min_length=3, max_length=12)]
"""Corners of a convex polygon, in either sense of rotation."""


class Footprint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a feature is, without its name: a convex polygon and what it is."""

    kind: Annotated[FeatureKind, EVERYONE] = "other"
    """What it is called; it says what is left out below."""
    vertices: Annotated[Vertices, EVERYONE]
    """Its corners in order: a convex polygon with an area, no three in a row on one line."""
    height: Annotated[Height | UnsetType, EVERYONE] = UNSET
    """Whether it blocks lines of sight and movement (`high`). Absent: `high` for `column` and
    `building`, else `low`."""
    mask_mode: Annotated[MaskMode | UnsetType, EVERYONE] = UNSET
    """Where one may mask: near any `edge`, near a `corner` alone, or nowhere (`none`). Absent:
    `corner` for `building`, `none` for `other`, else `edge`."""
    cover: Annotated[bool | UnsetType, EVERYONE] = UNSET
    """Whether it gives cover (ML-SHOOT-4); only a `low` one does. Absent: true for `low_wall`,
    `rock` and `debris`."""


class Feature(Footprint, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of terrain by its name."""

    id: Annotated[FeatureId, EVERYONE]
    """Id of the feature, unique on its map."""


class FeatureChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A feature as it is from now on, or that it is gone."""

    feature: Annotated[FeatureId, EVERYONE]
    """Id of the feature: one of the map, one added before, or a new one."""
    terrain: Annotated[Footprint | UnsetType, EVERYONE] = UNSET
    """The whole feature as it is from now on; absent if it is gone."""
    removed: Annotated[bool, EVERYONE] = False
    """True if the feature is gone; then `terrain` is absent."""


def id_of_change(change: FeatureChange) -> str:
    """The feature that a change is about."""
    return change.feature


class Obstacle(NamedTuple):
    """A feature as rules look at it: everything said of it, and its polygon."""

    id: str
    kind: FeatureKind
    polygon: Polygon
    is_high: bool
    mask_mode: MaskMode
    is_cover: bool


def corners_of(shape: Footprint) -> tuple[Spot, ...]:
    """The corners of a feature as pairs of x and y."""
    return tuple((corner.x, corner.y) for corner in shape.vertices)


def obstacle(name: str, shape: Footprint) -> Obstacle:
    """A feature with what its kind says of it; its polygon must be sound."""
    traits = KINDS[shape.kind]
    return Obstacle(
        id=name,
        kind=shape.kind,
        polygon=polygon_of(corners_of(shape)),
        is_high=(traits.height if shape.height is UNSET else shape.height) == "high",
        mask_mode=traits.mask_mode if shape.mask_mode is UNSET else shape.mask_mode,
        is_cover=traits.cover if shape.cover is UNSET else shape.cover,
    )
