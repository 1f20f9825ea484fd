"""The places of rolls are read from the types; a ruleset says which may tell faces again."""

import pytest

from service.engine.ruleset.roll_places import Retelling, roll_places
from service.rulesets import RULESETS
from service.rulesets.crossfire_d6 import RULESET as CROSSFIRE
from service.rulesets.melody_d6 import RULESET as MELODY


def test_places_are_those_of_the_effects_and_not_of_a_state_that_is_taken_up() -> None:
    places = roll_places(CROSSFIRE.event, CROSSFIRE.retelling)
    assert places.rolls == {
        "attack_resolved.detail.roll",
        "check_resolved.opposed.roll",
        "check_resolved.roll",
        "decision_closed.roll",
        "hurt.roll",
        "hurt.source.roll",
        "rolled.roll",
    }
    assert places.held == places.waiting == places.standing == frozenset()


def test_actions_over_open_questions_are_those_that_wait_for_none() -> None:
    for ruleset in RULESETS.values():
        assert roll_places(ruleset.event, ruleset.retelling).meanwhile == {
            "add_seat",
            "adjust",
            "answer",
            "assign_control",
            "change_seat",
            "create_encounter",
            "end_encounter",
            "force_pass",
            "note",
            "remove_seat",
            "rewind",
        }


def test_with_dice_of_the_table_any_roll_may_have_waited_but_the_one_that_brings_them() -> None:
    places = roll_places(MELODY.event, MELODY.retelling)
    for place in places.rolls:
        is_brought = place == "decision_closed.roll"
        assert places.may_have_waited(place, is_supplied=True) is not is_brought
        assert places.may_have_waited(place, is_supplied=False) is (place == "check_resolved.roll")
        assert places.is_brought(place, is_supplied=True) is (is_brought or place == "rolled.roll")
        assert places.is_brought(place, is_supplied=False) is (place == "rolled.roll")


@pytest.mark.parametrize(
    "retelling",
    [
        Retelling(held=("rolled.dice",)),
        Retelling(waiting=("shouted.roll",)),
        Retelling(standing=("attack_resolved.answered.roll",)),
        Retelling(shared={"hurt.source.roll": ("thrown.roll",)}),
    ],
)
def test_a_place_that_the_types_do_not_have_is_an_error(retelling: Retelling) -> None:
    with pytest.raises(TypeError, match="has no roll at"):
        roll_places(CROSSFIRE.event, retelling)
