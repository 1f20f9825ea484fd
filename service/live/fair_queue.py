"""Lets much that is due at once happen a little at a time, with everything else in between."""

import asyncio
from collections import deque
from typing import Final

AT_ONCE: Final = 4
"""So many go on in one turn of the event loop: each writes some 64 KB, or greets somebody."""


class FairQueue:
    """Whoever has something costly to do waits here for a turn: first come, first served."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_letting = False

    async def turn(self) -> None:
        """Wait until it is one's turn."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        if not self._is_letting:
            self._is_letting = True
            loop.call_soon(self._let)
        await mine

    def _let(self) -> None:
        let = 0
        while self._waiting and let < self._at_once:
            next_one = self._waiting.popleft()
            if not next_one.done():
                next_one.set_result(None)
                let += 1
        self._is_letting = bool(self._waiting)
        if self._is_letting:
            asyncio.get_running_loop().call_soon(self._let)
