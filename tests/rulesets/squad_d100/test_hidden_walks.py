"""Walks and doors past those of whom the mover's side does not know: what is shown to whom."""

from typing import Any

import pytest

from service.errors import Refused
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import Tree, fighter, in_progress, rifle, seated

ROWS = "............\n............\n............"
PATH = [{"x": x, "y": 0} for x in (8, 7, 6)]
ON_WATCH: Tree = {"conditions": ["watch"], "weapons": [rifle()]}


def battle(*others: Tree, rows: str = ROWS, dice: Any = "supplied", **options: object) -> Table:
    """Bob's N, whose turn it is, at the east of the first row; Ann's others."""
    people = [fighter("n", "blue", 9, 0, weapons=[]), *others]
    setup = {"options": options, "map": {"text": rows}, "combatants": people}
    prepared = in_progress(*(each["id"] for each in people))
    table = seated({**setup, "battle": prepared}, dice=dice)
    table.ask({"type": "start_encounter"})
    return table


def lurker(x: int, y: int, **more: object) -> Tree:
    return fighter("v", "red", x, y, hidden=True, **more)


def told(table: Table, by: str) -> list[tuple[str, object]]:
    """What somebody is shown of the last event: walks with cost and cause, else whom it is
    about.
    """
    effects: Any = table.shown(len(table.events), by)
    return [
        (each["type"], (each["cost"], each["complete"], each.get("cause")))
        if each["type"] == "moved"
        else (each["type"], each["combatant"] if isinstance(each.get("combatant"), str) else None)
        for each in effects["effects"]
        if each["type"] != "resource_changed"
    ]


def test_a_hidden_watchers_failed_test_does_not_show_in_the_walk() -> None:
    table = battle(lurker(0, 0, **ON_WATCH))
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "gm", (99,))
    whole = ("moved", (12, True, None))
    assert told(table, "bob") == told(table, "eve") == [whole]
    assert told(table, "ann") == told(table, "gm") == [whole, ("check_resolved", "v")]


def test_a_test_that_everybody_may_know_of_ends_a_leg() -> None:
    table = battle(lurker(0, 0, **ON_WATCH), fighter("w", "red", 0, 1, **ON_WATCH))
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "gm", (99, 98))
    first, rest = ("moved", (4, False, "vigilance")), ("moved", (8, True, None))
    tested = ("check_resolved", "w")
    assert told(table, "bob") == [first, tested, rest]
    assert told(table, "ann") == [first, ("check_resolved", "v"), tested, rest]


def test_a_shot_out_of_the_dark_ends_a_leg_for_all() -> None:
    table = battle(lurker(0, 0, **ON_WATCH), attack_reveals=False)
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "gm", (1, 99))
    first, rest = ("moved", (4, False, "vigilance")), ("moved", (8, True, None))
    assert told(table, "bob") == [first, ("attack_resolved", None), rest]
    seen: Any = table.shown(len(table.events), "bob")
    [shot] = [each for each in seen["effects"] if each["type"] == "attack_resolved"]
    assert shot == {"type": "attack_resolved", "target": "n", "outcome": "miss"}
    assert table.combatant("v").hidden is True


def test_a_walk_ends_before_somebody_unknown_who_is_known_then() -> None:
    table = battle(lurker(7, 0, weapons=[]))
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "bob")
    moved, met = ("moved", (4, False, "contact")), ("revealed", None)
    assert told(table, "bob") == told(table, "eve") == [moved, met]
    mover = table.combatant("n")
    assert (mover.place.x, mover.mp_left, table.combatant("v").hidden) == (8, 26, False)
    with pytest.raises(Refused) as refused:
        table.ask({"type": "move", "combatant": "n", "path": [{"x": 7, "y": 0}]}, "bob")
    assert refused.value.code == "cell_occupied"


def test_the_first_step_may_meet_somebody_and_costs_nothing_then() -> None:
    table = battle(lurker(8, 0, weapons=[]))
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "bob")
    assert told(table, "bob") == [("moved", (0, False, "contact")), ("revealed", None)]
    assert (table.combatant("n").place.x, table.combatant("n").mp_left) == (9, 30)


def test_whoever_came_to_light_on_the_way_stops_the_walk_without_contact() -> None:
    table = battle(lurker(6, 0, **ON_WATCH))
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "gm", (1, 99))
    kinds = [each for each in told(table, "gm") if each[0] in ("moved", "revealed")]
    assert kinds == [
        ("moved", (4, False, "vigilance")),
        ("revealed", None),
        ("moved", (4, False, "blocked")),
    ]


def test_nobody_tests_for_a_mover_of_whom_he_does_not_know() -> None:
    table = battle(fighter("w", "red", 0, 1, **ON_WATCH))
    table.ask({"type": "adjust", "changes": [{"type": "hide", "combatant": "n"}]})
    table.ask({"type": "move", "combatant": "n", "path": PATH}, "bob")
    assert told(table, "bob") == [("moved", (12, True, None))]
    assert told(table, "ann") == []


def test_a_door_closed_on_somebody_unknown_stays_open_and_is_paid() -> None:
    table = battle(lurker(8, 0, weapons=[]), rows="........D...", doors_open=True)
    table.ask({"type": "toggle_door", "combatant": "n", "cell": {"x": 8, "y": 0}}, "bob")
    assert told(table, "bob") == [("revealed", None)]
    assert table.combatant("n").mp_left == 26
    table.ask({"type": "adjust", "changes": [{"type": "hp", "combatant": "v", "value": 0}]})
    table.ask({"type": "toggle_door", "combatant": "n", "cell": {"x": 8, "y": 0}}, "bob")
    assert told(table, "bob") == [("terrain_changed", None)]


def test_the_tables_dice_come_one_by_one_and_nothing_of_the_walk_is_lost() -> None:
    at_once = battle(lurker(0, 0, **ON_WATCH), fighter("w", "red", 0, 1, **ON_WATCH))
    at_once.ask({"type": "move", "combatant": "n", "path": PATH}, "gm", (1, 30, 98))
    waiting = battle(lurker(0, 0, **ON_WATCH), fighter("w", "red", 0, 1, **ON_WATCH))
    waiting.ask({"type": "move", "combatant": "n", "path": PATH}, "bob")
    for faces in ((1,), (30,), (98,)):
        assert waiting.combatant("n").place.x == 9
        [question] = waiting.state.rule.pending[-1].decisions
        answer = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
        waiting.ask(answer, "gm", faces)
    assert waiting.state.rule.combatants == at_once.state.rule.combatants
    assert waiting.state.rule.tests == at_once.state.rule.tests
    tags = [
        [each.__struct_config__.tag for each in t.events[-1].effects] for t in (at_once, waiting)
    ]
    assert tags[1] == ["decision_closed", *tags[0]]
