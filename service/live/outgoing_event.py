"""An event on its way to the followers of its encounter: encoded once for each view."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from service.encounters.cache import EncounterTerms
from service.encounters.views import event_record
from service.engine.battle.linear import Linear
from service.engine.log.parts import EMPTY_PART
from service.engine.visibility.scope import Viewer
from service.eventstore.records import StoredEvent
from service.fanout.messages import News
from service.live.records import Record, event_out

RIGHTS_EFFECTS: Final = frozenset(
    {"encounter_ended", "seat_changed", "control_changed", "seed_revealed", "parts_opened"}
)
"""Effects after which a seat may see more or less than before."""

REWOUND: Final = "rewound"
"""The effect that closes again what an ended battle had opened, for the events behind it."""

ERASED: Final = "erased"


class _Effect(Struct):
    type: str


class _Body(Struct):
    prev: str
    effects: tuple[_Effect, ...]


_BODY: Final = msgspec.json.Decoder(_Body)


class OutgoingEvent:
    """One event; `hash` and `prev`, that of the event before it, in hex.

    `lacking` are the audiences of parts that are not empty and not at hand. `linear` is that half
    of the state after event `at`, this one or a later one; None if unknown. `encoded` counts
    encodings.
    """

    __slots__ = (
        "_public",
        "_records",
        "at",
        "encoded",
        "encounter",
        "erases",
        "hash",
        "lacking",
        "linear",
        "prev",
        "rewinds",
        "seq",
        "stored",
        "touches_rights",
    )

    def __init__(
        self,
        encounter: UUID,
        stored: StoredEvent,
        lacking: tuple[str, ...] = (),
    ) -> None:
        body = _BODY.decode(stored.body)
        effects = {effect.type for effect in body.effects}
        self.encounter = encounter
        self.stored = stored
        self.lacking = lacking
        self.seq = stored.seq
        self.hash = stored.hash.hex()
        self.prev = body.prev
        self.touches_rights = not effects.isdisjoint(RIGHTS_EFFECTS)
        self.rewinds = REWOUND in effects
        self.erases = ERASED in effects
        self.linear: Linear | None = None
        self.at = 0
        self.encoded = 0
        self._public: Record | None = None
        self._records: dict[Viewer, Record] = {}

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.stored.body)

    def is_certain(self, is_opened: bool) -> bool:
        """Whether it is known what each seat may see from this event on.

        `is_opened`: parts of the events before it are open to more than had a right to them.
        """
        is_turn = self.touches_rights or (self.rewinds and is_opened)
        return self.linear is not None or not is_turn

    @property
    def worth(self) -> tuple[bool, bool]:
        """An order of two objects for the same event: the greater one has more at hand."""
        return not self.lacking, self.linear is not None

    def is_shown_to(self, viewer: Viewer) -> bool:
        """Whether all parts that this viewer may read are at hand."""
        return not any(viewer.may_know(audience) for audience in self.lacking)

    def record(self, viewer: Viewer, terms: EncounterTerms) -> Record:
        """The event as this viewer sees it: encoded once, and once for all that see no part."""
        record = self._records.get(viewer)
        if record is None:
            record = self._records[viewer] = self._record(viewer, terms)
        return record

    def _record(self, viewer: Viewer, terms: EncounterTerms) -> Record:
        if any(viewer.may_know(part.audience) for part in self.stored.parts):
            return self._encoded(viewer, terms)
        if self._public is None:
            self._public = self._encoded(viewer, terms)
        return self._public

    def _encoded(self, viewer: Viewer, terms: EncounterTerms) -> Record:
        self.encoded += 1
        return event_out(self.encounter, event_record(self.stored, viewer, terms))


def prev_of(stored: StoredEvent) -> str:
    """The hash of the event before it, in hex."""
    return _BODY.decode(stored.body).prev


def committed_events(
    encounter: UUID, stored: Sequence[StoredEvent], linear: Linear
) -> list[OutgoingEvent]:
    """Events that were committed here together; `linear` is behind the last one."""
    events = [OutgoingEvent(encounter, event) for event in stored]
    for event in events:
        event.linear, event.at = linear, events[-1].seq
    return events


def announced_event(news: News) -> OutgoingEvent | None:
    """The event that a message of another process brings, without its parts.

    None if it must be read from the log.
    """
    if not news.body:
        return None
    stored = StoredEvent(
        seq=news.seq,
        base=news.base,
        hash=news.hash,
        body=news.body,
        commits=news.commits,
        recorded_at=news.recorded_at,
    )
    lacking = tuple({audience for _, audience in news.parts})
    try:
        return OutgoingEvent(news.encounter, stored, lacking)
    except msgspec.MsgspecError:
        # A process of another release may encode it otherwise.
        return None


def news_of(encounter: UUID, stored: StoredEvent) -> News:
    """The message that announces an event to other processes."""
    return News(
        encounter=encounter,
        seq=stored.seq,
        base=stored.base,
        hash=stored.hash,
        recorded_at=stored.recorded_at,
        body=stored.body,
        commits=stored.commits,
        parts=tuple(
            [(part.kind, part.audience) for part in stored.parts if part.body != EMPTY_PART]
        ),
    )
