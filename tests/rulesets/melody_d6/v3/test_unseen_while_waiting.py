"""Two worlds that differ in whom Ann does not see are alike to her while her actions wait.

Blue has somebody hidden, who is elsewhere in each world and whom the game master changes there in
another way. What everybody sees is done and changed in both.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from service.engine.log.canonical import encode
from service.engine.log.event import Event
from service.errors import Malformed, Refused
from tests.kit.table import Table, effects_of, seated
from tests.kit.two_worlds import compare
from tests.rulesets.melody_d6.setups import fighter
from tests.rulesets.melody_d6.v3.battles import THIRD
from tests.rulesets.melody_d6.v3.waiting import (
    CHANGES,
    HEIGHT,
    SPOTS,
    WAITING,
    WIDTH,
    Tree,
    Waiting,
    answer_to,
)
from tests.soak import with_soak

UNKNOWING: Final = ("ann", "eve")
PLACES: Final = st.one_of(
    st.sampled_from(SPOTS),
    st.tuples(st.integers(600, WIDTH - 600), st.integers(600, HEIGHT - 600)),
)
SECRETS: Final = st.one_of(
    PLACES.map(lambda spot: {"type": "place", "place": {"x": spot[0], "y": spot[1]}}),
    st.sampled_from(
        (
            {"type": "hp", "value": 1},
            {"type": "hp", "value": 0},
            {"type": "hp", "value": 3},
            {"type": "stat", "stat": "mobility", "value": 6},
            {"type": "condition", "condition": "on_guard"},
            {"type": "condition", "condition": "fleeing"},
        )
    ),
)
"""What is changed of the hidden one."""


def world(waiting: Waiting, spot: tuple[int, int], mobility: int) -> Table:
    """The battle with somebody hidden at a spot, begun."""
    hidden = fighter("h", "blue", 0, 0, place={"x": spot[0], "y": spot[1]}, unit="unseen")
    hidden |= {"hidden": True, "weapons": [], "mobility": mobility}
    plain = waiting.setup
    options = {**plain.get("options", {}), "attack_reveals": False}
    people = [*plain["combatants"], hidden]
    units = [*plain["units"], {"id": "unseen", "side": "blue", "kind": "lone"}]
    table = seated(THIRD, {**plain, "combatants": people, "units": units, "options": options})
    table.ask({"type": "start_encounter"})
    return table


def is_met(*events: Event) -> bool:
    """Whether the hidden one has come to light or may have barred a flight: both are outcomes."""
    return any(
        each["type"] == "revealed"
        or each.get("cause") == "contact"
        or each.get("manner") in ("flight", "push")
        for event in events
        for each in effects_of(event)
    )


class Worlds:
    """Both battles; what is asked in one is asked in the other."""

    def __init__(self, one: Table, other: Table) -> None:
        self.one, self.other = one, other
        self.is_over = False

    def both(self, first: Tree, second: Tree, by: str = "gm") -> None:
        """Something is done in each, and shown alike; what the rules bar in both is left."""
        outcomes: list[Event | None] = []
        for table, action in ((self.one, first), (self.other, second)):
            try:
                outcomes.append(table.ask(action, by))
            except (Refused, Malformed):
                outcomes.append(None)
        done, too = outcomes
        if done is None and too is None:
            return
        assume(done is not None)
        assume(too is not None)
        assert done is not None
        assert too is not None
        self.is_over = is_met(done, too)
        if not self.is_over:
            compare(self.one, self.other, done, too, UNKNOWING)
            if self.one.state.rule.pending:
                assert encode(self.one.legal_for("ann")) == encode(self.other.legal_for("ann"))

    @property
    def is_waiting(self) -> bool:
        """Whether something waits, in both."""
        return bool(self.one.state.rule.pending) and not self.is_over


def choice_of(table: Table, chance: Random) -> tuple[Tree, str]:
    """A choice for the open question, and who answers: Ann for red, the game master for blue."""
    [decision] = table.state.rule.pending[-1].decisions
    by = "ann" if decision.side == "red" else "gm"
    if decision.kind == "reroll" and chance.random() < 0.5:
        return {"type": "reroll", "source": decision.context.sources[0], "dice": [0]}, by
    if decision.kind == "dampen" and chance.random() < 0.3:
        return {"type": "dampen", "combatant": "b4"}, by
    return {"type": "pass"}, by


def of_hidden(change: Mapping[str, Any]) -> Tree:
    return {"type": "adjust", "changes": [{**change, "combatant": "h"}]}


@pytest.mark.parametrize("kind", tuple(WAITING))
@pytest.mark.parametrize("examples", with_soak([2], [200]))
def test_what_ann_cannot_see_changes_nothing_that_she_is_shown(kind: str, examples: int) -> None:
    @settings(max_examples=examples, suppress_health_check=[HealthCheck.filter_too_much])
    @given(
        spots=st.tuples(PLACES, PLACES),
        public=st.lists(CHANGES, max_size=3),
        secret=st.lists(st.tuples(SECRETS, SECRETS), max_size=3),
        number=st.integers(0, 2**32),
    )
    def alike(
        spots: tuple[tuple[int, int], tuple[int, int]],
        public: list[Tree],
        secret: list[tuple[Tree, Tree]],
        number: int,
    ) -> None:
        waiting, chance = WAITING[kind], Random(number)
        try:
            worlds = Worlds(*(world(waiting, spot, n) for n, spot in enumerate(spots)))
        except Refused:
            assume(False)
        worlds.both(waiting.deed, waiting.deed, "ann")
        known, unknown = list(public), list(secret)
        while worlds.is_waiting:
            if known and chance.random() < 0.5:
                changed = {"type": "adjust", "changes": [known.pop()]}
                worlds.both(changed, changed)
            elif unknown and chance.random() < 0.7:
                first, second = unknown.pop()
                worlds.both(of_hidden(first), of_hidden(second))
            else:
                choice, by = choice_of(worlds.one, chance)
                answers = [answer_to(each, choice) for each in (worlds.one, worlds.other)]
                worlds.both(answers[0], answers[1], by)

    alike()
