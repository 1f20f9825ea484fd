"""Squares of a picture in characters that an area with corners fills, if only in part."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from service.engine.scene import ScenePoint


def squares_entered(corners: tuple[ScenePoint, ...], side: int) -> Iterator[tuple[int, int]]:
    """Columns and rows of all squares `side` units wide that hold some of a convex area.

    A square whose edge the area only touches holds none of it.
    """
    rows = [corner.y for corner in corners]
    for row in range(min(rows) // side, -(-max(rows) // side)):
        places = list(_slice(corners, row * side, (row + 1) * side))
        for column in range(min(places) // side, -(-max(places) // side)):
            yield column, row


def _slice(corners: tuple[ScenePoint, ...], top: int, bottom: int) -> Iterator[Fraction]:
    """Where the outline of an area runs between two heights, to the east: at least its extremes."""
    for start, end in pairwise((*corners, corners[0])):
        if top <= start.y <= bottom:
            yield Fraction(start.x)
        for height in (top, bottom):
            if min(start.y, end.y) < height < max(start.y, end.y):
                along = Fraction(height - start.y, end.y - start.y)
                yield start.x + along * (end.x - start.x)
