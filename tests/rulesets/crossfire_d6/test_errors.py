"""The catalogue's table of bad input, row by row: what is refused, by which rule, and why."""

from typing import Any

import pytest

from service.encounters.requests import convert
from service.errors import Malformed
from service.rulesets.crossfire_d6 import RULESET
from tests.kit.given_when_then import Given, opened, refusal_of
from tests.rulesets.crossfire_d6.duels import (
    BLADE,
    GUN,
    A,
    T,
    at,
    do,
    drawn,
    duel,
    path,
    shoot,
    strike,
)
from tests.rulesets.crossfire_d6.examples import EXAMPLES, Tree

TAIL: Tree = {"id": "tail", "kind": "both", "range_increment_ft": 5}


@pytest.mark.parametrize(
    "action",
    [
        path((2, 1), combatant="t"),
        do("change_posture", "t", posture="in_cover"),
        shoot("a") | {"combatant": "t", "weapon": "blade"},
        strike("a") | {"combatant": "t"},
        do("hide", "t", against="a"),
        do("go_prone", "t"),
        do("stand_up", "t"),
        do("end_turn", "t"),
    ],
    ids=lambda action: str(action["type"]),
)
@pytest.mark.rule("CF-SD-1")
def test_nobody_acts_out_of_turn(action: Tree) -> None:
    duel().when(action).refused("not_your_turn", "CF-SD-1", combatant="t", turn="a")


@pytest.mark.rule("CF-FACE-3")
def test_nobody_turns_round_out_of_turn_either() -> None:
    turned = duel().when(do("set_facing", "t", facing="S"))
    turned.refused("not_your_turn", "CF-FACE-3", combatant="t", turn="a")


@pytest.mark.parametrize(
    "third",
    [path((0, 1)), do("change_posture", posture="in_cover"), shoot(), strike(), do("stand_up")],
    ids=lambda action: str(action["type"]),
)
@pytest.mark.rule("CF-SD-1")
def test_a_turn_of_two_actions_has_no_third(third: Tree) -> None:
    battle = duel({"conditions": ["prone"]}, {"place": {"x": 4, "y": 0}})
    battle.when(path((0, 1)))
    battle.when(path((0, 0)))
    battle.when(third).refused("no_actions_left", "CF-SD-1", combatant="a")


@pytest.mark.rule("CF-PIN-6")
def test_hiding_takes_an_action_that_is_left() -> None:
    battle = duel({"pin_count": 2, "actions_left": 0})
    hiding = battle.when(do("hide", against="t"))
    hiding.refused("no_actions_left", "CF-SD-1", combatant="a")


@pytest.mark.parametrize("condition", ["helpless", "dead"])
@pytest.mark.parametrize("kind", ["move", "ranged_attack", "set_facing", "go_prone", "end_turn"])
def test_nobody_acts_who_is_helpless_or_dead(kind: str, condition: str) -> None:
    """Also where it is somebody else's turn, since those who are out are passed over."""
    actions = {"move": path((0, 1)), "ranged_attack": shoot(), "set_facing": do(kind, facing="S")}
    battle = duel()
    felled = {"type": "condition", "combatant": "a", "condition": condition}
    battle.when({"type": "adjust", "changes": [felled]})
    acted = battle.when(actions.get(kind, do(kind)))
    acted.refused("actor_incapacitated", "CF-SD-4", combatant="a", conditions=[condition])


def test_each_weapon_has_its_kind_of_attack() -> None:
    shot = duel().when(shoot(weapon="blade"))
    shot.refused(
        "wrong_weapon_kind", weapon="blade", kind="melee", needed="ranged", allowed=["gun"]
    )
    blow = duel({"weapons": [GUN, TAIL]}).when(strike(weapon="gun"))
    blow.refused("wrong_weapon_kind", weapon="gun", kind="ranged", needed="melee", allowed=["tail"])
    either = duel({"weapons": [GUN, TAIL]}).when(strike(weapon="tail"), dice=(1,) * 3)
    either.refused("out_of_reach", distance_ft=10, reach_ft=5)


@pytest.mark.parametrize(("action", "weapon"), [(shoot(), "gun"), (strike(), "blade")])
def test_a_weapon_must_be_ready(action: Tree, weapon: str) -> None:
    unready = [GUN | {"ready": False}, BLADE | {"ready": False}]
    battle = duel({"weapons": unready}, at(1, 0))
    battle.when(action).refused("weapon_not_ready", weapon=weapon, allowed=[])
    both = [each | {"ready": each["id"] != weapon} for each in (GUN, BLADE)]
    battle = duel({"weapons": [*both, TAIL]}, at(1, 0))
    battle.when(action).refused("weapon_not_ready", weapon=weapon, allowed=["tail"])


@pytest.mark.parametrize("attack", [shoot, strike])
def test_one_attacks_living_enemies_only(attack: Any) -> None:
    friend = {"side": "red", **at(0, 1)}
    battle = duel(t=at(1, 0) | {"conditions": ["dead"]}, f=friend)
    battle.when(attack("a")).refused("target_is_self", target="a")
    battle.when(attack("f")).refused("target_not_hostile", target="f", side="red")
    battle.when(attack("t")).refused("target_dead", "CF-SD-4", target="t")


@pytest.mark.rule("CF-RANGE-2")
def test_one_foot_beyond_the_maximum_range_is_too_far() -> None:
    short = {"weapons": [GUN | {"max_range_ft": 60}]}
    over = duel(short, at(2, 0, elevation=61)).when(shoot())
    over.refused("out_of_range", "CF-RANGE-2", distance_ft=61, longest_ft=60)
    exactly = duel(short, at(2, 0, elevation=60)).when(shoot(), dice=(1, 1, 1, 1))
    assert isinstance(exactly.outcome, list)


@pytest.mark.parametrize(("where", "feet"), [(at(2, 0), 10), (at(1, 0, elevation=6), 6)])
def test_a_blow_must_reach_also_vertically(where: Tree, feet: int) -> None:
    duel(t=where).when(strike()).refused("out_of_reach", distance_ft=feet, reach_ft=5)


@pytest.mark.rule("CF-POS-6")
def test_who_hides_wholly_does_not_shoot_across_his_own_cover() -> None:
    battle = duel({"posture": "blocked"}, map=drawn(".c."))
    battle.when(shoot()).refused(
        "attacker_is_blocked", "CF-POS-6", line=[0, 0, 2, 0], features=[["cell", 1, 0]]
    )


@pytest.mark.rule("CF-POS-5")
@pytest.mark.parametrize(("posture", "feature"), [("blocked", "c"), ("open", "#")])
def test_there_is_no_shot_at_who_is_blocked_or_behind_a_wall(posture: str, feature: str) -> None:
    battle = duel(t={"posture": posture}, map=drawn(f".{feature}."))
    battle.when(shoot()).refused(
        "line_of_sight_blocked", "CF-POS-5", line=[0, 0, 2, 0], features=[["cell", 1, 0]]
    )


@pytest.mark.rule("CF-GEO-3")
def test_there_is_no_blow_through_a_wall() -> None:
    wall = {"form": "cells", "borders": [{"axis": "v", "x": 1, "y": 0, "kind": "solid"}]}
    struck = duel(t=at(1, 0), map=wall).when(strike())
    struck.refused("line_of_sight_blocked", "CF-GEO-3", reach_ft=5)


@pytest.mark.rule("CF-FACE-4")
def test_a_tail_does_not_strike_to_the_front() -> None:
    dragon = {"weapons": [{"id": "tail", "reach_ft": 10, "arc": "rear"}], "facing": "E"}
    struck = duel(dragon).when(strike(weapon="tail"))
    struck.refused("outside_arc", "CF-FACE-4", arc="rear", facing="E", quarter="front")


@pytest.mark.rule("CF-POS-7")
@pytest.mark.parametrize("posture", ["in_cover", "blocked"])
def test_cover_is_taken_only_next_to_something(posture: str) -> None:
    battle = duel(t=at(9, 0), map=drawn("....c.....", ".........."))
    why = {"posture": posture, "y": 0, "allowed": ["open"]}
    here = battle.when(do("change_posture", posture=posture))
    here.refused("no_cover_here", "CF-POS-7", x=0, **why)
    there = battle.when(path((1, 0), (2, 0), posture=posture))
    there.refused("no_cover_here", "CF-POS-7", x=2, **why)


@pytest.mark.rule("CF-POS-2")
def test_the_present_posture_is_no_change() -> None:
    same = duel().when(do("change_posture", posture="open"))
    same.refused("nothing_changes", "CF-POS-2", posture="open")


def test_one_stands_up_lying_and_lies_down_standing() -> None:
    standing = duel().when(do("stand_up"))
    standing.refused("nothing_changes", combatant="a", condition="prone")
    lying = duel({"conditions": ["prone"]}).when(do("go_prone"))
    lying.refused("nothing_changes", combatant="a", condition="prone")


@pytest.mark.rule("CF-PIN-6")
def test_one_hides_from_enemies_that_have_one_pinned_down() -> None:
    free = duel({"pin_count": 1, "pin_resistance": 1}, f={"side": "red", **at(0, 1)})
    free.when(do("hide", against="t")).refused("nothing_to_hide", "CF-PIN-6", suppression=0)
    friend = free.when(do("hide", against="f"))
    friend.refused("target_not_hostile", target="f", side="red")


SOLID = [["cell", 1, 1]]


@pytest.mark.parametrize(
    ("walk", "code", "params"),
    [
        (((2, 0),), "path_not_contiguous", {"step": 0, "dx": 2, "dy": 0}),
        (((0, 1), (0, 1)), "path_not_contiguous", {"step": 1, "dx": 0, "dy": 0}),
        (((0, -1),), "off_map", {"step": 0, "x": 0, "y": -1, "bounds": [0, 0, 9, 3]}),
        (((1, 1),), "cell_impassable", {"step": 0, "x": 1, "y": 1, "features": SOLID}),
        (((0, 1), (1, 2)), "diagonal_blocked", {"step": 1, "x": 1, "y": 2, "features": SOLID}),
        (((1, 0), (2, 0)), "cell_occupied", {"step": 1, "x": 2, "y": 0}),
        (((0, 1), (0, 2)) * 3 + ((0, 1),), "path_too_long", {"length_ft": 35, "longest_ft": 30}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_path_goes_step_by_step_where_there_is_room(
    walk: tuple[tuple[int, int], ...], code: str, params: Tree
) -> None:
    battle = duel(map=drawn(".........", ".#.......", "........."))
    battle.when(path(*walk)).refused(code, **params)


def test_a_body_is_passed_but_not_stood_upon() -> None:
    battle = duel(t={"conditions": ["helpless"]})
    ended = battle.when(path((1, 0), (2, 0)))
    ended.refused("cell_occupied", step=1, x=2, y=0)
    passed = battle.when(path((1, 0), (2, 0), (3, 0)))
    assert isinstance(passed.outcome, list)


def test_who_lies_crawls_one_cell_at_most() -> None:
    crawled = duel({"conditions": ["prone"]}).when(path((0, 1), (0, 2)))
    crawled.refused("prone_cannot_walk", steps=2, longest=1)


@pytest.mark.rule("CF-ALLY-3")
def test_reckless_fire_must_be_allowed() -> None:
    shot = duel().when(shoot(reckless=True))
    shot.refused("option_disabled", "CF-ALLY-3", option="allow_reckless_fire")


@pytest.mark.parametrize(
    ("action", "named"),
    [
        (do("end_turn", "nobody"), "nobody"),
        (shoot("nobody"), "nobody"),
        (strike("nobody"), "nobody"),
        (do("hide", against="nobody"), "nobody"),
    ],
)
def test_whoever_is_named_exists(action: Tree, named: str) -> None:
    duel().when(action).refused("unknown_combatant", combatant=named)


@pytest.mark.parametrize("action", [shoot(weapon="bow"), strike(weapon="bow")])
def test_a_weapon_that_is_named_exists(action: Tree) -> None:
    duel().when(action).refused("unknown_weapon", weapon="bow", allowed=["gun", "blade"])


NEWCOMER: Tree = {
    "id": "n",
    "side": "red",
    "place": {"x": 5, "y": 5},
    "health": 1,
    "melee_defence": 1,
    "ranged_defence": 1,
}
RULINGS: list[Tree] = [
    {"type": "configure", "options": {}},
    {"type": "add_combatant", "combatant": NEWCOMER},
    {"type": "remove_combatant", "combatant": "t"},
    {"type": "assign_control", "seat": "red"},
    {"type": "start_encounter"},
    {"type": "set_terrain", "cells": [{"x": 1, "y": 0, "kind": "solid"}]},
    {"type": "adjust", "changes": [{"type": "pin", "combatant": "t", "count": 9}]},
    {"type": "force_pass", "decision_id": "d1.1"},
    {"type": "end_encounter"},
    {"type": "reveal"},
    {"type": "erase", "seqs": [1]},
]


@pytest.mark.parametrize("action", RULINGS, ids=lambda action: str(action["type"]))
def test_a_player_does_not_rule(action: Tree) -> None:
    duel().when(action, by="red").refused("gm_only", action=action["type"])


def test_a_player_acts_for_his_own_side() -> None:
    ended = duel().when(do("end_turn"), by="blue")
    ended.refused("not_your_combatant", combatant="a")


@pytest.mark.parametrize(
    ("where", "code", "params"),
    [
        (at(0, 0), "cell_occupied", {"x": 0, "y": 0}),
        (at(1, 0), "cell_impassable", {"x": 1, "y": 0}),
        (at(3, 0), "off_map", {"x": 3, "y": 0, "bounds": [0, 0, 3, 1]}),
    ],
    ids=["on somebody", "in a wall", "off the map"],
)
def test_nobody_is_put_where_there_is_no_room(where: Tree, code: str, params: Tree) -> None:
    put = {"type": "adjust", "changes": [{"type": "place", "combatant": "t", **where}]}
    duel(map=drawn(".#.")).when(put).refused(code, **params)


def test_nobody_acts_before_the_start_or_after_the_end() -> None:
    stated = EXAMPLES.creation(EXAMPLES.complete({"combatants": {"a": A, "t": T}}))
    before = Given(opened(RULESET, stated)).when(shoot())
    before.refused("encounter_not_running", status="setup", action="ranged_attack")
    battle = duel()
    battle.when({"type": "end_encounter"})
    after = battle.when(shoot())
    after.refused("encounter_not_running", status="ended", action="ranged_attack")


WEAPON = "$.setup.combatants[0].weapons[0]"
INTEGER = "Expected `int`"


@pytest.mark.parametrize(
    ("stated", "where", "allowed"),
    [
        (
            {"weapons": [GUN | {"range_increment_ft": 0}]},
            f"{WEAPON}.range_increment_ft",
            f"{INTEGER} >= 1",
        ),
        ({"weapons": [GUN | {"attack_dice": -1}]}, f"{WEAPON}.attack_dice", f"{INTEGER} >= 0"),
        ({"weapons": [GUN | {"damage_dice": 51}]}, f"{WEAPON}.damage_dice", f"{INTEGER} <= 50"),
        ({"size": 0}, "$.setup.combatants[0].size", f"{INTEGER} >= 1"),
        (at(0, 0) | {"speed_ft": 7.5}, "$.setup.combatants[0].speed_ft", f"{INTEGER}, got `float`"),
        (
            {"facing": "NNE"},
            "$.setup.combatants[0].facing",
            "Invalid enum value 'NNE'",
        ),
        (
            {"luck": 7},
            "$.setup.combatants[0]",
            "Object contains unknown field `luck`",
        ),
    ],
    ids=["increment 0", "negative dice", "51 dice", "size 0", "fraction", "facing", "field"],
)
def test_a_sheet_outside_its_bounds_cannot_be_read(stated: Tree, where: str, allowed: str) -> None:
    setup = EXAMPLES.complete({"combatants": {"a": A | stated, "t": T}})
    with pytest.raises(Malformed) as caught:
        opened(RULESET, {**EXAMPLES.creation(setup), "setup": setup})
    stated_facts = {name: told for name, told in caught.value.params.items() if name != "known"}
    assert stated_facts == {"path": where, "allowed": allowed}


def test_a_ranged_weapon_states_its_increment() -> None:
    bow = {"id": "gun", "kind": "ranged", "attack_dice": 1, "damage_dice": 1}
    setup = EXAMPLES.complete({"combatants": {"a": A, "t": T}})
    setup["combatants"][0]["weapons"] = [bow]
    with pytest.raises(Malformed) as caught:
        opened(RULESET, EXAMPLES.creation(setup))
    assert refusal_of(caught.value).params == {
        "path": "$.combatants[0].weapons[0].range_increment_ft",
        "allowed": "1 and more for a weapon one can shoot with",
    }


@pytest.mark.parametrize(
    ("action", "where", "allowed"),
    [
        (do("set_facing", facing="up"), "$.action.facing", "Invalid enum value 'up'"),
        (do("end_turn", hurry="now"), "$.action", "Object contains unknown field `hurry`"),
        (do("surrender"), "$.action.type", "Invalid value 'surrender'"),
        (
            path() | {"path": [{"x": 0.5, "y": 1}]},
            "$.action.path[0].x",
            f"{INTEGER}, got `float`",
        ),
        (path(), "$.action.path", "Expected `array` of length >= 1"),
    ],
    ids=["facing", "field", "type", "fraction", "no step"],
)
def test_an_action_that_does_not_fit_its_form_cannot_be_read(
    action: Tree, where: str, allowed: str
) -> None:
    with pytest.raises(Malformed) as caught:
        convert(action, RULESET.action, "$.action")
    stated_facts = {name: told for name, told in caught.value.params.items() if name != "known"}
    assert stated_facts == {"path": where, "allowed": allowed}
