"""SK-DIS: knocking something out of somebody's hand."""

from typing import Any

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.disarm import held_after_drop, require_free_hand
from tests.kit.given_when_then import preview
from tests.rulesets.seeker_d100.setups import do, done, duel, only, strike, weapon


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize(
    ("held", "left"),
    [
        (("pistol",), ()),
        (("torch", "pistol"), ("torch",)),
        (("pistol", "pistol"), ("pistol",)),
    ],
)
def test_the_item_struck_falls(held: tuple[str, ...], left: tuple[str, ...]) -> None:
    assert held_after_drop("pistol", held) == left


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize("held", [(), ("pistol",)])
def test_what_is_not_held_does_not_fall(held: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as refused:
        held_after_drop("knife", held)
    assert (refused.value.code, refused.value.rule) == ("nothing_held", "SK-DIS-1")
    assert refused.value.params == {"item": "knife", "allowed": list(held)}


@pytest.mark.rule("SK-DIS-2")
@pytest.mark.parametrize(
    ("free", "needed", "is_enough"),
    [(0, 1, False), (1, 1, True), (2, 1, True), (1, 2, False), (2, 2, True)],
)
def test_disarming_needs_free_hands(free: int, needed: int, is_enough: bool) -> None:
    if is_enough:
        require_free_hand(free, needed)
        return
    with pytest.raises(Refused) as refused:
        require_free_hand(free, needed)
    assert (refused.value.code, refused.value.rule) == ("no_free_hand", "SK-DIS-2")
    assert refused.value.params == {"free_hands": free, "needed": needed}


DISARM = do("disarm", target="t", item="x")


@pytest.mark.rule("SK-DIS-1", "SK-GRAB-1", "SK-REACT-2")
@pytest.mark.parametrize("action", [DISARM, do("grapple", target="t")])
@pytest.mark.parametrize(
    "hands",
    [
        {"skill": "unarmed"},
        {"skill": "ranged"},
        {"skill": "demolitions", "range_m": 1},
        {"skill": "unarmed", "delivery": "arrow"},
    ],
)
def test_disarming_and_grappling_are_unarmed_blows_whatever_bare_hands_are_said_to_be(
    action: dict[str, Any], hands: dict[str, Any]
) -> None:
    odd = {"weapons": [{"id": "w_unarmed", "damage": {"sides": 4}, **hands}]}
    battle = duel(odd, {"held_items": ["x"]}, fresh=True)
    [question] = preview(battle.table, action)["facts"]["asks"]
    [opened] = only(done(battle, action), "decision_opened")
    assert question["options"] == opened["decision"]["options"] == ["dodge", "resist", "pass"]
    assert opened["decision"]["context"] == {
        "action": action["type"],
        "delivery": "melee",
        "origin": {"x": 0, "y": 0},
        "covers": [],
        "source": {"combatant": "a"},
    }


@pytest.mark.rule("SK-STAND-1", "SK-DIS-1")
def test_a_resist_without_its_weapon_is_rolled_unarmed_whatever_bare_hands_state() -> None:
    hands = {"id": "w_unarmed", "skill": "ranged", "damage": {"sides": 4}}
    t = {
        "weapons": [hands, weapon("w_knife", dropped=True)],
        "skills": {"ranged": 70, "unarmed": 40},
        "answering": {"kind": "resist_block", "item": "w_knife"},
    }
    battle = duel({}, t)
    [attack] = only(done(battle, strike(), 30, 60, 3), "attack_resolved")
    assert (attack["outcome"], attack["answered"]["needed"]) == ("hit", 40)


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize("item", ["w_unarmed", "W_UNARMED"])
def test_bare_hands_are_never_disarmed(item: str) -> None:
    battle = duel()
    held = {"type": "item", "combatant": "t", "item": item, "held": True}
    wrong = {"path": "$.changes[0].item", "allowed": "items, not bare hands"}
    battle.when({"type": "adjust", "changes": [held]}).refused("malformed", **wrong)
    nothing = {"item": item, "allowed": []}
    dropped = {"type": "adjust", "changes": [{**held, "held": False}]}
    battle.when(dropped).refused("nothing_held", "SK-DIS-1", **nothing)
    battle.when({**DISARM, "item": item}).refused("nothing_held", "SK-DIS-1", **nothing)
