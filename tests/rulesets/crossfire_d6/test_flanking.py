"""CF-FLANK: attackers on opposite sides."""

import pytest

from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.flanking import (
    FlankingMembership,
    are_opposite,
    flanking_modifier,
)
from service.rulesets.crossfire_d6.rules.ground import Fighter
from service.rulesets.crossfire_d6.rules.range import distance_ft

TARGET = Fighter(id="t", side="blue", space=Space(1, 1), reach_ft=5)
FLANKED = Modifier(rule="CF-FLANK-1", amount=1, combatants=("b",))


def enemy(
    name: str,
    x: int,
    y: int,
    *,
    reach: int = 5,
    side: str = "red",
    helpless: bool = False,
    dead: bool = False,
) -> Fighter:
    return Fighter(
        id=name,
        side=side,
        space=Space(x, y),
        reach_ft=reach,
        is_helpless=helpless,
        is_dead=dead,
    )


def flanked(
    attacker: Fighter, *others: Fighter, membership: FlankingMembership = "melee"
) -> Modifier | None:
    return flanking_modifier(
        attacker,
        TARGET,
        (attacker, TARGET, *others),
        membership=membership,
        distance_of=lambda fighter: distance_ft(fighter.space, 0, TARGET.space, 0, "equal"),
    )


@pytest.mark.rule("CF-FLANK-2")
@pytest.mark.parametrize(
    ("attacker", "partner", "target", "opposite"),
    [
        (Space(0, 1), Space(2, 1), Space(1, 1), True),
        (Space(0, 1), Space(2, 2), Space(1, 1), False),
        (Space(0, 0), Space(2, 2), Space(1, 1), True),
        (Space(1, 0), Space(1, 2), Space(1, 1), True),
        (Space(0, 0), Space(1, 2), Space(1, 1), False),
        (Space(0, 0), Space(0, 2), Space(1, 1), False),
        (Space(-1, 1), Space(0, 1), Space(1, 1), False),
        (Space(0, 1), Space(3, 2), Space(1, 1, 2), True),
        (Space(0, 1), Space(2, 3), Space(1, 1, 2), False),
    ],
)
def test_opposite_is_through_opposite_sides_corners_included(
    attacker: Space, partner: Space, target: Space, opposite: bool
) -> None:
    assert are_opposite(attacker, partner, target) == opposite
    assert are_opposite(partner, attacker, target) == opposite


@pytest.mark.rule("CF-FLANK-1")
def test_a_partner_opposite_gives_one_die_and_further_partners_none() -> None:
    attacker = enemy("a", 0, 1)
    assert flanked(attacker, enemy("b", 2, 1)) == FLANKED
    assert flanked(attacker, enemy("b", 2, 1), enemy("c", 2, 1)) == FLANKED
    assert flanked(attacker) is None
    assert flanked(attacker, enemy("b", 2, 2)) is None


@pytest.mark.rule("CF-FLANK-1")
@pytest.mark.parametrize(
    ("partner", "melee", "anyone"),
    [
        (enemy("b", 2, 1, reach=0), None, FLANKED),
        (enemy("b", 2, 1, helpless=True), None, None),
        (enemy("b", 2, 1, dead=True), None, None),
        (enemy("b", 2, 1, side="blue"), None, None),
        (enemy("b", 2, 1, side="green"), FLANKED, FLANKED),
        (enemy("b", 3, 1, reach=5), None, FLANKED),
        (enemy("b", 3, 1, reach=10), FLANKED, FLANKED),
    ],
)
def test_a_partner_is_an_able_enemy_of_the_target_within_reach_of_it(
    partner: Fighter, melee: Modifier | None, anyone: Modifier | None
) -> None:
    attacker = enemy("a", 0, 1)
    assert flanked(attacker, partner) == melee
    assert flanked(attacker, partner, membership="any") == anyone
