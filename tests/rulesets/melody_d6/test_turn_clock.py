"""The limit of time for a turn is the side's: the service ends it with the open activation."""

from typing import Any

import pytest

from service.engine.vocabulary.actions import EndSideTurn
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused
from service.rulesets.melody_d6.deciding.turns import turn_of
from tests.kit.given_when_then import Given
from tests.kit.table import tree_of
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    effects_of,
    guard,
    in_turn,
    move,
    pending,
    warrior,
)

SERVICE = By(kind="system", id="timer", role="gm")
TIMED: Tree = {"turn_seconds": 60, "decision_seconds": 60}
WALL: Tree = {
    "id": "t1",
    "kind": "low_wall",
    "vertices": [
        {"x": 20000, "y": 10000},
        {"x": 24000, "y": 10000},
        {"x": 24000, "y": 10400},
        {"x": 20000, "y": 10400},
    ],
}
MAP: Tree = {"width": 40000, "height": 40000, "features": [WALL]}


def time_is_over(battle: Given, side: str = "a") -> list[Tree]:
    """What the service's end of the turn does."""
    found: list[Tree] = tree_of(battle.table.act(EndSideTurn(side=side), SERVICE).effects)
    return found


def told(effects: list[Tree]) -> list[tuple[Any, ...]]:
    """Kinds of effects, with what distinguishes them."""
    words = ("cause", "phase", "unit", "side", "condition", "combatant", "why")
    return [(each["type"], *(each[word] for word in words if word in each)) for each in effects]


def roll(battle: Given, *faces: int) -> list[Tree]:
    question = pending(battle)
    assert question is not None
    assert question["kind"] == "roll"
    asked = {"type": "answer", "decision_id": question["id"], "choice": {"type": "roll"}}
    return effects_of(battle.when(asked, dice=faces))


def test_an_open_activation_is_closed_with_the_turn() -> None:
    stunned = warrior("a2", 3000, 3000, unit="A1", conditions=["stunned"])
    battle = in_turn(
        warrior("a1", 3000, 9000), stunned, warrior("b1", 33000, 9000), unit="A1", options=TIMED
    )
    assert told(time_is_over(battle))[:6] == [
        ("phase_changed", "action", "A1"),
        ("condition_lost", "activation_ended", "stunned", "a2"),
        ("activation_ended", "timeout", "A1", "a"),
        ("window_skipped", "nobody_eligible"),
        ("turn_ended", "timeout", "a"),
        ("turn_began", "b"),
    ]


def test_without_a_limit_the_service_ends_no_turn() -> None:
    battle = in_turn(warrior("a1", 3000, 9000), warrior("b1", 33000, 9000))
    with pytest.raises(Forbidden, match="gm_only"):
        time_is_over(battle)


def test_a_turn_that_is_over_already_is_not_ended_again() -> None:
    battle = in_turn(warrior("a1", 3000, 9000), warrior("b1", 33000, 9000), options=TIMED)
    with pytest.raises(Refused, match="not_your_turn"):
        time_is_over(battle, "b")


def approaching(*guards: Tree) -> Given:
    """A masked warrior that has come nearer to an enemy in the open; time is running out."""
    battle = in_turn(
        warrior("a1", 22000, 11500, conditions=["masked"]),
        warrior("b1", 23000, 20000),
        *guards,
        unit="A1",
        map=MAP,
        options=TIMED,
    )
    battle.when(move("a1", (22000, 14000), (23000, 11500)), by="ann")
    return battle


def test_whoever_is_found_then_is_shown_before_the_turn_ends() -> None:
    battle = approaching(guard("b2", 30000, 30000))
    answer(battle, PASS, by="bob")
    time_is_over(battle)
    asked = roll(battle, 4)
    assert told(asked)[-3:] == [
        ("condition_lost", "detected_roll", "masked", "a1"),
        ("phase_changed", "action", "A1"),
        ("decision_opened",),
    ]
    question = pending(battle)
    assert question is not None
    context = question["context"]
    assert (context["trigger"], context["movers"], context["guards"]) == ("reveal", ["a1"], ["b2"])
    after = answer(battle, PASS, by="bob")
    assert told(effects_of(after)) == [
        ("decision_closed",),
        ("activation_ended", "timeout", "A1", "a"),
        ("decision_opened",),
    ]
    last = pending(battle)
    assert last is not None
    assert last["context"]["trigger"] == "end_turn"
    ended = answer(battle, PASS, by="bob")
    assert told(effects_of(ended))[1:4] == [
        ("condition_lost", "turn_end", "on_guard", "b2"),
        ("turn_ended", "timeout", "a"),
        ("turn_began", "b"),
    ]


def test_without_a_guard_the_turn_ends_at_once() -> None:
    battle = approaching()
    time_is_over(battle)
    ended = roll(battle, 4)
    assert told(ended)[-8:] == [
        ("condition_lost", "detected_roll", "masked", "a1"),
        ("phase_changed", "action", "A1"),
        ("window_skipped", "nobody_eligible"),
        ("activation_ended", "timeout", "A1", "a"),
        ("window_skipped", "nobody_eligible"),
        ("turn_ended", "timeout", "a"),
        ("turn_began", "b"),
        ("resource_changed", "turn_began", "b"),
    ]
    assert conditions(battle, "a1") == ()


def test_the_side_has_the_turn_also_while_a_unit_acts() -> None:
    gone = warrior("a2", 5000, 5000, unit="A1", conditions=["fled"])
    warriors = (warrior("a1", 3000, 9000), gone, warrior("a3", 3000, 3000))
    for unit in (None, "A1"):
        battle = in_turn(*warriors, warrior("b1", 33000, 9000), unit=unit)
        turn = turn_of(battle.table.state.rule)
        assert turn is not None
        assert (turn.side, turn.unit, turn.combatants, turn.ending) == (
            "a",
            turn.combatant,
            ("a1", "a3"),
            EndSideTurn(side="a"),
        )
