"""All ways in which several D6 may fall, those alike but for their order taken together."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

D6: Final = 6


class FaceSet(NamedTuple):
    """Faces in ascending order, and in how many orders they may fall."""

    faces: tuple[int, ...]
    ways: int


@cache
def face_sets(dice: int) -> tuple[FaceSet, ...]:
    """What so many D6, 0 to 8, may show; the ways of all of them are 6 to the power of `dice`."""
    return tuple(_sets(dice))


def _sets(dice: int) -> Iterator[FaceSet]:
    for faces in combinations_with_replacement(range(1, D6 + 1), dice):
        orders = factorial(dice) // prod(map(factorial, Counter(faces).values()))
        yield FaceSet(faces, orders)
