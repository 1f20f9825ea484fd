"""The exact chances of rolls for songs and dampenings, and of rerolls of some of their dice."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from service.engine.kit.previews import odds_by_count
from service.engine.ruleset.definition import Odds
from service.rulesets.melody_d6.previews.face_sets import D6, FaceSet, face_sets
from service.rulesets.melody_d6.rules.dampening import automatic_result, dampening_outcome
from service.rulesets.melody_d6.rules.songs import (
    Classification,
    RerollSource,
    classification,
    classification_after,
    is_power_sung,
    is_sung,
    rerolled,
)

MISTAKE: Final = "terrible_mistake"
POWER: Final = "monstrous_power"
SUCCESS: Final = "success"
FAILURE: Final = "failure"

SONG_OUTCOMES: Final = (MISTAKE, POWER, SUCCESS, FAILURE)
"""What a song's roll may come to."""

DAMPENING_OUTCOMES: Final = (SUCCESS, FAILURE)
"""What an attempt to dampen may come to."""


class SongTerms(NamedTuple):
    """What a song's roll is judged by: what is added to its dice, and the table's options."""

    bonus: int
    difficulty: int
    mp_auto_success: bool
    ui_uncovers_power: bool


def song_odds(dice: int, terms: SongTerms) -> tuple[Odds, ...]:
    """The chances of the first roll, before any reroll: Mistake, Power, success, failure."""
    return _counted(
        SONG_OUTCOMES,
        face_sets(dice),
        lambda faces: song_outcome(classification(faces), sum(faces), terms),
        D6**dice,
    )


def song_outcome(classified: Classification, faces_sum: int, terms: SongTerms) -> str:
    """What a song comes to whose dice stand."""
    total = faces_sum + terms.bonus
    if classified == MISTAKE:
        return MISTAKE
    if classified == POWER:
        is_power = is_power_sung(total, terms.difficulty, is_automatic=terms.mp_auto_success)
        return POWER if is_power else FAILURE
    return SUCCESS if is_sung(total, terms.difficulty) else FAILURE


def reroll_odds(
    first: Sequence[int], indexes: Sequence[int], source: RerollSource, terms: SongTerms
) -> tuple[Odds, ...]:
    """The chances of a song some of whose dice are rolled again."""

    def outcome(new: Sequence[int]) -> str:
        final = rerolled(first, indexes, new)
        classified = classification_after(
            source, first, final, is_power_uncovered=terms.ui_uncovers_power
        )
        return song_outcome(classified, sum(final), terms)

    count = len(indexes)
    return _counted(SONG_OUTCOMES, face_sets(count), outcome, D6**count)


def dampening_odds(dice: int, bonus: int, target_number: int) -> tuple[Odds, ...]:
    """The chances that an attempt dampens the Melody, before any reroll."""

    def outcome(faces: Sequence[int]) -> str:
        is_dampened = dampening_outcome(automatic_result(faces), sum(faces) + bonus, target_number)
        return SUCCESS if is_dampened else FAILURE

    return _counted(DAMPENING_OUTCOMES, face_sets(dice), outcome, D6**dice)


def dampening_reroll_odds(
    first: Sequence[int], indexes: Sequence[int], bonus: int, target_number: int
) -> tuple[Odds, ...]:
    """The chances of an attempt some of whose dice are rolled again: the total alone decides."""

    def outcome(new: Sequence[int]) -> str:
        total = sum(rerolled(first, indexes, new)) + bonus
        return SUCCESS if dampening_outcome("none", total, target_number) else FAILURE

    count = len(indexes)
    return _counted(DAMPENING_OUTCOMES, face_sets(count), outcome, D6**count)


def _counted(
    outcomes: Sequence[str],
    cases: Iterable[FaceSet],
    outcome_of: Callable[[Sequence[int]], str],
    of: int,
) -> tuple[Odds, ...]:
    counts = dict.fromkeys(outcomes, 0)
    for case in cases:
        counts[outcome_of(case.faces)] += case.ways
    return odds_by_count(counts.items(), of)


def certain(outcomes: Sequence[str], happening: str) -> tuple[Odds, ...]:
    """The chances of what is decided already."""
    return odds_by_count(((each, int(each == happening)) for each in outcomes), 1)


def chance_in(odds: Sequence[Odds], *outcomes: str) -> Fraction:
    """The chance of any of these outcomes together."""
    chosen = [each for each in odds if each.outcome in outcomes]
    return sum((Fraction(int(each.num), int(each.den)) for each in chosen), Fraction(0))
