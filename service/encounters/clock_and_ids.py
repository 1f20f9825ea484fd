"""Where time, chance and ids come from: handed in, so that everything below works on values.

And how moments and versions are written, and how far the service's clock is ahead of the
database's. `at` of an event is never earlier than that of the event before it, so one step of the
service's clock into the future is copied into all later events of a battle until that time has
come. The database's clock says when an event was really stored (`recorded_at`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec

TOLERATED: Final = timedelta(seconds=5)
"""A smaller lead is not reported: clocks of two machines differ, too. Service default."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The clock (aware, UTC) and the operating system's random bytes."""

    now: Callable[[], datetime]
    random: Callable[[int], bytes]


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, as `at` of an event has it."""
    utc = moment.astimezone(UTC)
    return f"{_second(utc)}.{utc.microsecond // 1000:03}Z"


def recorded(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds: the database's clock."""
    utc = moment.astimezone(UTC)
    return f"{_second(utc)}.{utc.microsecond:06}Z"


def _second(utc: datetime) -> str:
    """Date and time without a fraction; msgspec writes it in a tenth of what `isoformat` takes."""
    return str(msgspec.json.encode(utc)[1:20], "ascii")


def new_id(sources: Sources) -> UUID:
    """A UUID of version 7: 48 bits of milliseconds, then random bits. Nothing orders by it."""
    milliseconds = int(sources.now().timestamp() * 1000)
    value = milliseconds << 80 | int.from_bytes(sources.random(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def etag(seq: int, head: str) -> str:
    """A version as clients hold it: `seq-hash8`."""
    return f"{seq}-{head[:8]}"


def is_ahead(at: str, recorded_at: datetime) -> bool:
    """Whether `at` (RFC 3339 with milliseconds) is later by TOLERATED or more."""
    return at >= timestamp(recorded_at + TOLERATED)


class ClockLead:
    """Counts `events` stored with a lead; `seconds` is the lead of the last append, 0 if small."""

    def __init__(self) -> None:
        self.events = 0
        self.seconds = 0.0

    def note(self, at: str, recorded_at: datetime, count: int) -> None:
        """An append of so many events; `at` is that of the last one."""
        if not is_ahead(at, recorded_at):
            self.seconds = 0.0
            return
        self.events += count
        self.seconds = (datetime.fromisoformat(at) - recorded_at).total_seconds()
