"""Which seats are present, here and in other processes, encounter by encounter.

How this works. A seat is present while it has a stream open, and `GRACE_SECONDS` longer: a client
that lost its stream is asked to come back after a moment, and a phone that changes its network does
so. A seat whose right to read is gone is absent at once. A process counts the streams of each seat
itself, and hears from other processes which seats are present there. Such a message holds for a
while and is repeated before that ends, so that a process that crashed is forgotten. Nothing is
decided by presence: it is only shown.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from math import ceil
from typing import Final, NamedTuple

from service.encounters.principal import Principal
from service.fanout.messages import PRESENCE_SECONDS, Presence

GRACE_SECONDS: Final = 10.0
"""Between the end of a seat's last stream and its absence; default, not in the source texts."""

CALL_SECONDS: Final = 1.0
"""Between two records about one seat, and between two messages to other processes."""

MOST_PROCESSES: Final = 1_000
"""Processes that are remembered for one encounter."""


class _Departure(NamedTuple):
    """The caller whose stream was the last one of its seat, and when the absence is due."""

    who: Principal
    absent_at: float


class Attendance:
    """The seats of one encounter that are present. Times are those of the loop, in seconds."""

    __slots__ = ("_departures", "_elsewhere", "_streams")

    def __init__(self) -> None:
        self._streams: Counter[str] = Counter()
        self._departures: dict[str, _Departure] = {}
        self._elsewhere: dict[str, tuple[frozenset[str], float]] = {}

    @property
    def here(self) -> tuple[str, ...]:
        """The seats that are present in this process, in order."""
        return tuple(sorted({*self._streams, *self._departures}))

    @property
    def everywhere(self) -> frozenset[str]:
        """The seats that are present in any process."""
        return frozenset(self.here).union(*(seats for seats, _ in self._elsewhere.values()))

    @property
    def departed(self) -> frozenset[Principal]:
        """The callers without a stream whose absence is not due yet."""
        return frozenset(departure.who for departure in self._departures.values())

    def arrive(self, seat: str) -> bool:
        """Count a stream of this seat that opened; whether it is the only one here."""
        self._departures.pop(seat, None)
        self._streams[seat] += 1
        return self._streams[seat] == 1

    def depart(self, who: Principal, seat: str, now: float) -> None:
        """Count a stream of this seat that ended; behind its last one the absence is due later."""
        self._streams[seat] -= 1
        if self._streams[seat] <= 0:
            del self._streams[seat]
            self._departures[seat] = _Departure(who, now + GRACE_SECONDS)

    def dismiss(self, who: Principal) -> bool:
        """End the grace of a caller whose right to read is gone; whether it had any."""
        seats = [seat for seat, each in self._departures.items() if each.who == who]
        for seat in seats:
            del self._departures[seat]
        return bool(seats)

    def holds_seconds(self, now: float) -> int:
        """How long it holds who is here, if no stream opens."""
        if self._streams or not self._departures:
            return PRESENCE_SECONDS
        last = max(departure.absent_at for departure in self._departures.values())
        return max(0, min(PRESENCE_SECONDS, ceil(last - now)))

    def note_elsewhere(self, message: Presence, now: float) -> bool:
        """Take note of the seats of another process; whether it may not know those of this one.

        That is so of a process heard for the first time, and of one that had no seat.
        """
        process = message.process
        is_new = process not in self._elsewhere
        self._elsewhere.pop(process, None)
        if message.seats and len(self._elsewhere) < MOST_PROCESSES:
            self._elsewhere[process] = (frozenset(message.seats), now + message.holds_seconds)
        return is_new

    def forget_elsewhere(self) -> None:
        """Forget the other processes, of which nothing is heard while nobody follows here."""
        self._elsewhere.clear()

    def lapse(self, now: float) -> bool:
        """Forget messages that are too old, and seats whose absence is due; whether any was."""
        before = len(self._elsewhere), len(self._departures)
        for process in [name for name, (_, until) in self._elsewhere.items() if until <= now]:
            del self._elsewhere[process]
        for seat in [name for name, each in self._departures.items() if each.absent_at <= now]:
            del self._departures[seat]
        return before != (len(self._elsewhere), len(self._departures))


class RollCall:
    """Reports which seats of one encounter came and went: each once a second at most.

    Of a seat that comes and goes faster, the state at the end of the second is reported. `present`
    holds the seats as they were reported.
    """

    __slots__ = ("_due", "_report", "_reported_at", "_seats", "present")

    def __init__(self, seats: Callable[[], frozenset[str]], report: Callable[[str], None]) -> None:
        """`seats` gives those present; `report` is called with one that came or went."""
        self.present: frozenset[str] = seats()
        self._seats = seats
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
        changed = self.present ^ self._seats()
        for seat in sorted(changed - self._reported_at.keys()):
            self.present ^= {seat}
            self._reported_at[seat] = now
            self._report(seat)
        left = self.present ^ self._seats()
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
