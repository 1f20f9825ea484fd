"""The records of streams, encoded once for all subscribers of the same view.

How this works. A `Record` holds the JSON of one of the Structs below; however many subscribers it
goes to, it is encoded once per view, and framed once per way of framing. A `Page` is several
records in a row that go out with one write. Of both the place says where a client is that has
read them: `seq-hash8`, as in cursors. A record without a place moves no cursor: a client that
resumes behind it resumes where it was before.
"""

from collections.abc import Callable
from typing import Final, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.encounters.json_patch import PatchStep
from service.encounters.responses import EventRecord, PartRecord, Receipt

RecordKind = Literal["hello", "event", "heartbeat", "presence", "timers", "resync", "bye"]

ResyncReason = Literal[
    "history_diverged",
    "too_slow",
    "too_far_behind",
    "newer_version",
    "rights_changed",
    "opened",
    "erased",
]
"""Why a stream cannot go on: the log is another one than the client has seen; the client read
nothing for too long; it missed more events than a stream brings; this process cannot read it.
On streams with patches also why earlier events show otherwise by now: the seat's rights were stated
again, parts were opened, text was erased."""

ByeReason = Literal["shutdown", "revoked", "deleted", "failed"]
"""Why a stream ended: the process ends, ask again; who asked may not any more; the encounter
no longer exists; something went wrong here, ask again."""


_PASSING: Final[frozenset[ByeReason]] = frozenset({"shutdown", "failed"})
"""Reasons after which a client opens its stream again."""


class Hello(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """Who the client is here, and what there is to know without an event.

    `seq`, `hash` and `etag` are the log's end; events follow from behind the cursor that the client
    asked for. `seat` is absent for a key by itself. It comes again behind every event that
    states the seat's role or control, changed or not; what stood in the one before is void then.
    """

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    seq: int
    """Seq of the log's last event; the client may have to be sent events up to it."""
    hash: str
    """Hash of that event (64 hex digits)."""
    etag: str
    """The version at the log's end, `seq-hash8`: in quotes what `If-Match` takes."""
    role: str
    """What the client may do here: `gm`, `player` or `observer`."""
    seat: str | UnsetType = UNSET
    """Id of the seat it reads for; absent for a key by itself."""
    presence: tuple[str, ...]
    """Ids of the seats that have a stream open, or had one less than 10 seconds ago."""
    decisions: Raw
    """Open decisions that the client may know of, those to be answered next."""
    timers: Raw
    """Deadlines that the client may know of; empty where the options set no time limit."""
    receipt: Receipt
    """The service's signature over the head."""
    state_url: str
    """Path of the state after event `seq`, on this service."""
    document: Raw | UnsetType = UNSET
    """With `state=patch` and no cursor: `{decisions, state, table}` where the client is; with
    `scene=patch` it has `scene`, too."""
    document_sha256: str | UnsetType = UNSET
    """With `state=patch` and a cursor: SHA-256 (64 hex digits) of the document at the cursor, in
    canonical JSON (RFC 8785) without members named `metadata`. Who holds another asks for
    `?at=`."""


class EventOut(Struct, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """One event as `GET .../events` shows it to this client.

    What a rewind undid is not said: it came before, and whoever has it finds which it was by the
    `base` of each event. To others `GET .../events/{seq}` shows it.
    """

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    seq: int
    """Place in the log, from 1 without gaps."""
    hash: str
    """SHA-256 (64 hex digits) over `warlog/event/1`, a zero byte and `event`; the next event names
    it as `prev`."""
    recorded_at: str
    """When it was stored, by the database's clock (RFC 3339, UTC, microseconds)."""
    event: Raw
    """The body that was hashed, byte for byte: what everyone may know, without free text."""
    commits: tuple[str, ...]
    """Commitments (64 hex digits each) to all parts in their fixed order, readable or not."""
    parts: tuple[PartRecord, ...] = ()
    """The parts that this client may read; empty ones are left out."""
    seen: Raw | UnsetType = UNSET
    """The event with these parts laid in; absent where `event` says it all."""
    patch: tuple[PatchStep, ...] | UnsetType = UNSET
    """With `state=patch`: JSON Patch (RFC 6902) from the document that the client had to the one
    behind the event."""
    narration: str | UnsetType = UNSET
    """With `narrate`: the event in a few sentences, as this client may hear it."""


class Heartbeat(Struct, frozen=True, kw_only=True, tag_field="type", tag="heartbeat"):
    """The log ends here, signed; nothing else happened."""

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    seq: int
    """Seq of the log's last event."""
    hash: str
    """Hash of that event (64 hex digits)."""
    receipt: Receipt
    """The service's signature over the head."""


class PresenceChange(Struct, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """A seat opened its first stream, or has had none for 10 seconds.

    A seat that was removed, or whose token was revoked, is absent at once.
    """

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    seat: str
    """Id of the seat that came or went."""
    present: bool
    """Whether the seat has a stream open, or had one less than 10 seconds ago."""


class TimersChange(Struct, frozen=True, kw_only=True, tag_field="type", tag="timers"):
    """All deadlines that this client may know of, as they are now."""

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    timers: Raw
    """All deadlines that the client may know of, in place of those it was shown before."""


class Resync(Struct, frozen=True, kw_only=True, tag_field="type", tag="resync"):
    """The stream cannot go on; the server closes it. With a `document` it continues behind that.

    `after` is where the client is, if it can go on from there; absent, what it has is of
    another history, and the state is to be read again. Without `encounter` it is about a stream of
    several as a whole, which continues behind its last id.
    """

    encounter: str | UnsetType = UNSET
    """The encounter that cannot go on; absent where a stream of several ends as a whole."""
    reason: ResyncReason
    """`history_diverged`: this log is not the one the client has; `too_slow`: it did not read;
    `too_far_behind`: it missed more than a stream brings; `newer_version`: this process cannot
    read the log. Only with a `document`: `rights_changed`, `opened`, `erased`: events before
    `after` show otherwise than they did."""
    after: str | UnsetType = UNSET
    """Cursor of the client's place, `seq-hash8`, from which it can go on; absent after
    `history_diverged` and where a stream of several ends as a whole."""
    document: Raw | UnsetType = UNSET
    """With `state=patch`: `{decisions, state, table}` behind `after`, in place of what the client
    has; the stream continues with the next event."""


class Bye(Struct, frozen=True, kw_only=True, tag_field="type", tag="bye"):
    """The stream ended; the server closes it.

    With an `encounter` of a stream of several, only that one ended, until there is none left.
    """

    encounter: str | UnsetType = UNSET
    """The encounter that ended on this stream; absent where the stream ends as a whole."""
    reason: ByeReason
    """`shutdown`: the process ends, connect again; `revoked`: the right to read is gone;
    `deleted`: the encounter is gone; `failed`: a fault here, connect again."""
    retry: bool
    """What to do next. True: open the stream again with the last id. False: do not."""


def farewell(encounter: str | UnsetType, reason: ByeReason) -> Bye:
    """The bye for a reason, with what the client does next."""
    return Bye(encounter=encounter, reason=reason, retry=reason in _PASSING)


RecordBody = Hello | EventOut | Heartbeat | PresenceChange | TimersChange | Resync | Bye
"""What the JSON of a record is one of."""

_ENCODER: Final = msgspec.json.Encoder()


class Record:
    """One record for one or many subscribers; `body` is its JSON, in one line.

    `seq` and `hash8` say where a client is that has read it; `hash8` is empty for a record
    that moves no cursor.
    """

    __slots__ = ("_framed", "body", "encounter", "hash8", "kind", "seq")

    def __init__(
        self, kind: RecordKind, encounter: UUID, seq: int, hash8: str, body: bytes
    ) -> None:
        self.kind = kind
        self.encounter = encounter
        self.seq = seq
        self.hash8 = hash8
        self.body = body
        self._framed: dict[Framing, bytes] = {}

    @property
    def place(self) -> str | None:
        """The cursor of a client that has read it, `seq-hash8`; None if it moves no cursor."""
        return f"{self.seq}-{self.hash8}" if self.hash8 else None

    @property
    def records(self) -> "tuple[Record, ...]":
        """Itself: as a `Page` of one."""
        return (self,)

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.body)

    def framed(self, framing: "Framing") -> bytes:
        """The framed bytes, made once for each function, which must be a constant."""
        framed = self._framed.get(framing)
        if framed is None:
            framed = self._framed[framing] = framing(self)
        return framed


class Page:
    """Several records of one encounter in a row, at least one: sent with one write.

    It is where its last record is.
    """

    __slots__ = ("_framed", "encounter", "hash8", "records", "seq", "size")

    def __init__(self, records: tuple[Record, ...]) -> None:
        last = records[-1]
        self.encounter = last.encounter
        self.seq = last.seq
        self.hash8 = last.hash8
        self.records = records
        self.size = sum([len(record.body) for record in records])
        self._framed: dict[Framing, bytes] = {}

    def framed(self, framing: "Framing") -> bytes:
        """The framed bytes of all its records, joined: made once for each function."""
        framed = self._framed.get(framing)
        if framed is None:
            framed = self._framed[framing] = b"".join([framing(record) for record in self.records])
        return framed


Framing = Callable[[Record], bytes]
"""Makes the bytes for the wire of a record: pure, and always the same function object."""

Outgoing = Record | Page
"""What a sink writes."""


def event_out(encounter: UUID, record: EventRecord) -> Record:
    """An event as one view sees it."""
    body = EventOut(
        encounter=str(encounter),
        ruleset=record.ruleset,
        seq=record.seq,
        hash=record.hash,
        recorded_at=record.recorded_at,
        event=record.event,
        commits=record.commits,
        parts=record.parts,
        seen=record.seen,
    )
    return Record("event", encounter, record.seq, record.hash[:8], _ENCODER.encode(body))


def placed(encounter: UUID, body: Hello | Heartbeat, place: tuple[int, str]) -> Record:
    """A record behind which a client is at `place`, seq and hash8."""
    kind: RecordKind = "hello" if isinstance(body, Hello) else "heartbeat"
    return Record(kind, encounter, *place, _ENCODER.encode(body))


def unplaced(
    encounter: UUID, body: Heartbeat | PresenceChange | TimersChange | Resync | Bye
) -> Record:
    """A record that moves no cursor."""
    return Record(_kind(body), encounter, 0, "", _ENCODER.encode(body))


def _kind(body: Heartbeat | PresenceChange | TimersChange | Resync | Bye) -> RecordKind:
    match body:
        case Heartbeat():
            return "heartbeat"
        case PresenceChange():
            return "presence"
        case TimersChange():
            return "timers"
        case Resync():
            return "resync"
        case Bye():
            return "bye"
