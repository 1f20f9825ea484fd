"""Roots that are compared and never taken, held against decimals of 120 places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.roots import ceiling_root, compare_reduced_roots, sign_against_root
from tests.engine import plane_oracle as oracle

SMALL = st.integers(-30, 30)
SQUARES = st.integers(0, 200)
LONG = st.integers(-(10**15), 10**15)


@given(SMALL | LONG, SMALL | LONG, SQUARES | st.integers(0, 10**12))
def test_a_number_is_held_against_a_multiple_of_a_root(p: int, q: int, n: int) -> None:
    assert sign_against_root(p, q, n) == oracle.difference((p, 1), (-q, n))


@pytest.mark.parametrize(
    ("p", "q", "n", "expected"),
    [
        (10606, 7500, 2, -1),
        (10607, 7500, 2, 1),
        (50, 10, 25, 0),
        (49, 10, 25, -1),
        (51, 10, 25, 1),
        (-50, -10, 25, 0),
        (-51, -10, 25, -1),
        (-49, -10, 25, 1),
        (1, -1, 2, 1),
        (-1, 1, 2, -1),
        (0, 0, 5, 0),
        (0, 1, 0, 0),
        (3, 5, 0, 1),
        (0, -1, 3, 1),
    ],
)
def test_equal_only_where_it_is_equal(p: int, q: int, n: int, expected: int) -> None:
    assert sign_against_root(p, q, n) == expected


@given(SQUARES, st.integers(-20, 20), SQUARES, st.integers(-20, 20))
def test_reduced_roots_are_compared_as_decimals_are(a: int, s: int, b: int, t: int) -> None:
    expected = oracle.difference((1, a), (-s, 1), (-1, b), (t, 1))
    assert compare_reduced_roots(a, s, b, t) == expected
    assert compare_reduced_roots(b, t, a, s) == -expected


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-5000, 5000))
def test_reduced_roots_of_squares_are_whole_numbers(x: int, y: int, s: int) -> None:
    assert compare_reduced_roots(x * x, s, y * y, s - x + y) == 0
    assert compare_reduced_roots(x * x, s, y * y, s - x + y + 1) == 1
    assert compare_reduced_roots(x * x, s, y * y, s - x + y - 1) == -1


@given(st.integers(0, 10**9))
def test_a_ceiling_is_the_smallest_number_whose_square_is_enough(n: int) -> None:
    root = ceiling_root(n)
    assert root * root >= n
    assert root == 0 or (root - 1) * (root - 1) < n


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, 0), (1, 1), (2, 2), (4, 2), (5, 3), (2_000_000, 1415), (25_000_000, 5000)],
)
def test_a_ceiling_leaves_squares_alone(n: int, expected: int) -> None:
    assert ceiling_root(n) == expected
