"""ML-SHOOT-6: wound rolls, saves, wounds lost and healed."""

import pytest
from msgspec import UNSET, UnsetType

from service.rulesets.melody_d6.rules.wounds import (
    health_after,
    health_healed,
    is_killed,
    save_needed,
    saves_made,
    wound_needed,
    wounds_made,
)


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("strength", "toughness", "needed"),
    [
        (1, 3, 6),
        (1, 4, 6),
        (3, 3, 4),
        (4, 3, 3),
        (5, 3, 2),
        (6, 3, 2),
        (10, 1, 2),
        (3, 5, 6),
        (3, 6, 6),
        (1, 10, 6),
    ],
)
def test_a_wound_needs_two_to_six(strength: int, toughness: int, needed: int) -> None:
    assert wound_needed(strength, toughness) == needed


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("faces", "needed", "wounds"), [((), 4, 0), ((3,), 4, 0), ((4,), 4, 1), ((5, 4, 3, 6), 4, 3)]
)
def test_each_die_that_reaches_the_number_wounds(
    faces: tuple[int, ...], needed: int, wounds: int
) -> None:
    assert wounds_made(faces, needed) == wounds


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("armour", "pen", "needed"), [(UNSET, 0, UNSET), (UNSET, 5, UNSET), (4, 0, 4), (6, 5, 11)]
)
def test_penetration_makes_a_save_harder(
    armour: int | UnsetType, pen: int, needed: int | UnsetType
) -> None:
    assert save_needed(armour, pen) == needed


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("faces", "needed", "saved"),
    [
        ((), 4, 0),
        ((3, 4, 5), 4, 2),
        ((1, 2), 2, 1),
        ((1, 1), 1, 0),
        ((6,), 6, 1),
        ((6,), 7, 0),
    ],
)
def test_a_one_never_saves(faces: tuple[int, ...], needed: int, saved: int) -> None:
    assert saves_made(faces, needed) == saved


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("loss", "left", "killed"), [(0, 2, False), (1, 1, False), (2, 0, True), (3, 0, True)]
)
def test_wounds_left_stop_at_zero_and_there_one_is_killed(
    loss: int, left: int, killed: bool
) -> None:
    assert health_after(2, loss) == left
    assert is_killed(health_after(2, loss)) == killed


@pytest.mark.parametrize(("amount", "left"), [(1, 2), (2, 3), (3, 3)])
def test_nobody_is_healed_above_what_it_has_unhurt(amount: int, left: int) -> None:
    assert health_healed(1, 3, amount) == left
