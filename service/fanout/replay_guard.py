"""Recognizes recorded messages: an attacker who can write to Redis can repeat old ones.

How this works. The sealing process stamps a message with its clock, in microseconds and never twice
the same. Presence is believed only if its stamp is at most `FRESH_SECONDS` away and newer than the
last one of that process about that encounter; so a recorded message has no effect. Machines whose
clocks are further apart than that do not see one another's seats. News need no stamp: each names
the event before it, and is not used where it does not continue the events at hand.
"""

import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

FRESH_SECONDS: Final = 10.0
"""The greatest age of a message, including how far clocks differ."""

_MICROSECONDS: Final = 1_000_000
_FRESH: Final = int(FRESH_SECONDS * _MICROSECONDS)


class ReplayGuard:
    """Stamps the messages of one process, and keeps the newest stamps of the others."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        """`wall` gives the seconds since 1970, as all processes know them."""
        self._wall = wall
        self._last = 0
        self._newest: dict[tuple[str, UUID], tuple[int, int]] = {}

    def stamp(self) -> int:
        """The present time in microseconds, later than the stamp before."""
        self._last = max(self._now(), self._last + 1)
        return self._last

    def is_fresh(self, process: str, encounter: UUID, sent: int) -> bool:
        """Whether a stamp is the newest of this process about this encounter; keeps it if so."""
        now = self._now()
        self._forget(now)
        newest, _ = self._newest.get((process, encounter), (0, 0))
        if abs(now - sent) > _FRESH or sent <= newest:
            return False
        self._newest.pop((process, encounter), None)
        self._newest[process, encounter] = sent, now
        return True

    def _forget(self, now: int) -> None:
        """Forget stamps of messages that are too old by now, twice as long for clocks ahead."""
        while self._newest:
            oldest = next(iter(self._newest))
            if self._newest[oldest][1] > now - 2 * _FRESH:
                return
            del self._newest[oldest]

    def _now(self) -> int:
        return int(self._wall() * _MICROSECONDS)
