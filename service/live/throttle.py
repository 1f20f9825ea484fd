"""Does something at once, and again some time later at the earliest."""

import asyncio
from collections.abc import Callable


class Throttle:
    """What is asked for meanwhile is done once, when the time is over."""

    __slots__ = ("_due", "_free_at", "_seconds", "_work")

    def __init__(self, work: Callable[[], None], seconds: float) -> None:
        """`work` must neither wait nor raise."""
        self._work = work
        self._seconds = seconds
        self._free_at = 0.0
        self._due: asyncio.TimerHandle | None = None

    def ask(self) -> None:
        """Have it done, now or as soon as may be."""
        loop = asyncio.get_running_loop()
        if self._due is not None:
            return
        if loop.time() >= self._free_at:
            self._do()
        else:
            self._due = loop.call_at(self._free_at, self._do)

    def finish(self) -> None:
        """Do now what is still to be done."""
        if self._due is not None:
            self._due.cancel()
            self._do()

    def _do(self) -> None:
        self._due = None
        self._free_at = asyncio.get_running_loop().time() + self._seconds
        self._work()
