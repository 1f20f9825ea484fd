"""Windows of the guards: whom they ask and when, what an answer does, and how actions go on."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    WIDE,
    answer,
    conditions,
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


def before_guard(**options: Any) -> Given:
    """E46: a mover passes in front of a guard who sees its way up to x = 12500 alone."""
    building = {
        "id": "t1",
        "kind": "building",
        "vertices": [
            {"x": 12375, "y": 22000},
            {"x": 16000, "y": 22000},
            {"x": 16000, "y": 24000},
            {"x": 12375, "y": 24000},
        ],
    }
    return in_turn(
        warrior("a1", 10000, 20000),
        guard("b1", 12000, 28000),
        warrior("b2", 33000, 33000),
        unit="A1",
        map={"width": 40000, "height": 40000, "features": [building]},
        options=options,
    )


@pytest.mark.rule("ML-GUARD-5")
def test_a_move_asks_the_side_of_a_guard() -> None:
    battle = before_guard()
    battle.when(move("a1", (16000, 20000)), by="ann")
    assert place(battle, "a1") == (10000, 20000)
    assert pending(battle) == {
        "id": "d3.1",
        "kind": "guard_window",
        "opened_by": 3,
        "side": "b",
        "options": ["guard_shoot", "pass"],
        "default": "pass",
        "number": 1,
        "context": {
            "type": "guard_window",
            "trigger": "move",
            "movers": ["a1"],
            "guards": ["b1"],
            "path": [{"x": 10000, "y": 20000}, {"x": 16000, "y": 20000}],
            "used": {"leg": 0, "permille": 0},
        },
    }
    battle.when({"type": "end_movement", "unit": "A1"}, by="ann").refused(
        "decision_pending", decisions=[{"id": "d3.1", "who": "b"}]
    )


@pytest.mark.rule("ML-GUARD-9")
@pytest.mark.rule("ML-GUARD-10")
def test_the_mover_is_shot_where_it_is_on_its_way() -> None:
    battle = before_guard()
    battle.when(move("a1", (16000, 20000)), by="ann")
    answer(battle, shot("b1", "a1", (0, 500)), by="bob").refused(
        "no_line_of_sight", "ML-SHOOT-1", target="a1"
    )
    answer(battle, shot("b1", "a1", (0, 250)), dice=(3, 3))
    assert (place(battle, "a1"), conditions(battle, "a1")) == ((11500, 20000), ("out",))
    assert conditions(battle, "b1") == ()
    assert pending(battle) is None
    assert battle.table.state.rule.status == "ended"


def test_a_mover_who_is_missed_goes_on_to_its_end() -> None:
    battle = before_guard()
    battle.when(move("a1", (16000, 20000)), by="ann")
    happened = answer(battle, shot("b1", "a1", (0, 250)), dice=(2,))
    moved = [each for each in effects_of(happened) if each["type"] == "moved"]
    assert [(each["start"], each["end"], each.get("complete", True)) for each in moved] == [
        ({"x": 10000, "y": 20000}, {"x": 11500, "y": 20000}, False),
        ({"x": 11500, "y": 20000}, {"x": 16000, "y": 20000}, True),
    ]
    assert place(battle, "a1") == (16000, 20000)


def test_the_point_of_a_path_is_rounded_towards_its_start() -> None:
    battle = in_turn(warrior("a1", 16000, 20000), guard("b1", 12000, 28000), unit="A1", map=WIDE)
    battle.when(move("a1", (10001, 20000)), by="ann")
    happened = answer(battle, shot("b1", "a1", (0, 333)), dice=(2,))
    walked = [each for each in effects_of(happened) if each["type"] == "moved"]
    assert walked[0]["end"] == {"x": 14003, "y": 20000}


def two_guards(**options: Any) -> Given:
    return in_turn(
        warrior("a1", 10000, 20000),
        warrior("a2", 3000, 3000),
        guard("b1", 12000, 28000),
        guard("b2", 14000, 28000),
        unit="A1",
        map=WIDE,
        options=options,
    )


def test_each_guard_is_asked_in_a_window_of_its_own_and_points_never_go_backwards() -> None:
    battle = two_guards()
    battle.when(move("a1", (16000, 20000)), by="ann")
    answer(battle, shot("b1", "a1", (0, 500)), dice=(2,))
    again = pending(battle)
    assert again is not None
    assert (again["id"], again["context"]["guards"]) == ("d4.1", ["b2"])
    assert again["context"]["used"] == {"leg": 0, "permille": 500}
    assert place(battle, "a1") == (13000, 20000)
    old = {"type": "answer", "decision_id": "d3.1", "choice": PASS}
    battle.when(old, by="bob").refused("decision_closed", decision_id="d3.1")
    answer(battle, shot("b2", "a1", (0, 499)), by="bob").refused(
        "behind_mover", "ML-GUARD-9", leg=0, permille=499, allowed={"leg": 0, "permille": 500}
    )
    answer(battle, shot("b2", "a1", (0, 1001)), by="bob").refused(
        "bad_path_point", "ML-GUARD-9", leg=0, permille=1001
    )
    answer(battle, shot("b2", "a1", (0, 500)), dice=(2,))
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


def test_after_a_pass_the_mover_goes_on_at_once() -> None:
    battle = two_guards()
    battle.when(move("a1", (16000, 20000)), by="ann")
    happened = answer(battle, PASS, by="bob")
    assert kinds(happened) == ["decision_closed", "moved"]
    assert place(battle, "a1") == (16000, 20000)
    assert conditions(battle, "b1") == ("on_guard",)
