"""Exact chances of an attack at one victim: its outcome, a kill, a counter-attack.

How this works. The attack shows one of 100 faces. For each face, so many of 100 equally likely
answers do not beat it: all where nothing answers, all or none against a standing roll. Sums over
the faces are the chances; a lethality roll multiplies them by another 100 faces.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds
from service.rulesets.seeker_d100.previews.percentile_odds import (
    PAIRS,
    check_odds,
    face_levels,
    opposed_odds,
    unbeaten_answers,
    unbeaten_by,
)
from service.rulesets.seeker_d100.rules.attack import AttackOutcome, attack_outcome
from service.rulesets.seeker_d100.rules.checks import CheckRoll, is_success
from service.rulesets.seeker_d100.rules.lethality import (
    killed_before_roll,
    lethal_terms,
    lethality_outcome,
)
from service.rulesets.seeker_d100.rules.opposed import opposed
from service.rulesets.seeker_d100.rules.resist import deals_counter
from service.rulesets.seeker_d100.rules.words import D100, Answered
from service.rulesets.seeker_d100.state import Options

ORDER: Final[tuple[AttackOutcome, ...]] = (
    "fumble",
    "miss",
    "hit",
    "critical",
    "avoided",
    "stopped",
)

Chances = Mapping[AttackOutcome, Fraction]


class Opposition(NamedTuple):
    """An answer that opposes an attack: to be rolled at a `chance`, or a standing `roll`.

    `is_plain`: its success stops the attack, whatever that rolled.
    """

    answered: Answered
    chance: int | None
    roll: CheckRoll | None
    is_plain: bool = False


@lru_cache(maxsize=1024)
def attack_chances(chance: int, against: Opposition | None, options: Options) -> Chances:
    """The chance of each outcome of an attack rolled at `chance` per cent."""
    answered = None if against is None else against.answered
    counts = dict.fromkeys(ORDER, 0)
    levels = face_levels(chance, doubles=options.doubles)
    for level, unbeaten in zip(levels, _unbeaten(chance, against, options), strict=True):
        counts[attack_outcome(level, None, None)] += unbeaten
        counts[attack_outcome(level, "answering", answered)] += D100 - unbeaten
    return {outcome: Fraction(count, PAIRS) for outcome, count in counts.items()}


def _unbeaten(chance: int, against: Opposition | None, options: Options) -> tuple[int, ...]:
    """For each face of the attack: how many of 100 answers do not beat it."""
    doubles, die = options.doubles, options.opposed_die
    if against is None:
        return (D100,) * D100
    if against.is_plain:
        return (D100 - _plain_successes(against, doubles=doubles),) * D100
    if against.roll is not None:
        stands = unbeaten_by(chance, against.roll, doubles=doubles, die=die)
        return tuple(D100 if wins else 0 for wins in stands)
    return unbeaten_answers(chance, against.chance or 0, doubles=doubles, die=die)


def _plain_successes(answer: Opposition, *, doubles: bool) -> int:
    """How many of 100 answers succeed by themselves; all or none for a standing roll."""
    if answer.roll is not None:
        return D100 if is_success(answer.roll.level) else 0
    odds = check_odds(answer.chance or 0, doubles=doubles)
    return odds.success + odds.critical


@lru_cache(maxsize=1024)
def kill_chance(chance: int, rating: int, against: Opposition | None, options: Options) -> Fraction:
    """The chance of a lethal success, where no armour downgrades it (SK-LETH-7)."""
    deaths = 0
    levels = face_levels(chance, doubles=options.doubles)
    unbeaten = _unbeaten(chance, against, options)
    for face, (level, wins) in enumerate(zip(levels, unbeaten, strict=True), 1):
        if is_success(level):
            deaths += wins * _deadly_faces(face, level, rating, options)
    return Fraction(deaths, PAIRS * D100)


def _deadly_faces(face: int, level: int, rating: int, options: Options) -> int:
    """How many of 100 lethality rolls kill with this attack face; 100 if the attack kills."""
    killed = killed_before_roll(
        face,
        level,
        rating,
        attack_roll_kills=options.attack_roll_kills,
        critical=options.lethality_critical,
    )
    if killed is not None:
        return D100
    return _lethal_faces(lethal_terms(rating, level, options.lethality_critical).rating)


@lru_cache(maxsize=256)
def _lethal_faces(rating: int) -> int:
    faces = range(1, D100 + 1)
    return sum(lethality_outcome(face, rating) == "success" for face in faces)


def counter_chance(chance: int, against: Opposition, options: Options) -> Fraction:
    """The chance of an answer that counter-attacks (SK-RES-3), against a failed attack too."""
    if not deals_counter("answering", against.answered):
        return Fraction(0)
    doubles, die = options.doubles, options.opposed_die
    if against.roll is None:
        odds = opposed_odds(chance, against.chance or 0, doubles=doubles, die=die)
        return Fraction(odds.answering + odds.answering_critical, PAIRS)
    answer = against.roll
    levels = enumerate(face_levels(chance, doubles=doubles), 1)
    wins = (opposed(CheckRoll(face, level), answer, die).winner for face, level in levels)
    return Fraction(sum(winner == "answering" for winner in wins), D100)


def success_chance(chance: int, options: Options) -> Fraction:
    """The chance of a plain check."""
    odds = check_odds(chance, doubles=options.doubles)
    return Fraction(odds.success + odds.critical, D100)


def mixed_chances(first: Chances, weight: Fraction, second: Chances) -> Chances:
    """The first chances with this weight, and the second with the rest."""
    return {outcome: weight * first[outcome] + (1 - weight) * second[outcome] for outcome in ORDER}


def avoided_chances(chances: Chances) -> Chances:
    """The same attack at a victim that is out of its area when it strikes."""
    escaped = chances["hit"] + chances["critical"]
    gone: Chances = {"hit": Fraction(0), "critical": Fraction(0)}
    return {**chances, **gone, "avoided": chances["avoided"] + escaped}


def odds_of_attack(chances: Chances) -> tuple[Odds, ...]:
    """The odds by outcome; those that only an answer brings are left out where they are 0."""
    outcomes = [
        outcome for outcome in ORDER if chances[outcome] or outcome not in ("avoided", "stopped")
    ]
    return tuple(odds_of(outcome, chances[outcome]) for outcome in outcomes)
