"""Automatic detection is asked up to where a guard shoots, before the shot (ML-GUARD-14)."""

from typing import Any

import pytest
from msgspec import UNSET

from service.errors import Malformed
from service.rulesets.melody_d6.v3.rules.guard import is_asked_up_to_the_shot
from tests.kit.given_when_then import Given, opened, preview
from tests.kit.table import tree_of
from tests.rulesets.melody_d6.field import told
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    creation,
    effects_of,
    guard,
    kinds,
    move,
    pending,
    place,
    shot,
    warrior,
)
from tests.rulesets.melody_d6.v3.battles import SECOND, THIRD, adjusted, in_turn, put

MISS = (2,)
WALL = {
    "id": "wall",
    "kind": "low_wall",
    "vertices": [
        {"x": x, "y": y}
        for x, y in ((9000, 18_000), (18_000, 18_000), (18_000, 18_500), (9000, 18_500))
    ],
}
LANDSCAPE = {"width": 40_000, "height": 40_000, "features": [WALL]}
"""A wall along the whole way of a1, which may stay masked behind it."""
WALK = move("a1", (16_000, 20_000))


@pytest.mark.rule("ML-GUARD-14")
@pytest.mark.parametrize(("option", "is_asked"), [(UNSET, True), (True, True), (False, False)])
def test_it_is_asked_before_the_shot_unless_the_table_says_otherwise(
    option: Any, is_asked: bool
) -> None:
    assert is_asked_up_to_the_shot(option) == is_asked


def sneaking(*guards: Tree, ruleset: Any = THIRD, **more: Any) -> Given:
    """The masked a1 walks along a wall, and these guards are asked; b9 is far away."""
    setup = {name: more.pop(name) for name in ("options",) if name in more}
    battle = in_turn(
        warrior("a1", 10_000, 20_000, conditions=["masked"], **more),
        warrior("a9", 3000, 3000),
        *guards,
        warrior("b9", 35_000, 3000),
        map=LANDSCAPE,
        ruleset=ruleset,
        **setup,
    )
    battle.when(WALK, by="ann")
    assert conditions(battle, "a1") == ("masked",)
    return battle


NEAR = guard("b1", 14_000, 25_000)
"""Its Mobility of 4 steps reaches a1 from (14000, 20000) alone: 5000 u with both radii."""
BEFORE, AT, BEHIND = (0, 666), (0, 667), (0, 700)
"""6000 * 666 // 1000 = 3996, 6000 * 667 // 1000 = 4002."""


def test_a_masked_mover_is_shot_at_from_where_a_guard_detects_it() -> None:
    battle = sneaking(NEAR)
    answer(battle, shot("b1", "a1")).refused("target_masked", "ML-MASK-5", target="a1")
    answer(battle, shot("b1", "a1", BEFORE)).refused("target_masked", "ML-MASK-5", target="a1")
    assert told(effects_of(answer(battle, shot("b1", "a1", AT), dice=MISS))) == [
        "decision_closed",
        "moved a1 14002,20000 guard",
        "condition_lost a1 masked detected_auto",
        "attack_resolved",
        "condition_lost b1 on_guard shot",
        "moved a1 16000,20000",
        "window_skipped nobody_eligible",
    ]


def test_whom_it_passed_by_is_detected_behind_that_point_too() -> None:
    battle = sneaking(NEAR)
    answer(battle, shot("b1", "a1", (0, 1000)), dice=MISS)
    assert (place(battle, "a1"), conditions(battle, "a1")) == ((16_000, 20_000), ())


def test_another_guard_detects_it_for_all_of_them() -> None:
    battle = sneaking(NEAR, guard("b2", 12_000, 28_000))
    answer(battle, shot("b2", "a1", BEFORE)).refused("target_masked", "ML-MASK-5", target="a1")
    happened = effects_of(answer(battle, shot("b2", "a1", BEHIND), dice=MISS))
    [lost] = [each for each in happened if each.get("condition") == "masked"]
    assert (lost["rule"], lost["source"]) == ("ML-MASK-9", {"combatant": "b1"})
    answer(battle, shot("b1", "a1"), dice=MISS)


def test_somebody_hidden_detects_nobody() -> None:
    battle = sneaking(NEAR | {"hidden": True}, guard("b2", 12_000, 28_000))
    for name in ("b1", "b2"):
        answer(battle, shot(name, "a1", BEHIND)).refused("target_masked", "ML-MASK-5", target="a1")


@pytest.mark.parametrize(
    "battle",
    [
        lambda: sneaking(NEAR, options={"detect_on_path": False}),
        lambda: sneaking(NEAR, ruleset=SECOND),
    ],
)
def test_otherwise_it_is_detected_once_it_has_come_to_its_end(battle: Any) -> None:
    fight = battle()
    answer(fight, shot("b1", "a1", BEHIND)).refused("target_masked", "ML-MASK-5", target="a1")
    assert told(effects_of(answer(fight, PASS))) == [
        "decision_closed",
        "moved a1 16000,20000",
        "condition_lost a1 masked detected_auto",
        "decision_opened guard_window",
    ]


def test_points_of_a_masked_movers_way_are_offered_from_where_it_is_detected() -> None:
    def offered(battle: Given) -> list[Any]:
        return [
            node["example"]["choice"].get("path_point")
            for offer in tree_of(battle.table.legal_for("bob"))
            for node in offer["actions"]
            if node["example"]["choice"].get("target") == "a1"
        ]

    assert offered(sneaking(guard("b1", 14_000, 28_000))) == []
    assert offered(sneaking(NEAR)) == [{"leg": 0, "permille": 750}]


# --- a guard in ambush ----------------------------------------------------------------------------


def ambushed(*, ruleset: Any = THIRD, mobility: int = 4, **setup: Any) -> Given:
    """a1 walks past the masked b1 on guard, whom it detects from (14000, 20000) on."""
    battle = in_turn(
        warrior("a1", 10_000, 20_000, mobility=mobility),
        warrior("a9", 3000, 3000),
        guard("b1", 14_000, 25_000, "longbow", conditions=["masked"], mobility=0),
        warrior("b9", 35_000, 3000),
        ruleset=ruleset,
        **setup,
    )
    battle.when(WALK, by="ann")
    return battle


def shot_of_b1(battle: Given, at: tuple[int, int], *dice: int) -> list[Tree]:
    return effects_of(answer(battle, shot("b1", "a1", at, "longbow"), dice=dice))


def is_ambush(effects: list[Tree]) -> bool:
    [attack] = [each for each in effects if each["type"] == "attack_resolved"]
    told: bool = attack["detail"].get("ambush", False)
    return told


def test_a_guard_that_its_target_has_detected_by_then_does_not_shoot_from_ambush() -> None:
    battle = ambushed()
    happened = shot_of_b1(battle, AT, *MISS)
    assert told(happened)[:4] == [
        "decision_closed",
        "moved a1 14002,20000 guard",
        "condition_lost b1 masked detected_auto",
        "attack_resolved",
    ]
    assert not is_ambush(happened)
    assert conditions(battle, "b1") == ()


def test_one_that_it_has_not_detected_yet_does() -> None:
    battle = ambushed()
    assert is_ambush(shot_of_b1(battle, BEFORE, *MISS, 1, 1))
    assert is_ambush(shot_of_b1(ambushed(mobility=3), BEHIND, *MISS, 1, 1))


@pytest.mark.parametrize(
    "battle",
    [
        lambda: ambushed(options={"detect_on_path": False}),
        lambda: ambushed(ruleset=SECOND),
    ],
)
def test_otherwise_the_whole_way_is_one_of_ambush(battle: Any) -> None:
    assert is_ambush(shot_of_b1(battle(), BEHIND, *MISS, 1, 1))


@pytest.mark.parametrize(("at", "is_told"), [(BEFORE, True), (AT, False)])
def test_its_preview_tells_whether_it_is_one(at: tuple[int, int], is_told: bool) -> None:
    facts = foreseen(ambushed(), at)["facts"]["shot"]
    assert ("ambush" in facts) == is_told


def test_nor_does_it_where_the_mobility_of_the_target_is_not_known() -> None:
    hidden = {"options": {"enemy_numbers": "hidden"}}
    for mobility in (3, 4):
        told = foreseen(ambushed(mobility=mobility, **hidden), BEHIND)
        assert "ambush" not in told["facts"]["shot"]
        assert "mobility" in told["unknown"]
    assert "mobility" not in foreseen(ambushed(), BEHIND)["unknown"]


def foreseen(battle: Given, at: tuple[int, int]) -> Any:
    question = pending(battle)
    assert question is not None
    choice = shot("b1", "a1", at, "longbow")
    asked = {"type": "answer", "decision_id": question["id"], "choice": choice}
    return preview(battle.table, asked, by="bob")


def test_a_mover_that_was_put_elsewhere_is_on_no_way() -> None:
    battle = sneaking(NEAR)
    adjusted(battle, put("a1", 10_000, 20_400))
    answer(battle, shot("b1", "a1", BEHIND)).refused("target_masked", "ML-MASK-5", target="a1")


# --- the option -----------------------------------------------------------------------------------


def stated(battle: Given) -> Any:
    """The option as a view of the battle shows it."""
    return battle.table.view()["options"].get("detect_on_path")


def test_a_battle_states_the_option_even_where_it_was_left_out() -> None:
    people = (warrior("a1", 3000, 3000), warrior("b1", 9000, 9000))
    assert stated(in_turn(*people, unit=None)) is True
    assert stated(in_turn(*people, unit=None, options={"detect_on_path": False})) is False
    assert stated(in_turn(*people, unit=None, ruleset=SECOND)) is None


@pytest.mark.parametrize("value", [True, False])
def test_a_battle_of_version_2_refuses_the_option_by_its_name(value: bool) -> None:
    people = (warrior("a1", 3000, 3000), warrior("b1", 9000, 9000))
    with pytest.raises(Malformed) as refused:
        in_turn(*people, unit=None, ruleset=SECOND, options={"detect_on_path": value})
    assert refused.value.params == {
        "path": "$.setup.options.detect_on_path",
        "allowed": "no such option before version 3 of melody-d6",
    }


def test_so_does_a_change_of_its_options_before_it_begins() -> None:
    asked = {"type": "configure", "options": {"detect_on_path": False, "mask_near": 7}}
    stated = creation(warrior("a1", 3000, 3000), warrior("b1", 9000, 9000))
    second = Given(opened(SECOND, stated))
    second.when(asked).refused(
        "malformed",
        path="$.options.detect_on_path",
        allowed="no such option before version 3 of melody-d6",
    )
    third = Given(opened(THIRD, stated))
    assert kinds(third.when(asked)) == ["options_set"]
    assert third.table.view()["options"]["detect_on_path"] is False
    third.when({"type": "configure", "options": {}})
    assert third.table.view()["options"]["detect_on_path"] is True
