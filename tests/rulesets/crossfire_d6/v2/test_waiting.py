"""A shot that waited for the table's dice stops, and says why."""

from dataclasses import replace

import pytest

from service.rulesets import RULESETS
from service.rulesets.crossfire_d6.v2 import RULESET
from tests.kit import table as kit
from tests.kit.random_battles import play
from tests.kit.rig import Tree
from tests.kit.table import SEED, Table, effects_of
from tests.replay.memory_audit import audit
from tests.rulesets.crossfire_d6.battles import random_setup
from tests.rulesets.crossfire_d6.table_dice import SHOT, setup


def waiting(version: str = "2") -> Table:
    """Ann's a shoots at Bob's t and is asked for the dice."""
    table = kit.seated(RULESETS["crossfire-d6", version], setup({}), dice="supplied")
    table.ask({"type": "start_encounter"})
    table.ask(SHOT, "ann")
    return table


def overruled(table: Table, kind: str, combatant: str, **more: object) -> list[Tree]:
    """What comes of the game master's word."""
    change = {"type": kind, "combatant": combatant, **more}
    return effects_of(table.ask({"type": "adjust", "changes": [change]}))


@pytest.mark.rule("CF-WAIT-1")
@pytest.mark.parametrize(
    ("kind", "combatant", "more", "code"),
    [
        ("hide", "t", {}, "unknown_combatant"),
        ("condition", "a", {"condition": "helpless"}, "actor_incapacitated"),
        ("condition", "t", {"condition": "dead"}, "target_dead"),
    ],
)
def test_a_shot_that_would_not_be_allowed_now_stops(
    kind: str, combatant: str, more: Tree, code: str
) -> None:
    table = waiting()
    effects = overruled(table, kind, combatant, **more)
    stops = [each for each in effects if each["type"] == "action_stopped"]
    assert [(each["combatant"], each["code"]) for each in stops] == [("a", code)]
    assert table.state.rule.pending == ()
    assert audit(table).clean


@pytest.mark.rule("CF-WAIT-1")
def test_a_shot_that_is_still_allowed_waits_on() -> None:
    table = waiting()
    effects = overruled(table, "place", "t", place={"x": 5, "y": 0})
    assert [each["type"] for each in effects] == ["adjusted", "moved"]
    assert len(table.state.rule.pending) == 1


def test_version_1_keeps_silent() -> None:
    assert overruled(waiting("1"), "hide", "t")[-1]["type"] == "decision_closed"


def test_each_code_with_which_an_action_may_stop_has_a_word() -> None:
    terms = {term.id for term in RULESET.catalogue.terms}
    assert {message.code for message in RULESET.catalogue.messages} <= terms


def test_battles_of_version_1_are_decided_alike_where_nothing_waits() -> None:
    first = RULESETS["crossfire-d6", "1"]
    table = kit.seated(first, random_setup(0))
    play(table, 0, 100)
    later = {("crossfire-d6", "1"): replace(RULESET, version="1", create=first.create)}
    assert audit(table, seed=SEED, rulesets=later).clean
