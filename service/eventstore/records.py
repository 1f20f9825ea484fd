"""What goes into the event store and what comes out of it, as plain values.

Bytes are kept as they are: `body` of an event and of a part are the canonical bytes that were
hashed, encoded once. Hashes, digests and fingerprints are 32 raw bytes.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from service.engine.log.event import SealedEvent
from service.engine.log.parts import PartKind, PartName
from service.engine.vocabulary.values import Status
from service.errors import WarlogError
from service.eventstore.schema_version import SchemaVersion

SeatRole = Literal["gm", "player", "observer"]

NO_HASH = bytes(32)
"""What represents the hash of the event before event 1."""


class StoredPart(Struct, frozen=True, kw_only=True):
    """What only one audience may see of one event, as it is read.

    `salt` has 16 bytes. An erased text part has an empty `salt` and `body` None.
    """

    audience: str
    kind: PartKind
    salt: bytes
    body: bytes | None


class StoredEvent(Struct, frozen=True, kw_only=True):
    """One event as it is read.

    `commits` concatenates the 32-byte commitments of all parts in their fixed order; `parts` are
    those asked for that say something, ordered by kind and audience. `base` is the seq whose rule
    state the event continues, 0 for event 1. `recorded_at` is the database's clock when the event
    was appended, aware, in UTC.
    """

    seq: int
    base: int
    hash: bytes
    body: bytes
    commits: bytes
    parts: tuple[StoredPart, ...] = ()
    recorded_at: datetime


class EventBody(Struct, frozen=True):
    """As much of one event as its facts take: `parts` are those that say something, by kind and
    audience, erased ones left out.
    """

    seq: int
    base: int
    body: bytes
    parts: Mapping[PartName, bytes]

    @property
    def size(self) -> int:
        """Bytes of the event and of its parts."""
        whole = len(self.body)
        return whole + sum(map(len, self.parts.values())) if self.parts else whole


class Command(Struct, frozen=True, kw_only=True):
    """One request that was accepted under an idempotency key, and the events it made.

    `fingerprint` identifies the request's body; it is empty once its text was erased.
    """

    principal: str
    key: str
    fingerprint: bytes
    first_seq: int
    last_seq: int


class Append(Struct, frozen=True, kw_only=True):
    """Events to be stored behind one expected head: all of them or none.

    `events` has at least one event and their seqs follow `expected_seq` without a gap.
    `status` is the encounter's status after the last of them, `erases` the seqs whose text they
    say is to go: that is due from then on.
    """

    encounter_id: UUID
    expected_seq: int
    expected_hash: bytes
    events: tuple[SealedEvent, ...]
    commands: tuple[Command, ...]
    status: Status
    erases: tuple[int, ...] = ()


class Appended(Struct, frozen=True, kw_only=True, tag="appended"):
    """Stored and durable; `recorded_at` is the same for all events of the append."""

    recorded_at: datetime


class Conflict(Struct, frozen=True, kw_only=True, tag="conflict"):
    """Nothing was stored: the log ends elsewhere, now here."""

    head_seq: int
    head_hash: bytes


class Duplicate(Struct, frozen=True, kw_only=True, tag="duplicate"):
    """Nothing was stored: these of the append's idempotency keys were used before."""

    commands: tuple[Command, ...]


class Missing(Struct, frozen=True, kw_only=True, tag="missing"):
    """Nothing was stored: there is no such encounter (any more)."""


class Held(Struct, frozen=True, kw_only=True, tag="held"):
    """Nothing was stored: another session holds the encounter's row at this moment."""


class Failed(Struct, frozen=True, kw_only=True, tag="failed"):
    """The database did not do it: `error` is for the request of this append.

    After `OutcomeUnknown` the events may or may not be stored; after any other they are not.
    """

    error: WarlogError


Outcome = Appended | Conflict | Duplicate | Missing | Failed | Held
"""What one try to append comes to."""


class EncounterRow(Struct, frozen=True, kw_only=True):
    """The row of an encounter: what can be known without reading its log.

    `erasures` counts the times text was erased; a state built from a log read at one count
    may not be stored as a snapshot at another.
    """

    id: UUID
    tenant: UUID
    ruleset: str
    version: str
    status: Status
    head_seq: int
    head_hash: bytes
    title: str | None
    created_at: datetime
    erasures: int


class EncounterEntry(Struct, frozen=True, kw_only=True):
    """An encounter of a list; `metadata` is JSON as it was stated."""

    id: UUID
    ruleset: str
    version: str
    status: Status
    head_seq: int
    title: str | None
    metadata: bytes | None
    created_at: datetime


class Cursor(Struct, frozen=True, kw_only=True):
    """The last encounter of a page: the next page starts behind it."""

    created_at: datetime
    id: UUID


class Secret(Struct, frozen=True, kw_only=True):
    """What stays sealed: 32 bytes each. Its representation shows neither."""

    seed: bytes
    seal_key: bytes

    def __repr__(self) -> str:
        """Only the name, so that a log line or a failed assertion gives nothing away."""
        return "Secret()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class SeatRow(Struct, frozen=True, kw_only=True):
    """A participant; what it controls is in the log. `token_hash` is the SHA-256 of its token."""

    id: str
    role: SeatRole
    name: str | None = None
    token_hash: bytes | None = None


class Blob(Struct, frozen=True, kw_only=True):
    """An immutable map or content; `digest` is the SHA-256 of `body`."""

    digest: bytes
    body: bytes


class Creation(Struct, frozen=True, kw_only=True):
    """The request that creates an encounter, as its retries are known by."""

    principal: str
    key: str
    fingerprint: bytes


class NewFork(Struct, frozen=True, kw_only=True):
    """What a new encounter continues, and how many forks there may be until one is deleted.

    `account` is that of the seat which forks by its own token, None of a key; `most` are those of
    one battle, forks of forks included, `most_of_account` those of them that one seat made.
    `most_a_day` are those that one seat makes on a day (UTC), deleted ones included.
    """

    parent: UUID
    account: str | None
    most: int
    most_of_account: int
    most_a_day: int


class NewEncounter(Struct, frozen=True, kw_only=True):
    """Everything that is written when an encounter is created; `first` has seq 1 and base 0.

    The seed is to be revealed after `reveal_by_days` without any event. `is_timed` says whether its
    decisions or turns have a limit.
    """

    id: UUID
    tenant: UUID
    ruleset: str
    version: str
    status: Status
    title: str | None
    metadata: bytes | None = None
    secret: Secret
    seats: tuple[SeatRow, ...]
    blobs: tuple[Blob, ...]
    first: SealedEvent
    creation: Creation
    reveal_by_days: int = 180
    is_timed: bool = False
    fork: NewFork | None = None


class Created(Struct, frozen=True, kw_only=True, tag="created"):
    """The encounter is stored and durable."""

    recorded_at: datetime


class CreationRepeated(Struct, frozen=True, kw_only=True, tag="creation_repeated"):
    """Nothing was stored: the key already created this encounter, which may be deleted by now.

    `fingerprint` is that of the first request, empty once its text was erased.
    """

    encounter_id: UUID
    fingerprint: bytes


class Snapshot(Struct, frozen=True, kw_only=True):
    """The state after `seq`, as bytes of one engine version; never trusted by an audit."""

    seq: int
    state: bytes
    digest: bytes


class Tombstone(Struct, frozen=True, kw_only=True):
    """What is left of a deleted encounter."""

    encounter_id: UUID
    tenant: UUID
    head_seq: int
    head_hash: bytes
    deleted_at: datetime


class Overdue(Struct, frozen=True, kw_only=True):
    """An encounter whose seed is to be revealed, and the head that is too old."""

    encounter_id: UUID
    head_seq: int
    head_hash: bytes


class Tenant(Struct, frozen=True, kw_only=True):
    """An owner of encounters and API keys; `deleted_at` is None while it may do anything."""

    id: UUID
    name: str
    created_at: datetime
    deleted_at: datetime | None


class NewApiKey(Struct, frozen=True, kw_only=True):
    """An API key to be stored: of its secret only the SHA-256."""

    id: UUID
    tenant: UUID
    name: str
    secret_hash: bytes
    scopes: tuple[str, ...]


class ApiKey(Struct, frozen=True, kw_only=True):
    """An API key as read; `revoked_at` is None while it is good."""

    id: UUID
    tenant: UUID
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None


class SigningKey(Struct, frozen=True, kw_only=True):
    """An Ed25519 key pair as raw bytes. Its representation does not show the private half."""

    kid: str
    private: bytes
    public: bytes

    def __repr__(self) -> str:
        """The id alone."""
        return f"SigningKey(kid={self.kid!r})"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """The id alone."""
        return [("kid", self.kid)]


class PublicKey(Struct, frozen=True, kw_only=True):
    """What is published of a signing key; `retired_at` is None while it may still sign."""

    kid: str
    public: bytes
    created_at: datetime
    retired_at: datetime | None


class Readiness(Struct, frozen=True, kw_only=True):
    """What a round trip to the database showed.

    `revision` and `schema` are the schema's, None before the first migration, and before the one
    that states which builds the schema serves. `can_mutate_log`: the role could UPDATE, DELETE or
    TRUNCATE the log, so that only the triggers protect it, or move the head of one. `is_full`: a
    write of this process has found no room a moment ago, and none has found any since.
    `uncommitted_seconds`: so long no write has been committed, for want of a synchronous standby,
    say; 0 if one is in time. `subscriptions` that write into the store are enabled; `is_barred`:
    the service takes no writes because of them.
    """

    revision: str | None
    schema: SchemaVersion | None
    is_read_only: bool
    is_full: bool
    uncommitted_seconds: int
    can_mutate_log: bool
    server_version: int
    subscriptions: tuple[str, ...] = ()
    is_barred: bool = False
