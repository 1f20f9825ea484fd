"""What version 3 decides otherwise than version 2: questions about walks, and what waited."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.kit.random_battles import play
from tests.kit.table import SEED, effects_of, seated
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.battles import random_setup
from tests.rulesets.tactical_d20.v3.setups import SECOND, THIRD

NUMBERS = range(3)


def is_asked_of_a_step(effect: Mapping[str, Any]) -> bool:
    """Whether somebody is asked before a step: more may be answered, and more is kept of it."""
    return bool(effect.get("decision", {}).get("context", {}).get("deed") == "move")


def may_continue(effect: Mapping[str, Any]) -> bool:
    """Whether an action that waited may go on or stop in its event."""
    return effect["type"] == "decision_closed" and "sealed" not in effect


def test_version_2_decided_by_version_3_differs_in_questions_and_what_waited_alone() -> None:
    """A battle is still audited clean by its own version; event 1 has one option more here."""
    later = {("tactical-d20", "2"): replace(THIRD, version="2", create=SECOND.create)}
    questions = 0
    for number in NUMBERS:
        table = seated(SECOND, random_setup(number))
        play(table, number, 80)
        assert audit(table, seed=SEED).clean
        report = audit(table, seed=SEED, rulesets=later)
        changed = {each.seq for each in report.verdicts if each.verdict != "match"} - {1}
        effects = {event.seq: effects_of(event) for event in table.events}
        asked = {seq for seq, each in effects.items() if any(map(is_asked_of_a_step, each))}
        continued = {seq for seq, each in effects.items() if any(map(may_continue, each))}
        assert asked <= changed <= asked | continued
        questions += len(asked)
    assert questions
