"""Chances against enumerations: single rolls face by face, volleys and damage case by case."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from service.rulesets.squad_d100.rules.armour import ArmourOptions
from service.rulesets.squad_d100.rules.odds import (
    Armoured,
    HitChances,
    Pool,
    RoundChances,
    VolleyChances,
    damage_at_most,
    hit_chances,
    is_countable,
    round_chances,
    volley_chances,
)
from service.rulesets.squad_d100.rules.shots import Outcome, shot_outcome

FIXED: Pool = (0, 1, 20)
D6: Pool = (1, 6, 0)
ODD: Pool = (2, 4, -3)


def aimed(natural: int) -> Outcome:
    """Accuracy 60, no modifiers."""
    return shot_outcome(natural, 0, 60, 1)


def totals(pool: Pool) -> list[int]:
    """The damage of every combination of dice."""
    dice, sides, bonus = pool
    return [max(0, sum(faces) + bonus) for faces in product(range(1, sides + 1), repeat=dice)]


def enumerated(rounds: Sequence[RoundChances], health: int) -> VolleyChances:
    """The chances of a volley by all its cases, one round after the other."""
    cases: dict[tuple[int, int], Fraction] = {(health, 0): Fraction(1)}
    for each in rounds:
        amounts = totals(each.pool)
        missed = 100 - each.penetration - each.green - each.other
        after: dict[tuple[int, int], Fraction] = {}
        for (left, hits), weight in cases.items():
            if left == 0:
                after[left, hits] = after.get((left, hits), Fraction(0)) + weight
                continue
            ways = [(each.green, 10, 1), (each.other, 0, 1), (missed, 0, 0)]
            branches = [(Fraction(faces, 100), loss, hit) for faces, loss, hit in ways]
            share = Fraction(each.penetration, 100 * len(amounts))
            branches += [(share, amount + 10, 1) for amount in amounts]
            for chance, loss, more in branches:
                case = (max(0, left - loss), hits + more)
                after[case] = after.get(case, Fraction(0)) + weight * chance
        cases = after
    by_hits = tuple(
        sum((chance for (_, count), chance in cases.items() if count == n), Fraction(0))
        for n in range(len(rounds) + 1)
    )
    down = sum((chance for (left, _), chance in cases.items() if left == 0), Fraction(0))
    return VolleyChances(by_hits, down)


@pytest.mark.parametrize(
    ("armoured", "zones"),
    [
        (None, None),
        (Armoured(3, 0, ArmourOptions()), (59, 0, 0, 0)),
        (Armoured(3, 4, ArmourOptions()), (24, 17, 12, 6)),
    ],
)
def test_every_face_is_counted_once(
    armoured: Armoured | None, zones: tuple[int, ...] | None
) -> None:
    assert hit_chances(aimed, armoured) == HitChances((1, 58, 40, 1), zones)


def test_a_round_is_worth_its_zones() -> None:
    chances = hit_chances(aimed, Armoured(3, 4, ArmourOptions()))
    assert round_chances(chances, FIXED) == RoundChances(24, 17, 18, FIXED)
    assert round_chances(hit_chances(aimed, None), FIXED) is None


@pytest.mark.parametrize("pool", [FIXED, D6, ODD, (2, 3, 4), (3, 2, -5), (1, 4, -4)])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_sums_of_damage_are_counted_exactly(pool: Pool, times: int) -> None:
    sums = [sum(case) for case in product(totals(pool), repeat=times)]
    for most in range(max(sums) + 2):
        expected = Fraction(sum(each <= most for each in sums), len(sums))
        assert damage_at_most(pool, times, most) == expected


@pytest.mark.parametrize(
    ("pools", "countable"),
    [
        (((20, 100, 0),) * 15, True),
        (((0, 1, 5000), (0, 1, 3)), True),
        (((2, 100, -3),) * 5, True),
        (((2, 101, -3),) * 5, False),
        (((5, 50, 0), (5, 50, 1)) * 2, True),
        (((5, 50, 0), (5, 51, 1)) * 2, False),
    ],
)
def test_sums_that_take_long_are_not_counted(pools: tuple[Pool, ...], countable: bool) -> None:
    assert is_countable([RoundChances(1, 1, 1, pool) for pool in pools]) == countable


@pytest.mark.parametrize("health", [1, 10, 11, 29, 30, 31, 35, 61, 100])
@pytest.mark.parametrize(
    "rounds",
    [
        (RoundChances(20, 10, 5, FIXED),),
        (RoundChances(20, 10, 5, FIXED),) * 3,
        (RoundChances(20, 0, 5, D6), RoundChances(50, 10, 0, ODD)) * 2,
        (RoundChances(0, 30, 0, D6), RoundChances(0, 0, 0, D6)),
        (RoundChances(100, 0, 0, ODD),) * 4,
    ],
)
def test_a_volley_is_worth_all_its_cases(rounds: tuple[RoundChances, ...], health: int) -> None:
    chances = volley_chances(rounds, health)
    assert chances == enumerated(rounds, health)
    assert sum(chances.hits) == 1
