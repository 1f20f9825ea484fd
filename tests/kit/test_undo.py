"""What a seat is shown of its own rewind is what the engine decides on one, in every rulebook."""

import contextlib
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from service.encounters.views import own_undo
from service.engine.battle import decide
from service.engine.battle.state import State
from service.engine.vocabulary.actions import Rewind
from service.errors import Forbidden, Refused
from tests.kit.random_battles import BY_PLAYER, ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated
from tests.soak import with_soak

EVENTS = 24
BATTLES = with_soak([1], [0, *range(2, 30)])
SEATS = ("ann", "bob", "eve")
BEFORE = ("rewind_not_allowed", "rewind_before_start")


def refusal(table: Table, seat: str, to: int) -> str | None:
    """Why a seat may not go back to an event now, None if it may."""
    seq = len(table.events) + 1
    before: State[Any] = State(rule=table.rules[to], linear=table.state.linear, terms=table.terms)
    dice = table._dice(before, seq, ())
    try:
        decide.decide(table.ruleset, before, Rewind(to=to), table.who(seat), seq, dice)
    except (Forbidden, Refused) as refused:
        return refused.code
    return None


class Undoing:
    """Takes actions, notes and rewinds of players, and holds what is shown to what is decided."""

    def __init__(self, number: int) -> None:
        self._dice = Random(number)
        self.told: set[tuple[bool, str]] = set()

    def __call__(self, table: Table, action: Mapping[str, Any], by: str) -> None:
        ask(table, action, by)
        self.require_told(table)
        chance = self._dice.random()
        if chance < 0.2:
            ask(table, {"type": "note", "text": "so it was"}, self._dice.choice(["ann", "gm"]))
        elif chance < 0.5:
            undo = own_undo(table.state, len(table.events), table.who("ann"))
            with contextlib.suppress(KeyError):
                ask(table, {"type": "rewind", "to": undo["undo_to"]}, "ann")
        self.require_told(table)

    def require_told(self, table: Table) -> None:
        """Each seat learns how far it may go back, and why no further."""
        for seat in SEATS:
            self._require_told(table, seat)

    def _require_told(self, table: Table, seat: str) -> None:
        head = len(table.events)
        undo = own_undo(table.state, head, table.who(seat))
        if not undo:
            assert all(refusal(table, seat, to) for to in range(1, head + 1))
            return
        self.told.add(("undo_to" in undo, undo["undo_bar"]))
        earliest = undo.get("undo_to", head)
        assert 1 <= earliest <= head
        assert refusal(table, seat, earliest) is None
        assert earliest == 1 or refusal(table, seat, earliest - 1) in BEFORE


@pytest.mark.parametrize("number", BATTLES)
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_what_is_told_of_going_back_is_what_is_decided(rig: Rig, number: int) -> None:
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=number % 2 == 1))
    undoing = Undoing(number)
    undoing.require_told(table)
    assert not undoing.told
    play(table, number, EVENTS, by=BY_PLAYER, deed=undoing)
    assert {bar for _, bar in undoing.told} >= {"not_yours"}
    undoing.told.clear()
    ask(table, {"type": "end_encounter", "reveal": "now"})
    undoing.require_told(table)
    assert not undoing.told
