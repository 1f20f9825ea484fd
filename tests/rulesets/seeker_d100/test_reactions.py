"""SK-REACT: who may answer an attack, and how."""

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.reactions import (
    answer_rules,
    is_rolled_now,
    may_react,
    reactions_to,
    require_possible,
)
from service.rulesets.seeker_d100.rules.words import Answered, Delivery, ReactionOption

DELIVERIES: tuple[Delivery, ...] = ("melee", "bullet", "thrown", "arrow", "explosive")


@pytest.mark.rule("SK-REACT-1")
def test_only_who_has_not_acted_may_answer() -> None:
    assert may_react(is_action_spent=False)
    assert not may_react(is_action_spent=True)


@pytest.mark.rule("SK-REACT-2")
@pytest.mark.parametrize(
    ("delivery", "free", "holding"),
    [
        ("melee", ("dodge", "resist", "pass"), ("resist", "pass")),
        ("thrown", ("dodge", "pass"), ()),
        ("arrow", ("dodge", "pass"), ()),
        ("bullet", ("take_cover", "pass"), ()),
        ("explosive", ("take_cover", "pass"), ()),
    ],
)
def test_the_answers_depend_on_how_the_attack_comes(
    delivery: Delivery, free: tuple[ReactionOption, ...], holding: tuple[ReactionOption, ...]
) -> None:
    asked = [
        reactions_to(delivery, is_active=True, is_aware=True, is_held=False, is_holding=is_holding)
        for is_holding in (False, True)
    ]
    assert asked == [free, holding]


@pytest.mark.rule("SK-REACT-2")
@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(
    ("is_active", "is_aware", "is_held"),
    [(False, True, False), (True, False, False), (True, True, True)],
)
def test_the_felled_the_unaware_and_the_held_are_not_asked(
    delivery: Delivery, is_active: bool, is_aware: bool, is_held: bool
) -> None:
    asked = reactions_to(
        delivery, is_active=is_active, is_aware=is_aware, is_held=is_held, is_holding=False
    )
    assert asked == ()


@pytest.mark.rule("SK-REACT-2")
@pytest.mark.parametrize(
    ("choice", "options", "delivery", "rule"),
    [
        ("resist", ("dodge", "pass"), "arrow", "SK-RES-1"),
        ("resist", ("dodge", "pass"), "thrown", "SK-RES-1"),
        ("resist", ("take_cover", "pass"), "bullet", "SK-RES-1"),
        ("resist", (), "melee", "SK-REACT-2"),
        ("dodge", ("take_cover", "pass"), "bullet", "SK-DODGE-3"),
        ("dodge", ("take_cover", "pass"), "explosive", "SK-DODGE-3"),
        ("dodge", ("resist", "pass"), "melee", "SK-REACT-2"),
        ("dodge", (), "thrown", "SK-REACT-2"),
        ("take_cover", ("dodge", "resist", "pass"), "melee", "SK-REACT-2"),
    ],
)
def test_an_answer_must_be_one_of_those_possible(
    choice: str, options: tuple[ReactionOption, ...], delivery: Delivery, rule: str
) -> None:
    require_possible("pass", ("dodge", "pass"), delivery)
    with pytest.raises(Refused) as refused:
        require_possible(choice, options, delivery)
    assert (refused.value.code, refused.value.rule) == ("reaction_not_possible", rule)
    assert refused.value.params == {"choice": choice, "allowed": list(options)}


@pytest.mark.rule("SK-REACT-3")
@pytest.mark.parametrize(
    ("stance", "needed"),
    [
        ("dodge", [True, False, True, True, False]),
        ("resist_counter", [True, False, False, False, False]),
        ("resist_block", [True, False, False, False, False]),
    ],
)
def test_readiness_is_rolled_for_when_an_attack_needs_it(
    stance: Answered, needed: list[bool]
) -> None:
    assert [is_rolled_now(stance, delivery) for delivery in DELIVERIES] == needed


@pytest.mark.rule("SK-DODGE-1", "SK-DODGE-2", "SK-RES-2", "SK-OPP-1", "SK-COVER-1")
@pytest.mark.parametrize(
    ("answered", "delivery", "rules"),
    [
        ("dodge", "melee", ("SK-DODGE-1", "SK-OPP-1")),
        ("dodge", "thrown", ("SK-DODGE-1", "SK-DODGE-2", "SK-OPP-1")),
        ("dodge", "arrow", ("SK-DODGE-1", "SK-DODGE-2", "SK-OPP-1")),
        ("dodge", None, ("SK-DODGE-1", "SK-OPP-1")),
        ("resist_counter", "melee", ("SK-RES-2", "SK-OPP-1")),
        ("resist_block", "melee", ("SK-RES-2", "SK-OPP-1")),
        (None, "bullet", ("SK-COVER-1",)),
        (None, "explosive", ("SK-COVER-1",)),
    ],
)
def test_an_answer_names_its_rules_in_their_order(
    answered: Answered | None, delivery: Delivery | None, rules: tuple[str, ...]
) -> None:
    assert answer_rules(answered, delivery) == rules
