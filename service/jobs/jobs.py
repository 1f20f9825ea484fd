"""The jobs of one serving process: so many at once, some waiting, and none left at the end.

How this works. A place is kept for as long as a job takes, also while its input is still coming or
what it says is still being taken, however slowly: that harms nobody while nobody waits. Once
somebody does, a job that waits for its client and not the other way round, and over `patience`
seconds gets or gets rid of less than `LEAST_RATE`, loses its place. It is free at once: whoever
reads too slowly learns of it when he reads on.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from math import ceil
from typing import Final

from service.errors import RequestTimeout, Unavailable, WarlogError
from service.jobs.client_wait import ClientWait, WaitProgress
from service.jobs.process import JobProcess

WAITING_FOR_EACH: Final = 4
"""For each job under way so many may wait; default, not in the source texts."""

WAIT_SECONDS: Final = 30.0
"""Who has waited so long is told to come again; default, not in the source texts."""

PATIENCE_SECONDS: Final = 5.0
"""How long the clients of jobs are watched while others wait; default, not in the source texts."""

LEAST_RATE: Final = 262_144
"""Bytes a second that must come for a job, or be taken of what it says, while others wait; default,
not in the source texts.
"""

_RETRY_SECONDS: Final = 10


def default_at_once() -> int:
    """A processor is left to those who play."""
    return max(1, (os.cpu_count() or 1) - 1)


class Jobs:
    """Up to `at_once` processes; `wait_seconds` is how long one may wait for its place, `patience`
    how many seconds the clients of the others are watched meanwhile.
    """

    def __init__(
        self,
        at_once: int,
        wait_seconds: float = WAIT_SECONDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._at_once = at_once
        self._places = asyncio.Semaphore(at_once)
        self._taken: set[object] = set()
        self._most_waiting = WAITING_FOR_EACH * at_once
        self._wait_seconds = wait_seconds
        self._patience = patience
        self._waiting = 0
        self._running: dict[JobProcess, object] = {}
        self._burials: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    @property
    def running(self) -> int:
        """How many processes there are."""
        return len(self._running)

    @property
    def free(self) -> int:
        """How many more could begin at once."""
        return self._at_once - len(self._taken)

    async def run(
        self, job: str, pieces: AsyncIterator[bytes], *, seconds: float, memory_bytes: int
    ) -> AsyncGenerator[bytes, None]:
        """Run `job` (`module:function`, see `service.jobs.__main__`) on what it is fed.

        Yields the lines it says, without newlines; `pieces` may be cut anywhere. It has so many
        seconds from when it begins and so much address space. Whoever closes this iterator, or is
        cancelled in it, ends the job: use `contextlib.aclosing`.
        Raises Unavailable("busy") where too many wait and Unavailable("stopping"), before `pieces`
        is asked for anything; JobTimedOut, JobFailed and what `pieces` raises; where somebody waits
        for the place RequestTimeout, "upload_too_slow" where they come too slowly, and
        "answer_read_too_slowly" where the lines are taken too slowly.
        """
        async with (
            self._place() as place,
            self._process(place, job, seconds, memory_bytes) as process,
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
        self, place: object, job: str, seconds: float, memory_bytes: int
    ) -> AsyncIterator[JobProcess]:
        try:
            process = await JobProcess.start(job, seconds, memory_bytes)
        except OSError:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS) from None
        self._running[process] = place
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
        del self._running[process]

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[object]:
        """A place among those under way. Raises Unavailable."""
        await self._take_place()
        place = object()
        self._taken.add(place)
        try:
            if self._is_stopping:
                raise _stopping()
            yield place
        finally:
            self._free(place)

    def _free(self, place: object) -> None:
        """Leave the place to others, once."""
        if place in self._taken:
            self._taken.discard(place)
            self._places.release()

    async def _take_place(self) -> None:
        if self._is_stopping:
            raise _stopping()
        if self._places.locked() and self._waiting >= self._most_waiting:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS)
        self._waiting += 1
        hurrying = asyncio.create_task(self._end_starving())
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise Unavailable("busy", retry_after=_RETRY_SECONDS) from None
        finally:
            self._waiting -= 1
            hurrying.cancel()

    async def _end_starving(self) -> None:
        """As long as somebody waits: end the jobs that wait for too slow a client themselves."""
        params = {"rate": LEAST_RATE, "seconds": ceil(self._patience)}
        while True:
            before = {
                each: (each.hunger.progress(), each.unread.progress()) for each in self._running
            }
            await asyncio.sleep(self._patience)
            for process, (hunger, unread) in before.items():
                if self._is_slow(process.hunger, hunger):
                    process.end(RequestTimeout("upload_too_slow", **params))
                elif self._is_slow(process.unread, unread) and process in self._running:
                    # Whoever takes its lines is asleep, and so cannot leave the place himself.
                    process.end(RequestTimeout("answer_read_too_slowly", **params))
                    self._free(self._running[process])

    def _is_slow(self, wait: ClientWait, before: WaitProgress) -> bool:
        now = wait.progress()
        is_idle = now.seconds - before.seconds > self._patience / 2
        return is_idle and now.passed_bytes - before.passed_bytes < LEAST_RATE * self._patience


def _stopping() -> WarlogError:
    return Unavailable("stopping", retry_after=1)
