"""Hidden combatants and hidden cover: judged on what one may know, met as an outcome."""

from typing import Any

import pytest

from service.engine.log.canonical import encode
from service.errors import Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.seeker_d100.setups import (
    Tree,
    battle_of,
    do,
    fighter,
    only,
    seated,
    strike,
    wall,
    weapon,
)

GUN = {"id": "gun", "skill": "ranged", "damage": {"sides": 4}}
SURE = {"skills": {"ranged": 200, "heavy_weapons": 200, "demolitions": 200, "unarmed": 200}}


def hidden_wall(x: int, **more: Any) -> Tree:
    ground = {key: value for key, value in wall(x, **more).items() if key != "id"}
    return {"feature": "secret", "terrain": ground}


def battle(*more: Tree, t: Tree | None = None, **setup: Any) -> Table:
    """Red a with a gun that hits nearly always, and blue t eight metres away, who has acted."""
    combatants = [
        fighter("a", "red", 0, 0, weapons=[GUN, weapon("w_smg")], **SURE),
        fighter("t", "blue", 8, 0, **{"actions_left": 0, **(t or {})}),
        *more,
    ]
    setup = {"battle": battle_of(*combatants), **setup}
    table = seated({"combatants": combatants, **setup})
    table.ask({"type": "start_encounter"})
    return table


def seen_by(table: Table, seq: int, by: str) -> list[Tree]:
    """The effects of an event as somebody sees them."""
    shown: Any = table.shown(seq, by)
    effects: list[Tree] = shown["effects"]
    return effects


def test_hidden_cover_is_met_by_a_hit_and_known_from_then_on() -> None:
    table = battle(hidden_cover=[hidden_wall(4, armour=100)])
    assert "secrets" not in str(table.view("ann"))
    effects = effects_of(table.ask(strike("gun"), "ann"))
    assert [each["outcome"] for each in only(effects, "attack_resolved")] != ["miss"]
    [met] = only(effects, "terrain_changed")
    assert (met["cause"], met["changes"][0]["feature"]) == ("met", "secret")
    assert [each["amount"] for each in only(effects, "hurt")] == [0]
    assert table.state.rule.secrets == ()


def test_a_secret_may_be_that_a_cover_is_not_there() -> None:
    paper = {"feature": "wall", "removed": True}
    table = battle(map={"cover": [wall(4, armour=100)]}, hidden_cover=[paper])
    effects = effects_of(table.ask(strike("gun"), "ann"))
    assert [each["removed"] for each in only(effects, "terrain_changed")[0]["changes"]] == [True]
    assert only(effects, "hurt")[0]["amount"] > 0


def test_a_called_shot_is_judged_on_known_cover_and_meets_the_hidden_one() -> None:
    secret = hidden_wall(4, degree="large", exposed=["head"])
    called = do("called_shot", weapon="gun", target="t", part="left_leg")
    table = battle(hidden_cover=[secret])
    with pytest.raises(Refused, match="part_not_exposed"):
        table.ask(called)
    effects = effects_of(table.ask(called, "ann"))
    assert only(effects, "terrain_changed")[0]["cause"] == "met"
    assert only(effects, "attack_resolved")[0]["detail"]["pool"] == 160


def test_somebody_unseen_is_no_target_and_no_combatant() -> None:
    table = battle(fighter("h", "green", 5, 0, hidden=True))
    with pytest.raises(Refused) as raised:
        table.ask(strike("gun", target="h"), "ann")
    assert (raised.value.code, raised.value.params["allowed"]) == ("unknown_target", ["t"])
    for action in (do("aim", "h"), strike("gun", "h", "a")):
        with pytest.raises(Refused, match="unknown_combatant"):
            table.ask(action, "ann")


def test_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False}
    shots = []
    for arm in (GUN, weapon("w_heavy_rifle", id="gun")):
        unseen = fighter("h", "green", 5, 5, weapons=[arm], hidden=True, skills={"ranged": 0})
        table = battle(unseen, options=options)
        table.ask(do("end_turn"))
        event = table.ask(strike("gun", "h"))
        shown: Any = table.shown(event.seq, "eve")
        assert "action" not in shown
        assert shown["draws"] == []
        assert [each for each in shown["effects"] if each["type"] == "attack_resolved"] == [
            {"type": "attack_resolved", "target": "t", "outcome": "miss", "rule": "SK-ATK-1"}
        ]
        shots.append(shown["effects"])
        assert {draw.stream for draw in event.draws} == {3}
    assert shots[0] == shots[1]


def test_an_unseen_weapon_is_not_known_by_the_wound() -> None:
    wounds = []
    for arm in ({"damage": {"count": 1, "sides": 1, "bonus": 999}}, {"lethality": 100}):
        gun = {"id": "gun", "skill": "ranged", **arm}
        unseen = fighter("h", "green", 5, 5, weapons=[gun], hidden=True, **SURE)
        table = battle(unseen, options={"attack_reveals": False}, t={"health": 4})
        table.ask(do("end_turn"))
        shown: Any = table.shown(table.ask(strike("gun", "h")).seq, "eve")
        wounds.append([{**each, "amount": 0} for each in only(shown["effects"], "hurt")])
    assert wounds[0] == wounds[1]
    assert wounds[0][0]["rule"] == "SK-DMG-1"


def test_an_unseen_roll_is_not_known_by_what_armour_stopped() -> None:
    wounds = []
    for bonus in (1, 7):
        gun = {"id": "gun", "skill": "ranged", "damage": {"sides": 1, "bonus": bonus}}
        unseen = fighter("h", "green", 5, 5, weapons=[gun], hidden=True, **SURE)
        hidden = {"attack_reveals": False, "critical_doubles_damage": False}
        table = battle(unseen, options=hidden, t={"body_armour": {"value": 9}})
        table.ask(do("end_turn"))
        seq = table.ask(strike("gun", "h")).seq
        wounds.append(only(seen_by(table, seq, "eve"), "hurt"))
        [told] = only(seen_by(table, seq, "gm"), "hurt")
        facts = {"roll": 1, "bonus": bonus, "damage": 1 + bonus}
        assert told["reports"] == [
            {"combatant": "h", "about": "damage", "rules": ["SK-DMG-1"], "facts": facts}
        ]
    assert wounds[0] == wounds[1]
    line = {"rule": "SK-ARM-2", "amount": -9, "note": "body_armour"}
    assert (wounds[0][0]["breakdown"], wounds[0][0]["reports"]) == ([line], [])


def test_how_somebody_unseen_struck_is_not_known_by_the_answer() -> None:
    standing = {"standing_roll": {"kind": "dodge", "natural": 99, "level": 3}}
    answers = []
    for delivery in ("melee", "thrown", "arrow"):
        arm = {"id": "arm", "skill": "ranged", "delivery": delivery, "damage": {"sides": 4}}
        unseen = fighter("h", "green", 8, 1, weapons=[arm], hidden=True, **SURE)
        table = battle(unseen, options={"attack_reveals": False}, t=standing)
        table.ask(do("end_turn"))
        seq = table.ask(strike("arm", "h")).seq
        answers.append(
            [each["answered"] for each in only(seen_by(table, seq, "eve"), "attack_resolved")]
        )
    assert answers[0] == answers[1] == answers[2]
    told = {"combatant": "t", "kind": "standing", "natural": 99, "level": 3}
    won = {"outcome": "success", "why": "level", "rules": ["SK-DODGE-1", "SK-OPP-1"]}
    assert answers[0] == [{**told, **won}]


def test_an_order_goes_by_the_cards_that_everybody_knows() -> None:
    def told(card: int) -> Tree:
        unseen = fighter("h", "green", 5, 5, hidden=True)
        cards = {"a": 48, "t": 44, "h": card}
        drawn = [{"combatant": each, "card": index} for each, index in cards.items()]
        table = battle(unseen, battle={"round": 1, "cards": drawn, "turn": "a"})
        [order] = only(seen_by(table, 1, "eve"), "order_set")
        return order

    assert told(49) == told(4)
    assert told(49)["rules"] == ["SK-INIT-4"]


def test_the_game_master_knows_what_an_unseen_weapon_did() -> None:
    gun = {"id": "gun", "skill": "ranged", "lethality": 100}
    unseen = fighter("h", "green", 5, 5, weapons=[gun], hidden=True, **SURE)
    table = battle(unseen, options={"attack_reveals": False})
    table.ask(do("end_turn"))
    seq = table.ask(strike("gun", "h")).seq
    reports = {by: only(seen_by(table, seq, by), "hurt")[0]["reports"] for by in ("gm", "eve")}
    assert reports["eve"] == []
    assert [(each["combatant"], each["rules"]) for each in reports["gm"]] == [
        ("h", ["SK-LETH-4"]),
    ]


@pytest.mark.parametrize("rounds", [{"ammo": 9}, {}])
def test_hidden_rounds_are_not_counted_for_others(rounds: Tree) -> None:
    def world(more: Tree) -> Table:
        gun = {"id": "gun", "skill": "ranged", "damage": {"sides": 4}, **more}
        table = battle(
            t={"actions_left": 1, "weapons": [gun], **SURE},
            options={"enemy_numbers": "hidden", "reactions": "none"},
        )
        table.ask(do("end_turn"), "ann")
        table.ask(strike("gun", "t", "a"), "bob")
        return table

    one, other = world({"ammo": 5}), world(rounds)
    for by in ("ann", "eve"):
        assert encode(one.shown(4, by)) == encode(other.shown(4, by))
        assert encode(one.view(by)) == encode(other.view(by))
    told = only(seen_by(one, 4, "bob"), "resource_changed")
    assert [(each["resource"], each["now"]) for each in told] == [("ammo", 4), ("action", 0)]
    assert [each["resource"] for each in only(seen_by(one, 4, "ann"), "resource_changed")] == [
        "action"
    ]


def test_hidden_rounds_that_the_game_master_gives_look_like_nothing() -> None:
    table = battle(options={"enemy_numbers": "hidden"})
    rounds = {"type": "resource", "resource": "ammo", "item": "gun", "combatant": "a", "value": 7}
    action = {"type": "resource", "resource": "action", "combatant": "t", "value": 1}
    event = table.ask({"type": "adjust", "changes": [rounds]})
    shown: Any = table.shown(event.seq, "bob")
    assert "action" not in shown
    assert shown["effects"] == []
    event = table.ask({"type": "adjust", "changes": [rounds, action]})
    shown = table.shown(event.seq, "bob")
    assert shown["action"]["changes"] == [action]


def test_nobody_is_asked_about_an_attacker_it_may_not_know() -> None:
    for reveals, is_asked in ((True, True), (False, False)):
        unseen = fighter("h", "green", 8, 1, hidden=True)
        combatants = [unseen, fighter("t", "blue", 8, 0)]
        table = seated(
            {
                "combatants": combatants,
                "battle": battle_of(*combatants),
                "options": {"attack_reveals": reveals},
            }
        )
        table.ask({"type": "start_encounter"})
        table.ask(strike(combatant="h"))
        assert bool(table.questions) == is_asked


def test_a_standing_roll_serves_against_the_unseen_and_a_stance_does_not() -> None:
    unseen = fighter("h", "green", 8, 1, hidden=True, skills={"unarmed": 0})
    standing = {"standing_roll": {"kind": "dodge", "natural": 40, "level": 2}}
    for t, is_answered in ((standing, True), ({"answering": {"kind": "dodge"}}, False)):
        table = battle(unseen, t=t, options={"attack_reveals": False})
        table.ask(do("end_turn"))
        effects = effects_of(table.ask(strike(combatant="h")))
        assert ("answered" in only(effects, "attack_resolved")[0]) == is_answered


def test_nobody_holds_another_unseen() -> None:
    unseen = fighter("h", "green", 8, 1, hidden=True, **SURE)
    table = battle(unseen, options={"attack_reveals": False})
    table.ask(do("end_turn"))
    effects = effects_of(table.ask(do("grapple", "h", target="t")))
    assert [each["type"] for each in effects if each["type"] in ("revealed", "link_changed")] == [
        "revealed",
        "link_changed",
    ]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_hidden_victim_of_a_burst_changes_nothing_that_others_see(is_there: bool) -> None:
    def world(x: int) -> Table:
        hidden = fighter("h", "green", x, 1, hidden=True, actions_left=0, health=100)
        table = battle(hidden)
        table.ask(strike("w_smg", radius=1), "ann")
        return table

    one, other = world(8 if is_there else 60), world(60)
    for by in ("ann", "bob", "eve"):
        assert encode(one.shown(3, by)) == encode(other.shown(3, by))
        assert encode(one.view(by)) == encode(other.view(by))
    streams = {draw.stream for draw in one.events[-1].draws}
    assert (3 in streams) == (is_there and "hit" in str(effects_of(one.events[-1])))


BOMB = {
    "id": "bomb",
    "skill": "demolitions",
    "damage": {"count": 2, "sides": 6},
    "radius": {"min": 2, "max": 2},
}


@pytest.mark.rule("SK-AREA-1")
@pytest.mark.parametrize(
    ("x", "streams"),
    [(8, {0}), (30, {0, 3})],
    ids=["beside one whom all see", "alone"],
)
def test_the_damage_of_a_burst_is_rolled_where_all_see_it_if_they_see_a_victim(
    x: int, streams: set[int]
) -> None:
    unseen = fighter("h", "green", x, 1, hidden=True, actions_left=0, health=100)
    combatants = [
        fighter("a", "red", 0, 0, weapons=[BOMB], **SURE),
        fighter("t", "blue", 8, 0, actions_left=0, health=100),
        unseen,
    ]
    table = seated({"combatants": combatants, "battle": battle_of(*combatants)})
    table.ask({"type": "start_encounter"})
    event = table.ask(do("attack", weapon="bomb", point={"x": x, "y": 0}))
    assert [each["type"] for each in effects_of(event)].count("hurt") >= 1
    assert {draw.stream for draw in event.draws} == streams
    assert [draw.stream for draw in event.draws if draw.purpose == "damage"] == [max(streams)] * 2


def test_nobody_else_learns_that_somebody_unseen_is_asked() -> None:
    hidden = fighter("h", "green", 8, 1, hidden=True)
    table = battle(hidden, map={"cover": [wall(10)]})
    event = table.ask(strike("w_smg", radius=1), "ann")
    [(decision, who)] = table.questions
    assert (who, decision[:4]) == ("h", "d3.c")
    shown: Any = table.shown(event.seq, "eve")
    assert only(shown["effects"], "decision_opened") == []
    with pytest.raises(Refused) as raised:
        table.ask(do("aim"), "ann")
    assert (raised.value.code, raised.value.params) == ("decision_pending", {"decisions": []})
    with pytest.raises(Refused, match="decision_closed"):
        table.ask({"type": "answer", "decision_id": decision, "choice": {"type": "pass"}}, "bob")
    table.ask({"type": "answer", "decision_id": decision, "choice": {"type": "pass"}})
    assert table.questions == []


def test_cover_set_in_secret_and_all_about_the_hidden_look_alike() -> None:
    hidden = fighter("h", "green", 20, 9, hidden=True)
    one, other = battle(hidden), battle(hidden)
    secret = {"type": "set_terrain", "changes": [hidden_wall(30)], "secret": True}
    word = {"type": "adjust", "changes": [{"type": "hp", "combatant": "h", "value": 5}]}
    first, second = one.ask(secret), other.ask(word)
    for by in ("ann", "bob", "eve"):
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))


def test_hidden_numbers_stay_with_their_side() -> None:
    options = {"enemy_numbers": "hidden", "enemy_health": "band"}
    table = battle(options=options)
    seen: Any = table.view("bob")
    enemy = next(each for each in seen["combatants"] if each["id"] == "a")
    assert {"strength", "dexterity", "health"}.isdisjoint(enemy)
    assert enemy["skills"] == {}
    event = table.ask(strike("gun"), "ann")
    shown: Any = table.shown(event.seq, "bob")
    [attack] = only(shown["effects"], "attack_resolved")
    assert {"base", "pool", "breakdown"}.isdisjoint(attack["detail"])
