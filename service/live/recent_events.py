"""What was sent a moment ago: kept only while somebody is behind, for their last steps."""

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final

from service.live.outgoing_event import Fresh

EVENTS: Final = 64
BYTES: Final = 256 * 1024
"""As much is kept of one encounter, in events and in bytes of their bodies."""


class Recent:
    """The last events in a row."""

    __slots__ = ("_bytes", "_events")

    def __init__(self) -> None:
        self._events: deque[Fresh] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._events)

    def add(self, run: Sequence[Fresh]) -> None:
        """Keep what follows the last one."""
        for fresh in run:
            self._events.append(fresh)
            self._bytes += fresh.size
        while self._events and (len(self._events) > EVENTS or self._bytes > BYTES):
            self._bytes -= self._events.popleft().size

    def behind(self, seq: int, hash8: str) -> list[Fresh]:
        """All that follows this place; nothing if some of it is not here."""
        events = self._events
        if not events or not events[0].seq <= seq + 1 <= events[-1].seq:
            return []
        found = list(islice(events, seq + 1 - events[0].seq, None))
        return found if found[0].prev[:8] == hash8 else []

    def clear(self) -> None:
        """Keep nothing."""
        self._events.clear()
        self._bytes = 0
