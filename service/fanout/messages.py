"""What processes tell one another.

None of it is the truth: a message may be lost, doubled, late, or out of order. Whoever hears one
uses it only if it continues what is known already, and reads the log otherwise.
"""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

SeatName = Annotated[str, Meta(max_length=200)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]


class News(Struct, frozen=True, kw_only=True, array_like=True, tag="news"):
    """One event was stored, and this is its public half.

    `hash` has 32 raw bytes, `body` is the hashed body as it is stored; empty: too long to be sent
    about, read the log. `commits` concatenates the commitments of all parts. `parts` names the
    kind and audience of each part that is not empty; what they hold never travels.
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
    """All seats of an encounter that have a stream open in one process at this moment.

    `process` is the `process` of the Fanout that told it.
    """

    encounter: UUID
    process: SeatName
    seats: Annotated[tuple[SeatName, ...], Meta(max_length=1_000)]


class Missed(Struct, frozen=True, kw_only=True, array_like=True, tag="missed"):
    """What others told about these encounters until now may have been missed: read their logs.

    It never travels. It is heard whenever listening to an encounter has begun (again), so that
    what was stored between the last look at its log and this moment need not wait for the poll.
    """

    encounters: tuple[UUID, ...]


EncounterMessage = News | Presence
"""What goes from process to process."""

FanoutMessage = News | Presence | Missed
"""What a process hears."""
