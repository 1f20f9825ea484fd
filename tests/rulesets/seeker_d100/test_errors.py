"""The catalogue's table of bad input through the desk: what is refused, by which rule, and why."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.seeker_d100.setups import (
    Tree,
    answer,
    do,
    done,
    duel,
    fighter,
    strike,
    wall,
    weapon,
)

ARMED = {
    "weapons": [
        weapon("w_knife"),
        weapon("w_pistol_small", shots={"min": 2, "max": 3}, ammo=2, range_m=10),
        weapon("w_smg"),
        weapon("w_grenade"),
        weapon("w_heavy_rifle"),
        {"id": "neither", "skill": "ranged"},
        {"id": "both", "skill": "ranged", "lethality": 10, "damage": {"sides": 4}},
    ]
}
HELD = {"held_by": {"holder": "t", "natural": 40, "level": 2}}
CALLED = {"weapon": "w_pistol_small", "target": "t"}


@pytest.mark.parametrize(
    "action",
    [
        do("aim", "t"),
        strike(combatant="t", target="a"),
        do("move", "t", gait="jog", path=[{"x": 0, "y": 0}]),
        do("end_turn", "t"),
        do("dodge", "t"),
    ],
    ids=lambda action: str(action["type"]),
)
@pytest.mark.rule("SK-TURN-1")
def test_nobody_acts_out_of_turn(action: Tree) -> None:
    refused = duel(fresh=True).when(action)
    refused.refused("not_your_turn", "SK-TURN-1", combatant="t", turn="a")


@pytest.mark.parametrize("state", ["unconscious", "dead"])
@pytest.mark.rule("SK-DMG-4")
def test_nobody_acts_who_is_out(state: str) -> None:
    battle = duel(t={"conditions": [state]})
    refused = battle.when(do("aim", "t"))
    refused.refused("actor_incapacitated", "SK-DMG-4", combatant="t", conditions=[state])


def test_nothing_else_is_done_while_an_answer_is_awaited() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    who = [{"id": "d3.1", "who": "blue"}]
    battle.when(do("aim")).refused("decision_pending", decisions=who)


def test_only_what_is_asked_can_be_answered_once_and_by_whom_it_is_asked() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    passing = answer(battle, "t", "pass")
    battle.when(passing, by="ann").refused("not_your_decision", decision_id="d3.1")
    wrong = passing | {"decision_id": "d9.1"}
    battle.when(wrong).refused("decision_closed", decision_id="d9.1")
    done(battle, passing, 60)
    battle.when(passing).refused("decision_closed", decision_id="d3.1")


@pytest.mark.rule("SK-REACT-2")
@pytest.mark.parametrize(
    ("arm", "kind", "more", "rule", "allowed"),
    [
        ("w_pistol_small", "dodge", {}, "SK-DODGE-3", ["take_cover", "pass"]),
        ("w_pistol_small", "resist", {"weapon": "w_unarmed"}, "SK-RES-1", ["take_cover", "pass"]),
        (
            "w_knife",
            "take_cover",
            {"cover": "wall", "to": {"x": 3, "y": 0}},
            "SK-REACT-2",
            ["dodge", "resist", "pass"],
        ),
        ("w_knife", "roll", {}, "SK-REACT-2", ["dodge", "resist", "pass"]),
    ],
)
def test_an_answer_must_be_possible(
    arm: str, kind: str, more: dict[str, Any], rule: str, allowed: list[str]
) -> None:
    battle = duel(ARMED, fresh=True, cover=(wall(2),))
    done(battle, strike(arm))
    refused = battle.when(answer(battle, "t", kind, **more))
    refused.refused("reaction_not_possible", rule, choice=kind, allowed=allowed)


@pytest.mark.rule("SK-RES-1")
def test_one_resists_with_a_melee_weapon_one_has() -> None:
    battle = duel(t={"weapons": [weapon("w_revolver")]}, fresh=True)
    done(battle, strike())
    unknown = battle.when(answer(battle, "t", "resist", weapon="w_knife"))
    have = ["w_revolver", "w_unarmed"]
    unknown.refused("unknown_weapon", "SK-ATK-1", weapon="w_knife", allowed=have)
    gun = battle.when(answer(battle, "t", "resist", weapon="w_revolver"))
    gun.refused("weapon_not_melee", "SK-RES-1", weapon="w_revolver", skill="ranged")


@pytest.mark.rule("SK-RES-1")
def test_one_does_not_get_ready_to_resist_with_a_pistol() -> None:
    refused = duel(ARMED).when(do("resist", weapon="w_pistol_small"))
    refused.refused("weapon_not_melee", "SK-RES-1", weapon="w_pistol_small", skill="ranged")


@pytest.mark.rule("SK-COVER-1", "SK-COVER-2")
def test_cover_must_be_near_and_lie_between() -> None:
    battle = duel(
        ARMED, {"place": {"x": 4, "y": 0}}, fresh=True, cover=(wall(5), wall(8, name="b"))
    )
    done(battle, strike("w_pistol_small"))
    far = battle.when(answer(battle, "t", "take_cover", cover="b", to={"x": 6, "y": 0}))
    far.refused("no_cover_in_reach", "SK-COVER-2", cover="b", longest_m=3)
    none = battle.when(answer(battle, "t", "take_cover", cover="c", to={"x": 6, "y": 0}))
    none.refused("no_cover_in_reach", "SK-COVER-2", cover="c", longest_m=3)
    for x, length in ((4, 0), (8, 4)):
        bad = battle.when(answer(battle, "t", "take_cover", cover="wall", to={"x": x, "y": 0}))
        bad.refused(
            "bad_cover_destination",
            "SK-COVER-1",
            cover="wall",
            x=x,
            y=0,
            length_m=length,
            longest_m=3,
        )
    done(battle, answer(battle, "t", "take_cover", cover="wall", to={"x": 7, "y": 0}), 60, 50)


@pytest.mark.rule("SK-COVER-2")
def test_four_metres_are_too_far_to_take_cover() -> None:
    battle = duel(ARMED, {"place": {"x": 1, "y": 0}}, fresh=True, cover=(wall(5),))
    done(battle, strike("w_pistol_small"))
    far = battle.when(answer(battle, "t", "take_cover", cover="wall", to={"x": 4, "y": 0}))
    far.refused("no_cover_in_reach", "SK-COVER-2", cover="wall", longest_m=3)


@pytest.mark.parametrize(
    ("action", "code", "rule", "params"),
    [
        (
            do("called_shot", **CALLED, part="torso"),
            "bad_body_part",
            "SK-CALL-2",
            {
                "part": "torso",
                "allowed": ["head", "left_arm", "right_arm", "left_leg", "right_leg"],
            },
        ),
        (
            do("called_shot", **CALLED, over_cover=True),
            "invalid_field",
            "SK-CALL-1",
            {"field": "over_cover", "delivery": "bullet", "allowed": ["part"]},
        ),
        (
            do("called_shot", weapon="w_grenade", target="t", part="head"),
            "invalid_field",
            "SK-CALL-1",
            {"field": "part", "delivery": "explosive", "allowed": ["over_cover"]},
        ),
        (
            strike("w_pistol_small", intent="block"),
            "invalid_field",
            "SK-STAND-1",
            {"field": "intent", "skill": "ranged", "allowed": ["melee_weapon", "unarmed"]},
        ),
        (
            do("attack", weapon="w_smg", point={"x": 3, "y": 0}),
            "invalid_field",
            "SK-AREA-1",
            {"field": "point", "delivery": "bullet", "allowed": ["target"]},
        ),
        (
            strike("w_smg", radius=4),
            "bad_radius",
            "SK-AREA-1",
            {"radius": 4, "smallest": 1, "largest": 3},
        ),
        (
            strike("w_smg", radius=0),
            "bad_radius",
            "SK-AREA-1",
            {"radius": 0, "smallest": 1, "largest": 3},
        ),
        (strike("w_heavy_rifle", radius=1), "bad_radius", "SK-AREA-1", {"radius": 1}),
        (strike("neither"), "weapon_incomplete", "SK-LETH-1", {"weapon": "neither"}),
        (strike("both"), "weapon_incomplete", "SK-LETH-1", {"weapon": "both"}),
        (
            strike("w_pistol_small", shots=1),
            "bad_shots",
            "SK-ATK-3",
            {"shots": 1, "fewest": 2, "most": 3},
        ),
        (
            strike("w_pistol_small", shots=4),
            "bad_shots",
            "SK-ATK-3",
            {"shots": 4, "fewest": 2, "most": 3},
        ),
        (
            strike("w_pistol_small", shots=3),
            "no_ammo",
            "SK-ATK-3",
            {"weapon": "w_pistol_small", "left": 2, "shots": 3},
        ),
        (strike(target="a"), "target_self", "SK-ATK-1", {"target": "a"}),
        (
            strike(target="nobody"),
            "unknown_target",
            "SK-ATK-1",
            {"target": "nobody", "allowed": ["t"]},
        ),
        (
            do("disarm", target="t", item="knife"),
            "nothing_held",
            "SK-DIS-1",
            {"item": "knife", "allowed": ["pistol"]},
        ),
        (do("break_free"), "not_held", "SK-FREE-1", {"combatant": "a"}),
        (do("release"), "not_holding", "SK-GRAB-5", {"combatant": "a"}),
        (
            do("move", gait="jog", path=[{"x": 8, "y": 7}]),
            "too_far",
            "SK-MOVE-1",
            {"gait": "jog", "length_m": 11, "longest_m": 10},
        ),
        (
            do("move", gait="dash", path=[{"x": 18, "y": 25}]),
            "too_far",
            "SK-MOVE-1",
            {"gait": "dash", "length_m": 31, "longest_m": 30},
        ),
        (
            do("aim", step={"to": {"x": 3, "y": 1}}),
            "step_too_far",
            "SK-MOVE-4",
            {"length_m": 4, "longest_m": 3},
        ),
    ],
)
def test_what_an_action_may_not_ask_for(
    action: Tree, code: str, rule: str, params: dict[str, Any]
) -> None:
    battle = duel(ARMED, {"held_items": ["pistol"]}, cover=(wall(50),))
    battle.when(action).refused(code, rule, **params)


@pytest.mark.parametrize(
    "action",
    [
        do("called_shot", **CALLED),
        do("called_shot", **CALLED, part="head", over_cover=True),
        do("attack", weapon="w_grenade"),
        do("attack", weapon="w_grenade", target="t", point={"x": 1, "y": 1}),
    ],
)
def test_a_body_that_says_too_much_or_too_little_cannot_be_read(action: Tree) -> None:
    asked = duel(fresh=True)
    done(asked, strike())
    for battle in (duel(ARMED), asked, ended()):
        outcome = battle.when(action).outcome
        assert not isinstance(outcome, list)
        assert outcome.code == "malformed"


def ended() -> Given:
    """A battle that is over."""
    battle = duel()
    done(battle, {"type": "end_encounter"})
    return battle


@pytest.mark.rule("SK-CALL-2")
def test_a_part_that_the_cover_hides_cannot_be_called() -> None:
    hiding = wall(4, exposed=["head"])
    battle = duel(ARMED, {"place": {"x": 8, "y": 0}}, cover=(hiding,))
    refused = battle.when(do("called_shot", **CALLED, part="left_leg"))
    refused.refused(
        "part_not_exposed", "SK-CALL-2", part="left_leg", cover="wall", allowed=["head"]
    )
    done(battle, do("called_shot", **CALLED, part="head"), 60)


@pytest.mark.rule("SK-CALL-4")
def test_cover_hides_nothing_from_a_called_blow() -> None:
    battle = duel(ARMED, cover=(wall(1, exposed=[]),))
    called = do("called_shot", weapon="w_knife", target="t", part="left_leg")
    done(battle, called, 60)


def test_the_dead_are_no_target() -> None:
    battle = duel(ARMED, {"conditions": ["dead"]})
    battle.when(strike()).refused("target_dead", "SK-ATK-1", target="t")


@pytest.mark.parametrize(
    ("x", "action", "code", "params"),
    [
        (2, strike("w_knife"), "out_of_reach", {"distance_m": 2, "reach_squared": 2}),
        (2, do("grapple", target="t"), "out_of_reach", {"distance_m": 2, "reach_squared": 2}),
        (11, strike("w_pistol_small"), "out_of_range", {"distance_m": 11, "longest_m": 10}),
    ],
)
def test_a_target_may_be_too_far_away(
    x: int, action: Tree, code: str, params: dict[str, Any]
) -> None:
    outcome = duel(ARMED, {"place": {"x": x, "y": 0}}).when(action).outcome
    assert not isinstance(outcome, list)
    assert (outcome.code, outcome.params) == (code, params)
    done(duel(ARMED, {"place": {"x": min(x - 1, 10), "y": 0}}), action, 60)


@pytest.mark.rule("SK-DIS-2")
def test_disarming_needs_a_free_hand() -> None:
    battle = duel({"free_hands": 0}, {"held_items": ["x"]})
    refused = battle.when(do("disarm", target="t", item="x"))
    refused.refused("no_free_hand", "SK-DIS-2", free_hands=0, needed=1)


@pytest.mark.rule("SK-GRAB-1")
def test_somebody_held_is_not_grappled_again() -> None:
    held = {"held_by": {"holder": "b", "natural": 40, "level": 2}}
    battle = duel(None, held, fighter("b", "red", 2, 0, actions_left=0))
    battle.when(do("grapple", target="t")).refused("already_held", "SK-GRAB-1", target="t")


@pytest.mark.rule("SK-GRAB-4")
@pytest.mark.parametrize(
    ("action", "name"),
    [
        (strike(), "attack"),
        (do("dodge"), "dodge"),
        (do("move", gait="jog", path=[{"x": 0, "y": 1}]), "move"),
        (do("end_turn", step={"to": {"x": 0, "y": 1}}), "step"),
        (do("break_free", step={"to": {"x": 0, "y": 1}}), "step"),
    ],
)
def test_the_held_one_can_only_break_free_or_wait(action: Tree, name: str) -> None:
    refused = duel(HELD).when(action)
    refused.refused("held", "SK-GRAB-4", action=name, allowed=["break_free", "end_turn"])
    done(duel(HELD), do("end_turn"))


@pytest.mark.rule("SK-GRAB-3")
@pytest.mark.parametrize(
    "action",
    [
        do("move", gait="jog", path=[{"x": 0, "y": 1}]),
        strike(target="b"),
        do("grapple", target="t"),
        do("aim"),
        strike(step={"to": {"x": 0, "y": 1}}),
        do("release", step={"to": {"x": 0, "y": 1}}),
        do("release", step={"to": {"x": 0, "y": 1}, "when": "after"}),
        do("end_turn", step={"to": {"x": 0, "y": 1}}),
    ],
    ids=lambda action: str(action["type"]),
)
def test_a_holder_neither_walks_away_nor_attacks_another(action: Tree) -> None:
    held = {"held_by": {"holder": "a", "natural": 40, "level": 2}}
    battle = duel(None, held, fighter("b", "blue", 0, 1, actions_left=0))
    outcome = battle.when(action).outcome
    assert not isinstance(outcome, list)
    assert (outcome.code, outcome.rule) == ("holding_target", "SK-GRAB-3")
    done(battle, strike(), 71)


@pytest.mark.rule("SK-INIT-3")
def test_the_fifty_third_combatant_finds_no_card() -> None:
    crowd = [fighter(f"c{n}", "red", n, 5) for n in range(50)]
    battle = duel(None, None, *crowd)
    late = {"type": "add_combatant", "combatant": fighter("late", "red", 0, 9)}
    battle.when(late).refused("deck_exhausted", "SK-INIT-3", left=0, wanted=1)


def test_a_test_of_movement_is_the_game_masters_to_demand() -> None:
    move = do("move", gait="jog", path=[{"x": 0, "y": 1}], test={})
    asked = duel(fresh=True)
    done(asked, strike())
    for battle in (duel(), duel(a={"conditions": ["dead"]}), asked, ended()):
        battle.when(move, by="ann").refused("gm_only", action="move", field="test")


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("radius", 1.5),
        ("radius", True),
        ("radius", -1),
        ("shots", "2"),
        ("faces", [50]),
    ],
)
def test_what_cannot_be_read(where: str, value: object) -> None:
    outcome = duel(ARMED).when(strike("w_smg") | {where: value}).outcome
    assert not isinstance(outcome, list)
    assert outcome.code == "malformed"
