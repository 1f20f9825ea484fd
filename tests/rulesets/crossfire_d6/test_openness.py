"""An event that hides nothing is encoded at once; that gives the bytes of the long way round."""

from typing import Any

import pytest

from service.engine.battle import fold
from service.engine.battle.state import Linear, State
from service.engine.log import event as events
from service.engine.log import parts
from service.engine.log.event import Event
from service.engine.visibility.projection import (
    Array,
    Element,
    Leaf,
    Member,
    Object,
    annotate,
    audience_of,
)
from service.engine.visibility.scope import Scope
from service.rulesets.crossfire_d6.evolve import evolve, initial
from service.rulesets.crossfire_d6.state import BattleState
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
        states[seq], scopes = fold.unfold(RULESET, before, event)
        found.append((event, scopes))
    return found


def long_node(event: Event, scopes: tuple[Scope, ...]) -> Object:
    """The event with an audience on every node, whether anything is hidden or not."""
    given = [("seq", event.seq), ("base", event.base), ("at", event.at)]
    members = [Member(name, "everyone", False, Leaf(value)) for name, value in given]
    members.append(Member("encounter", "everyone", False, Leaf(event.encounter)))
    before = scopes[0]
    members.append(Member("by", "everyone", False, annotate(event.by, before)))
    audience = audience_of(event.action, before)
    members.append(Member("action", audience, False, annotate(event.action, before, audience)))
    members.append(Member("draws", "everyone", False, annotate(event.draws, before)))
    effects = []
    for effect, scope in zip(event.effects, scopes, strict=True):
        audience = audience_of(effect, scope)
        effects.append(Element(audience, annotate(effect, scope, audience)))
    members.append(Member("effects", "everyone", False, Array(effects)))
    return Object(members)


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("with_secrets", [False, True])
def test_the_short_way_gives_the_bytes_of_the_long_one(number: int, with_secrets: bool) -> None:
    table = Table(random_setup(number, with_secrets=with_secrets))
    play(table, number, 60)
    links = events.Links(sealed="s", prev="p")
    for event, scopes in scoped(table):
        body, kept = parts.split(long_node(event, scopes), scopes[0].sides)
        short, parts_of_short = parts.split(events.event_node(event, scopes), scopes[0].sides)
        assert parts_of_short == kept
        assert events.split_body(short, links) == events.split_body(body, links)
        is_whole = set(kept) == {parts.EMPTY_PART}
        assert events.is_public(event, scopes) <= is_whole
        if events.is_public(event, scopes):
            assert events.public_body(event, links) == events.split_body(body, links)


def test_most_events_of_an_open_battle_go_the_short_way() -> None:
    table = Table(random_setup(1))
    play(table, 1, 60)
    public = [events.is_public(event, scopes) for event, scopes in scoped(table)]
    assert sum(public) > len(public) * 3 // 4


@pytest.mark.parametrize("number", range(4))
def test_states_and_scopes_are_those_that_would_be_made_anew(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    play(table, number, 60)
    rules: dict[int, BattleState] = {}
    for event, scopes in scoped(table):
        rule = rules.get(event.base) or initial(created_of(table))
        for effect, scope in zip(event.effects, scopes, strict=True):
            assert scope == anew(rule)
            rule = evolve(rule, effect) if event.seq > 1 or effect is not event.effects[0] else rule
        rules[event.seq] = rule
        assert rule == table.rules[event.seq]


def created_of(table: Table) -> Any:
    return table.stored(1).effects[0]


def anew(rule: BattleState) -> Scope:
    """The scope of a state in which nothing is asked."""
    assert rule.pending == ()
    return Scope(
        sides=tuple(side.id for side in rule.sides),
        subjects={each.id: (each.side, each.hidden) for each in rule.combatants},
        numbers=rule.options.enemy_numbers,
        health=rule.options.enemy_health,
        breakdowns=rule.options.breakdowns,
    )
