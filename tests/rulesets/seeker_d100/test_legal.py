"""What is listed as allowed is accepted, and what is not listed is refused."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from service.errors import Malformed, Refused
from tests.kit.given_when_then import Given, Tree, preview
from tests.kit.random_battles import play
from tests.kit.table import Table, tree_of
from tests.rulesets.seeker_d100.battles import random_setup, varied_setup
from tests.rulesets.seeker_d100.setups import (
    answer,
    do,
    done,
    duel,
    seated,
    strike,
    wall,
    weapon,
)

MOMENTS = range(40)
PARTS = ("head", "left_arm", "right_arm", "left_leg", "right_leg")


def moment(number: int) -> Table:
    """A battle of which some was played, and somebody has the turn or is asked."""
    table = seated(varied_setup(number) if number % 2 else random_setup(number))
    play(table, number, number % 11)
    return table


def speakers(table: Table) -> list[str]:
    """Who is asked or, if nobody is, has the turn."""
    if table.questions:
        return [combatant for _, combatant in table.questions]
    return [] if table.turn is None else [table.turn]


def nodes(table: Table, combatant: str, by: str = "gm") -> dict[str, Any]:
    """The domains of everything that a combatant may do, by type."""
    return {node["type"]: node for node in tree_of(table.legal(combatant, by))}


def members(domain: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The values of a domain with the parameters that come with each."""
    for member in domain["one_of"]:
        is_more = isinstance(member, Mapping) and "params" in member
        yield (member["value"], member["params"]) if is_more else (member, {})


def refusal(table: Table, action: Tree) -> str | None:
    """Why an action of the game master is refused, None if it is not."""
    try:
        table.preview(action)
    except (Malformed, Refused) as refused:
        return refused.code
    return None


def listed(table: Table, kind: str, name: str) -> set[tuple[Any, ...]]:
    """Weapon, target and the value of `name` as they are listed together, without a step."""
    assert table.turn is not None
    node = nodes(table, table.turn).get(kind)
    found = set()
    for weapon_id, beside in members(node["params"]["weapon"]) if node else ():
        for target, more in members(beside["target"]) if "target" in beside else ():
            if "step" in more and "optional" not in more["step"]:
                continue
            values = [value for value, _ in members(more[name])] if name in more else [None]
            found |= {(weapon_id, target, value) for value in values}
    return found


def accepted(table: Table, kind: str, name: str, values: tuple[Any, ...]) -> set[tuple[Any, ...]]:
    """The same as `decide` accepts them."""
    assert table.turn is not None
    tried = (
        (weapon_id.id, target.id, value)
        for weapon_id in table.combatant(table.turn).weapons
        for target in table.state.rule.combatants
        for value in values
    )
    return {
        (weapon_id, target, value)
        for weapon_id, target, value in tried
        if refusal(
            table,
            do(
                kind,
                table.turn,
                weapon=weapon_id,
                target=target,
                **({} if value is None else {name: value}),
            ),
        )
        is None
    }


@pytest.mark.parametrize("number", MOMENTS)
def test_of_all_weapons_targets_and_parts_exactly_the_listed_are_accepted(number: int) -> None:
    table = moment(number)
    if table.turn is None or table.questions:
        return
    assert listed(table, "attack", "part") == accepted(table, "attack", "part", (None,))
    parts = {each for each in listed(table, "called_shot", "part") if each[2] is not None}
    assert parts == accepted(table, "called_shot", "part", (*PARTS, "torso"))
    over = {(*each[:2], True) for each in listed(table, "called_shot", "part") if each[2] is None}
    assert over == accepted(table, "called_shot", "over_cover", (True,))


@pytest.mark.parametrize("number", MOMENTS)
def test_of_all_other_actions_exactly_the_listed_are_accepted(number: int) -> None:
    table = moment(number)
    turn = table.turn
    if turn is None or table.questions:
        return
    found = nodes(table, turn)
    for kind in ("aim", "dodge", "break_free", "release", "end_turn"):
        assert (kind in found) == (refusal(table, do(kind, turn)) is None)
    weapons = [each.id for each in table.combatant(turn).weapons]
    blades = [w for w in weapons if refusal(table, do("resist", turn, weapon=w)) is None]
    assert blades == (found["resist"]["params"]["weapon"]["one_of"] if "resist" in found else [])
    targets = [each.id for each in table.state.rule.combatants]
    seized = {t for t in targets if refusal(table, do("grapple", turn, target=t)) is None}
    assert seized == _reached(found.get("grapple"))
    disarmed = {
        target.id
        for target in table.state.rule.combatants
        for item in target.held_items
        if refusal(table, do("disarm", turn, target=target.id, item=item)) is None
    }
    assert disarmed == _reached(found.get("disarm"))
    away = {"x": table.combatant(turn).place.x + 10, "y": table.combatant(turn).place.y}
    moved = refusal(table, do("move", turn, gait="jog", path=[away]))
    assert ("move" in found) == (moved is None)


def _reached(node: Any) -> set[str]:
    """Targets that need no step."""
    listed_ = members(node["params"]["target"]) if node else ()
    return {t for t, more in listed_ if "step" not in more or more["step"].get("optional")}


@pytest.mark.parametrize("number", MOMENTS)
def test_the_listed_steps_lead_to_attacks_and_no_other_step_does(number: int) -> None:
    table = moment(number)
    turn = table.turn
    if turn is None or table.questions:
        return
    grapple = nodes(table, turn).get("grapple")
    listed_ = dict(members(grapple["params"]["target"])) if grapple else {}
    here = table.combatant(turn).place
    for target in (each.id for each in table.state.rule.combatants):
        points = [{"x": here.x + x, "y": here.y + y} for x in range(-4, 5) for y in range(-4, 5)]
        taken = [
            to
            for to in points
            if refusal(table, do("grapple", turn, target=target, step={"to": to})) is None
        ]
        step = listed_.get(target, {}).get("step", {"params": {"when": {"one_of": []}}})
        before = dict(members(step["params"]["when"])).get("before", {"to": {"one_of": []}})
        assert sorted(before["to"]["one_of"], key=str) == sorted(taken, key=str)


def test_steps_are_listed_from_the_nearest_on_and_end_with_the_ground() -> None:
    battle = duel({"place": {"x": 9997, "y": -9999}}, {"place": {"x": 9999, "y": -9998}})
    [(_, more)] = members(nodes_of(battle, "a")["grapple"]["params"]["target"])
    [(_, before)] = members(more["step"]["params"]["when"])
    assert [(point["x"], point["y"]) for point in before["to"]["one_of"]] == [
        (9998, -9999),
        (9998, -9998),
        (9999, -9999),
        (9998, -9997),
        (9999, -9998),
        (9999, -9997),
        (10_000, -9999),
    ]


def ranged_duel(**more: Any) -> Given:
    gun = {"weapons": [weapon("w_smg"), weapon("w_grenade", delivery="explosive")]}
    return duel(gun, {"place": {"x": 5, "y": 0}}, fresh=True, **more)


def test_a_weapon_lists_what_may_be_stated_beside_it() -> None:
    gun = {"weapons": [weapon("w_smg", shots={"min": 3, "max": 9}, ammo=5)]}
    found = nodes_of(duel(gun), "a")
    [(_, smg), (_, hands)] = members(found["attack"]["params"]["weapon"])
    assert smg["shots"] == {"int_range": {"min": 3, "max": 5}, "optional": True}
    assert smg["radius"] == {
        "int_range": {"min": 1, "max": 3, "unit": "metre"},
        "optional": True,
    }
    assert "intent" not in smg
    assert hands["intent"] == {"one_of": ["counter", "block"], "optional": True}
    assert "radius" not in hands


def nodes_of(battle: Given, combatant: str, by: str = "gm") -> dict[str, Any]:
    """The domains in a battle that the table rolls for."""
    return nodes(battle.table, combatant, by)


def test_explosives_are_thrown_at_targets_or_points_and_over_cover() -> None:
    found = nodes_of(ranged_duel(), "a")
    grenades = [
        more for value, more in members(found["attack"]["params"]["weapon"]) if value == "w_grenade"
    ]
    assert [sorted({"target", "point"} & set(each)) for each in grenades] == [["target"], ["point"]]
    assert grenades[1]["point"] == {"disc": {"x": 0, "y": 0, "unit": "metre"}}
    called = dict(members(found["called_shot"]["params"]["weapon"]))
    assert called["w_grenade"]["over_cover"] == {"one_of": [True]}


def test_only_what_a_cover_leaves_open_is_called() -> None:
    battle = ranged_duel(cover=(wall(3, exposed=["head"]),))
    [(_, more), *_] = members(nodes_of(battle, "a")["called_shot"]["params"]["weapon"])
    [(_, target)] = members(more["target"])
    assert target["part"] == {"one_of": ["head"]}


def test_a_gait_says_how_far_it_leads() -> None:
    move = nodes_of(duel(), "a")["move"]["params"]
    assert {gait: more["path"]["path"]["budget"] for gait, more in members(move["gait"])} == {
        "jog": 10,
        "run": 20,
        "dash": 30,
    }
    assert move["test"]["params"]["modifier"]["int_range"] == {"min": -1000, "max": 1000}
    assert "test" not in nodes_of(duel(), "a", "ann")["move"]["params"]


def test_who_holds_or_is_held_may_do_little_and_takes_no_step() -> None:
    battle = duel()
    done(battle, do("grapple", target="t"), 10)
    holder = nodes_of(battle, "a")
    assert set(holder) == {"attack", "called_shot", "release", "end_turn"}
    assert holder["end_turn"]["params"] == {}
    done(battle, do("end_turn"))
    assert set(nodes_of(battle, "t")) == {"break_free", "end_turn"}


def test_who_is_asked_has_its_decision_with_details_and_nobody_else_has() -> None:
    battle = duel({}, {"weapons": [weapon("w_machete"), weapon("w_revolver")]}, fresh=True)
    done(battle, strike())
    assert nodes_of(battle, "a") == {}
    [node] = nodes_of(battle, "t").values()
    asked = answer(battle, "t", "dodge")
    assert node["example"] == asked
    assert node["params"]["decision_id"] == {"one_of": [asked["decision_id"]]}
    assert node["decision"] == {
        "id": asked["decision_id"],
        "kind": "reaction",
        "options": ["dodge", "resist", "pass"],
        "default": "pass",
        "context": {
            "action": "attack",
            "delivery": "melee",
            "origin": {"x": 0, "y": 0},
            "covers": [],
            "source": {"combatant": "a", "item": "w_unarmed"},
        },
    }
    choices = dict(members(node["params"]["choice"]["params"]["type"]))
    assert choices["resist"]["weapon"] == {"one_of": ["w_machete", "w_unarmed"]}
    assert set(choices) == {"dodge", "resist", "pass"}


def test_a_dive_is_listed_with_the_covers_in_reach_and_the_points_behind_them() -> None:
    gun = {"weapons": [weapon("w_revolver")]}
    far = wall(20, name="far")
    battle = duel(gun, {"place": {"x": 5, "y": 0}}, fresh=True, cover=(wall(6), far))
    done(battle, strike("w_revolver"))
    [node] = nodes_of(battle, "t").values()
    choices = dict(members(node["params"]["choice"]["params"]["type"]))
    [(cover, behind)] = members(choices["take_cover"]["cover"])
    points = behind["to"]["one_of"]
    assert cover == "wall"
    assert {"x": 6, "y": 0} in points
    assert min(point["x"] for point in points) == 6
    for point in points:
        assert preview(battle.table, answer(battle, "t", "take_cover", cover="wall", to=point))
    assert node["example"]["choice"]["type"] == "take_cover"


def test_without_a_cover_in_reach_only_declining_is_listed() -> None:
    gun = {"weapons": [weapon("w_revolver")]}
    battle = duel(gun, {"place": {"x": 5, "y": 0}}, fresh=True, cover=(wall(20),))
    done(battle, strike("w_revolver"))
    [node] = nodes_of(battle, "t").values()
    assert node["params"]["choice"]["params"]["type"] == {"one_of": ["pass"]}
    assert node["decision"]["options"] == ["take_cover", "pass"]


def test_a_throw_says_how_far_it_goes_how_wide_it_is_and_in_which_unit() -> None:
    grenade = weapon("w_grenade", delivery="explosive", range_m=20, radius={"min": 2, "max": 10})
    battle = duel({"weapons": [grenade]}, {"place": {"x": 90, "y": 0}}, fresh=True)
    [(_, more)] = members(nodes_of(battle, "a")["attack"]["params"]["weapon"])
    behind = {"disc": {"x": 0, "y": 0, "unit": "metre", "radius": 3}}
    after = {"one_of": [{"value": "after", "params": {"to": behind}}]}
    assert more == {
        "point": {"disc": {"x": 0, "y": 0, "unit": "metre", "radius": 20}},
        "step": {"optional": True, "params": {"when": after}},
        "radius": {"int_range": {"min": 2, "max": 10, "unit": "metre"}, "optional": True},
    }


def test_a_movement_says_its_unit() -> None:
    gaits = [
        {
            "value": gait,
            "params": {
                "path": {
                    "path": {
                        "x": 0,
                        "y": 0,
                        "unit": "metre",
                        "budget": budget,
                        "longest": 100,
                        "metric": "legs_rounded_up",
                    }
                }
            },
        }
        for gait, budget in (("jog", 10), ("run", 20), ("dash", 30))
    ]
    modifier = {"int_range": {"min": -1000, "max": 1000}, "optional": True}
    assert nodes_of(duel(), "a")["move"] == {
        "type": "move",
        "params": {
            "gait": {"one_of": gaits},
            "test": {"optional": True, "params": {"modifier": modifier}},
        },
        "example": {"type": "move", "combatant": "a", "gait": "jog", "path": [{"x": 1, "y": 0}]},
    }
