"""SQ-GREN: distance, roll, scatter and the order of a blast."""

import pytest

from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.rules.grenades import (
    Bystander,
    blast_order,
    longest_throw,
    require_in_throw,
    scatter_steps,
    scattered,
    throw_outcome,
)
from tests.rulesets.squad_d100.refusals import refusal

WALL: Cell = (3, 2)


def is_open(cell: Cell) -> bool:
    """A map of 5 by 4 cells with one wall."""
    return 0 <= cell[0] < 5 and 0 <= cell[1] < 4 and cell != WALL


@pytest.mark.rule("SQ-GREN-1")
@pytest.mark.parametrize(
    ("strength", "distance", "is_refused"),
    [(41, 20, False), (41, 21, True), (40, 20, False), (39, 20, True), (1, 0, False), (1, 1, True)],
)
def test_a_throw_reaches_half_the_strength(strength: int, distance: int, is_refused: bool) -> None:
    facts: dict[str, object] = {"distance": distance, "longest": longest_throw(strength)}
    expected = ("out_of_throw_range", "SQ-GREN-1", facts) if is_refused else None
    assert refusal(lambda: require_in_throw(distance, strength)) == expected


@pytest.mark.rule("SQ-GREN-2")
@pytest.mark.parametrize(
    ("natural", "outcome"),
    [
        (1, "critical_success"),
        (2, "hit"),
        (64, "hit"),
        (65, "miss"),
        (66, "miss"),
        (100, "critical_failure"),
    ],
)
def test_a_throw_is_rolled_like_an_aimed_shot(natural: int, outcome: str) -> None:
    assert throw_outcome(natural, -5, 60, 1) == outcome


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize(("natural", "steps"), [(99, 1), (100, 2)])
def test_a_critical_failure_scatters_twice_as_far(natural: int, steps: int) -> None:
    assert scatter_steps(natural) == steps


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize(
    ("direction", "landing"),
    [
        (1, (1, 0)),
        (2, (2, 0)),
        (3, (2, 1)),
        (4, (2, 2)),
        (5, (1, 2)),
        (6, (0, 2)),
        (7, (0, 1)),
        (8, (0, 0)),
    ],
)
def test_the_directions_go_clockwise_from_up(direction: int, landing: Cell) -> None:
    assert scattered((1, 1), direction, 1, is_open) == landing


@pytest.mark.rule("SQ-GREN-3")
@pytest.mark.parametrize(
    ("cell", "direction", "steps", "landing"),
    [
        ((2, 1), 4, 1, (2, 1)),
        ((2, 1), 4, 2, (2, 1)),
        ((2, 1), 3, 2, (4, 1)),
        ((3, 1), 3, 2, (4, 1)),
        ((4, 1), 3, 2, (4, 1)),
        ((1, 2), 3, 2, (2, 2)),
    ],
)
def test_a_scattered_grenade_stops_before_walls_and_the_edge(
    cell: Cell, direction: int, steps: int, landing: Cell
) -> None:
    assert scattered(cell, direction, steps, is_open) == landing


@pytest.mark.rule("SQ-GREN-4")
def test_a_blast_strikes_the_nearest_first_and_then_by_number() -> None:
    reached = (
        Bystander("late", 7, 1),
        Bystander("far", 1, 2),
        Bystander("early", 2, 1),
        Bystander("there", 9, 0),
    )
    assert blast_order(reached) == ("there", "early", "late", "far")
