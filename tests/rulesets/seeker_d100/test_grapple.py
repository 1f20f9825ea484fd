"""SK-GRAB: holding somebody."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.seeker_d100.rules.grapple import (
    HeldBonus,
    HoldEnd,
    held_modifier,
    hold_ended,
    require_held,
    require_held_may,
    require_holder_may,
    require_holding,
    require_not_held,
)
from service.rulesets.seeker_d100.rules.words import AttackKind, AttackSkill

ACTIONS = (
    "aim",
    "attack",
    "called_shot",
    "disarm",
    "grapple",
    "dodge",
    "resist",
    "break_free",
    "move",
    "release",
    "end_turn",
    "answer",
)


@pytest.mark.rule("SK-GRAB-1")
def test_who_is_held_is_not_grappled_again() -> None:
    require_not_held("t", None)
    with pytest.raises(Refused) as refused:
        require_not_held("t", "a")
    assert (refused.value.code, refused.value.rule) == ("already_held", "SK-GRAB-1")
    assert refused.value.params == {"target": "t"}


@pytest.mark.rule("SK-GRAB-2")
@pytest.mark.parametrize(
    ("kind", "skill", "melee", "unarmed"),
    [
        ("attack", "unarmed", True, True),
        ("attack", "melee_weapon", True, False),
        ("called_shot", "melee_weapon", True, False),
        ("disarm", "melee_weapon", True, True),
        ("grapple", "ranged", True, True),
        ("attack", "ranged", False, False),
        ("attack", "athletics", False, False),
        ("called_shot", "heavy_weapons", False, False),
        ("attack", "demolitions", False, False),
    ],
)
def test_a_held_target_is_easier_to_hit_hand_to_hand(
    kind: AttackKind, skill: AttackSkill, melee: bool, unarmed: bool
) -> None:
    line = Modifier(rule="SK-GRAB-2", amount=20)
    options: tuple[tuple[HeldBonus, bool], ...] = (("melee", melee), ("unarmed", unarmed))
    for bonus, is_easier in options:
        at_held = held_modifier(kind, skill, is_held=True, bonus=bonus)
        assert at_held == (line if is_easier else None)
        assert held_modifier(kind, skill, is_held=False, bonus=bonus) is None


BY_HOLDER = ["attack", "called_shot", "disarm", "release", "end_turn", "answer"]


@pytest.mark.rule("SK-GRAB-3")
@pytest.mark.parametrize(
    ("target", "allowed"),
    [("t", BY_HOLDER), ("b", BY_HOLDER[3:]), (None, BY_HOLDER[3:])],
)
def test_a_holder_acts_against_the_held_one_only(target: str | None, allowed: list[str]) -> None:
    for action in allowed:
        require_holder_may(action, held_target="t", target=target)
    for action in ACTIONS:
        if action not in allowed:
            with pytest.raises(Refused) as refused:
                require_holder_may(action, held_target="t", target=target)
            assert (refused.value.code, refused.value.rule) == ("holding_target", "SK-GRAB-3")
            assert refused.value.params == {"held": "t", "action": action, "allowed": BY_HOLDER}


@pytest.mark.rule("SK-GRAB-3")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_holder_takes_no_step(action: str) -> None:
    with pytest.raises(Refused, match="holding_target") as refused:
        require_holder_may(action, held_target="t", target="t", steps=True)
    named = "step" if action in BY_HOLDER else action
    assert refused.value.params == {"held": "t", "action": named, "allowed": BY_HOLDER}


@pytest.mark.rule("SK-GRAB-4")
@pytest.mark.parametrize("action", ACTIONS)
def test_the_held_one_breaks_free_or_waits(action: str) -> None:
    for steps in (False, True):
        if action in ("break_free", "end_turn") and not steps:
            require_held_may(action, steps=steps)
            continue
        with pytest.raises(Refused) as refused:
            require_held_may(action, steps=steps)
        assert (refused.value.code, refused.value.rule) == ("held", "SK-GRAB-4")
        named = "step" if action in ("break_free", "end_turn") else action
        assert refused.value.params == {"action": named, "allowed": ["break_free", "end_turn"]}


@pytest.mark.rule("SK-GRAB-5")
@pytest.mark.parametrize(
    ("is_held", "is_active", "is_broken", "is_released", "cause"),
    [
        (False, True, False, False, None),
        (False, True, True, False, "broken_free"),
        (False, True, False, True, "released"),
        (True, True, False, False, "holder_held"),
        (False, False, False, False, "holder_felled"),
        (True, False, False, False, "holder_felled"),
    ],
)
def test_a_hold_ends_by_either_of_the_two(
    is_held: bool, is_active: bool, is_broken: bool, is_released: bool, cause: HoldEnd | None
) -> None:
    ended = hold_ended(
        is_holder_held=is_held,
        is_holder_active=is_active,
        is_broken=is_broken,
        is_released=is_released,
    )
    assert ended == cause


@pytest.mark.rule("SK-FREE-1")
def test_one_breaks_out_of_a_hold_only() -> None:
    assert require_held("t", "a") == "a"
    with pytest.raises(Refused) as refused:
        require_held("t", None)
    assert (refused.value.code, refused.value.rule) == ("not_held", "SK-FREE-1")
    assert refused.value.params == {"combatant": "t"}


@pytest.mark.rule("SK-GRAB-5")
def test_one_releases_whom_one_holds() -> None:
    assert require_holding("a", "t") == "t"
    with pytest.raises(Refused) as refused:
        require_holding("a", None)
    assert (refused.value.code, refused.value.rule) == ("not_holding", "SK-GRAB-5")
    assert refused.value.params == {"combatant": "a"}
