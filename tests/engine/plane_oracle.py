"""A second formulation of the plane without cells: decimals of 120 places, clipping by fractions.

Whole numbers as small as those of the tests never differ by less than `TINY` where they differ.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Final, Literal

PLACES: Final = 120
TINY: Final = Decimal(10) ** -60

Pair = tuple[int, int]
Corner = tuple[Decimal, Decimal]


def sign_of(value: Decimal) -> int:
    return 0 if abs(value) < TINY else (1 if value > 0 else -1)


def root(n: int) -> Decimal:
    with localcontext() as context:
        context.prec = PLACES
        return Decimal(n).sqrt()


def difference(*terms: tuple[int, int]) -> int:
    """The sign of a sum of whole multiples of roots."""
    with localcontext() as context:
        context.prec = PLACES
        return sign_of(sum((q * Decimal(n).sqrt() for q, n in terms), Decimal(0)))


def distance_to(spot: Pair, start: Corner | Pair, end: Corner | Pair) -> Decimal:
    """The distance of a point to a closed segment."""
    with localcontext() as context:
        context.prec = PLACES
        px, py = Decimal(spot[0]), Decimal(spot[1])
        (ax, ay), (bx, by) = map(_decimal, (start, end))
        length = (bx - ax) ** 2 + (by - ay) ** 2
        share = Decimal(0)
        if length:
            share = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length
            share = max(Decimal(0), min(Decimal(1), share))
        return ((ax + share * (bx - ax) - px) ** 2 + (ay + share * (by - ay) - py) ** 2).sqrt()


def _decimal(corner: Corner | Pair) -> Corner:
    return Decimal(corner[0]), Decimal(corner[1])


def ray_corners(
    kind: Literal["beam", "cone"], origin: Pair, aim: Pair, length: int, half_width: int
) -> tuple[Corner, ...]:
    """The corners of a template in order."""
    with localcontext() as context:
        context.prec = PLACES
        dx, dy = Decimal(aim[0] - origin[0]), Decimal(aim[1] - origin[1])
        n = (dx * dx + dy * dy).sqrt()
        near = [(0, -half_width), (0, half_width)] if kind == "beam" else [(0, 0)]
        offsets = [*near, (length, half_width), (length, -half_width)]
        return tuple(
            (
                origin[0] + (along * dx - across * dy) / n,
                origin[1] + (along * dy + across * dx) / n,
            )
            for along, across in offsets
        )


def covered(corners: tuple[Corner, ...], spot: Pair, radius: int) -> str:
    """How much of a disc a convex polygon covers, by the distances to its edges."""
    with localcontext() as context:
        context.prec = PLACES
        edges = list(pairwise((*corners, corners[0])))
        nearest = min(distance_to(spot, start, end) for start, end in edges)
        sides = {sign_of(_turn(start, end, spot)) for start, end in edges}
        is_inside = not {-1, 1} <= sides
        gap = sign_of(nearest - radius)
        if is_inside:
            return "full" if gap >= 0 else "part"
        return "part" if gap < 0 else "none"


def _turn(start: Corner, end: Corner, spot: Pair) -> Decimal:
    return (end[0] - start[0]) * (spot[1] - start[1]) - (end[1] - start[1]) * (spot[0] - start[0])


def has_piece_inside(vertices: tuple[Pair, ...], start: Pair, end: Pair) -> bool:
    """Clipping by strict half-planes: what is left of the segment has a length."""
    low, high = Fraction(0), Fraction(1)
    for (px, py), (qx, qy) in pairwise((*vertices, vertices[0])):
        from_start, from_end = (
            (qx - px) * (y - py) - (qy - py) * (x - px) for x, y in (start, end)
        )
        change = from_end - from_start
        if change == 0:
            if from_start <= 0:
                return False
        elif change > 0:
            low = max(low, Fraction(-from_start, change))
        else:
            high = min(high, Fraction(-from_start, change))
    return start != end and low < high


def hull(points: frozenset[Pair]) -> tuple[Pair, ...]:
    """The corners of the convex hull, interior on the left; fewer than three if it has none."""
    ordered = sorted(points)
    halves: list[Pair] = []
    for way in (ordered, ordered[::-1]):
        chain: list[Pair] = []
        for x, y in way:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        halves += chain[:-1]
    return tuple(halves)


def turned(pair: Pair, way: int) -> Pair:
    """A point under one of the eight motions of the square lattice: mirrored, then rotated."""
    x, y = (pair[1], pair[0]) if way >= 4 else pair
    for _ in range(way % 4):
        x, y = -y, x
    return x, y
