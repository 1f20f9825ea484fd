"""Bounds of numbers, read from where their fields declare them."""

from typing import Annotated

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.kit.bounds import NumberBounds, number_bounds, require_within
from service.engine.visibility.audience import EVERYONE
from service.errors import Malformed

Percent = Annotated[int, Meta(ge=0, le=100)]


class Sheet(Struct):
    """Numbers as rulesets declare them."""

    skill: Annotated[Percent, EVERYONE]
    armour: Annotated[Annotated[int, Meta(ge=-5, le=5)] | UnsetType, EVERYONE] = UNSET
    is_tall: Annotated[bool, EVERYONE] = False
    least: Annotated[Annotated[int, Meta(ge=1)], EVERYONE] = 1
    scores: Annotated[Annotated[tuple[Percent, ...], Meta(max_length=3)], EVERYONE] = ()


@pytest.mark.parametrize(
    ("field", "bounds"),
    [("skill", (0, 100)), ("armour", (-5, 5)), ("is_tall", (0, 1))],
)
def test_the_bounds_of_a_field_are_those_it_declares(field: str, bounds: tuple[int, int]) -> None:
    assert number_bounds(Sheet, field) == NumberBounds(*bounds)


@pytest.mark.parametrize("field", ["least", "scores"])
def test_a_field_without_both_bounds_is_a_mistake_of_the_ruleset(field: str) -> None:
    with pytest.raises(TypeError, match=rf"Sheet\.{field} is not bounded"):
        number_bounds(Sheet, field)


@pytest.mark.parametrize("value", [-5, 0, 5])
def test_a_number_within_its_bounds_is_taken(value: int) -> None:
    require_within(value, NumberBounds(-5, 5), "$.value")


@pytest.mark.parametrize("value", [-6, 6])
def test_a_number_beyond_its_bounds_is_malformed(value: int) -> None:
    with pytest.raises(Malformed) as caught:
        require_within(value, NumberBounds(-5, 5), "$.changes[1].value")
    assert caught.value.params == {"path": "$.changes[1].value", "allowed": "-5 to 5"}
