"""SK-OPP: two rolls against each other."""

from itertools import product

import pytest

from service.rulesets.seeker_d100.rules.checks import CheckRoll, check_roll
from service.rulesets.seeker_d100.rules.opposed import (
    STALEMATE,
    OpposedDie,
    Verdict,
    Why,
    Winner,
    answer_outcome,
    opposed,
)


def rolled(acting: int, answering: int, die: OpposedDie = "high") -> Verdict:
    """The verdict of two natural faces, both against 50."""
    rolls = [check_roll(face, 50, doubles=True) for face in (acting, answering)]
    return opposed(rolls[0], rolls[1], die)


@pytest.mark.rule("SK-OPP-1")
@pytest.mark.parametrize(
    ("acting", "answering", "winner", "why"),
    [
        (40, 30, "acting", "die"),
        (30, 40, "answering", "die"),
        (40, 40, "acting", "tie_to_attacker"),
        (40, 39, "acting", "die"),
        (40, 41, "answering", "die"),
        (33, 40, "acting", "level"),
        (40, 44, "answering", "level"),
        (33, 44, "answering", "die"),
        (1, 2, "acting", "level"),
        (50, 51, "acting", "level"),
        (51, 50, "answering", "level"),
        (50, 100, "acting", "level"),
        (60, 20, "answering", "level"),
        (55, 20, "answering", "level"),
        (60, 70, "stalemate", None),
        (60, 55, "stalemate", None),
        (100, 51, "stalemate", None),
    ],
)
def test_the_higher_level_wins_then_the_higher_die(
    acting: int, answering: int, winner: Winner, why: Why | None
) -> None:
    assert rolled(acting, answering) == Verdict(winner, why)


@pytest.mark.rule("SK-OPP-1")
@pytest.mark.parametrize(
    ("acting", "answering", "winner", "why"),
    [
        (40, 30, "answering", "die"),
        (30, 40, "acting", "die"),
        (40, 40, "acting", "tie_to_attacker"),
        (33, 40, "acting", "level"),
        (33, 1, "answering", "die"),
    ],
)
def test_the_lower_die_may_be_the_better_one(
    acting: int, answering: int, winner: Winner, why: Why
) -> None:
    assert rolled(acting, answering, "low") == Verdict(winner, why)


@pytest.mark.rule("SK-OPP-1")
def test_nobody_wins_exactly_where_both_fail() -> None:
    for acting, answering in product(range(4), repeat=2):
        verdict = opposed(CheckRoll(50, acting), CheckRoll(50, answering), "high")
        assert (verdict == STALEMATE) == (acting < 2 and answering < 2)


@pytest.mark.rule("SK-OPP-1")
def test_the_answer_ends_as_its_side_sees_it() -> None:
    outcomes = {winner: answer_outcome(winner) for winner in ("acting", "answering", "stalemate")}
    assert outcomes == {"acting": "failure", "answering": "success", "stalemate": "stalemate"}
