"""CF-RANGE: increments, maximum range, distances."""

import pytest

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.range import (
    distance_ft,
    longest_shot_ft,
    range_modifier,
    require_in_range,
)


@pytest.mark.rule("CF-RANGE-1")
@pytest.mark.parametrize(
    ("distance", "increments"),
    [(0, 1), (5, 1), (29, 1), (30, 1), (31, 2), (60, 2), (61, 3), (149, 5), (150, 5), (151, 6)],
)
def test_each_increment_after_the_first_costs_a_die(distance: int, increments: int) -> None:
    expected = Modifier(
        rule="CF-RANGE-1",
        amount=1 - increments,
        facts={"distance_ft": distance, "increment_ft": 30, "increments": increments},
    )
    assert range_modifier(distance, 30) == (expected if increments > 1 else None)


@pytest.mark.rule("CF-RANGE-1")
def test_an_increment_of_one_foot_counts_feet() -> None:
    line = range_modifier(5, 1)
    assert line is not None
    assert line.amount == -4


@pytest.mark.rule("CF-RANGE-2")
@pytest.mark.parametrize(
    ("increment", "stated", "multiple", "longest"),
    [(30, None, 5, 150), (30, 60, 5, 60), (30, 200, 5, 200), (30, None, 1, 30), (4, None, 5, 20)],
)
def test_the_maximum_is_the_stated_one_or_so_many_increments(
    increment: int, stated: int | None, multiple: int, longest: int
) -> None:
    assert longest_shot_ft(increment, stated, multiple) == longest


@pytest.mark.rule("CF-RANGE-2")
def test_a_shot_is_legal_up_to_the_maximum_inclusive() -> None:
    require_in_range(149, 150)
    require_in_range(150, 150)
    with pytest.raises(Refused) as refused:
        require_in_range(151, 150)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "out_of_range",
        "CF-RANGE-2",
        {"distance_ft": 151, "longest_ft": 150},
    )


@pytest.mark.rule("CF-RANGE-3")
@pytest.mark.parametrize(
    ("target", "height", "rule", "expected"),
    [
        (Space(3, 3), 0, "equal", 15),
        (Space(3, 3), 0, "alternating", 20),
        (Space(3, 3), 14, "equal", 15),
        (Space(3, 3), 40, "equal", 40),
        (Space(3, 3), -40, "equal", 40),
        (Space(2, 0, 3), 0, "equal", 10),
        (Space(-4, -4, 3), 0, "alternating", 15),
        (Space(0, 0), 0, "equal", 0),
    ],
)
def test_distance_is_that_of_the_nearest_cells_or_the_difference_of_height(
    target: Space, height: int, rule: DiagonalRule, expected: int
) -> None:
    assert distance_ft(Space(0, 0), 0, target, height, rule) == expected
    assert distance_ft(target, height, Space(0, 0), 0, rule) == expected
