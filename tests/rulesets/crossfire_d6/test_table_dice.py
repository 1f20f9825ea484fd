"""Dice that players roll themselves: the rolls that only this rulebook has."""

from collections.abc import Mapping
from typing import Any

from tests.kit.table import Table, effects_of
from tests.kit.table_dice import require_sound, roll_answer, roll_question
from tests.rulesets.crossfire_d6.table_dice import SHOT, battle


def test_a_player_who_shoots_is_asked_for_each_roll_in_its_turn() -> None:
    table = battle()
    table.ask(SHOT, "ann")
    for by in ("ann", "bob", "eve", "gm"):
        asked = roll_question(table, by)
        assert (asked["kind"], asked["seat"], asked["options"]) == ("roll", "ann", ["roll"])
        assert asked["roll"] == {"purpose": "attack", "count": 2, "sides": 6}
    table.ask(roll_answer(table), "ann", (6, 6))
    assert roll_question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    event = table.ask(roll_answer(table), "ann", (5, 4))
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
    assert roll_question(table, "ann")["roll"] == {"purpose": "attack", "count": 3, "sides": 6}
    table.ask(roll_answer(table), "ann", faces)
    assert roll_question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
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
    assert roll_question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    happened = table.ask(roll_answer(table), "ann", (5, 4))
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
    assert roll_question(table, "ann")["roll"] == {"purpose": "attack", "count": 1, "sides": 6}
    table.ask(roll_answer(table), "ann", (2,))
    assert roll_question(table, "ann")["roll"] == {"purpose": "damage", "count": 2, "sides": 6}
    happened = table.ask(roll_answer(table), "ann", (5, 4))
    effects = {each["type"]: each for each in effects_of(happened)}
    roll = effects["attack_resolved"]["detail"]["roll"]
    assert roll["faces"] == [6, 4, 1, 2]
    assert roll["draws"] == [drawn(1, 5, count=3), drawn(1, 7, count=1)]
    require_sound(table)


def test_the_side_hidden_from_rolls_against_it() -> None:
    table = battle(pinned=1)
    table.ask({"type": "end_turn", "combatant": "a"}, "ann")
    table.ask({"type": "hide", "combatant": "t", "against": "a"}, "bob")
    asked = roll_question(table, "bob")
    assert (asked["seat"], asked["roll"]) == ("bob", {"purpose": "hide", "count": 2, "sides": 6})
    table.ask(roll_answer(table), "bob", (4, 4))
    asked = roll_question(table, "ann")
    assert "seat" not in asked
    assert (asked["side"], asked["roll"]) == ("red", {"purpose": "hide", "count": 3, "sides": 6})
    table.ask(roll_answer(table), "ann", (1, 1, 1))
    assert table.state.rule.pending == ()
