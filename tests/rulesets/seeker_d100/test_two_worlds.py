"""What those who do not know are shown of an attack by somebody unseen, and of hidden numbers."""

from typing import Any

from service.engine.log.canonical import encode
from tests.kit.table import effects_of
from tests.kit.two_worlds import adjusted, both, compare, end_turn, pair
from tests.rulesets.seeker_d100.setups import (
    RULESET,
    battle_of,
    fighter,
    only,
    reply,
    seated,
    weapon,
)
from tests.rulesets.seeker_d100.worlds import HIDDEN, duel, plain_and_odd


def test_cards_of_those_unseen_do_not_change_those_that_everybody_sees() -> None:
    crowd = [fighter(f"h{n}", "green", 9, n, hidden=True) for n in range(4)]
    setups = [duel(*crowd[:1]), duel(*reversed(crowd))]
    tables = []
    for setup in setups:
        tables.append(seated({name: value for name, value in setup.items() if name != "battle"}))
        tables[-1].ask({"type": "start_encounter"})
    one, other = tables
    drawn = [
        [(draw.combatant, draw.face) for draw in table.events[-1].draws if draw.stream == 0]
        for table in tables
    ]
    assert drawn[0] == drawn[1]
    assert [who for who, _ in drawn[0]] == ["a", "t"]
    assert encode(one.view("eve")["cards"]) == encode(other.view("eve")["cards"])


def test_an_unseen_attacker_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False}
    blind = dict.fromkeys(("ranged", "melee_weapon"), 0)
    gun, blade = weapon("w_hmg", skill="ranged"), weapon("w_machete")
    one, other = pair(
        RULESET,
        duel(
            fighter("h", "green", 0, 9, weapons=[weapon("w_rifle")], skills=blind, hidden=True),
            options=options,
        ),
        duel(
            fighter("h", "green", 1, 1, weapons=[blade, gun], skills=blind, hidden=True),
            options=options,
        ),
    )
    both(one, other, end_turn("a"))
    both(one, other, end_turn("t"))
    first, second = (
        {"type": "attack", "combatant": "h", "weapon": weapon, "target": "a"}
        for weapon in ("w_rifle", "w_machete")
    )
    compare(one, other, one.ask(first), other.ask(second))
    seen: Any = one.shown(len(one.events), "eve")
    assert "action" not in seen
    assert seen["draws"] == []
    assert only(seen["effects"], "attack_resolved") == [
        {"type": "attack_resolved", "target": "a", "outcome": "miss", "rule": "SK-ATK-1"}
    ]


def test_a_wound_does_not_tell_what_kind_of_weapon_somebody_unseen_has() -> None:
    options = {"attack_reveals": False, "enemy_health": "none", "attack_roll_kills": False}
    sharp = {"ranged": 200}
    worlds = []
    for harm in ({"lethality": 1}, {"damage": {"sides": 4}}):
        gun = {"id": "gun", "skill": "ranged", **harm}
        sniper = fighter("h", "green", 0, 9, weapons=[gun], skills=sharp, hidden=True)
        setup = duel(sniper, options=options)
        setup["combatants"][0] |= {"health": 1000}
        worlds.append(setup)
    one, other = seated(worlds[0]), seated(worlds[1])
    for table in (one, other):
        table.ask({"type": "start_encounter"})
        table.ask(end_turn("a"))
        table.ask(end_turn("t"))
        table.ask({"type": "attack", "combatant": "h", "weapon": "gun", "target": "a"})
        assert only(effects_of(table.events[-1]), "hurt")
    for by in ("bob", "eve"):
        assert encode(one.shown(5, by)) == encode(other.shown(5, by))


# --- hidden numbers -------------------------------------------------------------------------------


def test_how_many_rounds_are_left_is_the_sides_own_number() -> None:
    tables = []
    for ammo in (5, 9):
        gun = weapon("w_pistol_small", ammo=ammo)
        people = [
            fighter("t", "blue", 1, 0, weapons=[gun]),
            fighter("a", "red", 0, 0),
        ]
        table = seated({"combatants": people, "options": HIDDEN, "battle": battle_of(*people)})
        table.ask({"type": "start_encounter"})
        table.ask({"type": "attack", "combatant": "t", "weapon": gun["id"], "target": "a"}, "bob")
        change = {"type": "resource", "combatant": "t", "resource": "ammo"}
        table.ask(adjusted({**change, "item": gun["id"], "value": ammo + 1}))
        tables.append(table)
    one, other = tables
    for by in ("ann", "eve"):
        for seq in range(1, 5):
            assert encode(one.shown(seq, by)) == encode(other.shown(seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
    assert encode(one.view("bob")) != encode(other.view("bob"))


def test_an_answer_of_hidden_skill_shows_its_roll_and_how_it_ended_no_more() -> None:
    table = seated(plain_and_odd()[0])
    table.ask({"type": "start_encounter"})
    table.ask({"type": "attack", "combatant": "a", "weapon": "w_machete", "target": "t"}, "ann")
    done = table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    seen: Any = table.shown(done.seq, "ann")
    [attack] = only(seen["effects"], "attack_resolved")
    assert {"needed", "breakdown"}.isdisjoint(attack["answered"])
