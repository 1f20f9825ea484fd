"""What a stream shows, and what calls and streams tell alike.

What a ruleset decides the shape of stays plain JSON: states, events' bodies, contexts of decisions.
Fields that the service may leave out are None then; fields that are not listed here are ignored.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from warlog.json_patch import PatchStep

Json: TypeAlias = dict[str, Any]
"""An object of JSON."""

StatusWord: TypeAlias = Literal["catching_up", "live", "offline"]
"""`offline`: there is no stream, what is held is as old as it is; `catching_up`: there is one that
says what was missed; `live`: what is held is the present."""


UndoBar: TypeAlias = Literal["not_yours", "dice_or_reveal", "asked_somebody"]
"""Why a seat may go back no further."""


class Receipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The service's signature over a head: whoever keeps it can prove that a log was rewritten."""

    kid: str
    encounter: str
    seq: int
    hash: str
    sig: str
    format: int | None = None
    path: tuple[str, ...] | None = None


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question that waits for an answer.

    `side`, `seat` or `combatant` say who may answer; none of them: the game master. `default` is
    the option that stands if nobody does. `roll` are the dice that the table is asked to roll,
    `context` is what it is about, as the ruleset shows it.
    """

    id: str
    kind: str
    opened_by: int
    options: tuple[str, ...]
    default: str
    side: str | None = None
    seat: str | None = None
    combatant: str | None = None
    roll: Json | None = None
    context: Json | None = None
    stream: int | None = None
    number: int | None = None


class Timer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How long a decision or a turn may still take; `expires_at` by the service's clock."""

    paused: bool
    decision_id: str | None = None
    turn: str | None = None
    side: str | None = None
    unit: str | None = None
    expires_at: str | None = None
    left_seconds: int | None = None


class Hello(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="hello"):
    """The first record of every stream: who the client is here, and the log's end.

    It comes again where the seat's rights changed.
    """

    encounter: str
    ruleset: str
    seq: int
    hash: str
    etag: str
    role: str
    presence: tuple[str, ...]
    decisions: tuple[Decision, ...]
    timers: tuple[Timer, ...]
    receipt: Receipt
    state_url: str
    seat: str | None = None
    document: Json | None = None
    document_sha256: str | None = None


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="event"):
    """One event of the log, as this caller may see it.

    `event` is what was hashed, `seen` the same with the parts that the caller may read laid in;
    `told` is the one to read. `narration` are a few sentences, where they were asked for.
    """

    ruleset: str
    seq: int
    hash: str
    recorded_at: str
    event: Json
    commits: tuple[str, ...]
    parts: tuple[Any, ...] = ()
    encounter: str | None = None
    seen: Json | None = None
    patch: tuple[PatchStep, ...] | None = None
    narration: str | None = None
    undone_by: int | None = None
    undoing: Any = None
    explanation: Any = None

    @property
    def told(self) -> Json:
        """The event as far as this caller may know it."""
        return self.event if self.seen is None else self.seen

    @property
    def action(self) -> Json:
        """What was asked for."""
        action: Json = self.told["action"]
        return action

    @property
    def effects(self) -> list[Json]:
        """What happened, in order."""
        effects: list[Json] = self.told["effects"]
        return effects

    @property
    def cursor(self) -> str:
        """Where a reader of this event is."""
        return f"{self.seq}-{self.hash[:8]}"


class Heartbeat(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="heartbeat"
):
    """Nothing else happened: the signed end of the log."""

    encounter: str
    ruleset: str
    seq: int
    hash: str
    receipt: Receipt


class Presence(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="presence"
):
    """Somebody came to a seat, or went."""

    encounter: str
    ruleset: str
    seat: str
    present: bool


class Timers(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="timers"):
    """All deadlines, as they are from now on."""

    encounter: str
    ruleset: str
    timers: tuple[Timer, ...]


class Resync(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="resync"):
    """What was shown so far is not to be built on: the state was told again.

    After `history_diverged` the log is another one than it was: events that were shown before may
    never have been. What is held is right again once the next record comes.
    """

    reason: str
    encounter: str | None = None
    after: str | None = None
    document: Json | None = None


class Bye(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="bye"):
    """The service ended the stream; after `revoked` and `deleted` following is over.

    `retry`: whether to open the stream again with the last id; None from older services.
    """

    reason: str
    encounter: str | None = None
    retry: bool | None = None


class Status(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="status"):
    """This library's own record: how current what it holds is."""

    status: StatusWord
    why: str = ""


Told: TypeAlias = Hello | Event | Heartbeat | Presence | Timers | Resync | Bye
"""What a service shows."""

Record: TypeAlias = Told | Status
"""What following shows."""

KINDS = frozenset({"hello", "event", "heartbeat", "presence", "timers", "resync", "bye"})
"""Records of other kinds, of a later version of the service, are left out."""
