"""SK-TURN: rounds, turns and the one action of each."""

from itertools import product

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.turns import (
    is_passed_over,
    next_turn,
    require_action_left,
    require_active,
    require_turn,
)


@pytest.mark.rule("SK-TURN-1")
@pytest.mark.parametrize(("after", "then"), [(None, "t"), ("t", "a"), ("a", "b"), ("b", None)])
def test_everybody_has_one_turn_in_the_order_of_the_cards(
    after: str | None, then: str | None
) -> None:
    assert next_turn(("t", "a", "b"), after) == then


@pytest.mark.rule("SK-TURN-1")
def test_a_round_of_nobody_is_over_at_once() -> None:
    assert next_turn((), None) is None


@pytest.mark.rule("SK-TURN-2")
def test_who_has_spent_the_action_has_none_left() -> None:
    require_action_left("t", is_action_spent=False)
    with pytest.raises(Refused) as refused:
        require_action_left("t", is_action_spent=True)
    assert (refused.value.code, refused.value.rule) == ("action_spent", "SK-TURN-2")
    assert refused.value.params == {"combatant": "t"}


@pytest.mark.rule("SK-TURN-2")
def test_a_turn_goes_by_without_an_action_or_somebody_to_take_it() -> None:
    passed = {
        (spent, active): is_passed_over(is_action_spent=spent, is_active=active)
        for spent, active in product((False, True), repeat=2)
    }
    assert [state for state, is_over in passed.items() if not is_over] == [(False, True)]


@pytest.mark.rule("SK-TURN-1")
@pytest.mark.parametrize(
    ("turn", "facts"), [("a", {"combatant": "t", "turn": "a"}), (None, {"combatant": "t"})]
)
def test_nobody_acts_out_of_turn(turn: str | None, facts: dict[str, object]) -> None:
    require_turn("t", "t")
    with pytest.raises(Refused) as refused:
        require_turn("t", turn)
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "SK-TURN-1")
    assert refused.value.params == facts


@pytest.mark.rule("SK-DMG-4")
def test_who_is_out_does_not_act() -> None:
    require_active("t", None)
    with pytest.raises(Refused) as refused:
        require_active("t", "dead")
    assert (refused.value.code, refused.value.rule) == ("actor_incapacitated", "SK-DMG-4")
    assert refused.value.params == {"combatant": "t", "conditions": ["dead"]}
