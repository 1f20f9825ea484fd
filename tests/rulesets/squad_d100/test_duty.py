"""The duty of the suppressed to seek cover."""

import pytest

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.duty import (
    price_of_leaving,
    require_nearer_cover,
    require_no_further_step,
)
from service.rulesets.squad_d100.rules.movement import Footing

FIELD = {(0, 0): 12, (1, 0): 14, (1, 1): 10, (0, 1): 8, (0, 2): 4, (0, 3): 0, (5, 5): 12}.get
FAR = (9, 9)
"""A cell from which no cover can be reached."""


def refusal(here: Cell, there: Cell) -> tuple[str, str | None, object]:
    with pytest.raises(Refused) as refused:
        require_nearer_cover(FIELD, here, there, 3)
    return refused.value.code, refused.value.rule, refused.value.params


@pytest.mark.rule("SQ-SUP-5")
def test_a_step_leads_strictly_nearer_to_cover() -> None:
    require_nearer_cover(FIELD, (0, 0), (1, 1), 3)
    for there in [(1, 0), (5, 5), FAR]:
        facts = {"step": 3, "x": there[0], "y": there[1]}
        assert refusal((0, 0), there) == ("must_seek_cover", "SQ-SUP-5", facts)


@pytest.mark.rule("SQ-SUP-5")
def test_in_cover_or_without_any_in_reach_there_is_no_duty() -> None:
    require_nearer_cover(FIELD, (0, 3), (0, 2), 0)
    require_nearer_cover(FIELD, FAR, (0, 0), 0)
    require_nearer_cover(None, (0, 0), (1, 0), 0)
    require_no_further_step(FIELD, (0, 3), [(0, 2)], 100, 0)
    require_no_further_step(FIELD, FAR, [(0, 0)], 100, 0)
    require_no_further_step(None, (0, 0), [(1, 1)], 100, 0)


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize(
    ("steps", "mp_left", "standing_price", "goes_on"),
    [
        ([(1, 1)], 6, 0, True),
        ([(1, 1)], 5, 0, False),
        ([(0, 1)], 4, 0, True),
        ([(0, 1)], 3, 0, False),
        ([(0, 1)], 12, 8, True),
        ([(0, 1)], 11, 8, False),
        ([(1, 0), FAR], 100, 0, False),
        ([], 100, 0, False),
        ([(1, 0), (1, 1)], 6, 0, True),
    ],
)
def test_the_phase_goes_on_while_a_step_nearer_to_cover_can_be_paid(
    steps: list[Cell], mp_left: int, standing_price: int, goes_on: bool
) -> None:
    if not goes_on:
        require_no_further_step(FIELD, (0, 0), steps, mp_left, standing_price)
        return
    with pytest.raises(Refused) as refused:
        require_no_further_step(FIELD, (0, 0), steps, mp_left, standing_price)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "must_seek_cover",
        "SQ-SUP-5",
        {"x": 0, "y": 0, "left": mp_left},
    )


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize(
    ("rows", "corner_rule", "price"),
    [
        (["...", ".█.", "..."], "both", 8),
        (["...", ".█.", ".█."], "both", 8),
        (["...", ".██", ".█."], "both", 11),
        (["...", ".██", "..."], "any", 11),
        (["███", "███", "███"], "both", None),
    ],
    ids=["any step", "past one wall", "past a closed corner", "any corner", "walled in"],
)
def test_a_way_out_of_a_wall_begins_with_any_step_that_the_ground_lets_pass(
    rows: list[str], corner_rule: CornerRule, price: int | None
) -> None:
    """From (1,1) cover is nearest by (2,2), then by (0,1); none leads back."""
    prices = {(2, 2): 2, (0, 1): 7, (0, 0): 99, (1, 0): 99}
    footing = Footing(
        width=3,
        height=3,
        is_passable=lambda cell: rows[cell[1]][cell[0]] == ".",
        is_occupied=lambda _: False,
        corner_rule=corner_rule,
    )
    assert price_of_leaving(prices.get, footing, (1, 1)) == price
