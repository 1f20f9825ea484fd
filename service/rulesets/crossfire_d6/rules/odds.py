"""Exact chances of pools of six-sided dice, for previews. Nothing is drawn.

How this works. The number of ways in which m dice of f faces sum to at most t is
sum over i of (-1)^i C(m, i) C(t - f*i, m). A pool's misses follow from it directly; its plain
hits are those with fewer sixes than a critical needs, counted by the number of sixes, the other
dice having five faces. So the work grows with the pool times the sixes needed.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from service.rulesets.crossfire_d6.rules.defaults import SIX


class Odds(Struct, frozen=True, kw_only=True):
    """The chances of an attack; they add up to 1. `hit` leaves the critical hits out."""

    miss: Fraction
    hit: Fraction
    critical: Fraction


AUTOMATIC_CRITICAL = Odds(miss=Fraction(0), hit=Fraction(0), critical=Fraction(1))
"""The odds of an attack that needs no roll (CF-HELP-1)."""


@lru_cache(maxsize=4096)
def attack_odds(pool: int, defence: int, critical_sixes: int) -> Odds:
    """The odds of a pool of dice against a defence, decided as CF-SD-3 does.

    pool >= 0; 0 dice always miss. `critical_sixes` = 0: never critical.
    """
    if pool <= 0:
        return Odds(miss=Fraction(1), hit=Fraction(0), critical=Fraction(0))
    everything = _ways(pool, SIX)
    misses = _ways_at_most(pool, SIX, defence - 1)
    if critical_sixes == 0:
        plain = everything - misses
    else:
        plain = sum(
            comb(pool, sixes) * _ways_at_least(pool - sixes, SIX - 1, defence - SIX * sixes)
            for sixes in range(min(critical_sixes, pool + 1))
        )
    return Odds(
        miss=Fraction(misses, everything),
        hit=Fraction(plain, everything),
        critical=Fraction(everything - misses - plain, everything),
    )


@lru_cache(maxsize=1024)
def hide_odds(hider_pool: int, aggressor_pool: int, *, tie_succeeds: bool) -> Fraction:
    """The chance that a hider's sum beats an aggressor's, decided as CF-PIN-6 does."""
    lead = 0 if tie_succeeds else 1
    ways = sum(
        _ways_exactly(aggressor_pool, sum_) * _ways_at_least(hider_pool, SIX, sum_ + lead)
        for sum_ in range(aggressor_pool, SIX * aggressor_pool + 1)
    )
    return Fraction(ways, _ways(hider_pool + aggressor_pool, SIX))


def _ways(dice: int, faces: int) -> int:
    ways: int = faces**dice
    return ways


def _ways_at_most(dice: int, faces: int, limit: int) -> int:
    """Outcomes of `dice` dice with `faces` faces whose sum is at most `limit`."""
    if limit < dice:
        return 0
    if limit >= dice * faces:
        return _ways(dice, faces)
    return sum(
        (-1) ** i * comb(dice, i) * comb(limit - faces * i, dice)
        for i in range((limit - dice) // faces + 1)
    )


def _ways_at_least(dice: int, faces: int, limit: int) -> int:
    return _ways(dice, faces) - _ways_at_most(dice, faces, limit - 1)


def _ways_exactly(dice: int, sum_: int) -> int:
    return _ways_at_most(dice, SIX, sum_) - _ways_at_most(dice, SIX, sum_ - 1)
