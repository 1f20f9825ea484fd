"""Square roots that are compared and never taken.

The sign of a difference of roots is found by squaring: every answer here is exact, however
long the numbers are.
"""

from math import isqrt


def sign(value: int) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def sign_against_root(p: int, q: int, n: int) -> int:
    """The sign of p - q√n; `n` is not negative."""
    root = sign(q) if n else 0
    here = sign(p)
    if here != root:
        return sign(here - root)
    return here * sign(p * p - q * q * n)


def compare_reduced_roots(a: int, s: int, b: int, t: int) -> int:
    """The sign of (√a - s) - (√b - t); `a` and `b` are not negative.

    With squared distances and sums of radii it says which of two edges is nearer.
    """
    k = s - t
    if k >= 0:
        return sign_against_root(a - b - k * k, 2 * k, b)
    return -sign_against_root(b - a - k * k, -2 * k, a)


def ceiling_root(n: int) -> int:
    """The smallest whole number whose square is at least `n`; `n` is not negative."""
    return isqrt(n - 1) + 1 if n else 0
