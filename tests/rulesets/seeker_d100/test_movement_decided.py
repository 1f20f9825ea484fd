"""Movement through the desk: paces, tests that are demanded, steps next to other actions."""

import pytest

from tests.rulesets.seeker_d100.setups import do, done, duel, only, sheet

NORTH = [{"x": 0, "y": -1}]


def test_a_movement_is_told_with_its_length_and_gait() -> None:
    way = [{"x": 3, "y": 4}, {"x": 12, "y": 16}]
    effects = done(duel(), do("move", gait="run", path=way))
    assert only(effects, "moved") == [
        {
            "type": "moved",
            "combatant": "a",
            "manner": "run",
            "start": {"x": 0, "y": 0},
            "path": way,
            "end": {"x": 12, "y": 16},
            "cost": 20,
            "complete": True,
            "rule": "SK-MOVE-1",
        }
    ]


@pytest.mark.rule("SK-MOVE-1", "SK-MOVE-2")
@pytest.mark.parametrize(
    ("gait", "end", "is_allowed"),
    [
        ("jog", (7, 7), True),
        ("jog", (8, 7), False),
        ("run", (12, 16), True),
        ("run", (12, 17), False),
        ("dash", (18, 24), True),
        ("dash", (18, 25), False),
    ],
)
def test_each_gait_has_its_limit(gait: str, end: tuple[int, int], is_allowed: bool) -> None:
    path = [{"x": end[0], "y": end[1]}]
    outcome = duel().when(do("move", gait=gait, path=path)).outcome
    assert isinstance(outcome, list) == is_allowed


@pytest.mark.rule("SK-MOVE-3")
@pytest.mark.parametrize(("face", "outcome"), [(45, "success"), (46, "failure")])
def test_a_demanded_test_may_stop_the_movement(face: int, outcome: str) -> None:
    battle = duel({"dexterity": 9})
    effects = done(battle, do("move", gait="jog", path=NORTH, test={}), face)
    [check] = only(effects, "check_resolved")
    assert (check["check"], check["outcome"], check["needed"]) == ("movement", outcome, 45)
    assert sheet(battle, "a").place.y == (-1 if outcome == "success" else 0)
    spent = [each["now"] for each in only(effects, "resource_changed")]
    assert spent == [0]


@pytest.mark.rule("SK-MOVE-3", "SK-CHECK-1")
def test_a_test_demanded_before_the_move_counts_with_all_modifiers_and_once() -> None:
    battle = duel()
    demand = {"type": "movement_test", "combatant": "a", "modifier": -10}
    bonus = {"type": "next_roll", "combatant": "a", "amount": 5}
    done(battle, {"type": "adjust", "changes": [demand, bonus]})
    effects = done(battle, do("move", gait="jog", path=NORTH), 45)
    [check] = only(effects, "check_resolved")
    assert (check["needed"], check["outcome"]) == (45, "success")
    assert check["breakdown"] == [
        {"rule": "SK-MOVE-3", "amount": -10, "note": "gm"},
        {"rule": "SK-CHECK-1", "amount": 5, "note": "gm"},
    ]
    assert [each["condition"] for each in only(effects, "condition_lost")] == [
        "movement_test",
        "next_roll",
    ]
    assert only(done(battle, do("move", gait="jog", path=NORTH)), "check_resolved") == []


@pytest.mark.rule("SK-MOVE-4")
@pytest.mark.parametrize(("to", "is_allowed"), [((2, 2), True), ((3, 0), True), ((3, 1), False)])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    "action", [do("aim"), do("dodge"), do("resist", weapon="w_unarmed"), do("end_turn")]
)
def test_a_step_beside_an_action(
    action: dict[str, object], when: str, to: tuple[int, int], is_allowed: bool
) -> None:
    battle = duel()
    step = {"to": {"x": to[0], "y": to[1]}, "when": when}
    outcome = battle.when(action | {"step": step}).outcome
    if not is_allowed:
        assert not isinstance(outcome, list)
        assert outcome.code == "step_too_far"
        return
    assert isinstance(outcome, list)
    assert [each["manner"] for each in only(outcome, "moved")] == ["step"]
    assert (sheet(battle, "a").place.x, sheet(battle, "a").place.y) == to


def test_whoever_has_just_pinned_somebody_down_takes_no_step_after() -> None:
    battle = duel()
    step = {"to": {"x": 0, "y": 2}, "when": "after"}
    effects = done(battle, do("grapple", target="t", step=step), 45)
    assert only(effects, "moved") == []
