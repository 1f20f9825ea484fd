"""Exact chances of shots, throws, blows and volleys, for previews. Nothing is drawn.

How this works. A roll is counted face by face. Of several rolls at one target only what they come
to matters: how many penetrated with which damage, how many wounded heavily, how many hit. Losses
never shrink, so whoever stands after so many hits has stood before each of them, and one sum of
damage dice for each such count is enough. How many ways dice have to a sum is counted exactly,
unless a single total below 0 that counts 0 stands in the way.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from service.engine.kit.dice_sums import ways, ways_at_most
from service.rulesets.squad_d100.rules.armour import ArmourOptions, Zone, armour_ruling
from service.rulesets.squad_d100.rules.shots import D100, Outcome
from service.rulesets.squad_d100.rules.wounds import heavy_wound

OUTCOMES: Final[tuple[Outcome, ...]] = ("critical_success", "hit", "miss", "critical_failure")
ZONES: Final[tuple[Zone, ...]] = ("penetration", "green", "yellow", "red")

MOST_SIDES: Final = 1000
"""Sides of all dice of a volley at most where sums are counted one by one."""

OutcomeOf = Callable[[int], Outcome]
"""How a roll with this natural die ends."""

Pool = tuple[int, int, int]
"""Damage: how many dice of how many sides, and what is added; without dice what is added alone."""


class HitChances(NamedTuple):
    """How many of the hundred faces end in which way, and hit which zone; the rest is no hit."""

    outcomes: tuple[int, ...]
    zones: tuple[int, ...] | None

    @property
    def hits(self) -> int:
        """Faces that hit."""
        return self.outcomes[0] + self.outcomes[1]


class Armoured(NamedTuple):
    """The classes that meet in a hit."""

    ap_class: int
    armour_class: int
    options: ArmourOptions


class RoundChances(NamedTuple):
    """Faces of a hundred with which one round of a volley penetrates, wounds heavily or just hits.

    `pool` is the damage of a penetration.
    """

    penetration: int
    green: int
    other: int
    pool: Pool


def hit_chances(outcome_of: OutcomeOf, armoured: Armoured | None) -> HitChances:
    """The chances of one roll; None for armour that is not known, or for an object."""
    faces = range(1, D100 + 1)
    ended = [outcome_of(face) for face in faces]
    outcomes = tuple(ended.count(outcome) for outcome in OUTCOMES)
    if armoured is None:
        return HitChances(outcomes, None)
    zones = [
        zone_of_hit(face, armoured, is_critical=outcome == "critical_success")
        for face, outcome in zip(faces, ended, strict=True)
        if outcome in ("hit", "critical_success")
    ]
    return HitChances(outcomes, tuple(zones.count(zone) for zone in ZONES))


def zone_of_hit(natural: int, armoured: Armoured, *, is_critical: bool) -> Zone:
    """What a hit with this face does to the armour."""
    ap_class, armour_class, options = armoured
    return armour_ruling(natural, ap_class, armour_class, options, is_critical=is_critical).zone


def round_chances(chances: HitChances, pool: Pool) -> RoundChances | None:
    """What one round of a volley can do; None where the zones are not known."""
    if chances.zones is None:
        return None
    penetration, green, *others = chances.zones
    return RoundChances(penetration, green, sum(others), pool)


def is_countable(rounds: Sequence[RoundChances]) -> bool:
    """Whether the chances of a volley at one target are counted in no time.

    One weapon's dice always are. Totals that are cut off at 0 and the dice of two weapons are
    counted sum by sum, which is left alone for hundreds of sides.
    """
    pools = [each.pool for each in rounds]
    is_plain = len(set(pools)) == 1 and all(dice + bonus >= 0 for dice, _, bonus in pools)
    return is_plain or sum(dice * sides for dice, sides, _ in pools) <= MOST_SIDES


class VolleyChances(NamedTuple):
    """The chances of a volley at one target: of 0, 1, 2 … hits, and that it goes down."""

    hits: tuple[Fraction, ...]
    down: Fraction


class _Count(NamedTuple):
    """What the rounds have come to: penetrations by pool, heavy wounds without one, hits."""

    penetrations: tuple[tuple[Pool, int], ...] = ()
    green: int = 0
    hits: int = 0


def volley_chances(rounds: Sequence[RoundChances], health: int) -> VolleyChances:
    """The chances of rounds fired one after another at one target with so many HP.

    Rounds after the one that brings it down are wasted. Each of the rounds is independent of all
    others.
    """
    hits = [Fraction(0)] * (len(rounds) + 1)
    weights: dict[_Count, Fraction] = {_Count(): Fraction(1)}
    for each in rounds:
        further: dict[_Count, Fraction] = {}
        for count, weight in weights.items():
            stood = _standing(count, health)
            for after, faces in _steps(count, each):
                share = weight * Fraction(faces, D100)
                further[after] = further.get(after, Fraction(0)) + share
                hits[after.hits] += share * (stood - _standing(after, health))
        weights = further
    standing = Fraction(0)
    for count, weight in weights.items():
        share = weight * _standing(count, health)
        hits[count.hits] += share
        standing += share
    return VolleyChances(tuple(hits), 1 - standing)


def _steps(count: _Count, chances: RoundChances) -> Iterable[tuple[_Count, int]]:
    """What one more round may make of a count, with the faces that do it."""
    penetrations, green, hits = count
    missed = D100 - chances.penetration - chances.green - chances.other
    more = dict(penetrations)
    more[chances.pool] = more.get(chances.pool, 0) + 1
    ways = (
        (_Count(tuple(sorted(more.items())), green, hits + 1), chances.penetration),
        (_Count(penetrations, green + 1, hits + 1), chances.green),
        (_Count(penetrations, green, hits + 1), chances.other),
        (count, missed),
    )
    return tuple(way for way in ways if way[1])


@lru_cache(maxsize=4096)
def _standing(count: _Count, health: int) -> Fraction:
    """The chance that so many hits leave somebody standing."""
    wounds = count.green + sum(times for _, times in count.penetrations)
    return _sum_at_most(count.penetrations, health - 1 - heavy_wound().hp * wounds)


def _sum_at_most(pools: tuple[tuple[Pool, int], ...], most: int) -> Fraction:
    """The chance that the damage of all these rolls together is at most so much."""
    if most < 0:
        return Fraction(0)
    if not pools:
        return Fraction(1)
    [(pool, times), *others] = pools
    if not others:
        return damage_at_most(pool, times, most)
    below, total = Fraction(0), Fraction(0)
    for amount in range(least_damage(pool) * times, min(most, most_damage(pool) * times) + 1):
        upto = damage_at_most(pool, times, amount)
        total += (upto - below) * _sum_at_most(tuple(others), most - amount)
        below = upto
    return total


def least_damage(pool: Pool) -> int:
    """The least damage of one roll; a total below 0 is 0."""
    dice, _, bonus = pool
    return max(0, dice + bonus)


def most_damage(pool: Pool) -> int:
    """The most damage of one roll."""
    dice, sides, bonus = pool
    return max(0, dice * sides + bonus)


@lru_cache(maxsize=4096)
def damage_at_most(pool: Pool, times: int, most: int) -> Fraction:
    """The chance that so many rolls of damage together are at most `most`, 0 or more."""
    if most >= most_damage(pool) * times:
        return Fraction(1)
    dice, sides, bonus = pool
    if most < least_damage(pool) * times:
        return Fraction(0)
    if dice + bonus < 0:
        return _floored_at_most(pool, times, most)
    return _dice_at_most(dice * times, sides, most - bonus * times)


def _dice_at_most(dice: int, sides: int, most: int) -> Fraction:
    """The chance that so many dice sum to at most `most`."""
    return Fraction(ways_at_most(dice, sides, most), ways(dice, sides))


def _floored_at_most(pool: Pool, times: int, most: int) -> Fraction:
    """The same where single totals below 0 count 0: all sums are counted.

    The counts of one roll are the digits of a large number, so that its powers add them up.
    """
    dice, sides, bonus = pool
    everything = ways(dice, sides)
    width = (everything**times).bit_length()
    cells = most + 1
    counts = [0] * cells
    upto = Fraction(0)
    for amount in range(min(most, most_damage(pool)) + 1):
        wanted = amount - bonus
        reached = _dice_at_most(dice, sides, wanted)
        counts[amount] = int((reached - upto) * everything)
        upto = reached
    number = sum(count << (width * at) for at, count in enumerate(counts))
    mask = (1 << (width * cells)) - 1
    power = 1
    for _ in range(times):
        power = (power * number) & mask
    digit = (1 << width) - 1
    reaching = sum((power >> (width * at)) & digit for at in range(cells))
    return Fraction(reaching, everything**times)
