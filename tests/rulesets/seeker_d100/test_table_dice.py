"""Dice that players roll themselves: the rolls that only this rulebook has."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.errors import Refused
from tests.kit.given_when_then import rolled as roll
from tests.kit.table import Table, effects_of
from tests.kit.table_dice import require_sound, roll_answer, roll_question
from tests.rulesets.seeker_d100.setups import battle_of, fighter, only, reply, wall, weapon
from tests.rulesets.seeker_d100.table_dice import BLOW, battle
from tests.toy.sweeps import CLOCK

Asked = tuple[object, object, dict[str, Any]]


def asked(table: Table, by: str = "eve") -> Asked:
    """Seat and side that are asked for dice, and for which, as somebody sees it."""
    decision = roll_question(table, by)
    assert (decision["kind"], decision["options"]) == ("roll", ["roll"])
    return decision.get("seat"), decision.get("side"), decision["roll"]


def d100(purpose: str) -> dict[str, Any]:
    return {"purpose": purpose, "count": 1, "sides": 100}


def test_whoever_attacks_and_whoever_dodges_roll_for_themselves() -> None:
    table = battle()
    table.ask(BLOW, "ann")
    table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    assert asked(table) == (None, "red", d100("attack"))
    first = effects_of(table.ask(roll_answer(table), "ann", (30,)))
    assert first[0]["roll"] == roll(100, 30), "nothing else tells of the face while the blow waits"
    assert asked(table) == ("bob", None, d100("dodge"))
    event = table.ask(roll_answer(table), "bob", (45,))
    assert [(draw.purpose, draw.face, draw.combatant) for draw in event.draws] == [
        ("dodge", 45, "t")
    ]
    [attack] = only(effects_of(event), "attack_resolved")
    assert attack["detail"]["roll"] == roll(100, 30, seq=event.seq - 1)
    assert attack["answered"]["roll"] == roll(100, 45)


def test_damage_is_rolled_by_whoever_deals_it() -> None:
    table = battle()
    table.ask(BLOW, "ann")
    table.ask(reply(table, "t", {"type": "pass"}), "bob")
    table.ask(roll_answer(table), "ann", (30,))
    seat, side, roll = asked(table)
    assert (seat, side, roll["purpose"]) == (None, "red", "damage")
    event = table.ask(roll_answer(table), "ann", (3,) * roll["count"])
    assert only(effects_of(event), "hurt")


# --- the game master's word while an attack waits -------------------------------------------------


def adjusted(*changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "adjust", "changes": list(changes)}


UNAWARE = {"type": "condition", "combatant": "t", "condition": "unaware"}
CLUMSY = {"type": "stat", "combatant": "a", "stat": "melee_weapon", "value": 10}


def outcomes(effects: list[dict[str, Any]]) -> list[tuple[str, list[int]]]:
    """How attacks ended, and with which faces."""
    resolved = only(effects, "attack_resolved")
    return [(each["outcome"], each["detail"]["roll"]["faces"]) for each in resolved]


@pytest.mark.parametrize("is_asked_for_dice", [False, True])
def test_an_attack_that_nobody_can_answer_any_more_goes_on_with_the_dice_that_come_along(
    is_asked_for_dice: bool,
) -> None:
    table = battle()
    table.ask(BLOW, "ann")
    if is_asked_for_dice:
        table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    before = len(table.events)
    for faces in ((), (20,)):
        with pytest.raises(Refused, match="too_few_faces"):
            table.ask(adjusted(UNAWARE), dice=faces)
    assert len(table.events) == before
    event = table.ask(adjusted(UNAWARE), dice=(20, 3))
    assert [(draw.purpose, draw.face) for draw in event.draws] == [("attack", 20), ("damage", 3)]
    assert outcomes(effects_of(event)) == [("hit", [20])]
    assert table.state.rule.pending == ()
    require_sound(table)


@pytest.mark.parametrize("dodge", [(), (90,)], ids=["dodge asked for", "damage asked for"])
def test_an_attack_that_goes_on_keeps_the_die_that_was_rolled_for_it(
    dodge: tuple[int, ...],
) -> None:
    table = battle()
    table.ask(BLOW, "ann")
    table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    attacked = table.ask(roll_answer(table), "ann", (20,))
    if dodge:
        table.ask(roll_answer(table), "bob", dodge)
    with pytest.raises(Refused) as refused:
        table.ask(adjusted(UNAWARE))
    assert (refused.value.code, refused.value.params["purpose"]) == ("too_few_faces", "damage")
    assert refused.value.params["needed"] == 1
    with pytest.raises(Refused, match="impossible_face"):
        table.ask(adjusted(UNAWARE), dice=(20, 3))
    event = table.ask(adjusted(UNAWARE), dice=(3,))
    assert [(draw.purpose, draw.face) for draw in event.draws] == [("damage", 3)]
    effects = effects_of(event)
    assert outcomes(effects) == [("hit", [20])]
    [attack] = only(effects, "attack_resolved")
    assert attack["detail"]["roll"]["draws"] == [{"stream": 0, "number": 1, "seq": attacked.seq}]
    assert [each["how"] for each in only(effects, "decision_closed")] == ["void", "void"]
    assert table.state.rule.pending == ()
    require_sound(table)


def test_an_attack_that_needs_no_more_dice_now_happens_with_those_that_it_has() -> None:
    table = battle()
    table.ask(BLOW, "ann")
    table.ask(reply(table, "t", {"type": "pass"}), "bob")
    table.ask(roll_answer(table), "ann", (20,))
    assert asked(table)[2] == {"purpose": "damage", "count": 1, "sides": 8}
    event = table.ask(adjusted(CLUMSY))
    assert event.draws == ()
    effects = effects_of(event)
    assert outcomes(effects) == [("miss", [20])]
    closed = [(each["how"], each.get("choice")) for each in only(effects, "decision_closed")]
    assert closed == [("void", None), ("passed", "pass")]
    assert table.state.rule.pending == ()
    require_sound(table)


def test_what_changes_nothing_about_the_dice_leaves_the_question_and_the_faces() -> None:
    table = battle()
    table.ask(BLOW, "ann")
    table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    table.ask(roll_answer(table), "ann", (20,))
    before = table.state.rule.pending
    table.ask(adjusted(CLUMSY))
    assert table.state.rule.pending == before
    event = table.ask(roll_answer(table), "bob", (50,))
    assert outcomes(effects_of(event)) == [("miss", [20])]
    require_sound(table)


def test_a_leap_behind_cover_is_rolled_by_whoever_leaps() -> None:
    thrower = fighter("a", "red", 0, 0, weapons=[weapon("w_grenade")])
    people = [thrower, fighter("t", "blue", 20, 0)]
    table = battle(combatants=people, map={"cover": [wall(22)]}, battle=battle_of(*people))
    throw = {"type": "attack", "combatant": "a", "weapon": "w_grenade", "target": "t"}
    table.ask(throw, "ann")
    dives = [each for each in table.samples("t", 20, "bob") if "take_cover" in str(each)]
    table.ask(dives[0], "bob")
    purposes = []
    while table.state.rule.pending:
        seat, side, roll = asked(table)
        purposes.append((roll["purpose"], seat or side))
        table.ask(
            roll_answer(table), "ann" if "red" in (seat, side) else "bob", (50,) * roll["count"]
        )
    assert purposes[:2] == [("attack", "red"), ("take_cover", "bob")]


# --- time -----------------------------------------------------------------------------------------


def end(combatant: str) -> Mapping[str, Any]:
    return {"type": "end_turn", "combatant": combatant}


@pytest.mark.parametrize("who", ["held", "holding"])
def test_neither_who_is_held_nor_who_holds_keeps_a_turn_for_ever(who: str) -> None:
    table = battle({"turn_seconds": 30})
    table.ask({"type": "grapple", "combatant": "a", "target": "t"}, "ann")
    table.ask(reply(table, "t", {"type": "pass"}), "bob")
    table.ask(roll_answer(table), "ann", (1,))
    assert table.combatant("a").holding == "t"
    assert table.turn == "t"
    if who == "holding":
        table.act(table.read(end("t")), CLOCK)
        assert table.turn == "a"
    turn = str(table.turn)
    ended = only(effects_of(table.act(table.read(end(turn)), CLOCK)), "turn_ended")
    assert [(each["combatant"], each["cause"]) for each in ended] == [(turn, "timeout")]


def test_an_answer_whose_time_is_over_asks_the_others_for_their_dice() -> None:
    table = battle({"decision_seconds": 20})
    table.ask(BLOW, "ann")
    late = reply(table, "t", {"type": "pass", "reason": "timeout"})
    table.act(table.read(late), CLOCK)
    assert asked(table) == (None, "red", d100("attack"))
    event = table.ask(roll_answer(table), "ann", (99,))
    closed = only(effects_of(event), "decision_closed")
    assert [(each["how"], each["choice"]) for each in closed] == [
        ("answered", "roll"),
        ("timeout", "pass"),
    ]
