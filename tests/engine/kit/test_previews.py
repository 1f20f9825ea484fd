"""The frame of previews: what would be asked of the table, and exact odds."""

from fractions import Fraction
from typing import Any

import pytest

from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState, State
from service.engine.battle.terms import NO_TERMS
from service.engine.dice.dice import Dice
from service.engine.kit.previews import odds_by_count, odds_of, rehearse
from service.engine.ruleset.definition import Odds, Preview
from service.engine.vocabulary.actions import Action, StartEncounter
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By, Place
from service.errors import Refused
from tests.engine.kit.battle import battle

FACTS = Place(x=5, y=0)
PREVIEW = Preview(legal=True, facts=FACTS)
GM = By(kind="key", id="k", role="gm")
PLAYER = By(kind="seat", id="rita", role="player", seat="rita")


def rehearsed(dice: str, by: By, count: int) -> Preview:
    """The preview of an action that rolls so many dice."""

    def decide(
        state: State[RuleState], action: Action, by: By, seq: int, dice: Dice
    ) -> tuple[Effect, ...]:
        dice.roll(count, 6, "attack")
        return ()

    state = State(rule=battle(dice=dice), linear=Linear(), terms=NO_TERMS)
    return rehearse(PREVIEW, decide, state, StartEncounter(), by)


@pytest.mark.parametrize(
    ("dice", "by", "count", "opens"),
    [
        ("sealed", PLAYER, 2, ()),
        ("supplied", PLAYER, 0, ()),
        ("supplied", PLAYER, 1, ("roll",)),
        ("supplied", GM, 1, ()),
    ],
)
def test_a_player_is_asked_for_the_dice_that_the_table_rolls(
    dice: str, by: By, count: int, opens: tuple[str, ...]
) -> None:
    expected = Preview(legal=True, facts=FACTS, opens=opens)
    assert rehearsed(dice, by, count) == expected


def test_what_deciding_refuses_its_preview_refuses() -> None:
    def decide(*_: Any) -> tuple[Effect, ...]:
        raise Refused("not_your_turn")

    state = State(rule=battle(), linear=Linear(), terms=NO_TERMS)
    with pytest.raises(Refused) as caught:
        rehearse(PREVIEW, decide, state, StartEncounter(), PLAYER)
    assert caught.value.code == "not_your_turn"


@pytest.mark.parametrize(
    ("chance", "num", "den", "percent_milli"),
    [
        (Fraction(0), "0", "1", 0),
        (Fraction(1), "1", "1", 100_000),
        (Fraction(1, 3), "1", "3", 33_333),
        (Fraction(2, 4), "1", "2", 50_000),
        (Fraction(6**40 - 1, 6**40), str(6**40 - 1), str(6**40), 99_999),
    ],
)
def test_a_chance_is_exact_and_its_thousandths_of_a_per_cent_rounded_down(
    chance: Fraction, num: str, den: str, percent_milli: int
) -> None:
    expected = Odds(outcome="hit", num=num, den=den, percent_milli=percent_milli)
    assert odds_of("hit", chance) == expected


def test_counts_among_equal_cases_are_chances() -> None:
    assert odds_by_count((("hit", 25), ("miss", 75)), 100) == (
        Odds(outcome="hit", num="1", den="4", percent_milli=25_000),
        Odds(outcome="miss", num="3", den="4", percent_milli=75_000),
    )
    assert odds_by_count((), 100) == ()


def test_questions_before_a_roll_and_after_it_are_told_once_each() -> None:
    preview = Preview(legal=True, opens=("reroll", "dampen"), follows=("dampen", "guard"))
    assert preview.questions == ("reroll", "dampen", "guard")
