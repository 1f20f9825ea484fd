"""Other states of a battle than the one it is in, and what is left of them for somebody."""

from typing import Any

from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from tests.kit.table import Table


def with_rule(table: Table, rule: Any) -> State[Any]:
    """The battle with this rule half."""
    return State(rule=rule, linear=table.state.linear, terms=table.state.terms)


def with_combatant(table: Table, combatant: str, **changes: Any) -> State[Any]:
    """The battle with one of the combatants changed."""
    rule = table.state.rule
    changed = tuple(
        replace(each, **changes) if each.id == combatant else each for each in rule.combatants
    )
    return with_rule(table, replace(rule, combatants=changed))


def perceived(table: Table, state: State[Any], by: str) -> Any:
    """The rule half that is left for somebody."""
    return perceive(state, table.viewer(by)).rule
