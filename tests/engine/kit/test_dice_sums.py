"""Sums of dice, counted against all their outcomes."""

from itertools import product

import pytest

from service.engine.kit.dice_sums import ways, ways_at_most


@pytest.mark.parametrize(("dice", "sides"), [(0, 6), (1, 1), (1, 20), (3, 4), (4, 6)])
def test_ways_to_a_sum_are_those_of_all_outcomes(dice: int, sides: int) -> None:
    sums = [sum(faces) for faces in product(range(1, sides + 1), repeat=dice)]
    assert ways(dice, sides) == len(sums)
    for most in range(-1, dice * sides + 2):
        assert ways_at_most(dice, sides, most) == sum(each <= most for each in sums)
