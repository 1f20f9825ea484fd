"""How far the service's clock is ahead of the database's, seen by the events that are stored.

How this works. `at` of an event is never earlier than that of the event before it. So one step of
the service's clock into the future is copied into all later events of a battle until that time has
come. The database's clock says when an event was really stored (`recorded_at`).
"""

from datetime import datetime, timedelta
from typing import Final

from service.encounters.clock_and_ids import timestamp

TOLERATED: Final = timedelta(seconds=5)
"""A smaller lead is not reported: clocks of two machines differ, too. Service default."""


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
