"""Work that computes for long goes on in pieces: between two the rest of the process has its turn.

One event loop answers everybody, so what computes without waiting for anything keeps all others
waiting, however they are none of its encounter.
"""

import asyncio
import time
from typing import Final, TypeVar

from service.engine.inspection import Pieces

A = TypeVar("A")

PIECE_SECONDS: Final = 0.005
"""How long a piece computes; default, not in the source texts."""


class LongWork:
    """One piece of work after another, as long as it takes."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    async def pause(self) -> None:
        """Let others have their turn, if this went on for PIECE_SECONDS since they had it."""
        if time.perf_counter() - self._since >= PIECE_SECONDS:
            await asyncio.sleep(0)
            self._since = time.perf_counter()


async def whole(answer: Pieces[A]) -> A:
    """The answer of an inspection, with pauses between its pieces."""
    work = LongWork()
    while True:
        try:
            next(answer)
        except StopIteration as end:
            finished: A = end.value
            return finished
        await work.pause()
