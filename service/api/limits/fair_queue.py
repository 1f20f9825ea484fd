"""Turns of the loop: requests begin a few at a time, so that none waits behind a whole flood.

How this works. A turn of the loop ends when everything that it met is done. Of a thousand requests
that come at once a thousand would begin in one turn, and whoever comes next would wait for all of
them. Here only so many begin in a turn, in the order in which they came, those that show a key
apart from those that show nothing: for a flood of strangers it is strangers who wait. Those that
show a key and ask for a stream wait with all that catch up (`live.fair_queue`) and keep no action
waiting. Where nobody waits, a request begins at once and costs a comparison more.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, Literal

RequestClass = Literal["caller", "stranger", "handshake", "connection"]
"""A stranger shows neither a key nor a token; a handshake is only judged, which takes little; a
connection is one whose first request is to be read."""

PER_TURN: Final[Mapping[RequestClass, int]] = {
    "caller": 16,
    "stranger": 8,
    "handshake": 4,
    "connection": 4,
}
"""Service defaults, not in the source texts: some milliseconds of work."""

Begin = Callable[[], None]


class _Queue:
    """Waiting requests of one class, and how many of them may still begin in this turn."""

    __slots__ = ("left", "per_turn", "waiting")

    def __init__(self, per_turn: int) -> None:
        self.per_turn = per_turn
        self.left = per_turn
        self.waiting: deque[Begin] = deque()

    def take(self, begin: Begin) -> None:
        if self.left and not self.waiting:
            self.left -= 1
            begin()
        else:
            self.waiting.append(begin)

    def turn(self) -> bool:
        """Begin a turn of the loop; whether any request began in it."""
        self.left = self.per_turn
        while self.left and self.waiting:
            self.left -= 1
            self.waiting.popleft()()
        return self.left < self.per_turn


class Turns:
    """The requests of one process that are about to begin."""

    def __init__(self) -> None:
        self._queues = {kind: _Queue(per_turn) for kind, per_turn in PER_TURN.items()}
        self._is_counting = False

    @property
    def waiting(self) -> int:
        """How many have not begun yet."""
        return sum(len(queue.waiting) for queue in self._queues.values())

    def take(self, begin: Begin, kind: RequestClass) -> None:
        """Call `begin`, which raises nothing: in this turn of the loop or in its own."""
        if not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_soon(self._turn)
        self._queues[kind].take(begin)

    def _turn(self) -> None:
        busy = [queue.turn() for queue in self._queues.values()]
        self._is_counting = any(busy)
        if self._is_counting:
            asyncio.get_running_loop().call_soon(self._turn)
