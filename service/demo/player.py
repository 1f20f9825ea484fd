"""What every demonstration does: post actions, read the state, show an onlooker all of it."""

import secrets
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Protocol

from service.demo.tabletop import Json, RemoteTable
from service.engine.battle.roster import OUT


class Onlooker(Protocol):
    """A watcher of the battle, who gets each event and each picture."""

    def narrate(self, event: Json, odds: Fraction | None = None) -> None:
        """An event, with the chance to hit that was foretold if it is an attack."""

    def show(self, picture: str) -> None:
        """The scene as it is now, in characters."""


class Play:
    """One battle, in front of an onlooker who sees it with the GM's eyes."""

    def __init__(self, table: RemoteTable, onlooker: Onlooker) -> None:
        self.table = table
        self._onlooker = onlooker
        self.actions = 0

    def begin(self, request: Mapping[str, object], seats: Iterable[str], note: str) -> None:
        """Create the battle, let every player have a share in its dice, and start it."""
        self._onlooker.narrate(self.table.create(request))
        self._onlooker.show(self.table.scene())
        for seat in seats:
            self.act({"type": "contribute", "value": secrets.token_hex(32)}, seat)
        self.act({"type": "note", "text": note})
        self.act({"type": "start_encounter"})

    def end(self, sides: Iterable[str], reason: str) -> None:
        """Show what is left, end the battle and reveal its seed; a side that is alone wins."""
        state = self.state()
        self._onlooker.show(self.table.scene())
        left = [side for side in sides if standing(state, side)]
        ended: Json = {"type": "end_encounter", "reason": reason}
        self.act(ended | ({"winner": left[0]} if len(left) == 1 else {}))
        self.reveal()

    def reveal(self) -> None:
        """Reveal the seed of a battle that is over, and open everything."""
        self.act({"type": "reveal", "seed": True, "open": "all"})

    def show(self, picture: str) -> None:
        """Show the scene, or a part of it."""
        self._onlooker.show(picture)

    def state(self) -> Json:
        """The state as the GM sees it."""
        return self.table.view()

    def act(
        self, action: Mapping[str, object], seat: str | None = None, odds: Fraction | None = None
    ) -> Json:
        """Post an action as a seat, or as the GM; its event."""
        event = self.table.act(action, seat)
        self.actions += 1
        self._onlooker.narrate(event, odds)
        return event


def named(state: Json, name: str) -> Json:
    """A combatant of a state."""
    return next(each for each in state["combatants"] if each["id"] == name)


def is_out(fighter: Json) -> bool:
    """Whether a fighter is out of the battle."""
    return bool(OUT & set(fighter["conditions"]))


def standing(state: Json, side: str) -> bool:
    """Whether a side has a combatant that can still fight."""
    return any(each["side"] == side and not is_out(each) for each in state["combatants"])


def chance(preview: Json) -> Fraction:
    """How likely an attack is to hit at all."""
    return sum(
        (
            Fraction(int(share["num"]), int(share["den"]))
            for share in preview["odds"]
            if share["outcome"] in ("hit", "critical")
        ),
        Fraction(0),
    )
