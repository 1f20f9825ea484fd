"""Limits how often something is done."""

import asyncio
from collections.abc import Callable


class Throttle:
    """Runs at once when requested; requests within `seconds` after a run share the next one."""

    __slots__ = ("_due", "_free_at", "_seconds", "_work")

    def __init__(self, work: Callable[[], None], seconds: float) -> None:
        """`work` must neither wait nor raise."""
        self._work = work
        self._seconds = seconds
        self._free_at = 0.0
        self._due: asyncio.TimerHandle | None = None

    def request(self) -> None:
        """Run now, or when `seconds` are over since the last run."""
        loop = asyncio.get_running_loop()
        if self._due is not None:
            return
        if loop.time() >= self._free_at:
            self._run()
        else:
            self._due = loop.call_at(self._free_at, self._run)

    def finish(self) -> None:
        """Run now if a run is still due."""
        if self._due is not None:
            self._due.cancel()
            self._run()

    def _run(self) -> None:
        self._due = None
        self._free_at = asyncio.get_running_loop().time() + self._seconds
        self._work()
