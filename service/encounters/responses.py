"""What callers are shown, as wire types: built by the one serializer, encoded once."""

from typing import Annotated, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.json_patch import PatchStep
from service.encounters.undone_events import Undoing
from service.engine.battle.linear import Note
from service.engine.narration.explanation import Explanation
from service.engine.ruleset.definition import Odds
from service.engine.scene import Scene
from service.engine.vocabulary.values import Digest
from service.errors import WarlogError

T = TypeVar("T")

MetadataObject = Annotated[Raw, Meta(extra_json_schema={"x-metadata": True})]
"""Metadata as callers are shown them: the object that was sent."""


class PartRecord(Struct, frozen=True, kw_only=True):
    """A part this caller may read; `body` is absent once its text was erased."""

    kind: str
    """`text` for what people wrote, `facts` for everything else."""
    audience: str
    """Who may read it: `everyone`, `gm`, or the id of a side."""
    salt: str
    """Random bytes that the part's commitment was made with (hex): with `body` they prove it."""
    body: Raw | UnsetType = UNSET
    """What the part says; absent once it was erased."""


class EventRecord(Struct, frozen=True, kw_only=True):
    """One event: `event` is the hashed body byte for byte, `hash` its hash (hex).

    `ruleset` is that of the encounter. `commits` are the commitments of all parts in order, `parts`
    those that this caller may read and that say something. `seen` is the event with these parts
    laid in; absent where `event` says it all. `undoing` is there for a rewind that is read by
    itself: pages, streams and answers are the log, in which it is found without it. `undone_by` is
    as of the head at which the log was read: streams tell of an event once, as it happened.
    `explanation` is there for an event that is read with `explain`.
    """

    ruleset: str
    """Slug of the encounter's ruleset."""
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
    """The parts that this caller may read; empty ones are left out."""
    seen: Raw | UnsetType = UNSET
    """The event with these parts laid in; absent where `event` says it all."""
    undoing: Undoing | UnsetType = UNSET
    """What a rewind undid and brought back; only where one event is read by its seq. Whoever has
    the log finds it by going from the head from `base` to `base`."""
    patch: tuple[PatchStep, ...] | UnsetType = UNSET
    """JSON Patch (RFC 6902) of the document `{decisions, state, table}`, as this caller is shown
    it, from before the event to after it; of event 1 from `{}`. Only where `state=patch` asks;
    `scene=patch` adds `scene`."""
    narration: str | UnsetType = UNSET
    """The event in a few sentences, as this caller may hear it; only where `narrate` asks."""
    undone_by: int | UnsetType = UNSET
    """Rewind since which this event does not count, where events are read from the log: by page or
    by seq. Absent where it counts, in streams and in the answers to actions. What never rewinds
    stays all the same, such as seats and notes."""
    explanation: Explanation | UnsetType = UNSET
    """Why it came out as it did; only where one event is read with `explain`."""


ReceiptPath = Annotated[tuple[Digest, ...], Meta(max_length=32)]
"""The hashes next to the way from a head to what was signed."""


class Receipt(Struct, frozen=True, kw_only=True):
    """The service's signature (hex) over the head: whoever holds it can prove a rewritten log."""

    kid: str
    """Id of the key that signed, as `/.well-known/warlog-keys.json` lists it."""
    encounter: str
    """Id of the encounter whose head is signed."""
    seq: int
    """The last event at the time of signing."""
    hash: str
    """Hash of that event (64 hex digits)."""
    sig: str
    """Ed25519 signature (128 hex digits) over `warlog/receipt/1`, a zero byte and the canonical
    JSON of the four fields above; with `format` 2 over `warlog/receipt-root/2`, a zero byte and
    the 32 bytes that `path` leads to."""
    format: Literal[2] | UnsetType = UNSET
    """2: heads that were stored together have one signature. Absent: this head has its own."""
    path: ReceiptPath | UnsetType = UNSET
    """With `format` 2: hashes (64 hex digits each) from this head to what was signed. Begin with
    SHA-256 over `warlog/receipt-leaf/2`, a zero byte and that canonical JSON; for each hash of the
    path go on to SHA-256 over `warlog/receipt-node/2`, a zero byte, the smaller of the two and the
    greater one."""


class Stopped(Struct, frozen=True, kw_only=True):
    """Why a list of actions ended early: `index` was refused, or a decision opened before it.

    `problem` is present only for a refusal.
    """

    index: int
    """Which action of the list was not applied, from 0; those before it were."""
    reason: str
    """`refused`: this action was refused; `decision`: the one before it opened a decision."""
    problem: Raw | UnsetType = UNSET
    """The refusal, as it would be answered to the action alone; absent for a decision and in a
    repeated answer."""


class Replayable(Struct, Generic[T], frozen=True):
    """What a write came to, and whether it is that of an earlier request under the same key.

    `refusal` says why a list of actions stopped.
    """

    answer: T
    replayed: bool = False
    refusal: WarlogError | None = None


class ActionsAnswer(Struct, frozen=True, kw_only=True):
    """What came of an action or a list of them; `version` is the last seq."""

    ruleset: str
    """Slug of the encounter's ruleset."""
    accepted: int
    """How many actions were applied, one event each."""
    events: tuple[EventRecord, ...]
    """Their events in order, as this caller may see them."""
    version: int
    """Seq of the last of these events."""
    etag: str
    """The version behind them, `seq-hash8`: in quotes what `If-Match` takes."""
    decisions: Raw
    """Open decisions that this caller may know of, those to be answered next."""
    receipt: Receipt
    """The service's signature over the head."""
    stopped: Stopped | UnsetType = UNSET
    """Why not all actions of the list were applied; absent when all were."""


Acted = Replayable[ActionsAnswer]
"""What a request for actions came to."""


class TimerView(Struct, frozen=True, kw_only=True):
    """How long an open decision, or the turn of the combatant `turn`, the side `side` or the unit
    `unit`, may still take.

    `expires_at` (the time of the database) is absent while the clock is `paused`; one in the past
    is overdue. `left_seconds` are rounded up, 0 if the time is over; next to a deadline they are
    absent where an answer has a tag, since they are others every second.
    """

    decision_id: str | UnsetType = UNSET
    """The open decision that is timed; absent for a turn."""
    turn: str | UnsetType = UNSET
    """Id of the combatant whose turn is timed; absent for a decision or another turn."""
    side: str | UnsetType = UNSET
    """Side whose turn is timed, or that of the unit; absent for any other."""
    unit: str | UnsetType = UNSET
    """Unit whose turn is timed; absent for any other."""
    paused: bool
    """Whether the clock of the encounter stands still."""
    expires_at: str | UnsetType = UNSET
    """When the time is over, by the database's clock (RFC 3339, UTC); in the past: overdue. Absent
    while paused."""
    left_seconds: int | UnsetType = UNSET
    """Seconds left, rounded up, 0 when overdue. Absent next to `expires_at` in answers with an
    ETag."""


class TimersAnswer(Struct, frozen=True, kw_only=True):
    """All deadlines that this caller may know of, at the time `now` of the database."""

    encounter: str
    """Id of the encounter."""
    now: str
    """The database's clock at the time of this answer (RFC 3339, UTC), to compare `expires_at`
    with."""
    paused: bool
    """Whether the clock of the encounter stands still."""
    timers: tuple[TimerView, ...]
    """The deadlines that this caller may know of: of open decisions in their order, then of the
    turn."""


class NotePage(Struct, frozen=True, kw_only=True):
    """Notes, oldest first."""

    notes: tuple[Note, ...]
    """Notes as the caller may read them."""
    next: int
    """Seq of the last note of this page: `after` of the next one."""
    has_more: bool
    """Whether there are notes behind this page."""


class EncounterView(Struct, frozen=True, kw_only=True):
    """An encounter as this caller sees it after event `seq`.

    `state` is what a rewind restores, `table` what it never touches (seats, notes, the seed once
    revealed), `decisions` the open questions. `timers` are there where the options limit decisions
    or turns, and only for the present state.
    """

    encounter: str
    """Id of the encounter."""
    title: str | UnsetType = UNSET
    """Its display name; absent if it has none."""
    metadata: MetadataObject | UnsetType = UNSET
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version of its ruleset, fixed at creation."""
    created_at: str
    """When it was created (RFC 3339, UTC)."""
    seq: int
    """The event after which the state is shown: `at`, or else the last one."""
    hash: str
    """Hash of that event (64 hex digits)."""
    head: int
    """Seq of the log's last event."""
    state: Raw
    """What a rewind restores, as this caller may see it: battle, combatants, open decisions."""
    table: Raw
    """What a rewind never touches, as this caller may see it: seats, notes, contributions, the
    seed once revealed."""
    decisions: Raw
    """Open decisions that this caller may know of, those to be answered next."""
    timers: tuple[TimerView, ...] | UnsetType = UNSET
    """Deadlines that this caller may know of; absent where the options set no time limit and for
    an earlier `at`."""
    receipt: Receipt | UnsetType = UNSET
    """The service's signature over the head; views of this version leave it out."""


class SceneAnswer(Struct, frozen=True, kw_only=True):
    """A neutral picture of an encounter as this caller sees it after event `seq`."""

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    seq: int
    """The event after which it is shown: `at`, or else the last one."""
    head: int
    """Seq of the log's last event."""
    scene: Scene
    """What is seen, in integers of the ruleset's unit."""


class CreatedAnswer(Struct, frozen=True, kw_only=True):
    """A new encounter and its first event."""

    encounter: str
    """Id of the new encounter."""
    ruleset: str
    """Slug of its ruleset."""
    view: EncounterView
    """The encounter after event 1."""
    events: tuple[EventRecord, ...]
    """Event 1."""
    receipt: Receipt
    """The service's signature over the head."""


class EncounterSummary(Struct, frozen=True, kw_only=True):
    """One line of a list of encounters."""

    encounter: str
    """Id of the encounter."""
    title: str | UnsetType = UNSET
    """Its display name; absent if it has none."""
    metadata: MetadataObject | UnsetType = UNSET
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version of its ruleset."""
    status: str
    """`setup` before the battle, `running`, or `ended`."""
    seq: int
    """Seq of the log's last event."""
    created_at: str
    """When it was created (RFC 3339, UTC)."""


class EncounterPage(Struct, frozen=True, kw_only=True):
    """Encounters in the order of their creation, or the newest first.

    `next` continues behind the last, in the same order and under the same filters.
    """

    encounters: tuple[EncounterSummary, ...]
    """The encounters of this page, in the order that was asked for."""
    next: str | UnsetType = UNSET
    """What to send as `cursor` for the next page, with the same order and filters; absent on the
    last one."""


class TombstoneView(Struct, frozen=True, kw_only=True):
    """What is left of a deleted encounter: whoever holds a receipt can still compare."""

    encounter: str
    """Id of the deleted encounter."""
    seq: int
    """Seq of its last event."""
    hash: str
    """Hash of its last event (64 hex digits), to compare receipts with."""
    deleted_at: str
    """When it was deleted (RFC 3339, UTC)."""


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in order; `next` is the cursor (`seq-hash8`) behind the last, `head` the log's end."""

    ruleset: str
    """Slug of the encounter's ruleset."""
    events: tuple[EventRecord, ...]
    """Events behind the cursor, in order."""
    next: str
    """The cursor behind the last of them, `seq-hash8`, to send as `after`; on an empty page the
    one that was sent."""
    head: int
    """Seq of the log's last event: there is more while `next` is behind it."""


class PreviewAnswer(Struct, frozen=True, kw_only=True):
    """What an action would do on the present head, as far as this caller may know."""

    ruleset: str
    """Slug of the encounter's ruleset."""
    version: int
    """Seq of the event after which it was foreseen."""
    legal: bool
    """Always true: an action that may not be taken is answered with its problem."""
    facts: Raw
    """What is known before a die falls: numbers, modifiers and whom it affects, as the ruleset
    names them."""
    odds: tuple[Odds, ...]
    """Exact chances of the outcomes; empty where there is no roll or not enough is known."""
    opens: tuple[str, ...]
    """Kinds of the decisions that the action may open, those before its roll first."""
    unknown: tuple[str, ...]
    """What the caller may not know and the odds would need, by the ruleset's word for it."""


class InspectionAnswer(Struct, frozen=True, kw_only=True):
    """What the caller may see of a question that is no action."""

    ruleset: str
    """Slug of the encounter's ruleset."""
    version: int
    """Seq of the event after which it holds."""
    inspection: str
    """Name of the inspection."""
    answer: Raw
    """What was found, as the ruleset names it."""


class LegalAnswer(Struct, frozen=True, kw_only=True):
    """What may be done now: one node per action, `samples` complete actions if asked.

    `actions` of the combatant, unit or side that was asked about; where none was, `actors` with all
    that the caller may do.
    """

    ruleset: str
    """Slug of the encounter's ruleset."""
    version: int
    """Seq of the event after which these are legal."""
    combatant: str | UnsetType = UNSET
    """Id of the combatant that would act; absent where another or nobody was asked about."""
    unit: str | UnsetType = UNSET
    """Id of the unit that would act; absent where another or nobody was asked about."""
    side: str | UnsetType = UNSET
    """Id of the side that would act; absent where another or nobody was asked about."""
    actions: Raw | UnsetType = UNSET
    """One node for each type of action that is open to it; empty if it can do nothing now. Absent
    where nobody was asked about."""
    actors: Raw | UnsetType = UNSET
    """Whom the caller may act for now, sides first, then units and combatants, each with its
    actions; what several do together is once. Absent where somebody was asked about."""
    samples: Raw | UnsetType = UNSET
    """Complete actions picked from them; present where `sample` asked for some."""


Faces = Annotated[tuple[Annotated[int, Meta(ge=1, le=65_536)], ...], Meta(max_length=20_000)]
"""Faces the table rolled, in draw order; enough for the initiative of 500 large pools."""
