"""The exact chances of hits, wounds and saves, one after the other, and of what is left of health.

How this works. Every shot ends alike and independently of the others, so hits that cost wounds are
counted by the binomial formula. What several effects do one after the other to one body is followed
from health to health; who is killed stays so.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.kit.dice_sums import ways, ways_at_most
from service.engine.kit.previews import odds_by_count, odds_of
from service.engine.ruleset.definition import Odds
from service.rulesets.melody_d6.previews.face_sets import D6
from service.rulesets.melody_d6.rules.fights import FightOutcome, fight_outcome
from service.rulesets.melody_d6.rules.panic import PANIC_DICE, holds
from service.rulesets.melody_d6.rules.shooting import hit_die
from service.rulesets.melody_d6.rules.wounds import (
    Hit,
    health_after,
    health_healed,
    is_killed,
    save_needed,
    saves_made,
    wound_needed,
    wounds_made,
)

FACES: Final = tuple(range(1, D6 + 1))

FELLED: Final = "felled"
HURT: Final = "hurt"
UNHURT: Final = "unhurt"

HealthChances = Mapping[int, Fraction]
"""The chance of each number of wounds left."""


class Body(NamedTuple):
    """What decides how hits end: toughness, armour, wounds left and wounds when unhurt."""

    toughness: int
    armour: int | UnsetType
    health: int
    health_max: int


def hit_chance(bonus: int) -> Fraction:
    """The chance that one shot hits; `bonus` is accuracy and all modifiers."""
    return Fraction(sum(hit_die(face, bonus).is_hit for face in FACES), D6)


def wound_chance(hit: Hit, body: Body) -> Fraction:
    """The chance that one hit wounds and is not saved."""
    wounds = sum(wounds_made((face,), wound_needed(hit.strength, body.toughness)) for face in FACES)
    needed = save_needed(body.armour, hit.pen)
    if needed is UNSET:
        return Fraction(wounds, D6)
    saved = sum(saves_made((face,), needed) for face in FACES)
    return Fraction(wounds * (D6 - saved), D6 * D6)


def after_shots(shots: int, hit: Fraction, blow: Hit, body: Body) -> HealthChances:
    """Wounds left after so many shots that each hit with this chance."""
    each = hit * wound_chance(blow, body)
    chances: dict[int, Fraction] = {}
    for count in range(shots + 1):
        chance = comb(shots, count) * each**count * (1 - each) ** (shots - count)
        left = health_after(body.health, count * blow.damage)
        chances[left] = chances.get(left, Fraction(0)) + chance
    return chances


def after_blow(chances: HealthChances, blow: Hit, body: Body) -> HealthChances:
    """Wounds left after one more hit on a body that had these chances."""
    chance = wound_chance(blow, body)
    return _followed(chances, lambda left: ((health_after(left, blow.damage), chance),))


def after_damage(chances: HealthChances, amount: int) -> HealthChances:
    """Wounds left after a loss that nothing saves."""
    return _followed(chances, lambda left: ((health_after(left, amount), Fraction(1)),))


def after_healing(chances: HealthChances, amount: int, most: int) -> HealthChances:
    """Wounds left after healing."""
    return _followed(chances, lambda left: ((health_healed(left, most, amount), Fraction(1)),))


def unless(chances: HealthChances, happening: Fraction, health: int) -> HealthChances:
    """The same where all of it happens with this chance alone, and else nothing does."""
    mixed = {left: chance * happening for left, chance in chances.items()}
    mixed[health] = mixed.get(health, Fraction(0)) + 1 - happening
    return mixed


def _followed(
    chances: HealthChances, step: Callable[[int], Iterable[tuple[int, Fraction]]]
) -> HealthChances:
    """One step further for whoever is not killed: where it leads, else nothing changes."""
    after: dict[int, Fraction] = {}
    for left, chance in chances.items():
        ends = () if is_killed(left) else tuple(step(left))
        rest = 1 - sum((share for _, share in ends), Fraction(0))
        for end, share in (*ends, (left, rest)):
            after[end] = after.get(end, Fraction(0)) + chance * share
    return {left: chance for left, chance in after.items() if chance}


def harm_odds(chances: HealthChances, health: int) -> tuple[Odds, ...]:
    """The chances of being killed, of having lost wounds, and of neither."""
    felled = sum((chance for left, chance in chances.items() if is_killed(left)), Fraction(0))
    lost = sum((chance for left, chance in chances.items() if left < health), Fraction(0))
    return (
        odds_of(FELLED, felled),
        odds_of(HURT, lost - felled),
        odds_of(UNHURT, 1 - lost),
    )


def fight_odds(attacker: int, defender: int) -> tuple[Odds, ...]:
    """The chances of a fight by what each adds to its die."""
    counts: dict[FightOutcome, int] = {"hit": 0, "stopped": 0, "stalemate": 0}
    for first in FACES:
        for second in FACES:
            counts[fight_outcome(first + attacker, second + defender)] += 1
    return odds_by_count(counts.items(), D6 * D6)


def panic_chance(needed: int) -> Fraction:
    """The chance that a unit fails its panic test."""
    sums = range(PANIC_DICE, PANIC_DICE * D6 + 1)
    held = max((total for total in sums if holds(total, needed)), default=0)
    passed = ways_at_most(PANIC_DICE, D6, held)
    return 1 - Fraction(passed, ways(PANIC_DICE, D6))


def any_of(chances: Iterable[Fraction]) -> Fraction:
    """The chance that at least one of independent things happens."""
    none = Fraction(1)
    for chance in chances:
        none *= 1 - chance
    return 1 - none
