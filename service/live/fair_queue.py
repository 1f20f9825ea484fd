"""Spreads costly work over turns of the event loop, so that other tasks run in between."""

import asyncio
from collections import deque
from typing import Final

AT_ONCE: Final = 4
"""Waiters admitted per turn of the event loop: each writes some 64 KB, or one hello."""


class FairQueue:
    """A queue for turns: first come, first served."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_admitting = False

    async def turn(self) -> None:
        """Wait for a turn."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        if not self._is_admitting:
            self._is_admitting = True
            loop.call_soon(self._admit)
        await mine

    def _admit(self) -> None:
        admitted = 0
        while self._waiting and admitted < self._at_once:
            next_one = self._waiting.popleft()
            if not next_one.done():
                next_one.set_result(None)
                admitted += 1
        self._is_admitting = bool(self._waiting)
        if self._is_admitting:
            asyncio.get_running_loop().call_soon(self._admit)
