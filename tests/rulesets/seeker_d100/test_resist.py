"""SK-RES: blocking and counter-attacking."""

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.checks import check_roll
from service.rulesets.seeker_d100.rules.opposed import Verdict, Why, Winner
from service.rulesets.seeker_d100.rules.resist import (
    can_resist,
    deals_counter,
    is_melee_skill,
    require_melee_weapon,
    resisted,
    resisting,
)
from service.rulesets.seeker_d100.rules.standing import require_intent_allowed
from service.rulesets.seeker_d100.rules.words import Answered, AttackSkill, Delivery

OTHERS: tuple[AttackSkill, ...] = ("ranged", "athletics", "heavy_weapons", "demolitions")


@pytest.mark.rule("SK-RES-1")
@pytest.mark.parametrize(
    ("delivery", "can"),
    [
        ("melee", True),
        ("bullet", False),
        ("thrown", False),
        ("arrow", False),
        ("explosive", False),
    ],
)
def test_only_blows_are_resisted(delivery: Delivery, can: bool) -> None:
    assert can_resist(delivery) == can


@pytest.mark.rule("SK-RES-1")
@pytest.mark.parametrize("skill", OTHERS)
def test_one_resists_with_melee_weapons_and_bare_hands_only(skill: AttackSkill) -> None:
    require_melee_weapon("w", "melee_weapon")
    require_melee_weapon("w", "unarmed")
    assert not is_melee_skill(skill)
    with pytest.raises(Refused) as refused:
        require_melee_weapon("w", skill)
    assert (refused.value.code, refused.value.rule) == ("weapon_not_melee", "SK-RES-1")
    assert refused.value.params == {"weapon": "w", "skill": skill}


@pytest.mark.rule("SK-STAND-1")
@pytest.mark.parametrize("skill", OTHERS)
def test_an_attack_that_does_not_resist_has_no_intent(skill: AttackSkill) -> None:
    require_intent_allowed(skill, None)
    require_intent_allowed("unarmed", "block")
    require_intent_allowed("melee_weapon", "counter")
    with pytest.raises(Refused) as refused:
        require_intent_allowed(skill, "counter")
    assert (refused.value.code, refused.value.rule) == ("invalid_field", "SK-STAND-1")
    assert refused.value.params == {
        "field": "intent",
        "skill": skill,
        "allowed": ["melee_weapon", "unarmed"],
    }


@pytest.mark.rule("SK-RES-2")
@pytest.mark.parametrize(
    ("attack", "resist", "winner", "why"),
    [
        (30, 44, "answering", "level"),
        (34, 35, "answering", "die"),
        (35, 35, "acting", "tie_to_attacker"),
        (48, 35, "acting", "die"),
        (51, 52, "stalemate", None),
    ],
)
def test_a_resist_has_to_be_better(
    attack: int, resist: int, winner: Winner, why: Why | None
) -> None:
    rolls = [check_roll(face, 50, doubles=True) for face in (attack, resist)]
    assert resisted(rolls[0], rolls[1], "high") == Verdict(winner, why)


@pytest.mark.rule("SK-RES-3")
@pytest.mark.parametrize(
    ("winner", "answered", "does"),
    [
        ("answering", "resist_counter", True),
        ("answering", "resist_block", False),
        ("answering", "dodge", False),
        ("acting", "resist_counter", False),
        ("stalemate", "resist_counter", False),
    ],
)
def test_a_won_resist_strikes_back_unless_it_only_blocks(
    winner: Winner, answered: Answered, does: bool
) -> None:
    assert deals_counter(winner, answered) == does


@pytest.mark.rule("SK-RES-3")
def test_an_intent_says_how_a_resist_answers() -> None:
    assert resisting("counter") == "resist_counter"
    assert resisting("block") == "resist_block"
