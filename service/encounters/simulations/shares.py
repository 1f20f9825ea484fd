"""Shares of many battles as exact fractions, each with its confidence interval.

How this works. The interval is Wilson's, at 95 %, without correction for continuity. It is worked
out in whole numbers, so that it is the same everywhere: z is taken as 1.959964, the root is rounded
outwards in the twelfth digit, and the ends are rounded outwards to thousandths of a per cent.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Final, NamedTuple

Z: Final = Fraction(1_959_964, 1_000_000)
"""How many standard deviations hold 95 % of a normal distribution."""

MILLI: Final = 100_000
"""Thousandths of a per cent in a whole."""

_DIGITS: Final = 10**12


class Interval(NamedTuple):
    """Ends in thousandths of a per cent, 0 to 100,000."""

    low: int
    high: int


def wilson(count: int, of: int) -> Interval:
    """Where the chance lies of what happened `count` times of `of`, which is 1 or more."""
    square = Z * Z
    under_root = square + Fraction(4 * count * (of - count), of)
    root = Fraction(isqrt(ceil(under_root * _DIGITS * _DIGITS)) + 1, _DIGITS)
    middle, scale = 2 * count + square, 2 * (of + square)
    low = floor(MILLI * (middle - Z * root) / scale)
    high = ceil(MILLI * (middle + Z * root) / scale)
    # Its ends are exact where nothing or everything happened, but for the rounding of the root.
    return Interval(0 if count == 0 else max(low, 0), MILLI if count == of else min(high, MILLI))


def thousandths(value: Fraction) -> str:
    """A number of 0 or more with three digits behind the point, rounded down."""
    whole, rest = divmod(floor(value * 1000), 1000)
    return f"{whole}.{rest:03}"


def median(values: Sequence[int]) -> str:
    """The median of some whole numbers, which are 0 or more, as a decimal string."""
    ordered = sorted(values)
    twice = ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]
    return f"{twice // 2}.5" if twice % 2 else str(twice // 2)
