"""Which seats have a stream open, here and in other processes, encounter by encounter.

How this works. A process counts the streams of each seat itself, and is told by others which seats
they have. What another process told holds for a while and is told again before that; one that ended
without a word is forgotten. Nobody relies on it: presence is shown, and decides nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

LIFE_SECONDS: Final = 30.0
"""How long what another process told holds."""

RENEWAL_SECONDS: Final = 10.0
"""How often a process tells it again."""

CALL_SECONDS: Final = 1.0
"""Between two records about one seat, and between two messages to other processes about all."""

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

    def came(self, seat: str) -> bool:
        """A stream of this seat opened; whether it is its first one here."""
        self._here[seat] += 1
        return self._here[seat] == 1

    def went(self, seat: str) -> bool:
        """A stream of this seat ended; whether it was its last one here."""
        self._here[seat] -= 1
        if self._here[seat] > 0:
            return False
        del self._here[seat]
        return True

    def told(self, process: str, seats: tuple[str, ...], now: float) -> bool:
        """What another process has at this moment; whether it may not know what this one has.

        A process that is new here is new to the encounter, and so is one without any seat.
        """
        is_new = process not in self._elsewhere
        self._elsewhere.pop(process, None)
        if seats and len(self._elsewhere) < MOST_PROCESSES:
            self._elsewhere[process] = (frozenset(seats), now + LIFE_SECONDS)
        return is_new

    def forget(self, now: float) -> None:
        """Forget what is too old."""
        for process in [name for name, (_, until) in self._elsewhere.items() if until <= now]:
            del self._elsewhere[process]


class RollCall:
    """Says of the seats of one encounter who came and who went: of each once a second at most.

    A seat that comes and goes faster is said to be what it is when the second is over. `present`
    is what was said.
    """

    __slots__ = ("_attendance", "_due", "_said", "_say", "present")

    def __init__(self, attendance: Attendance, say: Callable[[str], None]) -> None:
        """`say` tells of one seat, which is in `present` if it is here."""
        self.present: frozenset[str] = frozenset()
        self._attendance = attendance
        self._say = say
        self._said: dict[str, float] = {}
        self._due: asyncio.TimerHandle | None = None

    def call(self) -> None:
        """Say what changed, as far as it may be said now; the rest by itself later."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._said = {seat: at for seat, at in self._said.items() if at > now - CALL_SECONDS}
        changed = self.present ^ self._attendance.everywhere
        for seat in sorted(changed - self._said.keys()):
            self.present ^= {seat}
            self._said[seat] = now
            self._say(seat)
        left = self.present ^ self._attendance.everywhere
        if left and self._due is None:
            self._due = loop.call_at(
                min(map(self._said.__getitem__, left)) + CALL_SECONDS, self._late
            )

    def cancel(self) -> None:
        """Say nothing more."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _late(self) -> None:
        self._due = None
        self.call()
