"""Exact chances of percentile checks, for previews. Nothing is drawn.

How this works. A check depends on its natural face alone, so a hundred faces are all there is.
For an opposed check the answers are sorted once by how good they are; how many of them are no
better than a given attack face is then a search in that order. Everything is counted in faces
(of 100) or pairs of faces (of 10,000); chances beyond 0 and 100 decide like 0 and 100.
"""

from bisect import bisect_right
from functools import lru_cache
from typing import Final

from msgspec import Struct

from service.rulesets.seeker_d100.rules.checks import (
    CRITICAL,
    FAILURE,
    FUMBLE,
    SUCCESS,
    CheckRoll,
    Level,
    is_success,
    level_of,
)
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, opposed
from service.rulesets.seeker_d100.rules.words import D100

PAIRS: Final = D100 * D100


class CheckOdds(Struct, frozen=True, kw_only=True):
    """How many of 100 faces come to each level."""

    fumble: int
    failure: int
    success: int
    critical: int


class OpposedOdds(Struct, frozen=True, kw_only=True):
    """How many of 10,000 pairs of faces end in each way.

    `acting` and `answering` count wins without the critical ones; a win of the answering side
    may meet a failed attack. `stalemate`: both failed.
    """

    acting: int
    acting_critical: int
    answering: int
    answering_critical: int
    stalemate: int


def face_levels(chance: int, *, doubles: bool) -> tuple[Level, ...]:
    """The level of each natural face 1 to 100, at the indexes 0 to 99."""
    return _face_levels(_clamped(chance), doubles)


def check_odds(chance: int, *, doubles: bool) -> CheckOdds:
    """The odds of a check by level."""
    levels = face_levels(chance, doubles=doubles)
    return CheckOdds(
        fumble=levels.count(FUMBLE),
        failure=levels.count(FAILURE),
        success=levels.count(SUCCESS),
        critical=levels.count(CRITICAL),
    )


def unbeaten_answers(
    chance: int, answer_chance: int, *, doubles: bool, die: OpposedDie
) -> tuple[int, ...]:
    """For each attack face 1 to 100: how many of 100 answers leave the attack its win.

    0 where the attack itself fails. Ties go to the attack (SK-OPP-1).
    """
    return _unbeaten(_clamped(chance), _clamped(answer_chance), doubles, die)


def unbeaten_by(
    chance: int, answer: CheckRoll, *, doubles: bool, die: OpposedDie
) -> tuple[bool, ...]:
    """For each attack face 1 to 100: whether the attack wins against this standing roll."""
    levels = face_levels(chance, doubles=doubles)
    return tuple(
        opposed(CheckRoll(face, level), answer, die).winner == "acting"
        for face, level in enumerate(levels, 1)
    )


def opposed_odds(chance: int, answer_chance: int, *, doubles: bool, die: OpposedDie) -> OpposedOdds:
    """The odds of an opposed check whose ties go to the acting side (SK-OPP-1)."""
    return _opposed_odds(_clamped(chance), _clamped(answer_chance), doubles, die)


def break_free_odds(
    chance: int, holder_chance: int, *, doubles: bool, die: OpposedDie
) -> OpposedOdds:
    """The odds of breaking free: as those of an opposed check, but ties go to the holder."""
    odds = opposed_odds(holder_chance, chance, doubles=doubles, die=die)
    return OpposedOdds(
        acting=odds.answering,
        acting_critical=odds.answering_critical,
        answering=odds.acting,
        answering_critical=odds.acting_critical,
        stalemate=odds.stalemate,
    )


def _clamped(chance: int) -> int:
    return min(max(chance, 0), D100)


@lru_cache(maxsize=512)
def _face_levels(chance: int, doubles: bool) -> tuple[Level, ...]:
    return tuple(level_of(face, chance, doubles=doubles) for face in range(1, D100 + 1))


def _merit(face: int, level: Level, die: OpposedDie) -> int:
    """The sort key of a roll: its level, then its natural die; better rolls have greater keys."""
    return 2 * D100 * level + (face if die == "high" else -face)


@lru_cache(maxsize=2048)
def _unbeaten(
    chance: int,
    answer_chance: int,
    doubles: bool,
    die: OpposedDie,
) -> tuple[int, ...]:
    answers = sorted(
        _merit(face, level, die)
        for face, level in enumerate(_face_levels(answer_chance, doubles), 1)
    )
    return tuple(
        bisect_right(answers, _merit(face, level, die)) if is_success(level) else 0
        for face, level in enumerate(_face_levels(chance, doubles), 1)
    )


@lru_cache(maxsize=2048)
def _opposed_odds(
    chance: int,
    answer_chance: int,
    doubles: bool,
    die: OpposedDie,
) -> OpposedOdds:
    levels = _face_levels(chance, doubles)
    answers = check_odds(answer_chance, doubles=doubles)
    wins = tuple(zip(levels, _unbeaten(chance, answer_chance, doubles, die), strict=True))
    critical_faces = [count for level, count in wins if level == CRITICAL]
    acting_critical = sum(critical_faces)
    acting = sum(count for _, count in wins) - acting_critical
    failures = levels.count(FUMBLE) + levels.count(FAILURE)
    stalemate = failures * (answers.fumble + answers.failure)
    # Only a critical attack holds off critical answers: those beyond all the others it beats.
    held_off = sum(count - (D100 - answers.critical) for count in critical_faces)
    answering_critical = D100 * answers.critical - held_off
    return OpposedOdds(
        acting=acting,
        acting_critical=acting_critical,
        answering=PAIRS - acting - acting_critical - stalemate - answering_critical,
        answering_critical=answering_critical,
        stalemate=stalemate,
    )
