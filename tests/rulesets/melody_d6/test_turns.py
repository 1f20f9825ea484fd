"""Turns of the sides and activations within them: what begins, what ends, and in which order."""

from typing import Any

import pytest

from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Asked, Given, opened, rolled
from tests.rulesets.melody_d6.skirmishes import (
    begun,
    conditions,
    creation,
    effects_of,
    in_turn,
    place,
    warrior,
)

A1, B1 = warrior("a1", 3000, 12000), warrior("b1", 33000, 12000)
START = {"type": "start_encounter"}
SKIPPED = {"type": "window_skipped", "kind": "guard_window", "why": "nobody_eligible"}


def end_turn(side: str) -> dict[str, Any]:
    return {"type": "end_turn", "side": side}


def unit_deed(kind: str, unit: str) -> dict[str, Any]:
    return {"type": kind, "unit": unit}


def began(side: str) -> list[dict[str, Any]]:
    """How a turn begins that opens no round and in which nobody rallies."""
    return [
        {"type": "turn_began", "side": side, "rule": "ML-TURN-2"},
        {
            "type": "resource_changed",
            "side": side,
            "resource": "fp",
            "now": 3,
            "cause": "turn_began",
            "rule": "ML-FP-1",
        },
    ]


@pytest.mark.rule("ML-TURN-1")
def test_a_tie_of_the_initiative_is_rolled_again_and_the_higher_side_goes_first() -> None:
    faces = (4, 4, 2, 5)
    tossed = [
        {
            "type": "rolled",
            "purpose": "initiative",
            "side": "ab"[at % 2],
            "roll": rolled(6, face, number=at + 1),
            "rule": "ML-TURN-1",
        }
        for at, face in enumerate(faces)
    ]
    Given(opened(RULESET, creation(A1, B1))).when(START, dice=faces).then(
        {"type": "encounter_started"},
        *tossed,
        {
            "type": "order_set",
            "entries": [{"side": "b", "score": 5}, {"side": "a", "score": 2}],
            "rule": "ML-TURN-1",
        },
        {"type": "round_began", "round": 1, "rule": "ML-TURN-2"},
        *began("b"),
    )


def test_with_fixed_initiative_nobody_rolls() -> None:
    battle = begun(A1, B1)
    assert battle.table.state.rule.side_order == ("a", "b")
    assert battle.table.state.rule.turn_side == "a"


@pytest.mark.rule("ML-TURN-2")
def test_the_second_turn_ends_the_round() -> None:
    battle = begun(A1, B1)
    battle.when(end_turn("a"), by="ann").then(
        SKIPPED,
        {"type": "turn_ended", "side": "a", "cause": "ended", "rule": "ML-TURN-2"},
        *began("b"),
    )
    battle.when(end_turn("b"), by="bob").then(
        SKIPPED,
        {"type": "turn_ended", "side": "b", "cause": "ended", "rule": "ML-TURN-2"},
        {"type": "round_began", "round": 2, "rule": "ML-TURN-2"},
        *began("a"),
    )


def test_an_activation_has_two_phases() -> None:
    battle = begun(A1, B1)
    battle.when(unit_deed("activate_unit", "A1"), by="ann").then(
        {"type": "activation_began", "side": "a", "unit": "A1", "rule": "ML-TURN-3"}
    )
    battle.when(unit_deed("end_activation", "A1"), by="ann").refused(
        "wrong_phase", "ML-TURN-2", phase="movement", allowed=["action"]
    )
    battle.when(unit_deed("end_movement", "A1"), by="ann").then(
        {"type": "phase_changed", "unit": "A1", "phase": "action", "rule": "ML-TURN-2"}
    )
    battle.when(unit_deed("end_movement", "A1"), by="ann").refused(
        "wrong_phase", "ML-TURN-2", phase="action", allowed=["movement"]
    )
    battle.when(unit_deed("end_activation", "A1"), by="ann").then(
        {
            "type": "activation_ended",
            "side": "a",
            "unit": "A1",
            "cause": "ended",
            "rule": "ML-TURN-2",
        }
    )


@pytest.mark.rule("ML-TURN-3")
def test_a_spent_unit_and_a_second_one_at_once_are_refused() -> None:
    battle = begun(A1, warrior("a2", 3000, 3000), B1)
    battle.when(unit_deed("activate_unit", "A1"))
    battle.when(unit_deed("activate_unit", "A2")).refused("activation_open", "ML-TURN-2", unit="A1")
    battle.when(unit_deed("activate_unit", "B1")).refused(
        "not_your_turn", "ML-TURN-1", side="b", turn="a"
    )
    battle.when(unit_deed("end_movement", "A2")).refused("no_active_unit", "ML-TURN-2", unit="A2")
    battle.when(end_turn("a")).refused("activation_open", "ML-TURN-2", unit="A1")
    battle.when(end_turn("b")).refused("not_your_turn", "ML-TURN-1", side="b", turn="a")
    battle.when(unit_deed("end_movement", "A1"))
    battle.when(unit_deed("end_activation", "A1"))
    battle.when(unit_deed("activate_unit", "A1")).refused(
        "unit_already_activated", "ML-TURN-3", unit="A1"
    )
    assert battle.when(end_turn("a")) != Asked([])
    assert battle.table.state.rule.turn_side == "b"


def test_a_unit_of_whom_nobody_can_act_is_not_activated() -> None:
    fleeing = warrior("a1", 9000, 12000, conditions=["fleeing"])
    gone = warrior("a2", 3000, 3000, conditions=["out"], health=0)
    battle = in_turn(fleeing, gone, warrior("a3", 5000, 5000), B1)
    for unit in ("A1", "A2"):
        battle.when(unit_deed("activate_unit", unit)).refused(
            "unit_cannot_act", "ML-TURN-3", unit=unit
        )


@pytest.mark.rule("ML-FP-1")
def test_points_that_are_left_lapse() -> None:
    sides = [{"id": "a", "fp": 2}, {"id": "b", "fp": 1}]
    battle = in_turn(A1, B1, sides=sides)
    battle.when(end_turn("a"))
    battle.when(end_turn("b"))
    assert [force.fp for force in battle.table.state.rule.forces] == [3, 3]


@pytest.mark.rule("ML-STUN-1")
def test_a_stun_ends_with_the_next_activation_unless_it_came_in_it() -> None:
    stunned = warrior("a1", 3000, 12000, conditions=["stunned"])
    anew = warrior("a2", 3000, 3000, conditions=["stunned"], unit="A1", stunned_anew=True)
    battle = in_turn(stunned, anew, B1, unit="A1", phase="action")
    battle.when(unit_deed("end_activation", "A1")).then(
        {
            "type": "condition_lost",
            "combatant": "a1",
            "condition": "stunned",
            "cause": "activation_ended",
            "rule": "ML-STUN-1",
        },
        {
            "type": "activation_ended",
            "side": "a",
            "unit": "A1",
            "cause": "ended",
            "rule": "ML-TURN-2",
        },
    )
    assert conditions(battle, "a2") == ("stunned",)
    assert battle.table.combatant("a2").stunned_anew is False


def test_who_is_dazed_is_so_until_the_end_of_its_sides_turn() -> None:
    dazed = warrior("a1", 3000, 12000, conditions=["dazed"])
    battle = in_turn(dazed, warrior("b1", 33000, 12000, conditions=["dazed"]))
    battle.when(end_turn("a"))
    assert (conditions(battle, "a1"), conditions(battle, "b1")) == ((), ("dazed",))


@pytest.mark.parametrize(("duration", "held"), [("battle", ("exposed",)), ("next_turn", ())])
def test_exposure_lasts_the_battle_or_until_the_next_own_turn(
    duration: str, held: tuple[str, ...]
) -> None:
    exposed = warrior("b1", 33000, 12000, conditions=["exposed"])
    battle = in_turn(A1, exposed, options={"exposed_duration": duration})
    battle.when(end_turn("a"))
    assert conditions(battle, "b1") == held


@pytest.mark.rule("ML-TURN-6")
@pytest.mark.parametrize(
    ("fleeing", "winner"), [((), {}), (("b3",), {"winner": "a"}), (("a1",), {"winner": "b"})]
)
def test_the_last_turn_of_the_round_limit_ends_the_battle(
    fleeing: tuple[str, ...], winner: dict[str, str]
) -> None:
    three = [warrior(f"a{n}", 3000, 3000 * n) for n in (1, 2, 3)]
    three += [warrior(f"b{n}", 33000, 3000 * n) for n in (1, 2, 3)]
    for each in three:
        if each["id"] in fleeing:
            each["conditions"] = ["fleeing"]
    battle = in_turn(*three, side="b", options={"round_limit": 1})
    battle.when(end_turn("b")).then(
        SKIPPED,
        {"type": "turn_ended", "side": "b", "cause": "ended", "rule": "ML-TURN-2"},
        {
            "type": "encounter_ended",
            "cause": "rules",
            "opened": "none",
            "rule": "ML-TURN-6",
            **winner,
        },
    )
    assert battle.table.state.rule.status == "ended"


def test_a_round_before_the_limit_goes_on() -> None:
    battle = in_turn(A1, B1, side="a", options={"round_limit": 1})
    battle.when(end_turn("a"))
    assert battle.table.state.rule.status == "running"


def test_who_goes_on_guard_spends_its_action() -> None:
    battle = in_turn(A1, B1, unit="A1", phase="action")
    battle.when({"type": "guard", "combatant": "a1"}, by="ann").then(
        {
            "type": "resource_changed",
            "combatant": "a1",
            "resource": "action",
            "now": 0,
            "rule": "ML-TURN-4",
        },
        {
            "type": "condition_gained",
            "combatant": "a1",
            "condition": "on_guard",
            "rule": "ML-GUARD-1",
        },
    )
    battle.when({"type": "guard", "combatant": "a1"}, by="ann").refused(
        "action_spent", "ML-TURN-4", combatant="a1"
    )


@pytest.mark.rule("ML-PANIC-4")
def test_a_unit_that_rallies_has_had_its_activation_and_one_that_does_not_flees_on() -> None:
    fleeing = warrior("b1", 20000, 12000, conditions=["fleeing"])
    steady = warrior("b2", 33000, 3000)
    for dice, held, x in (((3, 4), (), 20000), ((4, 4), ("fleeing",), 26000)):
        battle = in_turn(A1, fleeing, steady)
        happened = effects_of(battle.when(end_turn("a"), dice=dice))
        assert ("unit_spent" in [each["type"] for each in happened]) is (not held)
        assert (conditions(battle, "b1"), place(battle, "b1")) == (held, (x, 12000))
        code = "unit_cannot_act" if held else "unit_already_activated"
        battle.when(unit_deed("activate_unit", "B1")).refused(code, "ML-TURN-3", unit="B1")


def test_who_flees_does_not_act_though_its_unit_does() -> None:
    runner = warrior("a1", 3000, 12000, unit="A", conditions=["fleeing"])
    battle = in_turn(runner, warrior("a2", 9000, 12000, unit="A"), B1, unit="A")
    battle.when({"type": "move", "combatant": "a1", "path": [{"x": 4000, "y": 12000}]}).refused(
        "warrior_fleeing", "ML-PANIC-4", combatant="a1"
    )


def test_a_stun_in_the_enemys_turn_ends_with_the_next_own_activation() -> None:
    stunned = warrior("a1", 3000, 12000, conditions=["stunned"])
    battle = in_turn(stunned, B1)
    battle.when(unit_deed("activate_unit", "A1"), by="ann")
    battle.when({"type": "move", "combatant": "a1", "path": [{"x": 4000, "y": 12000}]}).refused(
        "warrior_stunned", "ML-STUN-1", combatant="a1"
    )
    battle.when(unit_deed("end_movement", "A1"), by="ann")
    battle.when(unit_deed("end_activation", "A1"), by="ann")
    assert conditions(battle, "a1") == ()
    idle = in_turn(stunned, B1)
    idle.when(end_turn("a"))
    assert conditions(idle, "a1") == ("stunned",)
