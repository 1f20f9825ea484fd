"""Writes what came to the live followers of one encounter, some of them in each turn of the loop.

How this works. A thousand writes take many milliseconds, in which nobody else is served: whoever
acts before a thousand followers would wait for all of them before the next action. So a turn of the
loop writes to so many, and the rest follows in the next turns. What comes meanwhile waits until all
have what came before; what cannot wait finishes it first.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from service.live.records import Framing, Outgoing
from service.live.subscription import Follower

PER_TURN: Final = 64
"""Followers written to in one turn: half a millisecond."""

Delivery = tuple[Sequence[Follower], Outgoing]
"""To whom, and what."""


class Deliveries:
    """What is being written; `done` is called soon after the last of what one turn left over."""

    __slots__ = ("_done", "_is_due", "_left")

    def __init__(self, done: Callable[[], None]) -> None:
        self._done = done
        self._left: deque[Delivery] = deque()
        self._is_due = False

    @property
    def are_under_way(self) -> bool:
        """Whether `done` is still to be called."""
        return self._is_due

    def begin(self, deliveries: Iterable[Delivery]) -> None:
        """Write these behind everything before: to the first followers now."""
        self.finish()
        self._left.extend(deliveries)
        self._write_some()
        if self._left and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._turn)

    def finish(self) -> None:
        """Write all that is left now, but to those who let go of their stream."""
        while self._left:
            followers, out = self._left.popleft()
            _write([each for each in followers if not each.stream.subscription.is_over], out)

    def _turn(self) -> None:
        self._write_some()
        self._is_due = bool(self._left)
        if self._is_due:
            asyncio.get_running_loop().call_soon(self._turn)
        else:
            self._done()

    def _write_some(self) -> None:
        room = PER_TURN
        while room and self._left:
            followers, out = self._left.popleft()
            _write(followers[:room], out)
            if len(followers) > room:
                self._left.appendleft((followers[room:], out))
            room -= min(room, len(followers))


def _write(followers: Sequence[Follower], out: Outgoing) -> None:
    """Write to some: framed once, then one call per follower."""
    framed: dict[Framing, bytes] = {}
    for follower in followers:
        framing = follower.framing
        if framing is None:
            follower.sink.write(out)
            continue
        data = framed.get(framing)
        if data is None:
            data = framed[framing] = out.framed(framing)
        follower.sink.line.write(data)
