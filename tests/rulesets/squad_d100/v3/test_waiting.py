"""A walk that waited for the table's dice is made anew from where the walker is now, or stops."""

from dataclasses import replace

import pytest

from service.rulesets import RULESETS
from service.rulesets.squad_d100.v3 import RULESET
from tests.kit import table as kit
from tests.kit.random_battles import play
from tests.kit.table import SEED, Table, effects_of
from tests.kit.table_dice import roll_answer
from tests.replay.memory_audit import audit
from tests.rulesets.squad_d100.battles import random_setup
from tests.rulesets.squad_d100.setups import FREE, Tree, fighter, in_progress

WALK: Tree = {
    "type": "move",
    "combatant": "a",
    "path": [{"x": 1, "y": 1}, {"x": 2, "y": 1}],
}


def waiting(version: str = "3") -> Table:
    """Ann's a walks before the eyes of Bob's t, whose die is awaited."""
    people = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0, conditions=["watch"]),
    ]
    setup = {"map": {"text": FREE}, "combatants": people, "battle": in_progress("a", "t")}
    table = kit.seated(RULESETS["squad-d100", version], setup, dice="supplied")
    table.ask({"type": "start_encounter"})
    table.ask(WALK, "ann")
    assert table.state.rule.pending
    return table


def put(table: Table, x: int, y: int) -> list[Tree]:
    """What comes of putting a there."""
    change = {"type": "place", "combatant": "a", "place": {"x": x, "y": y}}
    return effects_of(table.ask({"type": "adjust", "changes": [change]}))


@pytest.mark.rule("SQ-WAIT-1")
def test_a_walk_begins_where_the_walker_is_now() -> None:
    table = waiting()
    assert [each["type"] for each in put(table, 0, 2)] == ["adjusted", "moved"]
    event = table.ask(roll_answer(table), "bob", (99,))
    walked = [each for each in effects_of(event) if each["type"] == "moved"]
    assert walked[0]["start"] == {"x": 0, "y": 2}
    assert audit(table).clean


@pytest.mark.rule("SQ-WAIT-1")
def test_a_walk_that_does_not_lead_on_from_there_stops_and_says_why() -> None:
    table = waiting()
    *_, closed, stopped = put(table, 5, 3)
    assert (closed["how"], stopped) == (
        "void",
        {"type": "action_stopped", "combatant": "a", "code": "not_a_step"},
    )
    place = table.combatant("a").place
    assert ((place.x, place.y), table.turn, table.state.rule.pending) == ((5, 3), "a", ())
    assert audit(table).clean


def test_version_2_keeps_silent() -> None:
    assert [each["type"] for each in put(waiting("2"), 5, 3)][-1] == "decision_closed"


def test_each_code_with_which_an_action_may_stop_has_a_word() -> None:
    terms = {term.id for term in RULESET.catalogue.terms}
    codes = {message.code for message in RULESET.catalogue.messages}
    laid = {code for code in codes if code.startswith("map_")}
    assert codes - terms - laid == {"no_reserved_cell", "bad_universal_table"}


def test_battles_of_version_2_are_decided_alike_where_nothing_waits() -> None:
    second = RULESETS["squad-d100", "2"]
    table = kit.seated(second, random_setup(0))
    play(table, 0, 100)
    later = {("squad-d100", "2"): replace(RULESET, version="2", create=second.create)}
    assert audit(table, seed=SEED, rulesets=later).clean
