"""What a turn and a round begin and end with, in their order."""

from typing import Any

from service.engine.vocabulary.values import By
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import Tree, fighter, seated

END_A: Tree = {"type": "end_turn", "combatant": "a"}
SERVICE = By(kind="system", id="timer", role="gm")


def battle(*people: Tree, rows: str = "........\n........", **options: object) -> Table:
    table = seated({"options": options, "map": {"text": rows}, "combatants": list(people)})
    table.ask({"type": "start_encounter"})
    return table


def told(table: Table) -> list[str]:
    """The last event in short: what happened, to whom, and what of it."""
    return [line(each) for each in shown(table)]


def shown(table: Table) -> list[Any]:
    event: Any = table.shown(len(table.events), "gm")
    effects: list[Any] = event["effects"]
    return effects


def line(effect: Any) -> str:
    words = [effect["type"], effect.get("combatant")]
    words += [effect.get(name) for name in ("condition", "resource", "now", "cause", "state")]
    if effect["type"] == "order_set":
        words = [effect["type"], *(each["combatant"] for each in effect["entries"])]
    return " ".join(str(word) for word in words if word is not None and not isinstance(word, dict))


def test_a_turn_ends_and_the_next_begins_in_the_order_of_the_rules() -> None:
    pinned: Tree = {"suppressions": [{}], "conditions": ["watch"], "light_wounds": 1}
    table = battle(
        fighter("a", "red", 0, 0, agility=40, suppressions=[{}]),
        fighter("b", "blue", 5, 0, **pinned),
        rows="........\n.....~..",
    )
    assert told(table)[-2:] == ["resource_changed a mp 40 turn_began", "suppression_due a"]
    table.ask(END_A)
    assert told(table) == [
        "turn_ended a ended",
        "suppression_ended a",
        "condition_gained a watch",
        "turn_began b",
        "condition_lost b watch turn_began",
        "resource_changed b mp 25 turn_began",
        "suppression_due b",
    ]


def test_the_order_of_a_round_is_made_anew_of_all_who_stand() -> None:
    table = battle(
        fighter("a", "red", 0, 0, agility=40),
        fighter("b", "blue", 5, 0, agility=39),
        fighter("c", "blue", 6, 0, agility=0),
    )
    table.ask({"type": "add_combatant", "combatant": fighter("d", "red", 1, 1, agility=100)})
    wound: Tree = {"type": "stat", "combatant": "a", "stat": "light_wounds", "value": 1}
    table.ask({"type": "adjust", "changes": [wound]})
    for each in ("a", "b", "c"):
        assert table.turn == each
        table.ask({"type": "end_turn", "combatant": each})
    assert [each for each in told(table) if each.startswith(("round", "order", "turn_b"))] == [
        "round_began",
        "order_set d b a c",
        "turn_began d",
    ]


def test_fire_may_end_a_turn_before_it_has_begun() -> None:
    table = battle(
        fighter("a", "red", 0, 0, agility=40),
        fighter("b", "blue", 5, 0, health=10, suppressions=[{}]),
        fighter("c", "red", 1, 0, agility=5),
        rows=".....~..\n........",
        fire_effect="heavy_wound",
    )
    table.ask(END_A)
    assert told(table) == [
        "turn_ended a ended",
        "condition_gained a watch",
        "turn_began b",
        "hurt b fire",
        "stat_changed b 1",
        "felled b fire down",
        "turn_ended b felled",
        "turn_began c",
        "resource_changed c mp 5 turn_began",
    ]
    assert [each.due for each in table.combatant("b").suppressions] == [False]


def test_whoever_is_raised_waits_for_the_next_round() -> None:
    table = battle(
        fighter("a", "red", 0, 0, agility=40),
        fighter("b", "blue", 5, 0, agility=30),
        fighter("c", "red", 1, 0, agility=5),
    )
    for value in (0, 50):
        table.ask({"type": "adjust", "changes": [{"type": "hp", "combatant": "b", "value": value}]})
    table.ask(END_A)
    assert table.turn == "c"
    table.ask({"type": "end_turn", "combatant": "c"})
    table.ask(END_A)
    assert table.turn == "b"


def test_without_anybody_standing_there_is_no_turn_until_somebody_does() -> None:
    table = battle(fighter("a", "red", 0, 0), fighter("b", "blue", 5, 0))
    fall = [{"type": "hp", "combatant": each, "value": 0} for each in ("b", "a")]
    table.ask({"type": "adjust", "changes": fall})
    assert told(table)[-1] == "turn_ended a felled"
    assert table.turn is None
    table.ask({"type": "adjust", "changes": [{"type": "hp", "combatant": "b", "value": 1}]})
    assert [each for each in told(table) if not each.startswith(("adjusted", "healed"))] == [
        "condition_lost b down gm",
        "round_began",
        "order_set b",
        "turn_began b",
        "resource_changed b mp 30 turn_began",
    ]


def test_the_service_ends_the_turn_of_somebody_who_has_to_seek_cover() -> None:
    table = battle(
        fighter("a", "red", 0, 0, suppressions=[{"due": True}]),
        fighter("b", "blue", 5, 0),
        rows="...x....\n........",
        turn_seconds=60,
    )
    table.act(table.read(END_A), SERVICE)
    assert told(table)[:3] == [
        "turn_ended a timeout",
        "suppression_ended a",
        "condition_gained a watch",
    ]
