"""SQ-DIST: how far two cells are apart."""

from math import isqrt
from typing import Final, Literal

from service.engine.geometry.points import Cell

SQ_DIST_1: Final = "SQ-DIST-1"

DistanceMetric = Literal["chebyshev", "manhattan", "steps", "euclid"]


def distance(a: Cell, b: Cell, metric: DistanceMetric) -> int:
    """SQ-DIST-1: the distance of two cells in cells.

    `chebyshev`: the longer of the two offsets; `manhattan`: their sum; `steps`: the longer and half
    of the shorter one, rounded down, as movement is priced; `euclid`: the whole part of the
    straight way. Source: «0-2 клетки»; which metric is a default, not in the source text.
    """
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    match metric:
        case "chebyshev":
            return max(dx, dy)
        case "manhattan":
            return dx + dy
        case "steps":
            return max(dx, dy) + min(dx, dy) // 2
        case "euclid":
            return isqrt(dx * dx + dy * dy)
