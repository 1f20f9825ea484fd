"""Battles of the toy ruleset in which sides have the turn."""

from typing import Final

from service.engine.battle.linear import Seat
from service.engine.battle.state import TableOptions
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.values import Place, Side
from tests.kit.table import Table, seat_by
from tests.toy.sides import (
    RULESET,
    Activate,
    Adjust,
    EndActivation,
    SetMorale,
    Shout,
    SidesSetup,
    Trooper,
)


def trooper(name: str, side: str, unit: str, *, hidden: bool = False) -> Trooper:
    """A trooper of 3 health."""
    place = Place(x=0, y=0)
    return Trooper(
        id=name, side=side, unit=unit, place=place, hidden=hidden, health=3, health_max=3
    )


TROOPERS: Final = (
    trooper("r1", "red", "guards"),
    trooper("r2", "red", "guards", hidden=True),
    trooper("r3", "red", "spies", hidden=True),
    trooper("b1", "blue", "lancers"),
    trooper("b2", "blue", "lancers"),
    trooper("b3", "blue", "ghosts", hidden=True),
)
"""Two sides of two units each; one unit of each is hidden whole, and one guard."""


SIDES: Final = (Side(id="red"), Side(id="blue"))
SEATS: Final = (
    Seat(id="rita", role="player", sides=("red",)),
    Seat(id="ned", role="player", combatants=("r1",)),
    Seat(id="bob", role="player", combatants=("b1",)),
    Seat(id="bea", role="player", sides=("blue",)),
    Seat(id="olaf", role="observer"),
    Seat(id="bill", role="player", combatants=("b2",)),
)
RITA, NED, BOB, BEA = (seat_by(seat.id) for seat in SEATS[:4])
UNLIMITED: Final = TableOptions()
OLAF: Final = seat_by("olaf", "observer")


def opened(options: TableOptions = UNLIMITED) -> Table:
    """A battle in setup: rita plays red, ned one of red; bea plays blue, bob one of blue."""
    setup = SidesSetup(troopers=TROOPERS, options=options)
    return Table(RULESET, setup, sides=SIDES, seats=SEATS)


def begun(options: TableOptions = UNLIMITED) -> Table:
    """A battle in red's turn."""
    table = opened(options)
    table.act(do.StartEncounter())
    return table


def manoeuvre() -> Table:
    """Everything sides and units can do, in one log."""
    table = begun()
    table.act(Activate(unit="guards"), NED)
    table.act(Shout(combatants=("r1", "r2")), RITA)
    table.act(EndActivation(unit="guards"), NED)
    mark = len(table.sealed)
    table.act(Activate(unit="spies"), RITA)
    table.act(Shout(combatants=("r3",)), RITA)
    table.act(do.Rewind(to=mark))
    table.act(Activate(unit="spies"), RITA)
    table.act(EndActivation(unit="spies"), RITA)
    table.act(do.EndSideTurn(side="red"), NED)
    table.act(Activate(unit="ghosts"), BEA)
    table.act(
        Adjust(changes=(SetMorale(side="blue", value=4), alter.HideCombatant(combatant="b1"))),
    )
    table.act(EndActivation(unit="ghosts"))
    table.act(do.EndSideTurn(side="blue"), BEA)
    table.act(do.EndEncounter(reveal="now"))
    return table
