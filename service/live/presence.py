"""Which seats have a stream open, here and in other processes, encounter by encounter.

How this works. A process counts the streams of each seat itself, and hears from other processes
which seats they have. Such a message holds for a while and is repeated before that ends, so that a
process that crashed is forgotten. Nothing is decided by presence: it is only shown.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

LIFE_SECONDS: Final = 30.0
"""How long a message of another process holds."""

RENEWAL_SECONDS: Final = 10.0
"""How often a process repeats its message."""

CALL_SECONDS: Final = 1.0
"""Between two records about one seat, and between two messages to other processes."""

MOST_PROCESSES: Final = 1_000
"""Processes that are remembered for one encounter."""


class Attendance:
    """The seats of one encounter that are present."""

    __slots__ = ("_elsewhere", "_here")

    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[str, tuple[frozenset[str], float]] = {}

    @property
    def here(self) -> tuple[str, ...]:
        """The seats with a stream in this process, in order."""
        return tuple(sorted(self._here))

    @property
    def everywhere(self) -> frozenset[str]:
        """The seats with a stream in any process."""
        return frozenset(self._here).union(*(seats for seats, _ in self._elsewhere.values()))

    def arrive(self, seat: str) -> bool:
        """Count a stream of this seat that opened; whether it is its first one here."""
        self._here[seat] += 1
        return self._here[seat] == 1

    def depart(self, seat: str) -> bool:
        """Count a stream of this seat that ended; whether it was its last one here."""
        self._here[seat] -= 1
        if self._here[seat] > 0:
            return False
        del self._here[seat]
        return True

    def note_elsewhere(self, process: str, seats: tuple[str, ...], now: float) -> bool:
        """Take note of the seats of another process; whether it may not know those of this one.

        That is so of a process heard for the first time, and of one that had no seat.
        """
        is_new = process not in self._elsewhere
        self._elsewhere.pop(process, None)
        if seats and len(self._elsewhere) < MOST_PROCESSES:
            self._elsewhere[process] = (frozenset(seats), now + LIFE_SECONDS)
        return is_new

    def forget(self, now: float) -> None:
        """Forget messages that are too old."""
        for process in [name for name, (_, until) in self._elsewhere.items() if until <= now]:
            del self._elsewhere[process]


class RollCall:
    """Reports which seats of one encounter came and went: each once a second at most.

    Of a seat that comes and goes faster, the state at the end of the second is reported. `present`
    holds the seats as they were reported.
    """

    __slots__ = ("_attendance", "_due", "_report", "_reported_at", "present")

    def __init__(self, attendance: Attendance, report: Callable[[str], None]) -> None:
        """`report` is called with one seat, which is in `present` if it is here."""
        self.present: frozenset[str] = frozenset()
        self._attendance = attendance
        self._report = report
        self._reported_at: dict[str, float] = {}
        self._due: asyncio.TimerHandle | None = None

    def call(self) -> None:
        """Report the changes that may be reported now; a timer reports the rest."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._reported_at = {
            seat: at for seat, at in self._reported_at.items() if at > now - CALL_SECONDS
        }
        changed = self.present ^ self._attendance.everywhere
        for seat in sorted(changed - self._reported_at.keys()):
            self.present ^= {seat}
            self._reported_at[seat] = now
            self._report(seat)
        left = self.present ^ self._attendance.everywhere
        if left and self._due is None:
            self._due = loop.call_at(
                min(map(self._reported_at.__getitem__, left)) + CALL_SECONDS, self._late
            )

    def cancel(self) -> None:
        """Report nothing more."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _late(self) -> None:
        self._due = None
        self.call()
