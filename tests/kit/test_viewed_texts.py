"""What is made from what changed since the state before is what is made anew, in every rulebook."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from service.encounters.viewed_texts import ViewedTexts
from service.encounters.views import raw, state_view
from service.engine.battle.state import RuleState, State, scope_of
from service.engine.log import canonical
from service.engine.visibility import projection
from service.engine.visibility.scope import GAME_MASTER, Viewer
from tests.kit.random_battles import Overruled, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated

EVENTS = 30
BATTLES = [1, *(pytest.param(number, marks=pytest.mark.soak) for number in (0, *range(2, 30)))]
VIEWERS = (Viewer(), Viewer(sides=("red",)), Viewer(sides=("red", "blue")), GAME_MASTER)


class Watched:
    """Takes actions, and keeps the states behind them."""

    def __init__(self, overruled: Overruled) -> None:
        self._overruled = overruled
        self.states: list[State[Any]] = []

    def __call__(self, table: Table, action: Mapping[str, Any], by: str) -> None:
        self._overruled(table, action, by)
        self.states.append(table.state)


def whole(rule: RuleState, viewer: Viewer) -> bytes:
    """What is seen of the rule half, made anew."""
    return bytes(state_view(rule, viewer))


@pytest.mark.parametrize("number", BATTLES)
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_texts_of_what_changed_are_those_of_all_of_it(rig: Rig, number: int) -> None:
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=number % 2 == 1))
    watched = Watched(Overruled(rig.battles, number))
    play(table, number, EVENTS, deed=watched)
    dice = Random(number)
    # Forward as a stream asks for them, then in any order as pages do.
    order = [*watched.states, *dice.choices(watched.states, k=EVENTS)]
    for viewer in VIEWERS:
        rules, linears = ViewedTexts(viewer), ViewedTexts(viewer)
        for state in order:
            scope = scope_of(state.rule)
            assert canonical.encode(rules.view(state.rule, scope)) == whole(state.rule, viewer)
            told = raw(projection.view(state.linear, scope, viewer))
            assert canonical.encode(linears.view(state.linear, scope)) == bytes(told)
