"""Where several things are wrong, the first of the catalogue's order names the error.

Each row is wrong in at least two neighbouring ways of that order.
"""

import pytest

from tests.kit.given_when_then import Refusal
from tests.rulesets.crossfire_d6.duels import (
    BLADE,
    GUN,
    at,
    do,
    drawn,
    duel,
    path,
    shoot,
    strike,
)
from tests.rulesets.crossfire_d6.examples import Tree

SPENT: Tree = {"actions_left": 0}
UNREADY: Tree = {"weapons": [GUN | {"ready": False}, BLADE | {"ready": False}]}
TAILED: Tree = {
    "facing": "E",
    "weapons": [
        GUN | {"arc": "rear", "max_range_ft": 5},
        BLADE | {"arc": "rear"},
    ],
}
SHORT: Tree = {"weapons": [GUN | {"max_range_ft": 5}, BLADE], "posture": "blocked"}
HIDDEN: Tree = {"posture": "blocked"}
DEAD_FRIEND: Tree = {"side": "red", "conditions": ["dead"]}
COVER_BETWEEN: Tree = drawn(".c.")


def refused(a: Tree, t: Tree, action: Tree, board: Tree | None = None) -> str:
    """The code of the refusal."""
    battle = duel(a, t, map=board) if board else duel(a, t)
    outcome = battle.when(action).outcome
    assert isinstance(outcome, Refusal)
    return outcome.code


@pytest.mark.parametrize(
    ("a", "t", "action", "board", "code"),
    [
        ({}, SPENT, shoot("nobody") | {"combatant": "t"}, None, "unknown_combatant"),
        ({}, SPENT, shoot("a") | {"combatant": "t"}, None, "not_your_turn"),
        (SPENT, {}, shoot(weapon="bow"), None, "no_actions_left"),
        (UNREADY, {}, shoot("a", "bow"), None, "unknown_weapon"),
        (UNREADY, {}, shoot(weapon="blade"), None, "wrong_weapon_kind"),
        (UNREADY, {}, shoot("a"), None, "weapon_not_ready"),
        ({}, {}, shoot("a", reckless=True), None, "target_is_self"),
        ({}, DEAD_FRIEND, shoot(reckless=True), None, "target_dead"),
        ({}, {"side": "red"}, shoot(reckless=True), None, "target_not_hostile"),
        (TAILED, {}, shoot(reckless=True), None, "option_disabled"),
        (TAILED, {}, shoot(), None, "outside_arc"),
        (SHORT, HIDDEN, shoot(), COVER_BETWEEN, "out_of_range"),
        (HIDDEN, HIDDEN, shoot(), COVER_BETWEEN, "attacker_is_blocked"),
        (HIDDEN, HIDDEN, shoot(), drawn(".#."), "line_of_sight_blocked"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_first_thing_wrong_with_a_shot_names_the_error(
    a: Tree, t: Tree, action: Tree, board: Tree | None, code: str
) -> None:
    assert refused(a, t, action, board) == code


@pytest.mark.parametrize(
    ("a", "t", "action", "code"),
    [
        (SPENT, {}, strike(weapon="bow"), "no_actions_left"),
        (UNREADY, {}, strike("a", "bow"), "unknown_weapon"),
        (UNREADY, {}, strike(weapon="gun"), "wrong_weapon_kind"),
        (UNREADY, {}, strike("a"), "weapon_not_ready"),
        ({}, DEAD_FRIEND, strike(), "target_dead"),
        ({}, {"side": "red"}, strike(), "target_not_hostile"),
        (TAILED, {}, strike(), "outside_arc"),
        ({}, {}, strike(), "out_of_reach"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_first_thing_wrong_with_a_blow_names_the_error(
    a: Tree, t: Tree, action: Tree, code: str
) -> None:
    assert refused(a, t, action, drawn(".#.")) == code


BOARD = drawn("........", "..#.....", "........")
PRONE: Tree = {"conditions": ["prone"], "speed_ft": 5}
COVERED: Tree = {"posture": "in_cover", **at(3, 2)}
FAR = path((0, 1), (0, 2), posture="in_cover")


@pytest.mark.parametrize(
    ("a", "action", "code"),
    [
        (SPENT, path((5, 5)), "no_actions_left"),
        ({}, path((0, -1), (5, 5)), "path_not_contiguous"),
        ({}, path((1, 1), (2, 1), (3, 2), (3, 3)), "off_map"),
        ({}, path((1, 1), (2, 2), (2, 1)), "cell_impassable"),
        ({}, path((1, 0), (2, 0), (1, 1), (2, 2)), "diagonal_blocked"),
        ({"speed_ft": 5}, path((1, 0), (2, 0)), "cell_occupied"),
        (PRONE, FAR, "path_too_long"),
        (PRONE | {"speed_ft": 30}, FAR, "prone_cannot_walk"),
        ({}, FAR, "no_cover_here"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_first_thing_wrong_with_a_walk_names_the_error(
    a: Tree, action: Tree, code: str
) -> None:
    assert refused(a, {}, action, BOARD) == code


@pytest.mark.parametrize(
    ("a", "t", "action", "code"),
    [
        (SPENT, {}, do("change_posture", posture="open"), "no_actions_left"),
        (COVERED, {}, do("change_posture", posture="in_cover"), "nothing_changes"),
        (SPENT, {}, do("stand_up"), "nothing_changes"),
        (SPENT, {"side": "red"}, do("hide", against="t"), "no_actions_left"),
        ({}, {"side": "red"}, do("hide", against="t"), "target_not_hostile"),
    ],
    ids=["posture", "same posture", "stand up", "hide", "hide from a friend"],
)
def test_the_first_thing_wrong_with_anything_else_names_the_error(
    a: Tree, t: Tree, action: Tree, code: str
) -> None:
    assert refused(a, t, action, BOARD) == code


def test_a_battle_that_does_not_run_is_said_before_all_that_is_wrong_in_it() -> None:
    battle = duel(t=at(5, 5))
    battle.when({"type": "end_encounter"})
    for action in (path((9, 9), combatant="t"), do("end_turn", "nobody")):
        ended = battle.when(action)
        ended.refused("encounter_not_running", status="ended", action=action["type"])
