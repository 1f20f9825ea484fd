"""The events of a battle with the scopes in which each of their effects is seen."""

from typing import Any

from service.engine.battle import fold
from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.engine.log.event import Event
from service.engine.visibility.scope import Scope
from tests.kit.table import Table


def scoped(table: Table) -> list[tuple[Event, tuple[Scope, ...]]]:
    """Every event, as recorded, with who might know what before each of its effects."""
    events_in_order = []
    created: Any = table.stored(1).effects[0]
    blank = table.ruleset.initial(created)
    states: dict[int, State[Any]] = {0: State(blank, Linear(), table.state.terms)}
    for seq in range(1, len(table.events) + 1):
        event = table.stored(seq)
        before = State(states[event.base].rule, states[seq - 1].linear, table.state.terms)
        states[seq], scopes = fold.unfold(table.ruleset, before, event)
        events_in_order.append((event, scopes))
    return events_in_order
