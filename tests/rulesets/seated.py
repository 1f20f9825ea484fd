"""A battle of three sides in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from service.engine.battle import decide
from service.engine.battle.state import Seat, scope_of, seat_of, viewer_of
from service.engine.log.canonical import encode
from service.engine.log.event import Event, SealedEvent, decoded, seen
from service.engine.log.hashing import blob_digest
from service.engine.ruleset import LegalActions, Preview, Ruleset
from service.engine.visibility.projection import view
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By, DiceMode, Side
from tests.rulesets.table import samples
from tests.toy import table as toy

PEOPLE = {
    "gm": toy.GM,
    "ann": toy.seat_by("ann"),
    "bob": toy.seat_by("bob"),
    "eve": toy.seat_by("eve", "observer"),
}
"""Ann plays the red side, Bob the blue one, Eve looks on; the green side is the game master's."""

SEATS = (
    Seat(id="ann", role="player", sides=("red",)),
    Seat(id="bob", role="player", sides=("blue",)),
    Seat(id="eve", role="observer"),
)
SIDES = tuple(Side(id=side) for side in ("red", "blue", "green"))
SIDE_IDS = tuple(side.id for side in SIDES)


class SeatedTable(toy.Table):
    """One battle of a ruleset."""

    def __init__(
        self, ruleset: Ruleset[Any], setup: Mapping[str, object], *, dice: DiceMode = "sealed"
    ) -> None:
        stated = msgspec.convert(setup, ruleset.setup)
        self._stored_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(ruleset.event)
        super().__init__(ruleset, stated, sides=SIDES, seats=SEATS, dice=dice)

    def read(self, action: Mapping[str, object]) -> Action:
        """An action as a client writes it."""
        asked: Action = msgspec.convert(action, self.ruleset.action)
        return asked

    def ask(
        self, action: Mapping[str, object], by: str = "gm", dice: tuple[int, ...] = ()
    ) -> Event:
        """Take an action as a client writes it. Raises what the rules raise."""
        asked = self.read(action)
        event = self.act(asked, self.who(by), dice)
        for blob in self.ruleset.blobs(asked):
            self.blobs[blob_digest(encode(blob))] = blob
        assert encode(self.stored(event.seq)) == encode(event)
        return event

    def stored(self, seq: int) -> Event:
        """An event read back from its body and parts."""
        stored = self.sealed[seq - 1]
        return decoded(self._stored_events, stored.body, _parts(stored), SIDE_IDS)

    def shown(self, seq: int, by: str) -> object:
        """An event as somebody sees it, without the hashes that bind what is hidden."""
        stored = self.sealed[seq - 1]
        event = seen(stored.body, _parts(stored), SIDE_IDS, self.viewer(by))
        assert isinstance(event, dict)
        return {name: value for name, value in event.items() if name not in ("sealed", "prev")}

    def who(self, by: str) -> By:
        """The game master, or a seat as what it is now."""
        seat = seat_of(self.state.linear, by)
        return PEOPLE[by] if seat is None else toy.seat_by(by, seat.role)

    def viewer(self, by: str) -> Viewer:
        """What somebody may know."""
        return viewer_of(self.who(by), self.state.rule, self.state.linear)

    def view(self, by: str = "gm") -> object:
        """The state as somebody sees it."""
        rule = self.state.rule
        shown = view(rule, scope_of(rule), self.viewer(by))
        return msgspec.json.decode(encode(shown))

    def seating(self, by: str = "gm") -> object:
        """Who takes part, and whatever else no rewind changes, as somebody sees it."""
        shown = view(self.state.linear, scope_of(self.state.rule), self.viewer(by))
        return msgspec.json.decode(encode(shown))

    def preview(self, action: Mapping[str, object], by: str = "gm") -> Preview:
        """What an action would do."""
        asked = self.read(action)
        decide.require_askable(self.state, asked, self.who(by), len(self.events) + 1)
        return self.ruleset.preview(self.state, asked, self.who(by))

    def legal(self, combatant: str, by: str = "gm") -> LegalActions:
        """What a combatant may do now."""
        return self.ruleset.legal_actions(self.state, combatant, self.viewer(by))

    def samples(self, combatant: str, count: int, by: str = "gm") -> list[dict[str, object]]:
        """Legal actions of a combatant as a client would send them."""
        return samples(self.ruleset, self.state, combatant, self.viewer(by), count)

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        turn: str | msgspec.UnsetType = self.state.rule.turn
        return None if turn is UNSET else turn


def _parts(stored: SealedEvent) -> dict[tuple[str, str], bytes]:
    return {(part.kind, part.audience): part.body for part in stored.parts if not part.is_empty}


def effects_of(event: Event) -> list[dict[str, Any]]:
    """The effects of an event as JSON."""
    effects: list[dict[str, Any]] = msgspec.json.decode(encode(event.effects))
    return effects
