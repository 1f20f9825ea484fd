"""Most events of this rulebook hide nothing, and its scopes are those of a new state."""

from typing import Any

import pytest

from service.engine.log import event as events
from service.engine.visibility.scope import Scope
from service.rulesets.crossfire_d6.evolve import evolve, initial
from service.rulesets.crossfire_d6.state import BattleState
from tests.kit.random_battles import play
from tests.kit.scoped_events import scoped
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.battles import random_setup
from tests.rulesets.crossfire_d6.setups import seated


def test_most_events_of_an_open_battle_go_the_short_way() -> None:
    table = seated(random_setup(1))
    play(table, 1, 60)
    public = [events.is_public(event, scopes) for event, scopes in scoped(table)]
    assert sum(public) > len(public) * 3 // 4


@pytest.mark.parametrize("number", range(4))
def test_states_and_scopes_are_those_that_would_be_made_anew(number: int) -> None:
    table = seated(random_setup(number, with_secrets=True))
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
