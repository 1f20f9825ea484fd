"""TD-GEO-1, -2, -4, -6, -7: the chapter's geometry, done by `engine.geometry`."""

from typing import Final

from service.engine.geometry.corner_lines import features_on, is_met
from service.engine.geometry.distance import (
    DiagonalRule,
    feature_distance,
    path_length,
    space_distance,
)
from service.engine.geometry.features import Feature, Features
from service.engine.geometry.open_lines import open_line
from service.engine.geometry.points import Cell, Point
from service.engine.geometry.sides import passes_opposite_sides
from service.engine.geometry.spaces import Space, centre
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL

TD_GEO_2: Final = "TD-GEO-2"


def centre_of(space: Space) -> Point:
    """TD-GEO-1: the centre of a space in doubled coordinates, always whole numbers."""
    return centre(space)


def distance_ft(
    space: Space, elevation_ft: int, other: Space, other_elevation_ft: int, rule: DiagonalRule
) -> int:
    """TD-GEO-2: five feet for each cell between the nearest cells of two creatures.

    At least the difference of their elevations. With `alternating` every second diagonal counts
    two cells, with `equal` each counts one.
    Source: «30 футов (6 клеток)»; how diagonals count is a default.
    """
    level_ft = FEET_PER_CELL * space_distance(space, other, rule)
    return max(level_ft, abs(elevation_ft - other_elevation_ft))


def cell_distance_ft(space: Space, cell: Cell, rule: DiagonalRule) -> int:
    """The distance in feet from a creature to a cell; heights do not enter."""
    return FEET_PER_CELL * space_distance(space, Space(*cell), rule)


def feature_distance_ft(feature: Feature, space: Space, rule: DiagonalRule) -> int:
    """The distance in feet from a creature to a cell, or to the nearer cell of a border."""
    return FEET_PER_CELL * feature_distance(feature, space, rule)


def path_length_ft(steps: tuple[Cell, ...], rule: DiagonalRule) -> int:
    """The length in feet of a path of single steps."""
    return FEET_PER_CELL * path_length(steps, rule)


def are_adjacent(space: Space, elevation_ft: int, other: Space, other_elevation_ft: int) -> bool:
    """Whether cells of two creatures touch, also diagonally, at most 5 ft apart in elevation.

    What counts in elevation is a default, not in the source text.
    """
    apart_ft = abs(elevation_ft - other_elevation_ft)
    return space_distance(space, other, "equal") <= 1 and apart_ft <= FEET_PER_CELL


def features_met(
    features: Features,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
    *,
    is_contact_counted: bool,
) -> tuple[Feature, ...]:
    """TD-GEO-4: the members of a set that the line between two corners meets, sorted.

    Cells whose interior it crosses, borders that it crosses or runs along, cells along whose side
    it runs (`is_contact_counted`), and everything round a pinched vertex (TD-GEO-5). `near` and
    `far` are the spaces it leaves and comes to; without one nothing is pinched at that end. A
    single common point is no meeting.
    Source: «проходит через клетку или границу клетки».
    """
    return features_on(features, start, end, near, far, along=is_contact_counted)


def is_anything_met(
    features: Features,
    start: Cell,
    end: Cell,
    near: Space | None,
    far: Space | None,
    *,
    is_contact_counted: bool,
) -> bool:
    """Whether the line between two corners meets a member of a set; quicker than naming them."""
    return is_met(features, start, end, near, far, along=is_contact_counted)


def has_open_line(features: Features, near: Space, far: Space) -> bool:
    """TD-GEO-6: whether some line between corners of the two spaces is not interrupted.

    Any corner of any cell of either; running along the face of one wall is no interruption,
    whatever the table says about contact, between two walls it is. The same in both directions.
    Source: «может провести до вас линию досягаемости».
    """
    return open_line(features, near, far) is not None


def are_sides_opposite(p: Point, q: Point, space: Space) -> bool:
    """TD-GEO-7: whether the segment pq enters and leaves a space by opposite sides.

    Sides include their corners; a segment, so two points on one side never do.
    Source: «через противоположные стороны либо углы».
    """
    return passes_opposite_sides(p, q, space)
