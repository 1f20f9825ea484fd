"""Where an action or an effect has free text is read from the types."""

from typing import Any

import pytest

from service.engine.visibility.text_places import text_places
from service.rulesets import RULESETS

CROSSFIRE = text_places(RULESETS["crossfire-d6", "1"].event)
SEEKER = text_places(RULESETS["seeker-d100", "2"].event)
EVENT = {
    "action": {"type": "adjust"},
    "effects": [{"type": "attack_resolved"}, {"type": "revealed"}, {"type": "newer"}, {}, 7],
}


def test_every_action_and_effect_of_a_ruleset_has_its_places() -> None:
    assert CROSSFIRE.actions["end_turn"] == frozenset()
    assert CROSSFIRE.actions["note"] == {("text",), ("gm_text",)}
    assert CROSSFIRE.effects["revealed"] == {
        ("combatant", "name"),
        ("combatant", "metadata"),
        ("combatant", "weapons", "*", "name"),
    }
    assert SEEKER.actions["grapple"] == {("against",)}
    assert SEEKER.effects["attack_resolved"] == frozenset()


@pytest.mark.parametrize(
    ("path", "is_place"),
    [
        (["action", "reason"], True),
        (["action", "changes"], False),
        (["action"], False),
        (["effects", 0, "outcome"], False),
        (["effects", 0], False),
        (["effects", 1, "combatant", "name"], True),
        (["effects", 1, "combatant", "weapons", 2, "name"], True),
        (["effects", 1, "combatant", "weapons", "*", "name"], False),
        (["effects", 1, "combatant.name"], False),
        (["effects", 1, "combatant", "name", "first"], False),
        (["effects", 2, "anything"], True),
        (["effects", 3, "name"], False),
        (["effects", 4, "name"], False),
        (["effects", 5, "name"], False),
        (["effects", -1, "name"], False),
        (["effects", "name"], False),
        (["draws", 0, "combatant"], False),
        (["by", "name"], False),
        ([], False),
    ],
)
def test_a_path_is_a_place_by_the_type_that_it_leads_through(
    path: list[Any], is_place: bool
) -> None:
    assert CROSSFIRE.has(EVENT, path) == is_place


@pytest.mark.parametrize("view", [7, [], {}, {"effects": {}}, {"effects": None, "action": []}])
def test_a_view_without_types_has_no_places(view: object) -> None:
    assert not CROSSFIRE.has(view, ["effects", 0, "name"])
    assert not CROSSFIRE.has(view, ["action", "reason"])
