"""The game master's word, and what the rules make of it."""

from typing import Any

import pytest
from msgspec import UNSET

from tests.kit.given_when_then import Given
from tests.kit.table import tree_of
from tests.rulesets.seeker_d100.setups import (
    answer,
    done,
    duel,
    fighter,
    only,
    sheet,
    strike,
    wall,
    weapon,
)


def adjust(
    battle: Given, *changes: dict[str, Any], dice: tuple[int, ...] = ()
) -> list[dict[str, Any]]:
    return done(battle, {"type": "adjust", "changes": list(changes)}, *dice)


def change(kind: str, combatant: str = "t", **more: object) -> dict[str, Any]:
    return {"type": kind, "combatant": combatant, **more}


def hurt(amount: int, health: int, band: str) -> dict[str, Any]:
    told = {"amount": amount, "health": health, "band": band, "cause": "gm"}
    return {"type": "hurt", **told, "breakdown": [], "reports": []}


def healed(amount: int, health: int, band: str) -> dict[str, Any]:
    return {"type": "healed", "amount": amount, "health": health, "band": band, "cause": "gm"}


def gained(condition: str, **more: object) -> dict[str, Any]:
    return {"type": "condition_gained", "condition": condition, "cause": "gm", **more}


def lost(condition: str, cause: str, **more: object) -> dict[str, Any]:
    return {"type": "condition_lost", "condition": condition, "cause": cause, **more}


OUT: dict[str, Any] = {"health": 2, "health_max": 12, "conditions": ["unconscious"]}
DEAD: dict[str, Any] = {"health": 0, "health_max": 12}
WHOLE: list[tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]] = [
    ({}, change("hp", value=3), [hurt(9, 3, "badly_hurt")]),
    ({}, change("hp", value=12), [healed(0, 12, "unhurt")]),
    (
        {"aim": {"round": 1}},
        change("hp", value=2),
        [
            hurt(10, 2, "down"),
            {"type": "felled", "state": "unconscious", "rule": "SK-DMG-4", "cause": "gm"},
            {"type": "condition_lost", "condition": "aim", "rule": "SK-AIM-2", "cause": "hurt"},
        ],
    ),
    (
        {"answering": {"kind": "dodge"}},
        change("hp", value=0),
        [
            hurt(12, 0, "down"),
            {"type": "felled", "state": "dead", "rule": "SK-DMG-4", "cause": "gm"},
            lost("answering", "felled", rule="SK-STAND-3"),
        ],
    ),
    (OUT, change("hp", value=1), [hurt(1, 1, "down")]),
    (OUT, change("hp", value=2), [healed(0, 2, "down")]),
    (OUT, change("hp", value=3), [healed(1, 3, "badly_hurt"), lost("unconscious", "recovered")]),
    (OUT | {"health": 8}, change("hp", value=9), [healed(1, 9, "down")]),
    (
        DEAD,
        change("hp", value=2),
        [
            healed(2, 2, "down"),
            lost("dead", "recovered"),
            {"type": "felled", "state": "unconscious", "rule": "SK-DMG-4"},
        ],
    ),
    (DEAD, change("hp", value=3), [healed(3, 3, "badly_hurt"), lost("dead", "recovered")]),
    (
        DEAD | {"conditions": ["unconscious", "dead"]},
        change("hp", value=1),
        [healed(1, 1, "down"), lost("dead", "recovered")],
    ),
    (
        DEAD | {"conditions": ["unconscious", "dead"]},
        change("hp", value=9),
        [healed(9, 9, "hurt"), lost("dead", "recovered"), lost("unconscious", "recovered")],
    ),
    (DEAD | {"health": 8, "conditions": ["dead"]}, change("hp", value=9), [healed(1, 9, "down")]),
    (
        {},
        change("place", place={"x": 9, "y": -9, "elevation": 3}),
        [
            {
                "type": "moved",
                "manner": "placed",
                "start": {"x": 1, "y": 0},
                "end": {"x": 9, "y": -9, "elevation": 3},
                "path": [],
                "complete": True,
            }
        ],
    ),
    ({}, change("condition", condition="unaware"), [gained("unaware")]),
    (
        {"conditions": ["unaware"]},
        change("condition", condition="unaware", holds=False),
        [lost("unaware", "gm")],
    ),
    (
        {"aim": {"round": 1}},
        change("condition", condition="aim", holds=False),
        [lost("aim", "gm")],
    ),
    (
        {},
        change("condition", condition="dead"),
        [{"type": "felled", "state": "dead", "cause": "gm"}],
    ),
    (
        {},
        change("resource", resource="action", value=1),
        [{"type": "resource_changed", "resource": "action", "now": 1, "cause": "gm"}],
    ),
    (
        {"weapons": [weapon("w_smg", ammo=3)]},
        change("resource", resource="ammo", item="w_smg", value=7),
        [
            {
                "type": "resource_changed",
                "resource": "ammo",
                "item": "w_smg",
                "now": 7,
                "cause": "gm",
            }
        ],
    ),
    (
        {},
        change("stat", stat="health_max", value=11),
        [
            {"type": "stat_changed", "stat": "health_max", "now": 11, "cause": "gm"},
            hurt(1, 11, "unhurt"),
        ],
    ),
    (
        {},
        change("stat", stat="health_max", value=12),
        [
            {"type": "stat_changed", "stat": "health_max", "now": 12, "cause": "gm"},
        ],
    ),
    ({}, change("next_roll", amount=-15), [gained("next_roll", amount=-15)]),
    ({}, change("movement_test"), [gained("movement_test", amount=0)]),
    ({}, change("movement_test", modifier=20), [gained("movement_test", amount=20)]),
    (
        {},
        change("item", item="torch", held=True),
        [{"type": "item_changed", "item": "torch", "change": "gained"}],
    ),
    (
        {"held_items": ["torch"]},
        change("item", item="torch", held=False),
        [{"type": "item_changed", "item": "torch", "change": "lost"}],
    ),
    ({}, change("hide"), [{"type": "hidden", "cause": "gm"}]),
]


@pytest.mark.parametrize(("before", "asked", "effects"), WHOLE)
def test_a_change_is_taken_as_given_with_what_follows_from_it(
    before: dict[str, Any], asked: dict[str, Any], effects: list[dict[str, Any]]
) -> None:
    told = [{"combatant": "t", **each} for each in effects]
    assert adjust(duel(t=before), asked) == [{"type": "adjusted", "secret": False}, *told]


@pytest.mark.parametrize(
    ("before", "value", "left"),
    [
        (DEAD, 5, ()),
        (DEAD, 1, ("unconscious",)),
        (OUT, 3, ()),
        (OUT | {"health": 1}, 2, ("unconscious",)),
        (DEAD | {"health": 8, "conditions": ["dead"]}, 9, ("dead",)),
        ({}, 2, ("unconscious",)),
        ({"aim": {"round": 1}}, 0, ("dead",)),
    ],
)
def test_who_is_up_again_and_who_is_not(
    before: dict[str, Any], value: int, left: tuple[str, ...]
) -> None:
    battle = duel(t=before)
    adjust(battle, change("hp", value=value))
    who = sheet(battle, "t")
    assert (who.health, who.conditions, who.band == "down") == (value, left, bool(left))


def test_health_has_an_upper_end() -> None:
    beyond = {"type": "adjust", "changes": [change("hp", value=12), change("hp", value=13)]}
    bounds = {"path": "$.changes[1].value", "allowed": "0 to 12"}
    duel().when(beyond).refused("malformed", **bounds)


@pytest.mark.parametrize(
    ("stat", "least", "largest"),
    [
        ("strength", 0, 100),
        ("dexterity", 0, 100),
        ("ranged", 0, 200),
        ("athletics", 0, 200),
        ("melee_weapon", 0, 200),
        ("unarmed", 0, 200),
        ("heavy_weapons", 0, 200),
        ("demolitions", 0, 200),
        ("dodge", 0, 200),
        ("body_armour", 0, 100),
        ("helmet", 0, 1),
        ("free_hands", 0, 2),
        ("health_max", 1, 1000),
    ],
)
def test_numbers_of_the_sheet_may_be_set_within_their_bounds(
    stat: str, least: int, largest: int
) -> None:
    battle = duel()
    for value in (least, largest):
        [told] = only(adjust(battle, change("stat", stat=stat, value=value)), "stat_changed")
        assert (told["stat"], told["now"]) == (stat, value)
        assert _number(battle, stat) == value
    for value in (least - 1, largest + 1):
        beyond = {"type": "adjust", "changes": [change("stat", stat=stat, value=value)]}
        bounds = {"path": "$.changes[0].value", "allowed": f"{least} to {largest}"}
        battle.when(beyond).refused("malformed", **bounds)


def _number(battle: Given, stat: str) -> int:
    """A number of t's sheet, wherever it is there."""
    shown = tree_of(sheet(battle, "t"))
    if stat == "body_armour":
        shown = {stat: shown[stat]["value"]}
    return int({**shown["skills"], **shown}[stat] if "skills" in shown else shown[stat])


def test_a_smaller_maximum_takes_the_health_above_it() -> None:
    battle = duel()
    effects = adjust(battle, change("stat", stat="health_max", value=2))
    assert [each["state"] for each in only(effects, "felled")] == ["unconscious"]
    assert sheet(battle, "t").health == 2


def test_places_conditions_and_items_may_be_set() -> None:
    battle = duel()
    effects = adjust(
        battle,
        change("place", place={"x": 90, "y": 9}),
        change("condition", condition="unaware"),
        change("item", item="torch", held=True),
    )
    assert [each["type"] for each in effects] == [
        "adjusted",
        "moved",
        "condition_gained",
        "item_changed",
    ]
    who = sheet(battle, "t")
    assert (who.place.x, who.conditions, who.held_items) == (90, ("unaware",), ("torch",))
    adjust(battle, change("condition", condition="unaware", holds=False))
    adjust(battle, change("item", item="torch", held=False))
    assert (sheet(battle, "t").conditions, sheet(battle, "t").held_items) == ((), ())
    gone = {"type": "adjust", "changes": [change("item", item="torch", held=False)]}
    battle.when(gone).refused("nothing_held", "SK-DIS-1", item="torch", allowed=[])


@pytest.mark.parametrize("condition", ["aim", "answering", "standing_roll"])
def test_conditions_that_hold_more_can_only_be_ended(condition: str) -> None:
    set_ = {"type": "adjust", "changes": [change("condition", condition=condition)]}
    allowed = {"path": "$.changes[0].condition", "allowed": "unaware, unconscious, dead"}
    duel().when(set_).refused("malformed", **allowed)
    kept: dict[str, Any] = {
        "aim": {"round": 1},
        "answering": {"kind": "dodge"},
        "standing_roll": {"kind": "dodge", "natural": 3, "level": 2},
    }
    battle = duel(t={condition: kept[condition]})
    adjust(battle, change("condition", condition=condition, holds=False))
    assert sheet(battle, "t").conditions == ()
    assert getattr(sheet(battle, "t"), condition) is UNSET


def test_a_dropped_weapon_may_be_given_back_with_rounds() -> None:
    armed = {"held_items": ["w_revolver"], "weapons": [weapon("w_revolver", ammo=0)]}
    battle = duel(armed)
    adjust(battle, change("item", "a", item="w_revolver", held=False))
    assert sheet(battle, "a").weapons[0].dropped
    adjust(
        battle,
        change("item", "a", item="w_revolver", held=True),
        change("resource", "a", resource="ammo", item="w_revolver", value=6),
    )
    revolver = sheet(battle, "a").weapons[0]
    assert (revolver.dropped, revolver.ammo) == (False, 6)
    one = {"path": "$.changes[0].value", "allowed": "0 or 1, without an item"}
    item = {"path": "$.changes[0].item", "allowed": "the weapon whose rounds these are"}
    known = {"weapon": "x", "allowed": ["w_revolver", "w_unarmed"]}
    for wrong, code, rule, facts in (
        ({"resource": "action", "value": 2}, "malformed", None, one),
        ({"resource": "action", "value": 1, "item": "w_revolver"}, "malformed", None, one),
        ({"resource": "ammo", "value": 6}, "malformed", None, item),
        ({"resource": "ammo", "value": 6, "item": "x"}, "unknown_weapon", "SK-ATK-1", known),
    ):
        asked = {"type": "adjust", "changes": [change("resource", "a", **wrong)]}
        battle.when(asked).refused(code, rule, **facts)


def test_whoever_has_the_turn_and_loses_the_action_is_passed_over() -> None:
    battle = duel(fresh=True)
    effects = adjust(battle, change("resource", "a", resource="action", value=0))
    assert [(each["combatant"], each["cause"]) for each in only(effects, "turn_ended")] == [
        ("a", "passed_over")
    ]
    assert battle.table.state.rule.turn == "t"


@pytest.mark.rule("SK-CHECK-1")
def test_the_next_roll_is_changed_once() -> None:
    battle = duel({"weapons": [weapon("w_revolver")]}, {"conditions": ["unaware"]})
    adjust(battle, change("next_roll", "a", amount=-15))
    for chance in (35, 50):
        effects = done(battle, strike("w_revolver"), 51)
        assert only(effects, "attack_resolved")[0]["detail"]["pool"] == chance


def test_a_question_nobody_can_answer_any_more_is_void_and_the_attack_goes_on() -> None:
    for gone in (
        change("condition", condition="unaware"),
        change("condition", condition="unconscious"),
        change("resource", resource="action", value=0),
    ):
        battle = duel(fresh=True)
        done(battle, strike())
        effects = adjust(battle, gone, dice=(50, 3))
        assert [each["how"] for each in only(effects, "decision_closed")] == ["void"]
        assert [each["outcome"] for each in only(effects, "attack_resolved")] == ["hit"]
        assert battle.table.state.rule.pending == ()


def test_other_questions_stay_open() -> None:
    smg = {"weapons": [weapon("w_smg")]}
    near = fighter("u", "blue", 5, 0)
    battle = duel(smg, {"place": {"x": 4, "y": 0}}, near, fresh=True, cover=(wall(6),))
    done(battle, strike("w_smg"))
    effects = adjust(battle, change("condition", condition="unaware"))
    assert [each["type"] for each in effects] == [
        "adjusted",
        "condition_gained",
        "decision_closed",
    ]
    effects = done(battle, answer(battle, "u", "pass"), 30, 55, 56)
    assert [each["target"] for each in only(effects, "area_resolved")[0]["victims"]] == ["t", "u"]


def test_an_attacker_who_falls_meanwhile_attacks_nobody() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    effects = adjust(battle, change("hp", "a", value=1))
    assert [each["how"] for each in only(effects, "decision_closed")] == ["void"]
    assert only(effects, "attack_resolved") == []
    assert [each["cause"] for each in only(effects, "turn_ended")] == ["felled"]
    assert battle.table.state.rule.turn == "t"


@pytest.mark.rule("SK-GRAB-5")
def test_a_holder_felled_by_word_lets_go() -> None:
    battle = duel({"held_by": {"holder": "t", "natural": 40, "level": 2}})
    effects = adjust(battle, change("condition", condition="unconscious"))
    assert [each["cause"] for each in only(effects, "link_changed")] == ["holder_felled"]


def test_hiding_and_revealing() -> None:
    battle = duel()
    assert [each["type"] for each in adjust(battle, change("hide"))] == ["adjusted", "hidden"]
    [shown] = only(adjust(battle, change("reveal")), "revealed")
    assert (shown["combatant"]["id"], shown["cause"]) == ("t", "gm")


def test_nobody_unknown_is_adjusted() -> None:
    nobody = {"type": "adjust", "changes": [change("hp", "x", value=1)]}
    duel().when(nobody).refused("unknown_combatant", combatant="x")
