"""TD-PRONE: lying on the ground, and spinning without weight."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.rules.prone import (
    fallen_condition,
    prone_attack_modifier,
    prone_melee_modifier,
    prone_ranged_modifier,
    prone_target_modifier,
    spinning_modifier,
)
from service.rulesets.tactical_d20.rules.words import AttackMode


@pytest.mark.rule("TD-PRONE-1")
@pytest.mark.parametrize(
    ("mode", "is_prone", "amount"),
    [("melee", True, -4), ("ranged", True, None), ("melee", False, None), ("ranged", False, None)],
)
def test_a_prone_attacker_strikes_worse_and_shoots_as_ever(
    mode: AttackMode, is_prone: bool, amount: int | None
) -> None:
    line = None if amount is None else Modifier(rule="TD-PRONE-1", amount=amount)
    assert prone_attack_modifier(mode, is_prone=is_prone) == line


@pytest.mark.rule("TD-PRONE-2")
@pytest.mark.rule("TD-PRONE-3")
def test_a_prone_target_is_hard_to_shoot_and_easy_to_strike() -> None:
    shot, strike = (
        Modifier(rule="TD-PRONE-2", amount=4),
        Modifier(rule="TD-PRONE-3", amount=-4),
    )
    assert (prone_ranged_modifier(), prone_melee_modifier()) == (shot, strike)
    assert prone_target_modifier("ranged", is_prone=True) == shot
    assert prone_target_modifier("melee", is_prone=True) == strike
    assert prone_target_modifier("ranged", is_prone=False) is None
    assert prone_target_modifier("melee", is_prone=False) is None


@pytest.mark.rule("TD-PRONE-4")
def test_without_weight_one_spins_instead_of_lying() -> None:
    assert (fallen_condition("normal"), fallen_condition("zero")) == ("prone", "spinning")


@pytest.mark.rule("TD-PRONE-4")
@pytest.mark.parametrize(
    ("penalty", "is_spinning", "amount"),
    [(-2, True, -2), (-20, True, -20), (0, True, None), (-2, False, None)],
)
def test_spinning_costs_what_the_table_says(
    penalty: int, is_spinning: bool, amount: int | None
) -> None:
    line = None if amount is None else Modifier(rule="TD-PRONE-4", amount=amount)
    assert spinning_modifier(penalty, is_spinning=is_spinning) == line
