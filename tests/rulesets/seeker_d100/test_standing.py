"""SK-STAND: rolls that stand until the end of the round."""

from itertools import product

import pytest

from service.rulesets.seeker_d100.rules.standing import (
    StandingAnswer,
    does_answer,
    does_stand,
    is_standing_over,
    standing_of_attack,
)
from service.rulesets.seeker_d100.rules.words import (
    Answered,
    AttackKind,
    AttackSkill,
    Delivery,
    Intent,
    ReactionOption,
)


@pytest.mark.rule("SK-STAND-1")
@pytest.mark.parametrize(
    ("kind", "skill", "intent", "stands"),
    [
        ("attack", "melee_weapon", None, StandingAnswer("resist_counter", "w")),
        ("attack", "unarmed", "counter", StandingAnswer("resist_counter", "w")),
        ("attack", "melee_weapon", "block", StandingAnswer("resist_block", "w")),
        ("called_shot", "melee_weapon", None, StandingAnswer("resist_counter", "w")),
        ("disarm", "unarmed", None, StandingAnswer("resist_counter", None)),
        ("grapple", "unarmed", None, StandingAnswer("resist_counter", None)),
        ("attack", "ranged", None, None),
        ("called_shot", "ranged", None, None),
        ("attack", "heavy_weapons", None, None),
        ("attack", "athletics", None, None),
        ("attack", "demolitions", None, None),
    ],
)
def test_an_attack_hand_to_hand_resists_from_then_on(
    kind: AttackKind, skill: AttackSkill, intent: Intent | None, stands: StandingAnswer | None
) -> None:
    assert standing_of_attack(kind, "w", skill, intent) == stands


@pytest.mark.rule("SK-STAND-2")
@pytest.mark.parametrize(
    ("reaction", "does"),
    [("dodge", True), ("resist", True), ("take_cover", False), ("pass", False)],
)
def test_dodging_and_resisting_stand_and_taking_cover_does_not(
    reaction: ReactionOption, does: bool
) -> None:
    assert does_stand(reaction) == does


@pytest.mark.rule("SK-STAND-2")
@pytest.mark.parametrize(
    ("kind", "answered"),
    [
        ("dodge", ["melee", "thrown", "arrow"]),
        ("resist_counter", ["melee"]),
        ("resist_block", ["melee"]),
    ],
)
def test_a_roll_stands_against_what_it_can_answer(kind: Answered, answered: list[str]) -> None:
    deliveries: tuple[Delivery, ...] = ("melee", "bullet", "thrown", "arrow", "explosive")
    assert [each for each in deliveries if does_answer(kind, each)] == answered


@pytest.mark.rule("SK-STAND-3")
def test_nothing_stands_beyond_the_round_or_for_the_held_and_the_felled() -> None:
    standing = [
        (over, held, active)
        for over, held, active in product((False, True), repeat=3)
        if not is_standing_over(is_round_over=over, is_held=held, is_active=active)
    ]
    assert standing == [(False, False, True)]
