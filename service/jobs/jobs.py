"""The jobs of one serving process: so many at once, some waiting, and none left at the end."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Final

from service.errors import Unavailable, WarlogError
from service.jobs.process import JobProcess

WAITING_FOR_EACH: Final = 4
"""For each job under way so many may wait; default, not in the source texts."""

WAIT_SECONDS: Final = 30.0
"""Who has waited so long is told to come again; default, not in the source texts."""

_RETRY_SECONDS: Final = 10


def default_at_once() -> int:
    """A processor is left to those who play."""
    return max(1, (os.cpu_count() or 1) - 1)


class Jobs:
    """Up to `at_once` processes; `wait_seconds` is how long one may wait for its place."""

    def __init__(self, at_once: int, wait_seconds: float = WAIT_SECONDS) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most_waiting = WAITING_FOR_EACH * at_once
        self._wait_seconds = wait_seconds
        self._waiting = 0
        self._running: set[JobProcess] = set()
        self._burials: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    @property
    def running(self) -> int:
        """How many processes there are."""
        return len(self._running)

    async def run(
        self, job: str, pieces: AsyncIterator[bytes], *, seconds: float, memory_bytes: int
    ) -> AsyncGenerator[bytes, None]:
        """Run `job` (`module:function`, see `service.jobs.__main__`) on what it is fed.

        Yields the lines it says, without newlines; `pieces` may be cut anywhere. It has so many
        seconds from when it begins and so much address space. Whoever closes this iterator, or is
        cancelled in it, ends the job: use `contextlib.aclosing`.
        Raises Unavailable("busy") where too many wait and Unavailable("stopping"), before `pieces`
        is asked for anything; JobTimedOut, JobFailed and what `pieces` raises.
        """
        async with (
            self._place(),
            self._process(job, seconds, memory_bytes) as process,
            aclosing(process.lines(pieces)) as lines,
        ):
            async for line in lines:
                yield line

    def stop(self) -> None:
        """End every job; there will be no further ones."""
        self._is_stopping = True
        for process in self._running:
            process.end(_stopping())

    async def drain(self) -> None:
        """Stop, and return when nothing is left."""
        self.stop()
        await asyncio.gather(*(process.gone() for process in self._running))

    @asynccontextmanager
    async def _process(
        self, job: str, seconds: float, memory_bytes: int
    ) -> AsyncIterator[JobProcess]:
        try:
            process = await JobProcess.start(job, seconds, memory_bytes)
        except OSError:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS) from None
        self._running.add(process)
        try:
            if self._is_stopping:
                process.end(_stopping())
            yield process
        finally:
            # Also where the one who waits for it is cancelled once more.
            burial = asyncio.create_task(self._bury(process))
            self._burials.add(burial)
            burial.add_done_callback(self._burials.discard)
            await asyncio.shield(burial)

    async def _bury(self, process: JobProcess) -> None:
        await process.bury()
        self._running.discard(process)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """A place among those under way. Raises Unavailable."""
        await self._take_place()
        try:
            if self._is_stopping:
                raise _stopping()
            yield
        finally:
            self._places.release()

    async def _take_place(self) -> None:
        if self._is_stopping:
            raise _stopping()
        if self._places.locked() and self._waiting >= self._most_waiting:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS) from None
        finally:
            self._waiting -= 1


def _stopping() -> WarlogError:
    return Unavailable("stopping", retry_after=1)
