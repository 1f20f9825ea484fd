"""How late the event loop is: measured all the time, logged when it stood still.

How this works. A task wakes up every BEAT_SECONDS; how much later than that it wakes is how long
everything else in the process had to wait as well, and it is counted each time. From
STILL_SECONDS on a line in the log says so, at most one in QUIET_SECONDS: the longest stillness
since the last line, how many there were, and how much of the longest the loop's own thread was
computing. If that is nearly all of it, a piece of work held the loop; if it is little, the
machine gave the process no time or the work was waiting for something outside.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import structlog

BEAT_SECONDS: Final = 0.1
STILL_SECONDS: Final = 0.5
QUIET_SECONDS: Final = 1.0
"""Service defaults, not in the source text."""

Observe = Callable[[float], None]
"""Takes one lag in seconds."""

_log = structlog.get_logger("warlog.loop")


@asynccontextmanager
async def watched_loop(observe: Observe) -> AsyncIterator[None]:
    """Hand every lag of the running loop to `observe`, and tell long ones, as long as the block."""
    task = asyncio.create_task(LoopLag(observe).watch())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class LoopLag:
    """Measures the loop it runs in."""

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self._longest = 0.0
        self._busy = 0.0
        self._count = 0
        self._quiet_until = 0.0

    async def watch(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            began, busy = loop.time(), time.thread_time()
            await asyncio.sleep(BEAT_SECONDS)
            now = loop.time()
            lag = max(0.0, now - began - BEAT_SECONDS)
            self._observe(lag)
            if lag >= STILL_SECONDS:
                self._note(lag, time.thread_time() - busy)
            if self._count and now >= self._quiet_until:
                self._quiet_until = now + QUIET_SECONDS
                self._log_standstill()

    def _note(self, lag: float, busy: float) -> None:
        self._count += 1
        if lag > self._longest:
            self._longest, self._busy = lag, busy

    def _log_standstill(self) -> None:
        _log.warning(
            "the event loop stood still",
            seconds=round(self._longest, 3),
            computing_seconds=round(self._busy, 3),
            times=self._count,
        )
        self._longest = self._busy = 0.0
        self._count = 0
