"""Reactions as decisions: who is asked, sealed answers, and the attack that continues with them."""

from typing import Any

import pytest

from service.engine.log.canonical import encode
from tests.kit.given_when_then import Given
from tests.kit.table import Table, effects_of
from tests.rulesets.seeker_d100.setups import (
    answer,
    battle_of,
    do,
    done,
    duel,
    fighter,
    only,
    seated,
    sheet,
    strike,
    wall,
    weapon,
)

KNIFE = {"weapons": [weapon("w_knife")]}
NEAR = {"place": {"x": 4, "y": 0}}
TO_COVER = {"cover": "wall", "to": {"x": 6, "y": 0}}


def asked(battle: Given) -> dict[str, list[str]]:
    """Who is asked, and what may be chosen."""
    pending = battle.table.state.rule.pending
    decisions = pending[-1].decisions if pending else ()
    return {each.combatant: list(each.options) for each in decisions}


@pytest.mark.rule("SK-REACT-2", "SK-DODGE-2", "SK-DODGE-3", "SK-RES-1")
@pytest.mark.parametrize(
    ("arm", "options"),
    [
        ({"sample": "w_knife"}, ["dodge", "resist", "pass"]),
        ({"skill": "ranged", "delivery": "arrow"}, ["dodge", "pass"]),
        ({"skill": "athletics"}, ["dodge", "pass"]),
        ({"sample": "w_revolver"}, ["take_cover", "pass"]),
        ({"sample": "w_grenade"}, ["take_cover", "pass"]),
    ],
)
def test_a_victim_is_asked_by_the_delivery(arm: dict[str, Any], options: list[str]) -> None:
    damage = {} if "sample" in arm else {"damage": {"sides": 6}}
    battle = duel({"weapons": [{"id": "arm", **arm, **damage}]}, fresh=True, cover=(wall(2),))
    done(battle, strike("arm"))
    assert asked(battle) == {"t": options}


@pytest.mark.parametrize("action", [do("disarm", target="t", item="x"), do("grapple", target="t")])
def test_disarming_and_grappling_can_be_dodged_and_resisted(action: dict[str, Any]) -> None:
    battle = duel(t={"held_items": ["x"]}, fresh=True)
    [opened] = only(done(battle, action), "decision_opened")
    assert opened["decision"]["options"] == ["dodge", "resist", "pass"]
    assert opened["decision"]["context"] == {
        "action": action["type"],
        "delivery": "melee",
        "origin": {"x": 0, "y": 0},
        "covers": [],
        "source": {"combatant": "a"},
    }


@pytest.mark.rule("SK-REACT-1", "SK-REACT-2")
@pytest.mark.parametrize(
    "t",
    [
        {"actions_left": 0},
        {"conditions": ["unaware"]},
        {"conditions": ["unconscious"]},
        {"held_by": {"holder": "a", "natural": 40, "level": 2}},
    ],
)
def test_nobody_is_asked_who_has_no_choice(t: dict[str, Any]) -> None:
    battle = duel(KNIFE, t, fresh=True)
    effects = done(battle, strike("w_knife"), 60 if "held_by" not in t else 71)
    assert only(effects, "window_skipped")[0]["why"] == "nobody_eligible"


def test_on_open_ground_nobody_is_asked_about_a_bullet() -> None:
    battle = duel({"weapons": [weapon("w_revolver")]}, fresh=True)
    assert only(done(battle, strike("w_revolver"), 51), "decision_opened") == []


@pytest.mark.rule("SK-REACT-2")
def test_who_holds_somebody_may_only_resist_and_is_not_asked_about_shots() -> None:
    held = fighter(
        "h", "red", 2, 0, held_by={"holder": "t", "natural": 40, "level": 2}, actions_left=0
    )
    battle = duel(KNIFE, None, held, fresh=True)
    done(battle, strike("w_knife"))
    assert asked(battle) == {"t": ["resist", "pass"]}
    guns = {"weapons": [weapon("w_revolver")]}
    battle = duel(guns, None, held, fresh=True, cover=(wall(3),))
    assert only(done(battle, strike("w_revolver"), 51), "decision_opened") == []


@pytest.mark.rule("SK-DODGE-1", "SK-OPP-1")
@pytest.mark.parametrize(
    ("dice", "outcome", "answer_outcome", "why"),
    [
        ((40, 30, 2), "hit", "failure", "die"),
        ((30, 40), "avoided", "success", "die"),
        ((40, 40, 2), "hit", "failure", "tie_to_attacker"),
        ((33, 40, 2), "critical", "failure", "level"),
        ((60, 20), "miss", "success", "level"),
        ((60, 70), "miss", "stalemate", None),
        ((40, 44), "avoided", "success", "level"),
    ],
)
def test_every_outcome_of_a_dodge(
    dice: tuple[int, ...], outcome: str, answer_outcome: str, why: str | None
) -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    effects = done(battle, answer(battle, "t", "dodge"), *dice)
    [attack] = only(effects, "attack_resolved")
    assert attack["outcome"] == outcome
    assert attack["answered"]["outcome"] == answer_outcome
    assert attack["answered"].get("why") == why
    assert {"combatant": "t", "resource": "action", "now": 0} in [
        {key: each[key] for key in ("combatant", "resource", "now")}
        for each in only(effects, "resource_changed")
    ]


@pytest.mark.rule("SK-RES-2", "SK-RES-3")
def test_a_block_stops_the_attack_and_no_more() -> None:
    battle = duel(t={"weapons": [weapon("w_combat_knife")]}, fresh=True)
    done(battle, strike())
    block = answer(battle, "t", "resist", weapon="w_combat_knife", intent="block")
    effects = done(battle, block, 30, 44)
    [attack] = only(effects, "attack_resolved")
    assert (attack["outcome"], only(effects, "hurt")) == ("stopped", [])


@pytest.mark.rule("SK-RES-3")
def test_a_won_resist_strikes_back_even_where_the_attack_missed() -> None:
    battle = duel(t={"weapons": [weapon("w_combat_knife")]}, fresh=True)
    done(battle, strike())
    effects = done(battle, answer(battle, "t", "resist", weapon="w_combat_knife"), 60, 20, 6)
    assert [each["outcome"] for each in only(effects, "attack_resolved")] == ["miss", "hit"]
    assert sheet(battle, "a").health == 6


def test_a_counter_attack_may_fell_the_attacker_whose_turn_ends() -> None:
    battle = duel(
        {"health": 6},
        {"weapons": [weapon("w_combat_knife")]},
        fresh=True,
    )
    step = {"to": {"x": 0, "y": 1}, "when": "after"}
    done(battle, strike(step=step))
    effects = done(battle, answer(battle, "t", "resist", weapon="w_combat_knife"), 60, 20, 6)
    assert [each["state"] for each in only(effects, "felled")] == ["dead"]
    assert only(effects, "moved") == []
    assert only(effects, "turn_ended")[0]["cause"] == "felled"


@pytest.mark.rule("SK-STAND-2", "SK-STAND-3")
def test_the_roll_of_a_reaction_stands_against_the_next_attack_and_the_turn_is_used_up() -> None:
    other = fighter("b", "red", 1, 1)
    setup = {"battle": battle_of(*({"id": each} for each in "abt"))}
    battle = duel({}, None, other, fresh=True, **setup)
    done(battle, strike())
    done(battle, answer(battle, "t", "dodge"), 30, 40)
    effects = done(battle, strike(combatant="b"), 41, 2)
    [attack] = only(effects, "attack_resolved")
    assert (attack["outcome"], attack["answered"]["kind"]) == ("hit", "standing")
    passed = [each for each in only(effects, "turn_ended") if each["cause"] == "passed_over"]
    assert [each["combatant"] for each in passed] == ["t"]
    assert sheet(battle, "t").conditions == ()


@pytest.mark.rule("SK-REACT-3")
def test_a_stance_is_rolled_when_it_is_first_needed() -> None:
    throwing = {"weapons": [{"id": "axe", "skill": "athletics", "damage": {"sides": 4}}]}
    shooting = {"weapons": [weapon("w_revolver")]}
    battle = duel(
        {},
        {"place": {"x": 0, "y": 1}},
        fighter("b", "blue", 5, 0, **throwing),
        fighter("c", "blue", 5, 1, **shooting),
        fresh=True,
    )
    done(battle, do("dodge"))
    assert sheet(battle, "a").conditions == ("answering",)
    effects = done(battle, strike(combatant="t", target="a"), 20, 30)
    assert only(effects, "attack_resolved")[0]["outcome"] == "avoided"
    assert [each["cause"] for each in only(effects, "condition_lost")] == ["rolled"]
    assert sheet(battle, "a").conditions == ("standing_roll",)
    thrown = done(battle, strike("axe", "b", "a"), 40, 1)
    assert only(thrown, "attack_resolved")[0]["outcome"] == "hit"
    shot = done(battle, strike("w_revolver", "c", "a"), 50, 1)
    assert "answered" not in only(shot, "attack_resolved")[0]


@pytest.mark.rule("SK-COVER-1", "SK-ARM-2")
@pytest.mark.parametrize(("face", "lost", "x"), [(50, 2, 6), (51, 7, 4)])
def test_taking_cover_from_a_shot(face: int, lost: int, x: int) -> None:
    guns = {"weapons": [weapon("w_pistol_small")]}
    battle = duel(guns, NEAR, fresh=True, cover=(wall(5, armour=5),))
    done(battle, strike("w_pistol_small"))
    effects = done(battle, answer(battle, "t", "take_cover", **TO_COVER), 40, face, 7)
    [check] = only(effects, "check_resolved")
    assert (check["check"], check["needed"]) == ("take_cover", 50)
    assert sheet(battle, "t").place.x == x
    assert [each["amount"] for each in only(effects, "hurt")] == [lost]
    assert sheet(battle, "t").conditions == ()
    [attack] = only(effects, "attack_resolved")
    assert attack["answered"]["kind"] == "take_cover"


@pytest.mark.rule("SK-COVER-1")
def test_whoever_dives_out_of_the_radius_is_no_victim_any_more() -> None:
    bomb = {
        "id": "bomb",
        "skill": "demolitions",
        "lethality": 50,
        "radius": {"min": 2, "max": 2},
    }
    battle = duel({"weapons": [bomb]}, NEAR, fresh=True, cover=(wall(5),))
    done(battle, do("attack", weapon="bomb", point={"x": 3, "y": 0}))
    effects = done(battle, answer(battle, "t", "take_cover", **TO_COVER), 40, 20)
    [area] = only(effects, "area_resolved")
    assert area["victims"] == []
    assert only(effects, "hurt") == []


def blast() -> Table:
    """A burst of fire at t, with u next to it: both may take cover."""
    combatants = [
        fighter("a", "green", 0, 0, weapons=[weapon("w_assault_rifle")]),
        fighter("t", "blue", 4, 0),
        fighter("u", "red", 4, 1),
    ]
    table = seated(
        {
            "combatants": combatants,
            "battle": battle_of(*combatants),
            "map": {"cover": [wall(5)]},
        }
    )
    table.ask({"type": "start_encounter"})
    table.ask(strike("w_assault_rifle", radius=1))
    return table


def test_several_victims_answer_in_any_order_and_unseen_by_one_another() -> None:
    one, other = blast(), blast()
    [(first, _), (second, _)] = one.questions
    dive = {"type": "take_cover", **TO_COVER}
    for table, choice in ((one, dive), (other, {"type": "pass"})):
        table.ask({"type": "answer", "decision_id": second, "choice": choice}, "ann")
    for by in ("bob", "eve"):
        assert encode(one.shown(4, by)) == encode(other.shown(4, by))
        assert encode(one.view(by)) == encode(other.view(by))
    assert encode(one.shown(4, "ann")) != encode(other.shown(4, "ann"))
    effects = effects_of(
        one.ask({"type": "answer", "decision_id": first, "choice": {"type": "pass"}}, "bob")
    )
    closed = only(effects, "decision_closed")
    assert [(each["decision_id"], each["how"]) for each in closed] == [
        (first, "passed"),
        (second, "answered"),
    ]
    assert one.questions == []
    assert [each.purpose for each in one.events[-1].draws][:2] == ["attack", "take_cover"]


def test_a_decision_is_closed_by_force_or_by_the_clock() -> None:
    table = blast()
    [(first, _), (second, _)] = table.questions
    table.ask({"type": "force_pass", "decision_id": first})
    late = {"type": "pass", "reason": "timeout"}
    event = table.ask({"type": "answer", "decision_id": second, "choice": late}, "ann")
    closed = only(effects_of(event), "decision_closed")
    assert [each["how"] for each in closed] == ["forced", "timeout"]


def test_a_rewind_across_an_open_question_asks_it_anew() -> None:
    table = blast()
    [(first, _), (second, _)] = table.questions
    table.ask({"type": "answer", "decision_id": first, "choice": {"type": "pass"}})
    table.ask({"type": "rewind", "to": 4})
    [(again, _)] = table.questions
    assert again != second
    table.ask({"type": "answer", "decision_id": again, "choice": {"type": "pass"}})
    assert table.questions == []


def test_the_table_rolls_after_the_last_answer() -> None:
    battle = duel(fresh=True)
    done(battle, strike(), by="ann")
    done(battle, answer(battle, "t", "dodge"), by="bob")
    rolls = battle.table.state.rule.pending[-1].decisions
    assert [(each.kind, each.roll.purpose) for each in rolls] == [("roll", "attack")]
    told = []
    for roller, face in (("ann", 30), ("bob", 40)):
        [decision] = battle.table.state.rule.pending[-1].decisions
        roll = {"type": "answer", "decision_id": decision.id, "choice": {"type": "roll"}}
        told = done(battle, roll, face, by=roller)
    assert only(told, "attack_resolved")[0]["outcome"] == "avoided"


@pytest.mark.rule("SK-STAND-3")
def test_whoever_is_held_answers_nothing_more() -> None:
    standing = {"standing_roll": {"kind": "dodge", "natural": 12, "level": 2}}
    battle = duel(t=standing)
    effects = done(battle, do("grapple", target="t", against="the wall"), 45)
    assert only(effects, "condition_lost") == [
        {
            "type": "condition_lost",
            "combatant": "t",
            "condition": "standing_roll",
            "cause": "held",
            "rule": "SK-STAND-3",
        }
    ]


@pytest.mark.rule("SK-GRAB-1", "SK-GRAB-2")
def test_a_grapple_holds_and_whoever_is_held_is_easier_to_strike() -> None:
    battle = duel()
    effects = done(battle, do("grapple", target="t"), 45)
    assert only(effects, "link_changed") == [
        {
            "type": "link_changed",
            "link": "hold",
            "combatant": "t",
            "other": "a",
            "tied": True,
            "facts": {"natural": 45, "level": 2},
            "rule": "SK-GRAB-1",
        }
    ]
    assert sheet(battle, "a").holding == "t"
    [attack] = only(done(battle, strike(), 70, 1), "attack_resolved")
    assert (attack["outcome"], attack["detail"]["pool"]) == ("hit", 70)


@pytest.mark.rule("SK-GRAB-5")
def test_a_holder_who_is_held_or_felled_lets_go() -> None:
    held = {"held_by": {"holder": "b", "natural": 40, "level": 2}, "actions_left": 0}
    other = fighter("b", "blue", 0, 1, actions_left=0)
    battle = duel({}, held, other)
    effects = done(battle, do("grapple", target="b"), 45)
    assert [(each["tied"], each.get("cause")) for each in only(effects, "link_changed")] == [
        (True, None),
        (False, "holder_held"),
    ]
    weak = fighter("b", "blue", 0, 1, actions_left=0, health=3)
    battle = duel({}, held, weak)
    effects = done(battle, strike(target="b"), 45, 4)
    assert [each["cause"] for each in only(effects, "link_changed")] == ["holder_felled"]


@pytest.mark.rule("SK-FREE-1")
@pytest.mark.parametrize(
    ("dice", "outcome", "why"),
    [
        ((40, 40), "failure", "tie_to_holder"),
        ((30, 40), "failure", "die"),
        ((70, 90), "stalemate", None),
        ((60, 55), "success", "level"),
        ((44, 49), "success", "level"),
    ],
)
def test_breaking_free(dice: tuple[int, int], outcome: str, why: str | None) -> None:
    hold = {"held_by": {"holder": "t", "natural": 30, "level": 2}, "strength": 12}
    battle = duel(hold, fresh=True)
    effects = done(battle, do("break_free"), *dice)
    [check] = only(effects, "check_resolved")
    assert (check["outcome"], check.get("why"), check["needed"]) == (outcome, why, 60)
    causes = [each["cause"] for each in only(effects, "link_changed")]
    assert causes == (["broken_free"] if outcome == "success" else [])
    assert sheet(battle, "t").actions_left == 1


@pytest.mark.rule("SK-GRAB-5")
def test_letting_go() -> None:
    held = {"held_by": {"holder": "a", "natural": 30, "level": 2}}
    battle = duel(t=held, fresh=True)
    assert [each["cause"] for each in only(done(battle, do("release")), "link_changed")] == [
        "released"
    ]
    done(battle, do("move", "t", gait="dash", path=[{"x": 9, "y": 0}]))
