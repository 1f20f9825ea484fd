"""Terrain as the tests of rules state it: by two opposite corners."""

from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.terrain import (
    FeatureKind,
    Footprint,
    MaskMode,
    Obstacle,
    obstacle,
)

WALL = (20_000, 10_000, 24_000, 10_400)
"""The low wall of E30."""

BUILDING = (12_000, 8_000, 14_000, 12_000)
"""The building of E31 and E55."""


def feature(
    kind: FeatureKind, corners: tuple[int, int, int, int], mask_mode: MaskMode | None = None
) -> Obstacle:
    """A rectangle of this kind between its north-west and its south-east corner."""
    west, north, east, south = corners
    points = ((west, north), (east, north), (east, south), (west, south))
    laid = obstacle(kind, Footprint(kind=kind, vertices=tuple(Point(x=x, y=y) for x, y in points)))
    return laid if mask_mode is None else laid._replace(mask_mode=mask_mode)


def wall() -> Obstacle:
    """The low wall of E30."""
    return feature("low_wall", WALL)


def building() -> Obstacle:
    """The building of E31 and E55."""
    return feature("building", BUILDING)
