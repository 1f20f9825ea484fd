"""What callers are told, as wire types: built by the one serializer, encoded once."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.engine.ruleset import Odds
from service.engine.vocabulary import By

MetadataObject = Annotated[Raw, Meta(extra_json_schema={"x-metadata": True})]
"""Metadata as callers are told them: the object that was sent."""


class PartRecord(Struct, frozen=True, kw_only=True):
    """A part this caller may read; `body` is absent once its text was erased."""

    kind: str
    audience: str
    salt: str
    body: Raw | UnsetType = UNSET


class UndoneEvent(Struct, frozen=True, kw_only=True):
    """An event that a rewind undid or brought back: `by` says whose it was.

    `action` is what was asked for; absent where the caller may not know.
    """

    seq: int
    by: By
    action: str | UnsetType = UNSET


class Undoing(Struct, frozen=True, kw_only=True):
    """What a rewind undid, and what a redo brought back: the last of them, in order.

    The counts are those of all; only events that counted until then are among them.
    """

    undone_count: int
    undone: tuple[UndoneEvent, ...]
    restored_count: int
    restored: tuple[UndoneEvent, ...]


class EventRecord(Struct, frozen=True, kw_only=True):
    """One event: `event` is the hashed body byte for byte, `hash` its hash (hex).

    `ruleset` is that of the encounter. `commits` are the commitments of all parts in order, `parts`
    those that this caller may read and that say something. `seen` is the event with these parts
    laid in; absent where `event` says it all. `undoing` is there for a rewind that is read by
    itself.
    """

    ruleset: str
    seq: int
    hash: str
    recorded_at: str
    event: Raw
    commits: tuple[str, ...]
    parts: tuple[PartRecord, ...] = ()
    seen: Raw | UnsetType = UNSET
    undoing: Undoing | UnsetType = UNSET


class Receipt(Struct, frozen=True, kw_only=True):
    """The service's signature (hex) over the head: whoever holds it can prove a rewritten log."""

    kid: str
    encounter: str
    seq: int
    hash: str
    sig: str


class Stopped(Struct, frozen=True, kw_only=True):
    """Why a list of actions ended early: `index` was refused, or a decision opened before it.

    `problem` is present only for a refusal.
    """

    index: int
    reason: str
    problem: Raw | UnsetType = UNSET


class ActionsAnswer(Struct, frozen=True, kw_only=True):
    """What came of an action or a list of them; `version` is the last seq."""

    ruleset: str
    accepted: int
    events: tuple[EventRecord, ...]
    version: int
    etag: str
    decisions: Raw
    receipt: Receipt
    stopped: Stopped | UnsetType = UNSET


class TimerView(Struct, frozen=True, kw_only=True):
    """How long an open decision, or the turn of the combatant `turn`, may still take.

    `expires_at` (the time of the database) is absent while the clock is `paused`; one in the past
    is overdue. `left_seconds` are rounded up, 0 if the time is over; beside a deadline they are
    absent where an answer has a tag, since they are others every second.
    """

    decision_id: str | UnsetType = UNSET
    turn: str | UnsetType = UNSET
    paused: bool
    expires_at: str | UnsetType = UNSET
    left_seconds: int | UnsetType = UNSET


class TimersAnswer(Struct, frozen=True, kw_only=True):
    """All deadlines that this caller may know of, at the time `now` of the database."""

    encounter: str
    now: str
    paused: bool
    timers: tuple[TimerView, ...]


class EncounterView(Struct, frozen=True, kw_only=True):
    """An encounter as this caller sees it after event `seq`.

    `state` is what a rewind restores, `table` what it never touches (seats, notes, the seed once
    revealed), `decisions` the open questions. `timers` are there where the options limit decisions
    or turns, and only for the present state.
    """

    encounter: str
    title: str | UnsetType = UNSET
    metadata: MetadataObject | UnsetType = UNSET
    ruleset: str
    version: str
    created_at: str
    seq: int
    hash: str
    head: int
    state: Raw
    table: Raw
    decisions: Raw
    timers: tuple[TimerView, ...] | UnsetType = UNSET
    receipt: Receipt | UnsetType = UNSET


class CreatedAnswer(Struct, frozen=True, kw_only=True):
    """A new encounter and its first event."""

    encounter: str
    ruleset: str
    view: EncounterView
    events: tuple[EventRecord, ...]
    receipt: Receipt


class EncounterSummary(Struct, frozen=True, kw_only=True):
    """One line of a list of encounters."""

    encounter: str
    title: str | UnsetType = UNSET
    metadata: MetadataObject | UnsetType = UNSET
    ruleset: str
    version: str
    status: str
    seq: int
    created_at: str


class EncounterPage(Struct, frozen=True, kw_only=True):
    """Encounters in the order of their creation, or the newest first.

    `next` continues behind the last, in the same order and under the same filters.
    """

    encounters: tuple[EncounterSummary, ...]
    next: str | UnsetType = UNSET


class TombstoneView(Struct, frozen=True, kw_only=True):
    """What is left of a deleted encounter: whoever holds a receipt can still compare."""

    encounter: str
    seq: int
    hash: str
    deleted_at: str


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in order; `next` is the cursor (`seq-hash8`) behind the last, `head` the log's end."""

    ruleset: str
    events: tuple[EventRecord, ...]
    next: str
    head: int


class PreviewAnswer(Struct, frozen=True, kw_only=True):
    """What an action would do on the present head, as far as this caller may know."""

    ruleset: str
    version: int
    legal: bool
    facts: Raw
    odds: tuple[Odds, ...]
    opens: tuple[str, ...]
    unknown: tuple[str, ...]


class LegalAnswer(Struct, frozen=True, kw_only=True):
    """What a combatant may do now: one node per action, `samples` complete actions if asked."""

    ruleset: str
    version: int
    combatant: str
    actions: Raw
    samples: Raw | UnsetType = UNSET


Faces = Annotated[tuple[Annotated[int, Meta(ge=1, le=65_536)], ...], Meta(max_length=20_000)]
"""Faces the table rolled, in draw order; enough for the initiative of 500 large pools."""
