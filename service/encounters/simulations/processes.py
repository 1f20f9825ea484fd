"""The processes that play the battles of one request side by side.

How this works. Battles have numbers, and a process that is free is sent the next one: what a battle
comes to follows from its number alone, so it does not matter who plays it. The first process has
its place among all jobs as any job has; others join it where places are free at that moment. When
the time is nearly up no further battle begins, and those under way are played to their end: whether
a battle begins depends on others only, never on how long it takes itself, so short ones are not
favoured. Only what is not over at the very end is cut short.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import msgspec
from msgspec import Struct

from service.encounters.simulations.job import JOB
from service.encounters.simulations.messages import BattleLine, SimulationOrder
from service.errors import JobTimedOut, Unavailable
from service.jobs.jobs import Jobs

MEMORY_BYTES: Final = 1 << 30
"""Address space of a process that plays battles; it keeps one at a time."""

FINISHING_SHARE: Final = 5
"""In the last of so many parts of the time no further battle begins; service default."""
MOST_FINISHING_SECONDS: Final = 30.0
"""But that is not longer; service default."""

_LINES: Final[msgspec.json.Decoder[BattleLine]] = msgspec.json.Decoder(BattleLine)


class SimulationLimits(Struct, frozen=True, kw_only=True):
    """How many battles a request may have played, for how long, and in how many processes."""

    most: int = 1_000
    seconds: int = 300
    beginning_seconds: float = 270.0
    """After so many no further battle begins."""
    processes: int = 1


def beginning_seconds(seconds: int) -> float:
    """For how much of so many seconds battles may begin."""
    return seconds - min(seconds / FINISHING_SHARE, MOST_FINISHING_SECONDS)


class _Gone(Struct, frozen=True):
    """A process has ended; with an error that ends the whole, if there is one."""

    error: Exception | None


class _Process:
    """One that plays: whether it has begun, and whether it waits for a number."""

    def __init__(self) -> None:
        self.has_begun = False
        self.free = asyncio.Semaphore(1)


class BattleProcesses:
    """Plays battles 0 to `n` - 1 of an order; `begun` is how many of them have begun.

    Its processes count to the share of `tenant`.
    """

    def __init__(
        self,
        jobs: Jobs,
        order: SimulationOrder,
        n: int,
        limits: SimulationLimits,
        tenant: str = "",
    ) -> None:
        self._jobs = jobs
        self._order = msgspec.json.encode(order) + b"\n"
        self._n = n
        self._limits = limits
        self._tenant = tenant
        self._stopping: asyncio.TimerHandle | None = None
        self._is_stopping = False
        self._heard: asyncio.Queue[BattleLine | _Gone] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._under_way = 0
        self.begun = 0

    async def lines(self) -> AsyncGenerator[BattleLine, None]:
        """What the processes say, each battle when it ends, until all have ended or time is up.

        Whoever closes this iterator ends them. Raises Unavailable, JobFailed.
        """
        self._join()
        try:
            while True:
                heard = await self._heard.get()
                if not isinstance(heard, _Gone):
                    yield heard
                elif heard.error is not None:
                    raise heard.error
                elif self._under_way == 0:
                    return
        finally:
            if self._stopping is not None:
                self._stopping.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def stop(self) -> None:
        """Let no further battle begin; those under way are played to their end."""
        self._is_stopping = True

    def _join(self) -> None:
        """Have one process more."""
        self._tasks.append(asyncio.create_task(self._serve()))

    async def _serve(self) -> None:
        """One process, given number after number."""
        error, process = None, _Process()
        lines = self._jobs.run(
            JOB,
            self._told(process),
            seconds=self._limits.seconds,
            memory_bytes=MEMORY_BYTES,
            tenant=self._tenant,
        )
        try:
            async with aclosing(lines):
                async for line in lines:
                    self._heard.put_nowait(_LINES.decode(line))
                    process.free.release()
        except Exception as failure:
            error = self._grave(failure)
        self._under_way -= process.has_begun
        self._heard.put_nowait(_Gone(error))

    def _grave(self, failure: Exception) -> Exception | None:
        """What ends the whole: not that time is up, nor that a place was taken by somebody else
        before a further process had it.
        """
        is_further = self._stopping is not None
        is_harmless = isinstance(failure, JobTimedOut) or (
            is_further and isinstance(failure, Unavailable) and failure.code == "busy"
        )
        return None if is_harmless else failure

    async def _told(self, process: _Process) -> AsyncIterator[bytes]:
        """What a process is fed, from when it begins."""
        process.has_begun = True
        self._under_way += 1
        if self._stopping is None:
            loop = asyncio.get_running_loop()
            self._stopping = loop.call_later(self._limits.beginning_seconds, self.stop)
            for _ in range(min(self._limits.processes, self._n, 1 + self._jobs.free) - 1):
                self._join()
        yield self._order
        while True:
            await process.free.acquire()
            if self.begun == self._n or self._is_stopping:
                return
            self.begun += 1
            yield b"%d\n" % (self.begun - 1)
