"""What waits to be told: never more than so much, never longer than it is news.

Whoever follows an encounter looks at its log every second anyway, so a message that waited longer
than a few seconds tells nobody anything.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from service.fanout.fanout import FanoutTally
from service.fanout.messages import EncounterMessage, News

MOST: Final = 10_000
MOST_BYTES: Final = 1 << 24
"""Messages, and bytes of them, that may wait in one process."""

NEWS_SECONDS: Final = 5.0
BATCH: Final = 64
BATCH_BYTES: Final = 1 << 18
_FRAME_BYTES: Final = 256


class Letter(Struct, frozen=True):
    """A message that waits. `since` is when it was told, by the loop's clock."""

    message: EncounterMessage
    bytes: int
    since: float


class Outbox:
    """Messages in the order they came; the oldest are dropped, and counted, when it is full."""

    def __init__(
        self,
        tally: FanoutTally,
        clock: Callable[[], float],
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._tally = tally
        self._clock = clock
        self._most = most
        self._most_bytes = most_bytes
        self._letters: deque[Letter] = deque()
        self._bytes = 0
        self._bell = asyncio.Event()

    def __len__(self) -> int:
        return len(self._letters)

    def put(self, message: EncounterMessage) -> None:
        """Add one behind the others."""
        self._add(Letter(message, _size(message), self._clock()))

    def put_all(self, letters: Iterable[Letter]) -> None:
        """Add what waited elsewhere."""
        for letter in letters:
            self._add(letter)

    def put_back(self, letters: list[Letter]) -> None:
        """Put in front what was taken and could not be told."""
        self._letters.extendleft(reversed(letters))
        self._bytes += sum(letter.bytes for letter in letters)
        self._trim()
        if self._letters:
            self._bell.set()

    def take_all(self) -> list[Letter]:
        """Take everything out."""
        taken = list(self._letters)
        self._letters.clear()
        self._bytes = 0
        self._bell.clear()
        return taken

    async def take(self) -> list[Letter]:
        """Wait for something to tell, and take as much of it as goes out at once."""
        while True:
            self._trim()
            if self._letters:
                return self._some()
            self._bell.clear()
            await self._bell.wait()

    def _some(self) -> list[Letter]:
        taken: list[Letter] = []
        size = 0
        while self._letters and len(taken) < BATCH and size < BATCH_BYTES:
            letter = self._letters.popleft()
            taken.append(letter)
            size += letter.bytes
        self._bytes -= size
        return taken

    def _add(self, letter: Letter) -> None:
        self._letters.append(letter)
        self._bytes += letter.bytes
        self._trim()
        self._bell.set()

    def _trim(self) -> None:
        oldest = self._clock() - NEWS_SECONDS
        letters = self._letters
        while letters and (
            len(letters) > self._most or self._bytes > self._most_bytes or letters[0].since < oldest
        ):
            self._bytes -= letters.popleft().bytes
            self._tally.dropped += 1


def _size(message: EncounterMessage) -> int:
    if isinstance(message, News):
        return _FRAME_BYTES + len(message.body) + len(message.commits)
    return _FRAME_BYTES + sum(len(seat) for seat in message.seats)
