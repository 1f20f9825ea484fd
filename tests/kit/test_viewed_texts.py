"""What is made from what changed since the state before is what is made again, in every
rulebook.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.json import encode

from service.encounters.viewed_texts import ViewedTexts
from service.encounters.views import raw, state_view
from service.engine.battle.state import RuleState, State, scope_of
from service.engine.visibility import projection
from service.engine.visibility.scope import GAME_MASTER, Viewer
from tests.kit.random_battles import Overruled, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated
from tests.soak import with_soak

EVENTS = 30
BATTLES = with_soak([1], [0, *range(2, 30)])
VIEWERS = (
    Viewer(),
    Viewer(sides=("red",)),
    Viewer(sides=("blue",)),
    Viewer(sides=("red", "blue")),
    Viewer(sides=("blue", "red", "green")),
    GAME_MASTER,
)


class Watched:
    """Takes actions, and keeps the states behind them."""

    def __init__(self, overruled: Overruled) -> None:
        self._overruled = overruled
        self.states: list[State[Any]] = []

    def __call__(self, table: Table, action: Mapping[str, Any], by: str) -> None:
        self._overruled(table, action, by)
        self.states.append(table.state)


def whole(rule: RuleState, viewer: Viewer) -> bytes:
    """What is seen of the rule half, made again."""
    return bytes(state_view(rule, viewer))


@pytest.mark.parametrize("number", BATTLES)
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_texts_of_what_changed_are_those_of_all_of_it(rig: Rig, number: int) -> None:
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=number % 2 == 1))
    watched = Watched(Overruled(rig.battles, number))
    play(table, number, EVENTS, deed=watched)
    dice = Random(number)
    # Forward as streams ask for them, each viewer in its turn, then in any order as pages do.
    asked = [(state, viewer) for state in watched.states for viewer in dice.sample(VIEWERS, 6)]
    asked += [(dice.choice(watched.states), dice.choice(VIEWERS)) for _ in range(4 * EVENTS)]
    rules, linears = ViewedTexts(), ViewedTexts()
    for state, viewer in asked:
        scope = scope_of(state.rule)
        assert encode(rules.view(state.rule, scope, viewer)) == whole(state.rule, viewer)
        told = raw(projection.view(state.linear, scope, viewer))
        assert encode(linears.view(state.linear, scope, viewer)) == bytes(told)


@pytest.mark.parametrize("with_secrets", [False, True])
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_viewers_share_what_they_see_exactly_where_they_see_the_same(
    rig: Rig, with_secrets: bool
) -> None:
    table = seated(rig.ruleset, rig.battles.setup(1, with_secrets=with_secrets))
    watched = Watched(Overruled(rig.battles, 1))
    play(table, 1, EVENTS, deed=watched)
    rules, pairs = ViewedTexts(), Counter[bool]()
    for state in watched.states:
        scope = scope_of(state.rule)
        seen = [rules.view(state.rule, scope, viewer) for viewer in VIEWERS]
        for one, other in combinations(seen, 2):
            pairs[one is other] += 1
            assert (one is other) == (encode(one) == encode(other))
    assert pairs[False]
    assert pairs[True] or with_secrets
