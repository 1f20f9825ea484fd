"""CF-PRONE, CF-PB, CF-HELP, CF-UNAWARE: what the target's state and nearness do."""

import pytest
from msgspec import UNSET

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.conditions import (
    is_automatic_critical,
    prone_melee_modifier,
    prone_ranged_modifier,
    unaware_modifier,
)
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.range import point_blank_modifier
from tests.rulesets.crossfire_d6.duels import do, duel


@pytest.mark.rule("CF-PRONE-1")
def test_a_prone_target_is_harder_to_shoot() -> None:
    assert prone_ranged_modifier(is_prone=True) == Modifier(rule="CF-PRONE-1", amount=-1)
    assert prone_ranged_modifier(is_prone=False) is None


@pytest.mark.rule("CF-PRONE-2")
def test_a_prone_target_is_easier_to_strike() -> None:
    assert prone_melee_modifier(is_prone=True) == Modifier(rule="CF-PRONE-2", amount=2)
    assert prone_melee_modifier(is_prone=False) is None


@pytest.mark.rule("CF-PB-1")
@pytest.mark.parametrize(
    ("distance", "limit", "applies"),
    [(0, 5, True), (5, 5, True), (6, 5, False), (10, 5, False), (5, 0, False), (0, 0, True)],
)
def test_a_shot_at_point_blank_costs_two_dice(distance: int, limit: int, applies: bool) -> None:
    expected = Modifier(
        rule="CF-PB-1", amount=-2, facts={"distance_ft": distance, "limit_ft": limit}
    )
    assert point_blank_modifier(distance, limit) == (expected if applies else None)


@pytest.mark.rule("CF-HELP-1")
@pytest.mark.parametrize(
    ("melee", "helpless", "automatic"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_only_melee_against_the_helpless_is_automatic(
    melee: bool, helpless: bool, automatic: bool
) -> None:
    assert is_automatic_critical(is_melee=melee, is_helpless=helpless) == automatic


@pytest.mark.rule("CF-UNAWARE-1")
@pytest.mark.parametrize(
    ("unaware", "direction", "rear_counts", "facts"),
    [
        (False, "front", True, None),
        (False, "side", True, None),
        (False, "rear", False, None),
        (False, "rear", True, {"unaware": 0, "rear": 1}),
        (True, "front", False, {"unaware": 1, "rear": 0}),
        (True, "rear", False, {"unaware": 1, "rear": 0}),
        (True, "rear", True, {"unaware": 1, "rear": 1}),
    ],
)
def test_an_unexpected_melee_attack_gains_two_dice_and_never_four(
    unaware: bool, direction: Direction, rear_counts: bool, facts: dict[str, int] | None
) -> None:
    line = unaware_modifier(
        is_unaware=unaware, attacked_from=direction, rear_is_unaware=rear_counts
    )
    from_rear = UNSET if unaware else ("CF-FACE-5",)
    expected = Modifier(rule="CF-UNAWARE-1", amount=2, facts=facts or UNSET, rules=from_rear)
    assert line == (expected if facts else None)


def test_lying_down_is_free_and_getting_up_costs_an_action() -> None:
    battle = duel()
    lying = {"type": "condition_gained", "combatant": "a", "condition": "prone"}
    battle.when(do("go_prone")).then(lying)
    for left in (1, 0):
        battle.when(do("stand_up")).then(
            {"type": "resource_changed", "combatant": "a", "resource": "actions", "now": left},
            {"type": "condition_lost", "combatant": "a", "condition": "prone"},
        )
        battle.when(do("go_prone")).then(lying)
    battle.when(do("stand_up")).refused("no_actions_left", "CF-SD-1", combatant="a")
