"""Messages that wait to be published: bounded in number, in bytes and in age.

Every process polls the logs that it follows each second, so a message that waited for some seconds
brings nothing new.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from service.fanout.fanout import FanoutTally
from service.fanout.messages import EncounterMessage, News, Presence

MOST: Final = 10_000
MOST_BYTES: Final = 1 << 24
"""Messages, and bytes of them, that may wait in one process."""

NEWS_SECONDS: Final = 5.0
BATCH: Final = 64
BATCH_BYTES: Final = 1 << 18
_FRAME_BYTES: Final = 256


class Letter(Struct, frozen=True):
    """A message that waits, since a moment of the outbox's clock."""

    message: EncounterMessage
    bytes: int
    since: float


class Outbox:
    """Messages in the order they came; the oldest are dropped, and counted, when it is full.

    `clock` gives seconds that never go back.
    """

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
        """Add a message at the end."""
        self._add(Letter(message, _size(message), self._clock()))

    def put_all(self, letters: Iterable[Letter]) -> None:
        """Add letters that waited in another outbox, with the age they have."""
        for letter in letters:
            self._add(letter)

    def put_back(self, letters: list[Letter]) -> None:
        """Put letters back in front that were taken and could not be sent."""
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
        """Wait for a letter, then take as many as one batch holds."""
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
    if isinstance(message, Presence):
        return _FRAME_BYTES + sum(len(seat) for seat in message.seats)
    return _FRAME_BYTES
