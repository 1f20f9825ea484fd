"""Messages on their way to the streams: never too many, and delivered a portion at a time."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

M = TypeVar("M")

DELIVERED_AT_ONCE: Final = 256
"""Messages of the inbox that one turn of the event loop delivers."""

MOST_INBOX: Final = 4_096
"""Messages that wait in the inbox; those that do not fit are left to the log."""


class Inbox(Generic[M]):
    """Messages that are not delivered yet; `deliver` is called soon, and takes a `portion`."""

    def __init__(self, deliver: Callable[[], None]) -> None:
        self._deliver = deliver
        self._messages: deque[M] = deque()
        self._is_due = False

    def __len__(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    @property
    def is_full(self) -> bool:
        """Whether it no longer takes messages."""
        return len(self._messages) >= MOST_INBOX

    def put(self, message: M, *, turns: int) -> None:
        """Keep a message, to be delivered after so many turns of the loop, 1 or 2, or sooner."""
        self._messages.append(message)
        if not self._is_due:
            self._is_due = True
            loop = asyncio.get_running_loop()
            if turns == 1:
                loop.call_soon(self._deliver)
            else:
                loop.call_soon(loop.call_soon, self._deliver)

    def portion(self) -> Iterator[M]:
        """Take out the messages of this turn, one by one; the next turn continues with the
        others.
        """
        try:
            for _ in range(min(DELIVERED_AT_ONCE, len(self._messages))):
                yield self._messages.popleft()
        finally:
            self._is_due = bool(self._messages)
            if self._is_due:
                asyncio.get_running_loop().call_soon(self._deliver)
