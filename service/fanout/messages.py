"""The messages between processes.

None of them is the truth: a message may be lost, doubled, late, or out of order. The receiver uses
it only if it continues the events it has, and reads the log otherwise.
"""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct

SeatName = Annotated[str, Meta(max_length=200)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]


PRESENCE_SECONDS: Final = 30
"""How long a message about presence holds, unless it names a shorter time."""


class News(Struct, frozen=True, kw_only=True, array_like=True, tag="news"):
    """One event was stored, and this is its public half.

    `hash` has 32 raw bytes, `body` is the hashed body as it is stored; an empty one was too long to
    send: read the log. `commits` concatenates the commitments of all parts. `parts` names the kind
    and audience of each part that is not empty; the content of parts is never sent.
    """

    encounter: UUID
    seq: Annotated[int, Meta(ge=1, lt=1 << 53)]
    base: Annotated[int, Meta(ge=0, lt=1 << 53)]
    hash: Hash
    recorded_at: Annotated[datetime, Meta(tz=True)]
    body: bytes
    commits: bytes
    parts: tuple[tuple[SeatName, SeatName], ...]


class Presence(Struct, frozen=True, kw_only=True, array_like=True, tag="presence"):
    """All seats of an encounter that are present in one process at this moment.

    `process` is the `process` of the Fanout that published it. The last message of a process whose
    streams have all closed holds only until their absence is due.
    """

    encounter: UUID
    process: SeatName
    seats: Annotated[tuple[SeatName, ...], Meta(max_length=1_000)]
    holds_seconds: Annotated[int, Meta(ge=0, le=PRESENCE_SECONDS)] = PRESENCE_SECONDS


class Missed(Struct, frozen=True, kw_only=True, array_like=True, tag="missed"):
    """Messages about these encounters may have been missed until now: read their logs.

    It is never sent, but delivered whenever a subscription has begun (again), so that events stored
    since the last poll of the log need not wait for the next one.
    """

    encounters: tuple[UUID, ...]


EVERY_PROCESS: Final = UUID(int=0)
"""The encounter under which messages go that concern every process; no encounter has this id."""


class Revocation(Struct, frozen=True, kw_only=True, array_like=True, tag="revoked"):
    """Tokens of a seat, or of all seats of an encounter, are no longer good: forget them.

    `encounter` is `EVERY_PROCESS`, `of` the encounter of the seats. A release that does not know
    this message follows no such encounter and never receives it.
    """

    encounter: UUID
    of: UUID
    seat: SeatName | None = None


EncounterMessage = News | Presence | Revocation
"""A message from process to process."""

BattleMessage = News | Presence | Missed
"""A message about an encounter that a process follows."""

FanoutMessage = BattleMessage | Revocation
"""A message as a process receives it."""
