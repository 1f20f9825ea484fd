"""How often chance alone is as far from what is expected as what happened, or further.

How this works. Few dice, and few rolls of known odds, are counted case by case in whole numbers:
that is exact. Of many the distribution is put together from its characteristic function, which
for a sum of independent throws is a product and falls to nothing within some fifty terms: it takes
as long for 20,000 dice as for 500. What is left out there, and what rounding adds, is below
one in a billion; the answer is in millionths. Both are two-sided: too high counts as too low does.
"""

from cmath import exp
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, pi, prod, sin, sqrt
from typing import Final, NamedTuple

from service.engine.kit.dice_sums import ways, ways_at_most

MILLION: Final = 1_000_000

MOST_DICE_COUNTED: Final = 300
"""Dice up to which the sums are counted one by one."""

MOST_ROLLS_COUNTED: Final = 200
"""Rolls of known odds up to which the numbers of successes are counted one by one."""

_NOTHING: Final = 1e-18
"""Below it the terms of a characteristic function are left out."""

_DEVIATIONS: Final = 40
"""How many standard deviations apart the copies of a distribution are laid."""


class Tail(NamedTuple):
    """A probability in millionths, rounded down; if not exact, off by one in a billion at most."""

    millionths: int
    is_exact: bool


def tail_of_dice(count: int, sides: int, total: int) -> Tail:
    """That so many fair dice, 1 or more, come to a sum as far from the mean as this one."""
    off = abs(2 * total - count * (sides + 1))
    if off == 0 or sides == 1:
        return Tail(MILLION, is_exact=True)
    if count <= MOST_DICE_COUNTED:
        # Fair dice come out as often this far above as below.
        below = (count * (sides + 1) - off) // 2
        return _exact(Fraction(2 * ways_at_most(count, sides, below), ways(count, sides)))

    def product(angle: float) -> complex:
        return (sin(sides * angle / 2) / (sides * sin(angle / 2))) ** count

    spread = sqrt(count * (sides * sides - 1) / 12)
    # Sums around their mean, which lies on one of them or halfway between two.
    return _beyond(product, spread, -(off - 2) / 2, off - 1)


def tail_of_successes(chances: Sequence[Fraction], successes: int) -> Tail:
    """That rolls of these chances succeed as far from their expected number of times."""
    expected = sum(chances, Fraction(0))
    off = abs(successes - expected)
    within = [number for number in range(len(chances) + 1) if abs(number - expected) < off]
    if not within:
        return Tail(MILLION, is_exact=True)
    if len(chances) <= MOST_ROLLS_COUNTED:
        return _exact(1 - _within(chances, within))
    rolled = [float(chance) for chance in chances]

    def product(angle: float) -> complex:
        turn = exp(1j * angle)
        return prod(1 - chance + chance * turn for chance in rolled)

    spread = sqrt(sum(chance * (1 - chance) for chance in rolled))
    return _beyond(product, spread, within[0], len(within))


def _exact(chance: Fraction) -> Tail:
    return Tail(MILLION * chance.numerator // chance.denominator, is_exact=True)


def _within(chances: Sequence[Fraction], numbers: Sequence[int]) -> Fraction:
    """The chance of any of these numbers of successes, all ways counted in whole numbers."""
    counts, everything = [1], 1
    for chance in chances:
        hits, misses = chance.numerator, chance.denominator - chance.numerator
        counts = [
            count * misses + before * hits
            for count, before in zip([*counts, 0], [0, *counts], strict=True)
        ]
        everything *= chance.denominator
    return Fraction(sum(counts[number] for number in numbers), everything)


def _beyond(product: Callable[[float], complex], spread: float, first: float, count: int) -> Tail:
    """The chance of a value that is none of `count` ones, a unit apart, from `first` on."""
    period = ceil(_DEVIATIONS * spread) + 2 * _DEVIATIONS
    middle = first + (count - 1) / 2
    inside = float(count)
    for number in range(1, period // 2 + 1):
        angle = 2 * pi * number / period
        term = product(angle)
        if abs(term) < _NOTHING:
            break
        width = sin(count * angle / 2) / sin(angle / 2)
        share = 1 if 2 * number == period else 2
        inside += share * width * (term * exp(-1j * angle * middle)).real
    outside = min(max(1 - inside / period, 0.0), 1.0)
    return Tail(int(outside * MILLION), is_exact=False)
