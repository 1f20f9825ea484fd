"""Exact chances, held to every combination of faces."""

from fractions import Fraction
from itertools import product

import pytest

from service.rulesets.tactical_d20.rules.defaults import damage_dealt
from service.rulesets.tactical_d20.rules.odds import (
    AttackChances,
    attack_chances,
    damage_chance,
    save_chance,
)


@pytest.mark.parametrize(
    ("bonus", "ac", "percent", "faces"),
    [
        (5, 15, 0, (9, 0, 10, 1)),
        (5, 16, 0, (10, 0, 9, 1)),
        (50, 15, 0, (1, 0, 18, 1)),
        (-6, 15, 0, (19, 0, 1, 0)),
        (-5, 15, 0, (19, 0, 0, 1)),
        (5, 15, 100, (9, 11, 0, 0)),
        (5, 15, 50, (9, Fraction(11, 2), 5, Fraction(1, 2))),
    ],
)
def test_an_attack_counts_faces_of_twenty(
    bonus: int, ac: int, percent: int, faces: tuple[Fraction | int, ...]
) -> None:
    chances = attack_chances(bonus, ac, percent)
    assert chances == AttackChances(*(Fraction(each) / 20 for each in faces))
    assert sum(chances) == 1


@pytest.mark.parametrize(
    ("bonus", "dc", "faces"), [(3, 15, 9), (3, 24, 0), (3, 23, 1), (3, 4, 20), (3, 5, 19)]
)
def test_a_save_counts_faces_of_twenty(bonus: int, dc: int, faces: int) -> None:
    assert save_chance(bonus, dc) == Fraction(faces, 20)


@pytest.mark.parametrize(("dice", "sides"), [(0, 6), (1, 1), (1, 6), (2, 6), (3, 4), (4, 3)])
@pytest.mark.parametrize("bonus", [-3, 0, 2])
def test_damage_counts_every_combination(dice: int, sides: int, bonus: int) -> None:
    rolls = list(product(range(1, sides + 1), repeat=dice))
    for least in range(-1, dice * sides + bonus + 3):
        enough = sum(damage_dealt(faces, bonus) >= least for faces in rolls)
        assert damage_chance(dice, sides, bonus, least) == Fraction(enough, len(rolls))
