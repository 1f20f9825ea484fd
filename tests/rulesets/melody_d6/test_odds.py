"""Chances of songs, dampenings and harm are those of every combination of faces."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

import pytest
from msgspec import UNSET, UnsetType

from service.engine.ruleset.definition import Odds
from service.rulesets.melody_d6.previews import harm_odds as harm
from service.rulesets.melody_d6.previews.face_sets import face_sets
from service.rulesets.melody_d6.previews.song_odds import (
    SongTerms,
    dampening_odds,
    dampening_reroll_odds,
    reroll_odds,
    song_odds,
)
from service.rulesets.melody_d6.rules.wounds import Hit

FACES = range(1, 7)


def told(odds: Sequence[Odds]) -> dict[str, Fraction]:
    """Chances by outcome, those of nothing left out; all together are certain."""
    chances = {each.outcome: Fraction(int(each.num), int(each.den)) for each in odds}
    assert sum(chances.values()) == 1
    return {outcome: chance for outcome, chance in chances.items() if chance}


def shares(outcomes: Sequence[str]) -> dict[str, Fraction]:
    """The share of each outcome among equally likely ones."""
    return {each: Fraction(n, len(outcomes)) for each, n in Counter(outcomes).items()}


@pytest.mark.parametrize("dice", range(9))
def test_sets_of_faces_are_all_there_are(dice: int) -> None:
    sets = face_sets(dice)
    assert sum(each.ways for each in sets) == 6**dice
    assert len({each.faces for each in sets}) == len(sets)
    if dice <= 4:
        rolled = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=dice))
        assert dict(sets) == rolled


def sung(faces: Sequence[int], bonus: int, difficulty: int, *, is_automatic: bool) -> str:
    """What the catalogue says of a roll (ML-SING-1 to -6)."""
    if list(faces).count(1) >= 2:
        return "terrible_mistake"
    is_reached = sum(faces) + bonus >= difficulty
    if list(faces).count(6) >= 2:
        return "monstrous_power" if is_automatic or is_reached else "failure"
    return "success" if is_reached else "failure"


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
@pytest.mark.parametrize(("bonus", "difficulty"), [(0, 2), (0, 7), (1, 7), (-2, 9), (10, 48)])
@pytest.mark.parametrize("is_automatic", [True, False])
def test_a_song_is_one_of_four_things(
    dice: int, bonus: int, difficulty: int, is_automatic: bool
) -> None:
    terms = SongTerms(bonus, difficulty, is_automatic, ui_uncovers_power=False)
    rolled = [
        sung(faces, bonus, difficulty, is_automatic=is_automatic)
        for faces in product(FACES, repeat=dice)
    ]
    assert told(song_odds(dice, terms)) == shares(rolled)


@pytest.mark.parametrize("uncovers", [True, False])
@pytest.mark.parametrize("source", ["united_impulse", "ordinary"])
@pytest.mark.parametrize(
    ("first", "indexes"),
    [
        ((1, 1), (0,)),
        ((1, 1), (0, 1)),
        ((1, 1, 6, 6), (0, 1)),
        ((1, 1, 6, 6), (1, 2)),
        ((2, 3), (0, 1)),
        ((1, 5, 2), (2, 0)),
        ((1, 1, 1), (0, 1)),
    ],
)
def test_a_reroll_changes_the_total_and_united_impulse_may_undo_a_mistake(
    first: tuple[int, ...],
    indexes: tuple[int, ...],
    source: Literal["united_impulse", "ordinary"],
    uncovers: bool,
) -> None:
    terms = SongTerms(0, 7, mp_auto_success=True, ui_uncovers_power=uncovers)
    outcomes = []
    for new in product(FACES, repeat=len(indexes)):
        final = list(first)
        for index, face in zip(indexes, new, strict=True):
            final[index] = face
        was_mistake = first.count(1) >= 2
        if was_mistake and (source == "ordinary" or final.count(1) >= 2):
            outcomes.append("terrible_mistake")
        elif was_mistake and uncovers and first.count(6) >= 2:
            outcomes.append("monstrous_power")
        else:
            outcomes.append("success" if sum(final) >= 7 else "failure")
    assert told(reroll_odds(first, indexes, source, terms)) == shares(outcomes)


def dampened(faces: Sequence[int], bonus: int, target: int) -> str:
    """What the catalogue says of an attempt (ML-DAMP-2 to -5)."""
    if list(faces).count(1) >= 2:
        return "failure"
    is_success = list(faces).count(6) >= 2 or sum(faces) + bonus >= target
    return "success" if is_success else "failure"


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
@pytest.mark.parametrize(("bonus", "target"), [(0, 7), (10, 7), (-3, 15), (0, 25)])
def test_an_attempt_to_dampen_succeeds_or_fails(dice: int, bonus: int, target: int) -> None:
    rolled = [dampened(faces, bonus, target) for faces in product(FACES, repeat=dice)]
    assert told(dampening_odds(dice, bonus, target)) == shares(rolled)
    again = ["success" if 1 + bonus + new >= target else "failure" for new in FACES]
    assert told(dampening_reroll_odds((1, 4), (1,), bonus, target)) == shares(again)


def wounded(faces: tuple[int, ...], needed: int, armour: int | UnsetType, pen: int) -> bool:
    """Whether a hit costs wounds, by its wound die and its save."""
    wound, save = faces
    if wound < needed:
        return False
    return armour is UNSET or save == 1 or save - pen < armour


@pytest.mark.parametrize("armour", [UNSET, 2, 4, 6])
@pytest.mark.parametrize(
    ("strength", "pen", "damage", "toughness", "health"),
    [(3, 0, 1, 3, 1), (4, 1, 1, 3, 2), (6, 5, 2, 3, 3), (1, 0, 1, 10, 1), (10, 0, 6, 1, 4)],
)
@pytest.mark.parametrize(("shots", "bonus"), [(1, 4), (2, 3), (3, -2), (2, 10)])
def test_shots_hit_wound_and_are_saved(
    armour: int | UnsetType,
    strength: int,
    pen: int,
    damage: int,
    toughness: int,
    health: int,
    shots: int,
    bonus: int,
) -> None:
    hits = [face == 6 or (face != 1 and face + bonus >= 7) for face in FACES]
    needed = min(6, max(2, 4 + toughness - strength))
    one = Fraction(
        sum(wounded(faces, needed, armour, pen) for faces in product(FACES, repeat=2)), 36
    ) * Fraction(sum(hits), 6)
    left: dict[int, Fraction] = {}
    for costs in product((False, True), repeat=shots):
        chance = Fraction(1)
        for each in costs:
            chance *= one if each else 1 - one
        end = max(0, health - damage * sum(costs))
        left[end] = left.get(end, Fraction(0)) + chance
    body = harm.Body(toughness, armour, health, health)
    chance = harm.hit_chance(bonus)
    assert chance == Fraction(sum(hits), 6)
    blow = Hit(strength, pen, damage)
    assert harm.after_shots(shots, chance, blow, body) == left
    felled, unhurt = left.get(0, 0), left.get(health, 0)
    expected = {"felled": felled, "hurt": 1 - felled - unhurt, "unhurt": unhurt}
    assert told(harm.harm_odds(left, health)) == {k: v for k, v in expected.items() if v}


def test_effects_follow_one_another_and_nobody_killed_is_healed() -> None:
    body = harm.Body(3, UNSET, 2, 3)
    half = harm.after_blow({2: Fraction(1)}, Hit(3, 0, 1), body)
    assert half == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    dead = harm.after_damage(half, 1)
    assert dead == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    healed = harm.after_healing(dead, 5, 3)
    assert healed == {0: Fraction(1, 2), 3: Fraction(1, 2)}
    assert harm.unless(healed, Fraction(1, 2), 2)[2] == Fraction(1, 2)


@pytest.mark.parametrize(("attacker", "defender"), [(3, 3), (4, 0), (0, 10), (3, 5)])
def test_fights_are_won_lost_or_neither(attacker: int, defender: int) -> None:
    outcomes = []
    for first, second in product(FACES, repeat=2):
        margin = first + attacker - second - defender
        outcomes.append("hit" if margin > 0 else "stopped" if margin < 0 else "stalemate")
    assert told(harm.fight_odds(attacker, defender)) == shares(outcomes)


@pytest.mark.parametrize("needed", range(-2, 16))
def test_a_unit_fails_a_panic_test_above_its_courage(needed: int) -> None:
    failed = sum(a + b > needed for a, b in product(FACES, repeat=2))
    assert harm.panic_chance(needed) == Fraction(failed, 36)


def test_one_of_several_things_happens() -> None:
    assert harm.any_of([]) == 0
    assert harm.any_of([Fraction(1, 2), Fraction(1, 3)]) == Fraction(2, 3)
