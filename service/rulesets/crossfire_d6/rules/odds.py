"""Exact chances of pools of six-sided dice, for previews. Nothing is drawn.

How this works. A pool's misses are the ways in which its dice have less than the sum; its plain
hits are those with fewer sixes than a critical needs, counted by the number of sixes, the other
dice having five faces. So the work grows with the pool times the sixes needed.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from service.engine.kit.dice_sums import ways, ways_at_most
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
    everything = ways(pool, SIX)
    misses = ways_at_most(pool, SIX, defence - 1)
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
    successes = sum(
        _ways_exactly(aggressor_pool, sum_) * _ways_at_least(hider_pool, SIX, sum_ + lead)
        for sum_ in range(aggressor_pool, SIX * aggressor_pool + 1)
    )
    return Fraction(successes, ways(hider_pool + aggressor_pool, SIX))


def _ways_at_least(dice: int, faces: int, limit: int) -> int:
    return ways(dice, faces) - ways_at_most(dice, faces, limit - 1)


def _ways_exactly(dice: int, sum_: int) -> int:
    return ways_at_most(dice, SIX, sum_) - ways_at_most(dice, SIX, sum_ - 1)
