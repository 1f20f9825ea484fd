"""The jobs of one serving process: so many at once, some waiting, and none left at the end.

How this works. A place is kept for as long as a job takes, also while its input is still coming or
what it says is still being taken, however slowly: that harms nobody while nobody waits. Once
somebody does, a job loses its place if it waits for its client and not the other way round: if over
`patience` seconds it gets or gets rid of less than `LEAST_RATE`, or if it waited for its upload for
more than `UPLOAD_SECONDS` in all. The place is free at once: whoever reads too slowly learns of it
when he reads on. Input that the service itself makes is no upload, however long a job waits for it.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from math import ceil
from typing import Final, Literal, NamedTuple

from service.errors import RequestTimeout, Unavailable, WarlogError
from service.jobs.client_wait import ClientWait, WaitProgress
from service.jobs.places import JobPlace, Places, busy
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

UPLOAD_SECONDS: Final = 10.0
"""How long a job may wait for its upload in all, once others wait; default, not in the source
texts.
"""

InputSource = Literal["client", "service"]
"""Where the input of a job comes from: an upload, or the service itself."""


class _Running(NamedTuple):
    """The place of a job under way, and where its input comes from."""

    place: JobPlace
    source: InputSource


def default_at_once() -> int:
    """A processor is left to those who play."""
    return max(1, (os.cpu_count() or 1) - 1)


class Jobs:
    """Up to `at_once` processes; `wait_seconds` is how long one may wait for its place, `patience`
    how many seconds the clients of the others are watched meanwhile, `upload_seconds` how long the
    others may have waited for their uploads.
    """

    def __init__(
        self,
        at_once: int,
        wait_seconds: float = WAIT_SECONDS,
        patience: float = PATIENCE_SECONDS,
        upload_seconds: float = UPLOAD_SECONDS,
    ) -> None:
        self._places = Places(at_once, WAITING_FOR_EACH * at_once)
        self._wait_seconds = wait_seconds
        self._patience = patience
        self._upload_seconds = upload_seconds
        self._running: dict[JobProcess, _Running] = {}
        self._burials: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    @property
    def running(self) -> int:
        """How many processes there are."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many requests wait for a place."""
        return self._places.waiting

    @property
    def free(self) -> int:
        """How many more could begin at once."""
        return self._places.free

    async def run(
        self,
        job: str,
        pieces: AsyncIterator[bytes],
        *,
        seconds: float,
        memory_bytes: int,
        source: InputSource = "service",
        tenant: str = "",
    ) -> AsyncGenerator[bytes, None]:
        """Run `job` (`module:function`, see `service.jobs.__main__`) on what it is fed.

        Yields the lines it says, without newlines; `pieces` may be cut anywhere. It has so many
        seconds from when it begins and so much address space. `tenant` is whose share of the places
        it takes. Whoever closes this iterator, or is cancelled in it, ends the job: use
        `contextlib.aclosing`.
        Raises Unavailable("busy") where too many wait and Unavailable("stopping"), before `pieces`
        is asked for anything; JobTimedOut, JobFailed and what `pieces` raises; where somebody waits
        for the place RequestTimeout: "upload_too_slow" and "upload_too_long" for pieces of a client
        that come too slowly, "answer_read_too_slowly" where the lines are taken too slowly.
        """
        async with (
            self._place(tenant) as place,
            self._process(_Running(place, source), job, seconds, memory_bytes) as process,
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
        self, running: "_Running", job: str, seconds: float, memory_bytes: int
    ) -> AsyncIterator[JobProcess]:
        try:
            process = await JobProcess.start(job, seconds, memory_bytes)
        except OSError:
            raise busy() from None
        self._running[process] = running
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
    async def _place(self, tenant: str) -> AsyncIterator[JobPlace]:
        """A place among those under way. Raises Unavailable."""
        place = await self._take_place(tenant)
        try:
            if self._is_stopping:
                raise _stopping()
            yield place
        finally:
            place.free()

    async def _take_place(self, tenant: str) -> JobPlace:
        if self._is_stopping:
            raise _stopping()
        hurrying = asyncio.create_task(self._end_slow_clients())
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await self._places.take(tenant)
        except TimeoutError:
            raise busy() from None
        finally:
            hurrying.cancel()

    async def _end_slow_clients(self) -> None:
        """As long as this request waits: end the jobs that wait for too slow a client themselves.

        Time that they waited before this request came does not count.
        """
        params = {"rate": LEAST_RATE, "seconds": ceil(self._patience)}
        first: dict[JobProcess, WaitProgress] = {}
        while True:
            before = {
                each: (each.hunger.progress(), each.unread.progress()) for each in self._running
            }
            first = {each: first.get(each, hunger) for each, (hunger, _) in before.items()}
            await asyncio.sleep(self._patience)
            for process, (hunger, unread) in before.items():
                running = self._running.get(process)
                if running is None:
                    continue
                waited = process.hunger.progress().seconds - first[process].seconds
                if running.source == "client" and self._is_slow(process.hunger, hunger):
                    process.end(RequestTimeout("upload_too_slow", **params))
                elif running.source == "client" and waited > self._upload_seconds:
                    seconds = ceil(self._upload_seconds)
                    process.end(RequestTimeout("upload_too_long", seconds=seconds))
                elif self._is_slow(process.unread, unread):
                    # Whoever takes its lines is asleep, and so cannot leave the place himself.
                    process.end(RequestTimeout("answer_read_too_slowly", **params))
                    running.place.free()

    def _is_slow(self, wait: ClientWait, before: WaitProgress) -> bool:
        now = wait.progress()
        is_idle = now.seconds - before.seconds > self._patience / 2
        return is_idle and now.passed_bytes - before.passed_bytes < LEAST_RATE * self._patience


def _stopping() -> WarlogError:
    return Unavailable("stopping", retry_after=1)
