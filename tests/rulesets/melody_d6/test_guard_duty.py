"""Going on guard, shots in every kind of window and unasked, and what ends a guard."""

from typing import Any

import pytest

from tests.kit.given_when_then import Asked
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    WIDE,
    Tree,
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

WALL: Tree = {
    "width": 40000,
    "height": 40000,
    "features": [
        {
            "id": "t1",
            "kind": "low_wall",
            "vertices": [
                {"x": 20000, "y": 10000},
                {"x": 24000, "y": 10000},
                {"x": 24000, "y": 10400},
                {"x": 20000, "y": 10400},
            ],
        }
    ],
}
"""The low wall of E30: one can mask at (22000, 11500)."""

GO_ON_GUARD = {"type": "guard", "combatant": "a1"}
FAR = warrior("b9", 39000, 39000)


def charge(name: str, target: str, *path: tuple[int, int]) -> Tree:
    points = [{"x": x, "y": y} for x, y in path]
    return {"type": "charge", "combatant": name, "target": target, "path": points}


def unasked(name: str, target: str, weapon: str = "rifle", **more: Any) -> Tree:
    return {
        "type": "guard_shoot",
        "combatant": name,
        "target": target,
        "weapon": weapon,
        **more,
    }


def test_a_mounted_warrior_is_refused_and_an_engaged_one() -> None:
    in_turn(warrior("a1", 10000, 10000, mounted=True), FAR, unit="A1", phase="action").when(
        GO_ON_GUARD
    ).refused("guard_mounted", "ML-GUARD-1", combatant="a1")
    for x, code in ((11100, "engaged"), (11101, None)):
        near = warrior("b1", x, 10000)
        asked = in_turn(warrior("a1", 10000, 10000), near, unit="A1", phase="action").when(
            GO_ON_GUARD
        )
        if code is None:
            assert kinds(asked) == ["resource_changed", "condition_gained"]
        else:
            asked.refused(code, "ML-GUARD-1", combatant="a1")


def test_whoever_has_moved_goes_on_guard_unless_the_table_says_otherwise() -> None:
    for may, code in ((True, None), (False, "moved_before_guard")):
        battle = in_turn(
            warrior("a1", 10000, 10000), FAR, unit="A1", options={"guard_after_move": may}
        )
        battle.when(move("a1", (10001, 10000)), by="ann")
        battle.when({"type": "end_movement", "unit": "A1"}, by="ann")
        asked = battle.when(GO_ON_GUARD, by="ann")
        if code is None:
            assert conditions(battle, "a1") == ("on_guard",)
            battle.when(
                {"type": "shoot", "combatant": "a1", "target": "b9", "weapon": "rifle"}
            ).refused("unknown_weapon", weapon="rifle", allowed=[])
        else:
            asked.refused(code, "ML-GUARD-2", combatant="a1")


def test_who_masked_in_this_turn_may_not_and_who_did_before_stays_masked() -> None:
    before = warrior("a1", 22000, 11500, conditions=["masked"])
    battle = in_turn(before, FAR, unit="A1", phase="action", map=WALL)
    battle.when(GO_ON_GUARD)
    assert conditions(battle, "a1") == ("masked", "on_guard")
    now = {**before, "masked_this_turn": True}
    in_turn(now, FAR, unit="A1", phase="action", map=WALL).when(GO_ON_GUARD).refused(
        "guard_after_masking", "ML-GUARD-3", combatant="a1"
    )


def test_a_guard_does_not_shoot_in_its_own_turn() -> None:
    battle = in_turn(guard("a1", 10000, 10000), warrior("b1", 15000, 10000), unit="A1")
    battle.when(unasked("a1", "b1"), by="ann").refused(
        "guard_own_turn", "ML-GUARD-4", combatant="a1"
    )


def test_between_two_enemy_actions_a_guard_shoots_unasked_at_whom_it_sees() -> None:
    battle = in_turn(
        warrior("a1", 10000, 20000),
        warrior("a2", 12000, 20000),
        guard("b1", 12000, 28000),
        unit="A1",
        map=WIDE,
    )
    battle.when(move("a1", (11000, 20000)), by="ann")
    answer(battle, PASS, by="bob")
    off_path = unasked("b1", "a2", path_point={"leg": 0, "permille": 0})
    battle.when(off_path).refused("bad_path_point", "ML-GUARD-9", leg=0, permille=0)
    happened = battle.when(unasked("b1", "a2"), dice=(3, 3))
    [attack] = [each for each in effects_of(happened) if each["type"] == "attack_resolved"]
    assert (attack["outcome"], attack["detail"]["breakdown"]) == ("hit", [])
    assert conditions(battle, "a2") == ("out",)
    assert conditions(battle, "b1") == ()
    battle.when(unasked("b1", "a1")).refused("not_on_guard", "ML-GUARD-6", combatant="b1")


def test_a_guard_sees_as_far_as_its_sight() -> None:
    for x, code in ((21000, None), (21001, "out_of_sight")):
        battle = in_turn(warrior("a1", x, 10000), guard("b1", 10000, 10000, sight=10000), map=WIDE)
        asked = battle.when(unasked("b1", "a1"), dice=() if code else (1,))
        if code:
            asked.refused(code, "ML-SHOOT-1", target="a1", sight=10000)
        else:
            assert "attack_resolved" in kinds(asked)


def total(happened: Asked) -> tuple[str, list[tuple[str, int]]]:
    """How a shot ended, and what was added next to the accuracy."""
    [attack] = [each for each in effects_of(happened) if each["type"] == "attack_resolved"]
    lines = attack["detail"].get("breakdown", [])
    return attack["outcome"], [(line["note"], line["amount"]) for line in lines]


@pytest.mark.parametrize(
    ("masked", "stacks", "face", "outcome", "lines"),
    [
        (True, False, 3, "miss", [("guard_fleeting", -1)]),
        (True, False, 4, "hit", [("guard_fleeting", -1)]),
        (True, True, 4, "miss", [("guard_fleeting", -1), ("guard_charged", -1)]),
        (True, True, 5, "hit", [("guard_fleeting", -1), ("guard_charged", -1)]),
        (False, False, 3, "miss", [("guard_charged", -1)]),
        (False, False, 4, "hit", [("guard_charged", -1)]),
    ],
)
def test_a_charged_guard_takes_the_same_modifier_once(
    masked: bool, stacks: bool, face: int, outcome: str, lines: list[tuple[str, int]]
) -> None:
    charger = warrior("a1", 22000, 11500, conditions=["masked"] if masked else [], toughness=10)
    battle = in_turn(
        charger,
        guard("b1", 22000, 16500),
        unit="A1",
        map=WALL,
        options={"guard_penalty_stacks": stacks},
    )
    battle.when(charge("a1", "b1", (22000, 15500)), by="ann")
    dice = (face, 1) if outcome == "hit" else (face,)
    assert total(answer(battle, shot("b1", "a1"), dice=dice)) == (outcome, lines)
    assert place(battle, "a1") == (22000, 15500)


def test_another_guard_takes_it_for_a_fleeting_charger_alone() -> None:
    for masked, lines in ((True, [("guard_fleeting", -1)]), (False, [])):
        held = ["masked"] if masked else []
        battle = in_turn(
            warrior("a1", 22000, 11500, conditions=held),
            guard("b1", 22000, 16500),
            guard("b2", 26000, 16500),
            unit="A1",
            map=WALL,
        )
        battle.when(charge("a1", "b1", (22000, 15500)), by="ann")
        assert total(answer(battle, shot("b2", "a1"), dice=(2,))) == ("miss", lines)
        question = pending(battle)
        assert question is not None
        assert question["context"]["target"] == "b1"


def test_a_declared_mask_asks_every_guard_and_then_they_are_masked() -> None:
    squad = [warrior(f"a{n}", 21000 + 1500 * n, 11500, unit="A1") for n in (1, 2)]
    battle = in_turn(
        *squad,
        guard("b1", 22000, 20000),
        guard("b2", 24000, 20000),
        unit="A1",
        map=WALL,
        sides=[{"id": "a", "fp": 3}],
    )
    battle.when({"type": "mask", "combatants": ["a1", "a2"]}, by="ann")
    first = pending(battle)
    assert first is not None
    assert (first["context"]["trigger"], first["context"]["movers"]) == ("mask", ["a1", "a2"])
    outside = shot("b1", "a1", (0, 0))
    answer(battle, outside).refused("bad_path_point", "ML-GUARD-9", leg=0, permille=0)
    missed = answer(battle, shot("b1", "a1"), dice=(3,))
    assert total(missed) == ("miss", [("guard_fleeting", -1)])
    answer(battle, PASS, by="bob")
    assert conditions(battle, "a1") == ("fleeting", "masked")
    assert conditions(battle, "a2") == ("fleeting", "masked")
    battle.when(unasked("b2", "a1")).refused("target_masked", "ML-MASK-5", target="a1")
    battle.when(unasked("b1", "a1")).refused("not_on_guard", "ML-GUARD-6", combatant="b1")


def test_who_leaves_masking_is_shown_to_the_guards() -> None:
    battle = in_turn(
        warrior("a1", 22000, 11500, conditions=["masked"]),
        guard("b1", 22000, 20000),
        unit="A1",
        map=WALL,
    )
    happened = battle.when({"type": "unmask", "combatant": "a1"}, by="ann")
    assert kinds(happened) == ["condition_lost", "condition_gained", "decision_opened"]
    battle.when({"type": "shoot", "combatant": "a1", "target": "b1", "weapon": "x"}).refused(
        "decision_pending", decisions=[{"id": "d3.1", "who": "b"}]
    )
    outcome, lines = total(answer(battle, shot("b1", "a1"), dice=(3,)))
    assert (outcome, lines) == ("miss", [("guard_fleeting", -1)])
    assert pending(battle) is None


@pytest.mark.rule("ML-GUARD-7")
def test_a_guard_who_does_not_shoot_is_relieved_after_a_last_question() -> None:
    battle = in_turn(warrior("a1", 10000, 20000), guard("b1", 12000, 28000), map=WIDE)
    assert kinds(battle.when({"type": "end_turn", "side": "a"}, by="ann")) == ["decision_opened"]
    question = pending(battle)
    assert question is not None
    assert question["context"] == {
        "type": "guard_window",
        "trigger": "end_turn",
        "movers": [],
        "guards": ["b1"],
        "path": [],
        "used": {"leg": 0, "permille": 0},
    }
    happened = answer(battle, PASS, by="bob")
    assert effects_of(happened)[1] == {
        "type": "condition_lost",
        "combatant": "b1",
        "condition": "on_guard",
        "cause": "turn_end",
        "rule": "ML-GUARD-7",
    }
    assert battle.table.state.rule.turn_side == "b"


def test_a_shot_in_the_last_window_takes_the_marker() -> None:
    battle = in_turn(warrior("a1", 10000, 20000), guard("b1", 12000, 28000), map=WIDE)
    battle.when({"type": "end_turn", "side": "a"}, by="ann")
    happened = answer(battle, shot("b1", "a1"), dice=(2,))
    lost = [each for each in effects_of(happened) if each["type"] == "condition_lost"]
    assert [(each["combatant"], each["cause"]) for each in lost] == [("b1", "shot")]
    assert battle.table.state.rule.turn_side == "b"
