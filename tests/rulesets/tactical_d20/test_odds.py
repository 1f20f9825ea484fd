"""Exact chances, held to every combination of faces."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from service.rulesets.tactical_d20.rules.defaults import damage_dealt
from service.rulesets.tactical_d20.rules.odds import (
    AttackChances,
    Blow,
    attack_chances,
    damage_chance,
    save_chance,
    standing_chance,
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


FIFTH = Fraction(1, 5)
BLOWS: tuple[Blow, ...] = (
    Blow(AttackChances(2 * FIFTH, FIFTH, FIFTH, FIFTH), 1, 3, 1),
    Blow(AttackChances(FIFTH, 0 * FIFTH, 3 * FIFTH, FIFTH), 2, 2, -3),
    Blow(AttackChances(0 * FIFTH, 0 * FIFTH, 1 - FIFTH, FIFTH), 0, 6, 2),
)


def damages(blow: Blow) -> Iterator[tuple[int, Fraction]]:
    """Every way in which a blow may come out: its damage and its chance."""
    chances = blow.chances
    yield 0, chances.miss + chances.miss_concealment
    for share, times in ((chances.hit, 1), (chances.critical, 2)):
        rolls = list(product(range(1, blow.sides + 1), repeat=times * blow.dice))
        for faces in rolls:
            yield max(0, sum(faces) + times * blow.bonus), share / len(rolls)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("health", [1, 2, 5, 9, 20])
def test_the_chance_to_withstand_blows_is_that_of_every_way_they_come_out(
    count: int, health: int
) -> None:
    standing = Fraction(0)
    for ways in product(*map(damages, BLOWS[:count])):
        if sum(damage for damage, _ in ways) < health:
            standing += prod((chance for _, chance in ways), start=Fraction(1))
    assert standing_chance(BLOWS[:count], health) == standing


def test_the_damage_of_several_blows_is_summed_up_to_a_hundred_points() -> None:
    told = [standing_chance(BLOWS[:count], health) for count in (1, 2) for health in (100, 101)]
    assert told == [1, 1, 1, None]
