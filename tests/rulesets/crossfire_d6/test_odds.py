"""Exact chances, held against counting every outcome."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rulesets.crossfire_d6.rules.defaults import attack_outcome
from service.rulesets.crossfire_d6.rules.odds import (
    AUTOMATIC_CRITICAL,
    Odds,
    attack_odds,
    hide_odds,
)
from service.rulesets.crossfire_d6.rules.suppression import is_hidden


def counted(pool: int, defence: int, sixes: int) -> Odds:
    rolls = tuple(itertools.product(range(1, 7), repeat=pool))
    outcomes = [attack_outcome(faces, defence, sixes) for faces in rolls]
    return Odds(
        miss=Fraction(outcomes.count("miss"), len(rolls)),
        hit=Fraction(outcomes.count("hit"), len(rolls)),
        critical=Fraction(outcomes.count("critical"), len(rolls)),
    )


@pytest.mark.rule("CF-SD-3")
@pytest.mark.parametrize("pool", range(5))
@pytest.mark.parametrize("sixes", range(6))
def test_odds_are_those_of_counting_every_outcome(pool: int, sixes: int) -> None:
    for defence in range(6 * pool + 3):
        assert attack_odds(pool, defence, sixes) == counted(pool, defence, sixes)


@given(st.integers(0, 200), st.integers(0, 400), st.integers(0, 10))
def test_odds_add_up_to_one_and_none_is_negative(pool: int, defence: int, sixes: int) -> None:
    odds = attack_odds(pool, defence, sixes)
    assert odds.miss + odds.hit + odds.critical == 1
    assert min(odds.miss, odds.hit, odds.critical) >= 0


@given(st.integers(0, 60), st.integers(0, 200), st.integers(0, 10))
def test_another_die_never_lowers_the_chance_to_hit(pool: int, defence: int, sixes: int) -> None:
    assert attack_odds(pool + 1, defence, sixes).miss <= attack_odds(pool, defence, sixes).miss


def test_an_automatic_critical_is_certain() -> None:
    assert AUTOMATIC_CRITICAL.critical == 1


@pytest.mark.rule("CF-PIN-6")
@pytest.mark.parametrize("hider", range(4))
@pytest.mark.parametrize("aggressor", range(4))
@pytest.mark.parametrize("ties", [True, False])
def test_odds_of_hiding_are_those_of_counting(hider: int, aggressor: int, ties: bool) -> None:
    sums = [
        (sum(mine), sum(theirs))
        for mine in itertools.product(range(1, 7), repeat=hider)
        for theirs in itertools.product(range(1, 7), repeat=aggressor)
    ]
    wins = sum(is_hidden(mine, theirs, tie_succeeds=ties) for mine, theirs in sums)
    assert hide_odds(hider, aggressor, tie_succeeds=ties) == Fraction(wins, len(sums))
