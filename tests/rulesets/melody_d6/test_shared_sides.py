"""Who may answer and act where several seats share a side, and what stays hidden from the other."""

import pytest

from service.errors import Forbidden
from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Given, given
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    creation,
    effects_of,
    guard,
    in_turn,
    kinds,
    move,
    pending,
    place,
    shot,
    warrior,
)

SEATS = [
    {"id": "ann", "role": "player", "sides": ["a"]},
    {"id": "bob", "role": "player", "combatants": ["b1"]},
    {"id": "ben", "role": "player", "combatants": ["b2", "b3"]},
    {"id": "eve", "role": "observer"},
]


def shared(*warriors: Tree, unit: str | None = "A1") -> Given:
    """A battle in which two seats share side b, each with some of its warriors."""
    battle: Tree = {"round": 1, "first_side": "a", "turn_side": "a"}
    if unit is not None:
        battle["turn_unit"] = unit
    stated = creation(*warriors, battle=battle)
    return given(RULESET, {**stated, "seats": SEATS})


MOVER = warrior("a1", 10000, 20000)
B1, B2 = guard("b1", 12000, 28000), guard("b2", 14000, 28000)
B3 = warrior("b3", 35000, 3000)


def test_whoever_plays_any_warrior_of_the_side_passes_but_shoots_with_his_own() -> None:
    battle = shared(MOVER, B1, B2, B3)
    battle.when(move("a1", (16000, 20000)), by="ann")
    answer(battle, PASS, by="ann").refused("not_your_decision", decision_id="d3.1")
    answer(battle, shot("b2", "a1"), by="bob").refused("not_your_combatant", combatant="b2")
    answer(battle, shot("b3", "a1"), by="ben").refused("unknown_weapon", weapon="rifle", allowed=[])
    answer(battle, {"type": "dampen", "combatant": "b2"}, by="ben").refused(
        "no_such_decision", decision_id="d3.1", allowed=["guard_shoot", "pass"]
    )
    answer(battle, {"type": "reroll", "source": "ordinary", "dice": [0]}, by="ben").refused(
        "no_such_decision", decision_id="d3.1", allowed=["guard_shoot", "pass"]
    )
    answer(battle, {"type": "roll"}, by="ben").refused(
        "wrong_choice", decision_id="d3.1", allowed=["guard_shoot", "pass"]
    )
    answer(battle, PASS, by="ben")
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


def test_the_game_master_answers_for_a_side_with_its_own_warriors_alone() -> None:
    battle = shared(MOVER, guard("a2", 3000, 3000), B1, B2, B3)
    battle.when(move("a1", (16000, 20000)), by="ann")
    answer(battle, shot("a2", "b1")).refused("guard_own_turn", "ML-GUARD-4", combatant="a2")
    answer(battle, shot("b3", "a1", weapon="rifle")).refused(
        "unknown_weapon", weapon="rifle", allowed=[]
    )
    forced = {"type": "force_pass", "decision_id": "d3.1"}
    assert kinds(battle.when(forced)) == ["decision_closed", "moved"]


def test_a_unit_is_led_by_who_plays_a_member_on_the_table() -> None:
    gone = warrior("b1", 12000, 28000, unit="B", conditions=["out"], health=0)
    there = warrior("b2", 14000, 28000, unit="B")
    battle: Tree = {"round": 1, "first_side": "a", "turn_side": "b"}
    stated = creation(MOVER, gone, there, B3, battle=battle)
    table = given(RULESET, {**stated, "seats": SEATS})
    activate = {"type": "activate_unit", "unit": "B"}
    table.when(activate, by="bob").refused("not_your_unit", unit="B")
    assert kinds(table.when(activate, by="ben")) == ["activation_began"]
    table.when({"type": "end_movement", "unit": "B"}, by="bob").refused("not_your_unit", unit="B")


def hidden_mover() -> Given:
    return in_turn(
        warrior("a1", 10000, 20000, hidden=True), warrior("a2", 3000, 3000), B1, unit="A1"
    )


def test_nobody_is_asked_about_a_hidden_warrior() -> None:
    battle = hidden_mover()
    happened = battle.when(move("a1", (16000, 20000)), by="ann")
    assert [each for each in effects_of(happened) if each["type"] == "window_skipped"] == [
        {"type": "window_skipped", "kind": "guard_window", "why": "hidden"}
    ]
    assert pending(battle) is None
    for seat in ("bob", "eve"):
        assert "a1" not in str(battle.table.shown(3, seat))
    battle.when(
        {"type": "guard_shoot", "combatant": "b1", "target": "a1", "weapon": "rifle"}, by="bob"
    ).refused("unknown_combatant", combatant="a1")


def test_a_hidden_guard_is_asked_like_any_other_but_named_to_its_side_alone() -> None:
    battle = in_turn(MOVER, warrior("a2", 3000, 3000), {**B1, "hidden": True}, B3, unit="A1")
    battle.when(move("a1", (16000, 20000)), by="ann")
    [seen] = battle.table.view("ann")["pending"][-1]["decisions"]
    assert seen["context"]["guards"] == []
    [own] = battle.table.view("bob")["pending"][-1]["decisions"]
    assert own["context"]["guards"] == ["b1"]
    assert "b1" not in str(battle.table.shown(3, "ann"))
    battle.when({"type": "end_turn", "side": "a"}, by="ann").refused(
        "decision_pending", decisions=[{"id": "d3.1", "who": "b"}]
    )
    answer(battle, shot("b1", "a1"), dice=(2,))
    assert conditions(battle, "b1") == ()


def test_a_seat_without_control_acts_for_nobody() -> None:
    battle = shared(MOVER, B1, B2, B3)
    with pytest.raises(Forbidden, match="not_your_combatant"):
        battle.table.ask(move("a1", (16000, 20000)), "bob")
    battle.when({"type": "end_turn", "side": "a"}, by="ben").refused("not_your_side", side="a")
