"""Comparing two battles as those see them who do not know what makes them differ."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from service.engine.log.canonical import encode
from service.engine.log.event import Event
from service.errors import WarlogError
from tests.rulesets.seeker_d100.table import Table

Action = Mapping[str, Any]

UNKNOWING = ("ann", "bob", "eve")
"""The players of red and blue and an onlooker: nobody of the green side."""


def compare(one: Table, other: Table, first: Event, second: Event) -> None:
    """The last event and the state, as everybody who does not know sees them."""
    for by in UNKNOWING:
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert encode(one.seating(by)) == encode(other.seating(by))


def answer(table: Table, action: Action, by: str) -> object:
    """Why a preview is refused."""
    return refusal(lambda: table.preview(action, by))


def why_not(table: Table, action: Action, by: str) -> object:
    """Why an action is refused."""
    return refusal(lambda: table.ask(action, by))


def refusal(attempt: Callable[[], object]) -> object:
    """Code, rule and facts of the refusal that these attempts all meet."""
    with pytest.raises(WarlogError) as raised:
        attempt()
    error = raised.value
    return error.code, getattr(error, "rule", None), encode(error.params)


def end_turn(combatant: str) -> Action:
    """Nothing done."""
    return {"type": "end_turn", "combatant": combatant}


def adjusted(change: Action) -> Action:
    """A word of the game master."""
    return {"type": "adjust", "changes": [change]}


def reply(table: Table, combatant: str, choice: Action) -> Action:
    """The answer of a combatant who is asked."""
    [decision] = [name for name, who in table.asked if who == combatant]
    return {"type": "answer", "decision_id": decision, "choice": choice}
