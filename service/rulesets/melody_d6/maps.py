"""Maps: the table and its terrain, as a creation states it and as it is kept under its digest."""

from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from service.engine.visibility.audience import EVERYONE
from service.rulesets.melody_d6.terrain import MAX_FEATURES, Feature, Obstacle

Extent = Annotated[int, Meta(ge=6000, le=120_000)]
"""Width or height of a table in u."""

Features = Annotated[tuple[Feature, ...], Meta(max_length=MAX_FEATURES)]


class MapInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table and its terrain; lengths are in u, 1,000 of them one step."""

    width: Annotated[Extent, EVERYONE] = 36_000
    """How far the table reaches east, in u."""
    height: Annotated[Extent, EVERYONE] = 24_000
    """How far the table reaches south, in u."""
    features: Annotated[Features, EVERYONE] = ()
    """All terrain, each id once; it may overlap."""


class Ground(NamedTuple):
    """The table as the rules look at it, with what changed since the map was laid."""

    width: int
    height: int
    obstacles: tuple[Obstacle, ...]
