"""SK-ATK: attack actions, skills, shots, ranges and outcomes."""

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.attack import (
    AttackOutcome,
    attack_outcome,
    attack_skill,
    default_delivery,
    is_attack_action,
    require_ammo,
    require_complete,
    require_in_range,
    require_reach,
    require_target,
    shots_fired,
)
from service.rulesets.seeker_d100.rules.opposed import Winner
from service.rulesets.seeker_d100.rules.words import (
    Answered,
    AttackKind,
    AttackSkill,
    Delivery,
    Shots,
)

SEMI_AUTOMATIC = Shots(min=2, max=3)


@pytest.mark.rule("SK-ATK-1")
def test_four_actions_are_attacks() -> None:
    attacks = ["attack", "called_shot", "disarm", "grapple"]
    others = ["aim", "dodge", "resist", "break_free", "move", "release", "end_turn", "answer"]
    assert [action for action in attacks + others if is_attack_action(action)] == attacks


@pytest.mark.rule("SK-ATK-1")
@pytest.mark.parametrize(
    ("level", "winner", "answered", "outcome"),
    [
        (0, None, None, "fumble"),
        (1, None, None, "miss"),
        (2, None, None, "hit"),
        (3, None, None, "critical"),
        (2, "acting", "dodge", "hit"),
        (3, "acting", "resist_counter", "critical"),
        (2, "answering", "dodge", "avoided"),
        (3, "answering", "resist_counter", "stopped"),
        (2, "answering", "resist_block", "stopped"),
        (1, "answering", "resist_counter", "miss"),
        (0, "answering", "dodge", "fumble"),
        (1, "stalemate", "dodge", "miss"),
    ],
)
def test_success_hits_unless_the_answer_won(
    level: int, winner: Winner | None, answered: Answered | None, outcome: AttackOutcome
) -> None:
    assert attack_outcome(level, winner, answered) == outcome


@pytest.mark.rule("SK-ATK-2")
@pytest.mark.parametrize(
    ("kind", "weapon", "used"),
    [
        ("attack", "ranged", "ranged"),
        ("attack", "athletics", "athletics"),
        ("called_shot", "melee_weapon", "melee_weapon"),
        ("attack", "unarmed", "unarmed"),
        ("disarm", "ranged", "unarmed"),
        ("grapple", "melee_weapon", "unarmed"),
    ],
)
def test_the_skill_is_the_weapons_or_that_of_bare_hands(
    kind: AttackKind, weapon: AttackSkill, used: AttackSkill
) -> None:
    assert attack_skill(kind, weapon) == used


@pytest.mark.rule("SK-ATK-2")
@pytest.mark.parametrize(
    ("skill", "delivery"),
    [
        ("melee_weapon", "melee"),
        ("unarmed", "melee"),
        ("ranged", "bullet"),
        ("heavy_weapons", "bullet"),
        ("athletics", "thrown"),
        ("demolitions", "explosive"),
    ],
)
def test_a_weapon_is_delivered_as_its_skill_is_used(skill: AttackSkill, delivery: Delivery) -> None:
    assert default_delivery(skill) == delivery


@pytest.mark.rule("SK-ATK-3")
@pytest.mark.parametrize(
    ("stated", "allowed", "fired"),
    [
        (None, Shots(), 1),
        (1, Shots(), 1),
        (None, SEMI_AUTOMATIC, 2),
        (2, SEMI_AUTOMATIC, 2),
        (3, SEMI_AUTOMATIC, 3),
    ],
)
def test_an_attack_fires_what_it_states_or_the_fewest(
    stated: int | None, allowed: Shots, fired: int
) -> None:
    assert shots_fired(stated, allowed) == fired


@pytest.mark.rule("SK-ATK-3")
@pytest.mark.parametrize("stated", [0, 1, 4])
def test_no_more_and_no_fewer_shots_than_the_weapon_allows(stated: int) -> None:
    with pytest.raises(Refused) as refused:
        shots_fired(stated, SEMI_AUTOMATIC)
    assert (refused.value.code, refused.value.rule) == ("bad_shots", "SK-ATK-3")
    assert refused.value.params == {"shots": stated, "fewest": 2, "most": 3}


@pytest.mark.rule("SK-ATK-3")
def test_there_is_a_round_for_every_shot() -> None:
    require_ammo("gun", None, 1000)
    require_ammo("gun", 3, 3)
    with pytest.raises(Refused) as refused:
        require_ammo("gun", 2, 3)
    assert (refused.value.code, refused.value.rule) == ("no_ammo", "SK-ATK-3")
    assert refused.value.params == {"weapon": "gun", "left": 2, "shots": 3}


@pytest.mark.rule("SK-ATK-1")
@pytest.mark.parametrize(
    ("target", "is_dead", "code"),
    [("a", False, "target_self"), ("a", True, "target_self"), ("t", True, "target_dead")],
)
def test_one_attacks_neither_oneself_nor_the_dead(target: str, is_dead: bool, code: str) -> None:
    require_target("a", "t", is_dead=False)
    with pytest.raises(Refused) as refused:
        require_target("a", target, is_dead=is_dead)
    assert (refused.value.code, refused.value.rule) == (code, "SK-ATK-1")
    assert refused.value.params == {"target": target}


@pytest.mark.rule("SK-ATK-1")
def test_a_blow_needs_the_target_in_reach() -> None:
    require_reach((0, 0), (1, 1), 2)
    with pytest.raises(Refused) as refused:
        require_reach((0, 0), (2, 0), 2)
    assert (refused.value.code, refused.value.rule) == ("out_of_reach", "SK-ATK-1")
    assert refused.value.params == {"distance_m": 2, "reach_squared": 2}


@pytest.mark.rule("SK-ATK-1")
def test_a_weapon_with_a_range_reaches_exactly_so_far() -> None:
    require_in_range((0, 0), (6, 8), 10)
    require_in_range((0, 0), (200_000, 0), None)
    with pytest.raises(Refused) as refused:
        require_in_range((0, 0), (7, 8), 10)
    assert (refused.value.code, refused.value.rule) == ("out_of_range", "SK-ATK-1")
    assert refused.value.params == {"distance_m": 11, "longest_m": 10}


@pytest.mark.rule("SK-LETH-1")
@pytest.mark.parametrize("has_both", [True, False])
def test_a_weapon_has_either_damage_or_lethality(has_both: bool) -> None:
    require_complete("w", has_damage=True, has_lethality=False)
    require_complete("w", has_damage=False, has_lethality=True)
    with pytest.raises(Refused) as refused:
        require_complete("w", has_damage=has_both, has_lethality=has_both)
    assert (refused.value.code, refused.value.rule) == ("weapon_incomplete", "SK-LETH-1")
    assert refused.value.params == {"weapon": "w"}
