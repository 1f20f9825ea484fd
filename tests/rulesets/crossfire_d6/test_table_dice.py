"""Dice that players roll themselves: who is asked for which, in words that can be shown."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.errors import Forbidden, Refused
from service.replay.audit.audits import audit_bundle
from service.rulesets import RULESETS
from service.rulesets.crossfire_d6.catalogue import TERMS
from tests.replay.evidence import bundle_of
from tests.rulesets.crossfire_d6.table import Table, blade, fighter, in_progress, rifle
from tests.rulesets.naming import require_named
from tests.rulesets.seated import effects_of
from tests.toy.sweeps import CLOCK

SHOT = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
PURPOSES = ("initiative", "attack", "damage", "hide")


def battle(pinned: int = 0, **more: Any) -> Table:
    """Ann's a and Bob's t, who may be pinned down by him; the table rolls."""
    sheet = {"ranged_defence": 7, "agi_pool": 2, "weapons": [rifle()], "pin_count": pinned}
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle(attack_dice=2), blade()], int_pool=3),
        fighter("t", "blue", 4, 0, **sheet),
    ]
    setup = {"combatants": people, "battle": in_progress("a", "t"), **more}
    table = Table(setup, dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


def question(table: Table, by: str) -> Any:
    """What is asked, as somebody sees it."""
    view: Any = table.view(by)
    [asked] = view["pending"][-1]["decisions"]
    return asked


def rolled(table: Table) -> Mapping[str, Any]:
    [decision] = table.state.rule.pending[-1].decisions
    return {"type": "answer", "decision_id": decision.id, "choice": {"type": "roll"}}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_purpose_of_a_roll_is_a_term(language: str) -> None:
    terms = {term.id: getattr(term, language) for term in TERMS}
    assert all(terms[purpose] for purpose in PURPOSES)


def test_a_player_who_shoots_is_asked_for_each_roll_in_its_turn() -> None:
    table = battle()
    table.ask(SHOT, "ann")
    for by in ("ann", "bob", "eve", "gm"):
        asked = question(table, by)
        assert (asked["kind"], asked["seat"], asked["options"]) == ("roll", "ann", ["roll"])
        assert asked["roll"] == {"purpose": "attack", "count": 2, "sides": 6}
    table.ask(rolled(table), "ann", (6, 6))
    assert question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    event = table.ask(rolled(table), "ann", (5, 4))
    assert [(draw.purpose, draw.face) for draw in event.draws] == [("damage", 5), ("damage", 4)]
    assert "dice" not in str(effects_of(event))
    assert table.state.rule.pending == ()


# --- the game master's word while an action waits for its next dice -------------------------------


def adjusted(*changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "adjust", "changes": list(changes)}


PRONE = {"type": "condition", "combatant": "t", "condition": "prone"}


def hit(*faces: int) -> Table:
    """Ann's shot has hit with three dice, whose event is 4, and waits for two of damage."""
    table = battle()
    table.ask(adjusted({"type": "pin", "combatant": "t", "count": 1}))
    table.ask(SHOT, "ann")
    assert question(table, "ann")["roll"] == {"purpose": "attack", "count": 3, "sides": 6}
    table.ask(rolled(table), "ann", faces)
    assert question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    return table


def drawn(number: int, seq: int, **count: int) -> dict[str, int]:
    return {"stream": 0, "number": number, "seq": seq, **count}


def test_dice_of_the_attack_that_count_no_more_are_no_dice_of_damage() -> None:
    table = hit(6, 4, 1)
    event = table.ask(adjusted(PRONE))
    assert [each["type"] for each in effects_of(event)] == [
        "adjusted",
        "condition_gained",
        "decision_closed",
        "decision_opened",
    ]
    assert question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    happened = table.ask(rolled(table), "ann", (5, 4))
    effects = {each["type"]: each for each in effects_of(happened)}
    assert effects["attack_resolved"]["detail"]["roll"] == {
        "sides": 6,
        "faces": [6, 4],
        "total": 10,
        "draws": [drawn(1, 5)],
    }
    assert effects["hurt"]["source"]["roll"]["faces"] == [5, 4]
    assert [(draw.purpose, draw.face) for draw in happened.draws] == [("damage", 5), ("damage", 4)]
    require_sound(table)


def test_an_action_that_needs_fewer_dice_now_happens_with_those() -> None:
    table = hit(6, 4, 1)
    hard = {"type": "stat", "combatant": "t", "stat": "ranged_defence", "value": 11}
    event = table.ask(adjusted(PRONE, hard))
    [attack] = [each for each in effects_of(event) if each["type"] == "attack_resolved"]
    assert (attack["outcome"], attack["detail"]["roll"]["faces"]) == ("miss", [6, 4])
    assert event.draws == ()
    assert table.state.rule.pending == ()
    require_sound(table)


def test_an_action_that_needs_more_dice_now_asks_for_those_besides() -> None:
    table = hit(6, 4, 1)
    event = table.ask(adjusted({"type": "pin", "combatant": "t", "count": 2}))
    assert event.draws == ()
    assert question(table, "ann")["roll"] == {"purpose": "attack", "count": 1, "sides": 6}
    table.ask(rolled(table), "ann", (2,))
    assert question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    happened = table.ask(rolled(table), "ann", (5, 4))
    effects = {each["type"]: each for each in effects_of(happened)}
    roll = effects["attack_resolved"]["detail"]["roll"]
    assert roll["faces"] == [6, 4, 1, 2]
    assert roll["draws"] == [drawn(1, 5, count=3), drawn(1, 7, count=1)]
    require_sound(table)


def require_sound(table: Table) -> None:
    """Each draw is named once, for everybody, and the log decides to the same again."""
    require_named(table)
    report = audit_bundle(bundle_of(table), RULESETS)
    assert report.clean, report.first_failure


def test_whoever_is_hidden_from_rolls_against_it() -> None:
    table = battle(pinned=1)
    table.ask({"type": "end_turn", "combatant": "a"}, "ann")
    table.ask({"type": "hide", "combatant": "t", "against": "a"}, "bob")
    asked = question(table, "bob")
    assert (asked["seat"], asked["roll"]) == ("bob", {"purpose": "hide", "count": 2, "sides": 6})
    table.ask(rolled(table), "bob", (4, 4))
    asked = question(table, "ann")
    assert "seat" not in asked
    assert (asked["side"], asked["roll"]) == ("red", {"purpose": "hide", "count": 3, "sides": 6})
    table.ask(rolled(table), "ann", (1, 1, 1))
    assert table.state.rule.pending == ()


def test_whoever_plays_one_combatant_of_a_side_rolls_what_the_side_is_asked() -> None:
    table = battle(pinned=1)
    table.ask(playing("ann", "a"))
    table.ask(playing("bob", "t"))
    table.ask({"type": "end_turn", "combatant": "a"}, "ann")
    table.ask({"type": "hide", "combatant": "t", "against": "a"}, "bob")
    table.ask(rolled(table), "bob", (4, 4))
    with pytest.raises(Forbidden) as refused:
        table.ask(rolled(table), "bob", (1, 1, 1))
    assert refused.value.code == "not_your_decision"
    table.ask(rolled(table), "ann", (1, 1, 1))
    assert table.state.rule.pending == ()


def playing(seat: str, combatant: str) -> Mapping[str, Any]:
    """The game master's word that a seat plays this one and no side as a whole."""
    return {"type": "change_seat", "seat": seat, "sides": [], "combatants": [combatant]}


@pytest.mark.parametrize(
    ("by", "faces", "code"),
    [
        ("bob", (6, 6), "not_your_decision"),
        ("eve", (6, 6), "observer_cannot_act"),
        ("ann", (), "too_few_faces"),
        ("ann", (6,), "too_few_faces"),
        ("ann", (6, 6, 6), "too_many_faces"),
        ("ann", (0, 6), "impossible_face"),
        ("ann", (6, 7), "impossible_face"),
    ],
)
def test_other_dice_and_those_of_others_are_not_taken(
    by: str, faces: tuple[int, ...], code: str
) -> None:
    table = battle()
    table.ask(SHOT, "ann")
    with pytest.raises(Exception, match=code):
        table.ask(rolled(table), by, faces)
    table.ask(rolled(table), "ann", (1, 1))


def test_a_roll_is_neither_passed_nor_timed_out() -> None:
    table = battle()
    table.ask(SHOT, "ann")
    for reason in ("choice", "timeout"):
        with pytest.raises(Refused, match="wrong_choice"):
            table.ask({**rolled(table), "choice": {"type": "pass", "reason": reason}}, "ann")
    table.ask({"type": "force_pass", "decision_id": rolled(table)["decision_id"]})
    assert table.state.rule.pending == ()


# --- time -----------------------------------------------------------------------------------------


def test_a_turn_whose_time_is_over_is_ended_by_the_service() -> None:
    table = battle(options={"turn_seconds": 30, "decision_seconds": 20})
    event = table.act(table.read({"type": "end_turn", "combatant": "a"}), CLOCK)
    assert effects_of(event)[0] == {"type": "turn_ended", "combatant": "a", "cause": "timeout"}
    assert table.turn == "t"
    with pytest.raises(Refused, match="not_your_turn"):
        table.act(table.read({"type": "end_turn", "combatant": "a"}), CLOCK)
    told: Any = table.view("eve")
    assert (told["options"]["turn_seconds"], told["options"]["decision_seconds"]) == (30, 20)


def test_an_unseen_turn_whose_time_is_over_is_nobodys_to_the_others() -> None:
    table = battle(options={"turn_seconds": 30})
    table.ask({"type": "adjust", "changes": [{"type": "hide", "combatant": "a"}]})
    event = table.act(table.read({"type": "end_turn", "combatant": "a"}), CLOCK)
    seen: Any = table.shown(event.seq, "bob")
    assert seen["effects"][0] == {"type": "turn_ended", "cause": "timeout"}
    assert "action" not in seen
