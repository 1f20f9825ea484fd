"""Exact chances, held against counting every pair of faces."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rulesets.seeker_d100.previews.percentile_odds import (
    PAIRS,
    CheckOdds,
    OpposedOdds,
    break_free_odds,
    check_odds,
    face_levels,
    opposed_odds,
    unbeaten_answers,
    unbeaten_by,
)
from service.rulesets.seeker_d100.rules.checks import CheckRoll, check_roll
from service.rulesets.seeker_d100.rules.escape import breaks_free
from service.rulesets.seeker_d100.rules.opposed import OpposedDie, opposed

FACES = range(1, 101)
CHANCES = st.integers(-60, 260)
DICE = st.sampled_from(("high", "low"))
DUELS = [(50, 50), (0, 100), (100, 0), (60, 44), (11, 99), (-20, 130), (1, 1), (33, 20), (100, 100)]


def rolls(chance: int, *, doubles: bool) -> list[CheckRoll]:
    return [check_roll(face, chance, doubles=doubles) for face in FACES]


def counted(
    chance: int, other: int, *, doubles: bool, die: OpposedDie, is_escape: bool
) -> OpposedOdds:
    """The odds by working out all 10,000 pairs."""
    decide = breaks_free if is_escape else opposed
    found: list[str] = []
    pairs = product(rolls(chance, doubles=doubles), rolls(other, doubles=doubles))
    for acting, answering in pairs:
        winner = decide(acting, answering, die).winner
        won = {"acting": acting, "answering": answering}.get(winner)
        found.append(f"{winner}_critical" if won is not None and won.level == 3 else winner)
    names = ("acting", "acting_critical", "answering", "answering_critical", "stalemate")
    return OpposedOdds(**{name: found.count(name) for name in names})


@pytest.mark.rule("SK-CHECK-4")
@pytest.mark.parametrize(
    ("chance", "doubles", "odds"),
    [
        (50, True, CheckOdds(fumble=6, failure=44, success=45, critical=5)),
        (50, False, CheckOdds(fumble=1, failure=49, success=49, critical=1)),
        (0, True, CheckOdds(fumble=10, failure=89, success=0, critical=1)),
        (-40, True, CheckOdds(fumble=10, failure=89, success=0, critical=1)),
        (1, True, CheckOdds(fumble=10, failure=89, success=0, critical=1)),
        (2, True, CheckOdds(fumble=10, failure=88, success=1, critical=1)),
        (99, True, CheckOdds(fumble=1, failure=0, success=89, critical=10)),
        (100, True, CheckOdds(fumble=1, failure=0, success=89, critical=10)),
        (240, False, CheckOdds(fumble=1, failure=0, success=98, critical=1)),
    ],
)
def test_the_odds_of_a_check_count_faces(chance: int, doubles: bool, odds: CheckOdds) -> None:
    assert check_odds(chance, doubles=doubles) == odds


@given(CHANCES, st.booleans())
def test_the_level_of_every_face_is_that_of_the_rule(chance: int, doubles: bool) -> None:
    levels = face_levels(chance, doubles=doubles)
    assert list(levels) == [roll.level for roll in rolls(chance, doubles=doubles)]


@pytest.mark.rule("SK-OPP-1")
@pytest.mark.parametrize("die", ["high", "low"])
@pytest.mark.parametrize("doubles", [True, False])
@pytest.mark.parametrize(("chance", "other"), DUELS)
def test_the_odds_of_an_opposed_check_are_those_of_all_pairs(
    chance: int, other: int, doubles: bool, die: OpposedDie
) -> None:
    odds = opposed_odds(chance, other, doubles=doubles, die=die)
    assert odds == counted(chance, other, doubles=doubles, die=die, is_escape=False)


@pytest.mark.rule("SK-FREE-1")
@pytest.mark.parametrize("die", ["high", "low"])
@pytest.mark.parametrize(("chance", "other"), DUELS)
def test_the_odds_of_breaking_free_are_those_of_all_pairs(
    chance: int, other: int, die: OpposedDie
) -> None:
    odds = break_free_odds(chance, other, doubles=True, die=die)
    assert odds == counted(chance, other, doubles=True, die=die, is_escape=True)


@given(CHANCES, CHANCES, st.booleans(), DICE)
def test_opposed_odds_add_up_and_none_is_negative(
    chance: int, other: int, doubles: bool, die: OpposedDie
) -> None:
    odds = opposed_odds(chance, other, doubles=doubles, die=die)
    counts = (
        odds.acting,
        odds.acting_critical,
        odds.answering,
        odds.answering_critical,
        odds.stalemate,
    )
    assert sum(counts) == PAIRS
    assert min(counts) >= 0


@given(CHANCES, CHANCES, st.booleans(), DICE)
def test_the_wins_of_each_attack_face_are_those_of_every_answer(
    chance: int, other: int, doubles: bool, die: OpposedDie
) -> None:
    answers = rolls(other, doubles=doubles)
    wins = [
        sum(opposed(attack, answer, die).winner == "acting" for answer in answers)
        for attack in rolls(chance, doubles=doubles)
    ]
    assert list(unbeaten_answers(chance, other, doubles=doubles, die=die)) == wins


@given(CHANCES, st.integers(1, 100), CHANCES, DICE)
def test_against_a_roll_that_stands_each_face_wins_or_not(
    chance: int, natural: int, other: int, die: OpposedDie
) -> None:
    stands = check_roll(natural, other, doubles=True)
    attacks = rolls(chance, doubles=True)
    wins = [opposed(attack, stands, die).winner == "acting" for attack in attacks]
    assert list(unbeaten_by(chance, stands, doubles=True, die=die)) == wins


@given(st.integers(0, 99), CHANCES, DICE)
def test_a_better_skill_never_wins_less_often(chance: int, other: int, die: OpposedDie) -> None:
    before = opposed_odds(chance, other, doubles=False, die=die)
    after = opposed_odds(chance + 1, other, doubles=False, die=die)
    assert after.acting + after.acting_critical >= before.acting + before.acting_critical
