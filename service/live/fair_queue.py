"""Spreads costly work over turns of the event loop, so that other tasks run in between.

How this works. Where thousands catch up at once their work fills the loop for seconds, and each
step of an action would wait for a turn that is full of it. So while somebody acts the loop is free
of it most of the time: behind each few that are admitted there is a rest.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from service.live.long_poll import ring

AT_ONCE: Final = 4
"""Waiters admitted per turn of the event loop: each writes some 64 KB, or one hello."""

REST_SECONDS: Final = 0.001
"""Behind each turn in which waiters are admitted while somebody acts; twice what they take."""


class FairQueue:
    """A queue for turns: first come, first served. `is_busy` says whether somebody acts."""

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_admitting = False

    def take(self, begin: Callable[[], None]) -> None:
        """Call `begin`, which raises nothing, when it is its turn."""
        self._waiting.append(begin)
        if not self._is_admitting:
            self._is_admitting = True
            asyncio.get_running_loop().call_soon(self._admit)

    async def turn(self) -> None:
        """Wait for a turn."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.take(partial(ring, mine))
        await mine

    def _admit(self) -> None:
        for _ in range(min(AT_ONCE, len(self._waiting))):
            self._waiting.popleft()()
        self._is_admitting = bool(self._waiting)
        if self._is_admitting:
            loop = asyncio.get_running_loop()
            loop.call_later(REST_SECONDS if self._is_busy() else 0, self._admit)
