"""Movement points, the price of steps, and where none leads."""

import pytest

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.movement import (
    Footing,
    diagonal_price,
    is_corner_closed,
    may_step,
    movement_points,
    require_points,
    require_step,
    step_price,
    straight_price,
)

MIDDLE = (1, 1)


def footing(*rows: str, held: tuple[Cell, ...] = (), corner_rule: CornerRule = "both") -> Footing:
    """The ground of these rows: `#` is impassable."""
    return Footing(
        width=len(rows[0]),
        height=len(rows),
        is_passable=lambda cell: rows[cell[1]][cell[0]] != "#",
        is_occupied=lambda cell: cell in held,
        corner_rule=corner_rule,
    )


OPEN = footing("...", "...", "...")


def refusal(ground: Footing, here: Cell, there: Cell) -> tuple[str, str | None, object]:
    with pytest.raises(Refused) as refused:
        require_step(ground, here, there, 2)
    assert not may_step(ground, here, there)
    return refused.value.code, refused.value.rule, refused.value.params


@pytest.mark.rule("SQ-MOVE-1")
@pytest.mark.parametrize("agility", [0, 1, 30, 1000])
def test_a_turn_has_as_many_points_as_agility(agility: int) -> None:
    assert movement_points(agility) == agility


@pytest.mark.rule("SQ-MOVE-2")
@pytest.mark.rule("SQ-MOVE-3")
def test_a_straight_step_costs_4_and_a_diagonal_one_6() -> None:
    assert (straight_price(), diagonal_price()) == (4, 6)
    prices = [[step_price(MIDDLE, (x, y)) for x in range(3)] for y in range(3)]
    prices[1].pop(1)
    assert prices == [[6, 4, 6], [4, 4], [6, 4, 6]]
    assert [require_step(OPEN, MIDDLE, each, 0) for each in [(0, 0), (1, 0), (2, 1)]] == [6, 4, 4]


def test_a_price_is_paid_to_the_last_point_and_no_further() -> None:
    assert require_points(6, 6, "SQ-MOVE-3") == 0
    assert require_points(7, 6, "SQ-MOVE-3") == 1
    with pytest.raises(Refused) as refused:
        require_points(5, 6, "SQ-MOVE-3")
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "not_enough_mp",
        "SQ-MOVE-3",
        {"needed": 6, "left": 5},
    )


@pytest.mark.parametrize("there", [(-1, 0), (3, 0), (0, -1), (0, 3), (90, 1)])
def test_no_step_leads_off_the_map(there: Cell) -> None:
    facts = {"step": 2, "x": there[0], "y": there[1], "width": 3, "height": 3}
    assert refusal(OPEN, MIDDLE, there) == ("out_of_map", None, facts)


@pytest.mark.parametrize("there", [(0, 0), (2, 0), (1, 2), (2, 2)])
def test_a_step_is_one_cell_long(there: Cell) -> None:
    with pytest.raises(Refused) as refused:
        require_step(OPEN, (0, 0), there, 0)
    facts = {"step": 0, "x": there[0], "y": there[1]}
    assert (refused.value.code, refused.value.params) == ("not_a_step", facts)


@pytest.mark.rule("SQ-MOVE-5")
def test_impassable_and_held_cells_are_not_entered() -> None:
    ground = footing("#..", "...", "...", held=((2, 2), (0, 0)))
    blocked = {"step": 2, "x": 0, "y": 0}
    assert refusal(ground, MIDDLE, (0, 0)) == ("cell_blocked", "SQ-MOVE-5", blocked)
    held = {"step": 2, "x": 2, "y": 2}
    assert refusal(ground, MIDDLE, (2, 2)) == ("cell_occupied", "SQ-MOVE-5", held)


@pytest.mark.rule("SQ-MOVE-4")
@pytest.mark.parametrize(
    ("sides", "rule", "is_closed"),
    [
        (0, "both", False),
        (1, "both", False),
        (2, "both", True),
        (0, "any", False),
        (1, "any", True),
        (2, "any", True),
    ],
)
def test_two_sides_close_a_corner_or_any_one(sides: int, rule: CornerRule, is_closed: bool) -> None:
    assert is_corner_closed(sides, rule) == is_closed


@pytest.mark.rule("SQ-MOVE-4")
def test_a_diagonal_step_does_not_lead_between_two_walls() -> None:
    facts = {"step": 2, "x": 1, "y": 1}
    blocked = ("corner_blocked", "SQ-MOVE-4", facts)
    two, one = (".#.", "#..", "..."), (".#.", "...", "...")
    assert refusal(footing(*two), (0, 0), MIDDLE) == blocked
    assert require_step(footing(*one), (0, 0), MIDDLE, 0) == 6
    assert refusal(footing(*one, corner_rule="any"), (0, 0), MIDDLE) == blocked


@pytest.mark.rule("SQ-MOVE-4")
def test_whoever_stands_beside_a_diagonal_step_does_not_close_it() -> None:
    ground = footing("...", "...", "...", held=((1, 0), (0, 1)), corner_rule="any")
    assert require_step(ground, (0, 0), MIDDLE, 0) == 6
    assert may_step(ground, (0, 0), MIDDLE)
