"""ML-TEST-1: the Mobility test."""

import pytest

from service.rulesets.melody_d6.rules.mobility import passes_mobility


@pytest.mark.rule("ML-TEST-1")
@pytest.mark.parametrize(
    ("natural", "mobility", "six_fails", "passed"),
    [
        (1, 0, True, True),
        (1, 0, False, True),
        (2, 0, True, False),
        (2, 1, True, False),
        (4, 4, True, True),
        (5, 4, True, False),
        (5, 5, True, True),
        (6, 5, True, False),
        (6, 6, True, False),
        (6, 12, True, False),
        (6, 5, False, False),
        (6, 6, False, True),
        (6, 7, False, True),
    ],
)
def test_a_one_always_passes_and_a_six_fails_where_the_table_says_so(
    natural: int, mobility: int, six_fails: bool, passed: bool
) -> None:
    assert passes_mobility(natural, mobility, six_fails=six_fails) == passed
