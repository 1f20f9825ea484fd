"""An event that hides nothing is encoded at once; that gives the bytes of the long way round."""

from typing import Any

import pytest

from service.engine import event as events
from service.engine import folding, parts
from service.engine.event import Event
from service.engine.scope import Scope
from service.engine.state import Linear, State
from service.rulesets.crossfire_d6.evolve import initial
from tests.rulesets.crossfire_d6.battles import play, random_setup
from tests.rulesets.crossfire_d6.table import RULESET, Table


def scoped(table: Table) -> list[tuple[Event, tuple[Scope, ...]]]:
    """Every event, as recorded, with who might know what before each of its effects."""
    found = []
    created: Any = table.stored(1).effects[0]
    states: dict[int, State[Any]] = {0: State(initial(created), Linear(), table.state.blobs)}
    for seq in range(1, len(table.events) + 1):
        event = table.stored(seq)
        before = State(states[event.base].rule, states[seq - 1].linear, table.state.blobs)
        states[seq], scopes = folding.unfold(RULESET, before, event)
        found.append((event, scopes))
    return found


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("with_secrets", [False, True])
def test_the_short_way_gives_the_bytes_of_the_long_one(number: int, with_secrets: bool) -> None:
    table = Table(random_setup(number, with_secrets=with_secrets))
    play(table, number, 60)
    links = events.Links(sealed="s", prev="p")
    for event, scopes in scoped(table):
        body, kept = parts.split(events.event_node(event, scopes), scopes[0].sides)
        is_whole = set(kept) == {parts.EMPTY_PART}
        assert events.is_public(event, scopes) <= is_whole
        if events.is_public(event, scopes):
            assert events.public_body(event, links) == events.split_body(body, links)


def test_most_events_of_an_open_battle_go_the_short_way() -> None:
    table = Table(random_setup(1))
    play(table, 1, 60)
    public = [events.is_public(event, scopes) for event, scopes in scoped(table)]
    assert sum(public) > len(public) * 3 // 4
