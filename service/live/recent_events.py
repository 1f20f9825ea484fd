"""Events sent a moment ago: kept only while a follower is behind, for its last steps."""

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final

from service.live.outgoing_event import OutgoingEvent

EVENTS: Final = 64
BYTES: Final = 256 * 1024
"""The bounds per encounter, in events and in bytes of their bodies."""


class RecentEvents:
    """The last events in a row."""

    __slots__ = ("_bytes", "_events")

    def __init__(self) -> None:
        self._events: deque[OutgoingEvent] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._events)

    def add(self, run: Sequence[OutgoingEvent]) -> None:
        """Keep events that follow the last one kept."""
        for event in run:
            self._events.append(event)
            self._bytes += event.size
        while self._events and (len(self._events) > EVENTS or self._bytes > BYTES):
            self._bytes -= self._events.popleft().size

    def behind(self, seq: int, hash8: str) -> list[OutgoingEvent]:
        """All events behind a place; none if the next one is not kept or is of another history."""
        events = self._events
        if not events or not events[0].seq <= seq + 1 <= events[-1].seq:
            return []
        events_behind = list(islice(events, seq + 1 - events[0].seq, None))
        return events_behind if events_behind[0].prev[:8] == hash8 else []

    def clear(self) -> None:
        """Forget all."""
        self._events.clear()
        self._bytes = 0
