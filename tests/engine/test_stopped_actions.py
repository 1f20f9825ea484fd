"""An action that waits for dice and that the game master's word ends says so, and why."""

from dataclasses import replace
from typing import Any

from msgspec import UNSET

from service.engine.vocabulary import effects as fx
from tests.kit.table import Table
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.setups import RULESET, seated
from tests.rulesets.tactical_d20.table_dice import SHOT, setup

Tree = dict[str, Any]

TELLING = replace(RULESET, tells_stops=True)
"""As a later version has it."""
AWAY: Tree = {"type": "place", "combatant": "t", "place": {"x": 900, "y": 0}}
NEARER: Tree = {"type": "place", "combatant": "t", "place": {"x": 3, "y": 0}}


def waiting(*, tells: bool = True) -> Table:
    """Ann has her a shoot at Bob's t and is asked for a die."""
    table = seated(setup({}), dice="supplied", ruleset=TELLING if tells else RULESET)
    table.ask({"type": "start_encounter"})
    table.ask(SHOT, "ann")
    return table


def told(table: Table, *changes: Tree) -> list[fx.Effect]:
    """What the game master's word tells of questions and stops."""
    event = table.ask({"type": "adjust", "changes": list(changes)})
    assert audit(table).clean
    kinds = (fx.DecisionOpened, fx.DecisionClosed, fx.ActionStopped)
    return [effect for effect in event.effects if isinstance(effect, kinds)]


def test_an_action_that_is_refused_now_stops_with_the_code_and_rule_of_the_refusal() -> None:
    table = waiting()
    [decision] = table.state.rule.pending[-1].decisions
    assert told(table, AWAY) == [
        fx.DecisionClosed(decision_id=decision.id, how="void"),
        fx.ActionStopped(combatant="a", code="out_of_range", rule="TD-SD-4"),
    ]
    assert table.state.rule.pending == ()


def test_what_a_player_cannot_see_is_no_reason() -> None:
    table = waiting()
    [_, stopped] = told(table, {"type": "hide", "combatant": "t"})
    assert stopped == fx.ActionStopped(combatant="a", code="unknown_combatant", rule=UNSET)


def test_versions_that_do_not_tell_keep_silent() -> None:
    table = waiting(tells=False)
    [decision] = table.state.rule.pending[-1].decisions
    assert told(table, AWAY) == [fx.DecisionClosed(decision_id=decision.id, how="void")]


def test_an_action_that_is_still_allowed_waits_on() -> None:
    table = waiting()
    assert told(table, NEARER) == []
    assert len(table.state.rule.pending) == 1
