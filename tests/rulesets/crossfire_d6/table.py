"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same.
"""

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from service.engine import conduct
from service.engine.actions import Action
from service.engine.canonical import encode
from service.engine.event import Event, SealedEvent, decoded, seen
from service.engine.hashing import blob_digest
from service.engine.projection import view
from service.engine.ruleset import LegalActions, Preview
from service.engine.scope import Viewer
from service.engine.state import Seat, scope_of, viewer_of
from service.engine.vocabulary import DiceMode, Side
from service.rulesets import RULESETS
from service.rulesets.crossfire_d6.setup import Setup
from service.rulesets.crossfire_d6.state import Combatant, combatant_named
from tests.toy import table as toy

RULESET = RULESETS["crossfire-d6", "1"]
EVENTS: msgspec.json.Decoder[Event] = msgspec.json.Decoder(RULESET.event)

PEOPLE = {
    "gm": toy.GM,
    "ann": toy.seat_by("ann"),
    "bob": toy.seat_by("bob"),
    "eve": toy.seat_by("eve", "observer"),
}
"""Ann plays the red side, Bob the blue one, Eve looks on."""

SEATS = (
    Seat(id="ann", role="player", sides=("red",)),
    Seat(id="bob", role="player", sides=("blue",)),
    Seat(id="eve", role="observer"),
)
SIDES = tuple(Side(id=side) for side in ("red", "blue", "green"))
SIDE_IDS = tuple(side.id for side in SIDES)


class Table(toy.Table):
    """One battle, of three sides."""

    def __init__(self, setup: Mapping[str, object], *, dice: DiceMode = "sealed") -> None:
        given = msgspec.convert(setup, Setup)
        super().__init__(RULESET, given, sides=SIDES, seats=SEATS, dice=dice)

    def ask(
        self, action: Mapping[str, object], by: str = "gm", dice: tuple[int, ...] = ()
    ) -> Event:
        """Take an action as a client writes it. Raises what the rules raise."""
        asked: Action = msgspec.convert(action, RULESET.action)
        event = self.act(asked, PEOPLE[by], dice)
        for blob in RULESET.blobs(asked):
            self.blobs[blob_digest(encode(blob))] = blob
        assert encode(self.stored(event.seq)) == encode(event)
        return event

    def stored(self, seq: int) -> Event:
        """An event read back from its body and parts."""
        stored = self.sealed[seq - 1]
        return decoded(EVENTS, stored.body, _parts(stored), SIDE_IDS)

    def shown(self, seq: int, by: str) -> object:
        """An event as somebody sees it, without the hashes that bind what is hidden."""
        stored = self.sealed[seq - 1]
        event = seen(stored.body, _parts(stored), SIDE_IDS, self.viewer(by))
        assert isinstance(event, dict)
        return {name: value for name, value in event.items() if name not in ("sealed", "prev")}

    def viewer(self, by: str) -> Viewer:
        """What somebody may know."""
        return viewer_of(PEOPLE[by], self.state.rule, self.state.linear)

    def view(self, by: str = "gm") -> object:
        """The state as somebody sees it."""
        rule = self.state.rule
        shown = view(rule, scope_of(rule), self.viewer(by))
        return msgspec.json.decode(encode(shown))

    def preview(self, action: Mapping[str, object], by: str = "gm") -> Preview:
        """What an action would do."""
        asked = msgspec.convert(action, RULESET.action)
        conduct.require_askable(self.state, asked, PEOPLE[by], len(self.events) + 1)
        return RULESET.preview(self.state, asked, PEOPLE[by])

    def legal(self, combatant: str, by: str = "gm") -> LegalActions:
        """What a combatant may do now."""
        return RULESET.legal_actions(self.state, combatant, self.viewer(by))

    def samples(self, combatant: str, count: int, by: str = "gm") -> list[dict[str, object]]:
        """Legal actions of a combatant as a client would send them."""
        sampled = RULESET.samples(self.state, combatant, self.viewer(by), count)
        return [dict(each) for each in sampled]

    def combatant(self, combatant: str) -> Combatant:
        """A combatant as the battle has it."""
        found = combatant_named(self.state.rule, combatant)
        assert found is not None
        return found

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        turn: str | msgspec.UnsetType = self.state.rule.turn
        return None if turn is UNSET else turn


def _parts(stored: SealedEvent) -> dict[tuple[str, str], bytes]:
    return {(part.kind, part.audience): part.body for part in stored.parts if not part.is_empty}


def effects_of(event: Event) -> list[dict[str, object]]:
    """The effects of an event as JSON."""
    effects: list[dict[str, object]] = msgspec.json.decode(encode(event.effects))
    return effects


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
    """A combatant as a client states it, hard to hit unless said otherwise."""
    place: dict[str, object] = {"x": x, "y": y}
    if "elevation" in more:
        place["elevation"] = more.pop("elevation")
    sheet = {"health": 30, "melee_defence": 200, "ranged_defence": 200}
    return {"id": combatant, "side": side, "place": place, **sheet, **more}


def rifle(**more: object) -> dict[str, object]:
    """A ranged weapon of five dice."""
    stated = {"id": "rifle", "kind": "ranged", "attack_dice": 5, "damage_dice": 2}
    return {**stated, "range_increment_ft": 60, **more}


def blade(**more: object) -> dict[str, object]:
    """A melee weapon of five dice."""
    return {"id": "blade", "kind": "melee", "attack_dice": 5, "damage_dice": 2, **more}


def in_progress(*order: str, **more: object) -> dict[str, object]:
    """A prepared battle: round 1, this order, the turn of the first."""
    entries = [{"combatant": combatant} for combatant in order]
    return {"round": 1, "order": entries, "turn": order[0], **more}
