"""Battles of the toy ruleset at every moment, and short ways to speak of seats."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.engine.battle.linear import Seat, seat_of
from service.engine.log.event import Event, view_of_event
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By, Role
from service.errors import WarlogError
from tests.kit.table import GM, Table, seat_by
from tests.toy.battles import SEATS, SETUP, SIDES, turn_to
from tests.toy.model import Strike
from tests.toy.rules import RULESET

GUS = seat_by("gus", "gm")
ZOE = seat_by("zoe")


def fresh(**more: Any) -> Table:
    """A battle in setup; ann plays red, bob blue, eve looks on."""
    return Table(RULESET, SETUP, sides=SIDES, seats=SEATS, **more)


def running() -> Table:
    """A battle that runs."""
    table = fresh()
    table.act(do.StartEncounter())
    return table


def ended() -> Table:
    """A battle that is over, its seed sealed."""
    table = running()
    table.act(do.EndEncounter())
    return table


def asked() -> Table:
    """A battle where somebody must answer before anything else."""
    table = running()
    for _ in range(20):
        turn_to(table, "anders")
        table.act(Strike(combatant="anders", target="berta"))
        if table.state.rule.pending:
            return table
    raise AssertionError("nobody was ever hit")


def add(seat: str, role: Role = "player", **more: Any) -> do.AddSeat:
    """A new seat."""
    return do.AddSeat(seat=Seat(id=seat, role=role, **more))


def ids(table: Table) -> list[str]:
    """The seats there are, in their order."""
    return [seat.id for seat in table.state.linear.seats]


def named(table: Table, seat: str) -> Seat:
    """The seat of that id."""
    found = seat_of(table.state.linear, seat)
    assert found is not None
    return found


def refused(attempt: Callable[[], object]) -> tuple[str, dict[str, object]]:
    """Why it is refused: the code and the facts."""
    with pytest.raises(WarlogError) as raised:
        attempt()
    return raised.value.code, raised.value.params


def body(event: Event, table: Table) -> Any:
    """An event as everybody may read it."""
    return msgspec.json.decode(table.sealed[event.seq - 1].body)


def shown(table: Table, seq: int, viewer: Viewer) -> Any:
    """An event as a viewer sees it."""
    stored = table.sealed[seq - 1]
    known: dict[tuple[str, str], bytes] = {
        (part.kind, part.audience): part.body for part in stored.parts
    }
    return msgspec.json.decode(view_of_event(stored.body, known, ("red", "blue"), viewer))


def denied(table: Table, action: do.Action, by: By = GM) -> str:
    """The code of the refusal of an action."""
    return refused(lambda: table.act(action, by))[0]
