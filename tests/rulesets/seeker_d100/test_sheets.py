"""Sheets: what a combatant brings, what follows from it, what does not fit together."""

from typing import Any

import pytest
from msgspec import UNSET

from service.errors import Malformed, Refused
from service.rulesets.seeker_d100.content import BUILT_IN
from tests.kit.given_when_then import opened
from tests.kit.table import SIDE_IDS, effects_of, tree_of
from tests.rulesets.seeker_d100.setups import RULESET, duel, fighter, weapon

A = fighter("a", "red", 0, 0)


def created(**setup: Any) -> Any:
    creation = {"sides": [{"id": each} for each in SIDE_IDS], "setup": setup}
    return opened(RULESET, creation)


def test_everybody_has_bare_hands_and_samples_are_filled_in() -> None:
    armed = A | {
        "weapons": [weapon("w_smg", ammo=30), weapon("w_ied")],
        "body_armour": {"sample": "heavy_armour"},
    }
    combatant = created(combatants=[armed]).state.rule.combatants[0]
    smg, ied, hands = combatant.weapons
    assert (smg.skill, smg.lethality, smg.radius.max, smg.ammo) == ("ranged", 10, 3, 30)
    assert (ied.lethality, ied.damage, ied.skill) == (UNSET, UNSET, "demolitions")
    assert (hands.id, hands.damage.bonus) == ("w_unarmed", -1)
    assert combatant.body_armour.value == 5
    assert (combatant.health_max, combatant.number) == (12, 1)


@pytest.mark.parametrize(
    ("stated", "is_in_progress"),
    [
        ({}, False),
        ({"conditions": ["unaware"], "actions_left": 1}, False),
        ({"actions_left": 0}, True),
        ({"aim": {"round": 1}}, True),
        ({"answering": {"kind": "dodge"}}, True),
        ({"standing_roll": {"kind": "dodge", "natural": 40, "level": 2}}, True),
        ({"held_by": {"holder": "c", "natural": 40, "level": 2}}, True),
        ({"next_roll": 0}, True),
        ({"movement_test": 0}, True),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, dict) else str(each),
)
def test_what_somebody_remembers_of_a_battle_says_that_it_is_in_progress(
    stated: dict[str, Any], is_in_progress: bool
) -> None:
    people = [A, fighter("b", "red", 1, 0, **stated), fighter("c", "blue", 2, 0)]
    assert effects_of(created(combatants=people).events[0])[0]["prepared"] is is_in_progress


def test_a_sheet_is_kept_with_what_follows_from_it_and_without_what_only_the_battle_knows() -> None:
    stated: dict[str, Any] = {
        "number": 77,
        "band": "down",
        "health": 7,
        "health_max": 20,
        "conditions": ["aim", "unaware"],
        "aim": {"round": 1},
        "next_roll": 7,
        "standing_roll": {"kind": "dodge", "natural": 40, "level": 2},
        "body_armour": {"sample": "heavy_armour", "parts": ["torso"]},
        "weapons": [weapon("w_knife", name="Edge")],
    }
    draw = {"draw": {"stream": 0, "number": 3, "seq": 1}}
    sheet_ = A | stated | {"standing_roll": {**stated["standing_roll"], **draw}}
    die = {"count": 1, "sides": 4}
    knife = {"id": "w_knife", "sample": "w_knife", "skill": "melee_weapon"}
    hands = {"id": "w_unarmed", "sample": "w_unarmed", "skill": "unarmed"}
    assert tree_of(created(combatants=[sheet_]).state.rule.combatants[0]) == {
        **A,
        **stated,
        "number": 1,
        "band": "badly_hurt",
        "conditions": ["unaware", "aim", "standing_roll", "next_roll"],
        "body_armour": {"sample": "heavy_armour", "value": 5, "parts": ["torso"]},
        "weapons": [
            {**knife, "name": "Edge", "damage": {**die, "bonus": 0}, "dropped": False},
            {**hands, "damage": {**die, "bonus": -1}, "dropped": False},
        ],
        "actions_left": 1,
        "free_hands": 2,
        "held_items": [],
        "helmet": False,
        "hidden": False,
        "posture": "none",
    }


def test_what_a_sheet_states_is_more_than_its_sample() -> None:
    lethal = weapon("w_revolver", lethality=40, skill="heavy_weapons")
    combatant = created(combatants=[A | {"weapons": [lethal]}]).state.rule.combatants[0]
    revolver = combatant.weapons[0]
    assert (revolver.lethality, revolver.skill) == (40, "heavy_weapons")
    assert revolver.damage is UNSET


def test_content_may_be_replaced_at_creation() -> None:
    content = {
        "weapons": [{"id": "laser", "skill": "ranged", "damage": {"count": 3, "sides": 6}}],
        "armour": [{"id": "shield", "value": 30}],
    }
    armed = A | {"weapons": [weapon("laser")], "body_armour": {"sample": "shield"}}
    combatant = created(combatants=[armed], content=content).state.rule.combatants[0]
    assert combatant.weapons[0].damage.count == 3
    assert combatant.body_armour.value == 30
    with pytest.raises(Refused, match="unknown_sample"):
        created(combatants=[A | {"weapons": [weapon("w_knife")]}], content=content)


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"health": 13, "health_max": 12}, "$.combatants[0].health"),
        ({"weapons": [weapon("w_knife"), weapon("w_knife")]}, "$.combatants[0].weapons[1].id"),
        ({"weapons": [{"id": "x"}]}, "$.combatants[0].weapons[0].skill"),
        (
            {"weapons": [weapon("w_smg", radius={"min": 3, "max": 2})]},
            "$.combatants[0].weapons[0].radius.max",
        ),
        (
            {"weapons": [weapon("w_smg", shots={"min": 3, "max": 2})]},
            "$.combatants[0].weapons[0].shots.max",
        ),
        ({"body_armour": {}}, "$.combatants[0].body_armour"),
        ({"body_armour": {"value": 5, "sample": "stone"}}, "$.combatants[0].body_armour"),
        (
            {"held_by": {"holder": "a", "natural": 5, "level": 2}},
            "$.combatants[0].held_by.holder",
        ),
        ({"holding": "t"}, "$.combatants[0].holding"),
    ],
)
def test_a_sheet_that_contradicts_itself(more: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as raised:
        created(combatants=[A | more])
    assert raised.value.params["path"] == path


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"weapons": [weapon("w_unarmed")]}, None),
        ({"weapons": [weapon("w_unarmed", id="W_Unarmed")]}, "weapons[0].id"),
        ({"weapons": [weapon("w_knife"), weapon("w_knife", id="W_Knife")]}, "weapons[1].id"),
        ({"weapons": [weapon("w_knife")], "held_items": ["w_knife", "torch"]}, None),
        ({"weapons": [weapon("w_knife")], "held_items": ["torch", "W_Knife"]}, "held_items[1]"),
        ({"held_items": ["torch", "Torch"]}, "held_items[1]"),
    ],
)
def test_no_two_things_of_a_sheet_are_called_nearly_alike(
    more: dict[str, Any], path: str | None
) -> None:
    if path is None:
        created(combatants=[A | more])
        return
    with pytest.raises(Malformed) as raised:
        created(combatants=[A | more])
    stated = {"path": f"$.combatants[0].{path}", "allowed": "each id once, in one case"}
    assert raised.value.params == stated


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize(
    ("more", "path", "allowed"),
    [
        ({"held_items": ["torch", "w_unarmed"]}, "held_items[1]", "items, not bare hands"),
        ({"held_items": ["W_Unarmed"]}, "held_items[0]", "items, not bare hands"),
        (
            {"weapons": [weapon("w_knife"), weapon("w_unarmed", dropped=True)]},
            "weapons[1].dropped",
            "false for bare hands",
        ),
    ],
)
def test_bare_hands_are_nothing_that_one_holds_or_drops(
    more: dict[str, Any], path: str, allowed: str
) -> None:
    stated = {"path": f"$.combatants[0].{path}", "allowed": allowed}
    with pytest.raises(Malformed) as raised:
        created(combatants=[A | more])
    assert raised.value.params == stated
    late = {"type": "add_combatant", "combatant": fighter("late", "red", 0, 9) | more}
    duel().when(late).refused("malformed", path=f"$.combatant.{path}", allowed=allowed)


@pytest.mark.rule("SK-ARM-4")
@pytest.mark.parametrize(
    ("more", "rule", "path", "allowed"),
    [
        ({"weapons": [weapon("spoon")]}, None, "weapons[0].sample", BUILT_IN.weapons),
        ({"body_armour": {"sample": "spoon"}}, "SK-ARM-4", "body_armour.sample", BUILT_IN.armour),
    ],
)
def test_an_unknown_sample_is_named_with_its_place_and_those_there_are(
    more: dict[str, Any], rule: str | None, path: str, allowed: tuple[Any, ...]
) -> None:
    with pytest.raises(Refused) as raised:
        created(combatants=[A | more])
    facts = {"path": f"$.combatants[0].{path}", "sample": "spoon"}
    assert (raised.value.code, raised.value.rule) == ("unknown_sample", rule)
    assert raised.value.params == {**facts, "allowed": [each.id for each in allowed]}
