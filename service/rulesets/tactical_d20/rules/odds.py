"""Exact chances of attacks, saves and damage, for previews. Nothing is drawn.

How this works. An attack depends on one d20 face and, where the target is concealed, on one of a
hundred; both are counted. Sums of damage dice are counted exactly, which costs no more for many
dice than for few.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from service.engine.kit.dice_sums import ways, ways_at_most
from service.rulesets.tactical_d20.rules.areas import is_saved
from service.rulesets.tactical_d20.rules.concealment import is_missed
from service.rulesets.tactical_d20.rules.defaults import D20, D100, attack_outcome, damage_pool
from service.rulesets.tactical_d20.rules.words import Outcome

_FACES: Final = range(1, D20 + 1)


class AttackChances(NamedTuple):
    """The chances of an attack; they add up to 1. `hit` leaves the critical hits out."""

    miss: Fraction
    miss_concealment: Fraction
    hit: Fraction
    critical: Fraction


@lru_cache(maxsize=4096)
def attack_chances(bonus: int, ac: int, percent: int) -> AttackChances:
    """The chances of an attack against an armour class and a miss chance in per cent."""
    outcomes = [attack_outcome(face, bonus, ac) for face in _FACES]
    concealed = Fraction(sum(is_missed(percent, die) for die in range(1, D100 + 1)), D100)
    miss, hit, critical = (
        Fraction(outcomes.count(outcome), D20) for outcome in ("miss", "hit", "critical")
    )
    return AttackChances(
        miss=miss,
        miss_concealment=concealed * (hit + critical),
        hit=(1 - concealed) * hit,
        critical=(1 - concealed) * critical,
    )


@lru_cache(maxsize=1024)
def save_chance(bonus: int, dc: int) -> Fraction:
    """The chance that a save with this bonus succeeds."""
    return Fraction(sum(is_saved(face + bonus, dc) for face in _FACES), D20)


@lru_cache(maxsize=4096)
def damage_chance(dice: int, sides: int, bonus: int, least: int) -> Fraction:
    """The chance of at least so many points of damage; `least` below 1 is certain."""
    wanted = least - bonus
    if least <= 0:
        return Fraction(1)
    return 1 - Fraction(ways_at_most(dice, sides, wanted - 1), ways(dice, sides))


class Blow(NamedTuple):
    """An attack by its chances and its damage, of which a critical hit does twice as much."""

    chances: AttackChances
    dice: int
    sides: int
    bonus: int

    def at_least(self, damage: int) -> Fraction:
        """The chance of at least so many points, of which there is some."""
        return self.chances.hit * self._rolled("hit", damage) + (
            self.chances.critical * self._rolled("critical", damage)
        )

    def _rolled(self, outcome: Outcome, damage: int) -> Fraction:
        dice, bonus = damage_pool(self.dice, self.bonus, outcome)
        return damage_chance(dice, self.sides, bonus, damage)


MOST_SUMMED: Final = 100
"""Health up to which the damage of several blows is summed; the work grows with its square."""


def standing_chance(blows: tuple[Blow, ...], health: int) -> Fraction | None:
    """The chance that these blows together do less damage than there is health, at least 1.

    None where working it out would take too long.
    """
    if len(blows) > 1 and health > MOST_SUMMED:
        return None
    left = {health: Fraction(1)}
    for number, blow in enumerate(blows, 1):
        if number == len(blows):
            return sum((p * (1 - blow.at_least(h)) for h, p in left.items()), Fraction(0))
        left = _left_after(left, blow)
    return Fraction(1)


def _left_after(left: dict[int, Fraction], blow: Blow) -> dict[int, Fraction]:
    """The chances of each health that is left, above 0, after one more blow."""
    most = max(left, default=0)
    reached = [Fraction(1), *(blow.at_least(damage) for damage in range(1, most + 1))]
    after: dict[int, Fraction] = {}
    for health, chance in left.items():
        for damage in range(health):
            exactly = reached[damage] - reached[damage + 1]
            if exactly:
                rest = health - damage
                after[rest] = after.get(rest, Fraction(0)) + chance * exactly
    return after
