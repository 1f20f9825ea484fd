"""Which messages are new: who can write to Redis can also write again what was written before.

How this works. Whoever seals a message stamps it with its clock, in microseconds and never twice
the same. Presence is believed only if its stamp is of these seconds and newer than the last one
of that process about that encounter; so what was recorded earlier says nothing. Machines whose
clocks are further apart than that do not see one another's seats. News need no stamp: each names
the event before it, and what does not continue what is known is not used.
"""

import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

FRESH_SECONDS: Final = 10.0
"""A message is as old as that at most, clocks that differ included."""

_MICROSECONDS: Final = 1_000_000
_FRESH: Final = int(FRESH_SECONDS * _MICROSECONDS)


class Freshness:
    """Stamps what one process seals, and knows the newest stamps it saw."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        """`wall` gives the seconds since 1970, as all processes know them."""
        self._wall = wall
        self._last = 0
        self._newest: dict[tuple[str, UUID], tuple[int, int]] = {}

    def stamp(self) -> int:
        """The time of now, later than the one before."""
        self._last = max(self._now(), self._last + 1)
        return self._last

    def is_fresh(self, process: str, encounter: UUID, sent: int) -> bool:
        """Whether nothing newer was seen of this process about this encounter; seen now it is."""
        now = self._now()
        self._forget(now)
        newest, _ = self._newest.get((process, encounter), (0, 0))
        if abs(now - sent) > _FRESH or sent <= newest:
            return False
        self._newest.pop((process, encounter), None)
        self._newest[process, encounter] = sent, now
        return True

    def _forget(self, now: int) -> None:
        """Forget what is refused for its age by now; one whose clock is ahead lasts longest."""
        while self._newest:
            oldest = next(iter(self._newest))
            if self._newest[oldest][1] > now - 2 * _FRESH:
                return
            del self._newest[oldest]

    def _now(self) -> int:
        return int(self._wall() * _MICROSECONDS)
