"""Worker processes side by side: each is given one encounter at a time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from service.cli.all_audits.job import (
    AuditJob,
    DatabaseTrouble,
    EventsJudged,
    JudgedLine,
    Ready,
    WorkerLine,
    failed,
)
from service.errors import DatabaseAway, JobFailed, JobTimedOut, SchemaMismatch, WarlogError
from service.eventstore.records import EncounterRow
from service.jobs.jobs import Jobs

WORK: Final = "service.cli.all_audits.worker:work"
SECONDS: Final = 30 * 86_400
"""Of one process: as good as no limit."""
MEMORY_BYTES: Final = 4 << 30
"""Of address space; a battle that wants more cannot be judged, and the next is."""

_LINES: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(WorkerLine)
_TROUBLES: Final = {error.code: error for error in (DatabaseAway, SchemaMismatch)}

Judged = Callable[[JudgedLine], None]
Progressed = Callable[[int], None]


class Observer(Struct, frozen=True):
    """Who is shown each result, and meanwhile how many more events were judged.

    The events of a battle come to as many as its result says.
    """

    judged: Judged
    progressed: Progressed = lambda count: None


class WorkerPool:
    """So many processes for one job."""

    def __init__(self, job: AuditJob, count: int, observer: Observer, work: str = WORK) -> None:
        self._job = job
        self._count = count
        self._observer = observer
        self._work = work
        self._jobs = Jobs(count)
        self._turn = asyncio.Lock()

    async def run(self, rows: AsyncIterator[EncounterRow]) -> None:
        """Have all of them judged, in the order in which processes are free.

        Cancelled, it ends the processes in the middle of what they do. Raises JobFailed if none
        gets as far as to be asked, and DatabaseAway or SchemaMismatch if that is what they find.
        """
        tasks = [asyncio.create_task(self._serve(rows)) for _ in range(self._count)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._jobs.drain()

    async def _serve(self, rows: AsyncIterator[EncounterRow]) -> None:
        """One process after another, as long as there is something to judge."""
        worker: AuditProcess | None = None
        try:
            while (row := await self._next(rows)) is not None:
                worker = worker or await AuditProcess.start(self._jobs, self._work, self._job)
                try:
                    line = await worker.judge(row, self._observer.progressed)
                except (JobFailed, JobTimedOut) as error:
                    await worker.end()
                    worker, line = None, failed(row, self._job.against, error.code)
                self._observer.judged(line)
        finally:
            if worker is not None:
                await worker.end()

    async def _next(self, rows: AsyncIterator[EncounterRow]) -> EncounterRow | None:
        async with self._turn:
            return await anext(rows, None)


class AuditProcess:
    """One worker process: asks go in, one at a time, lines come out."""

    def __init__(self, jobs: Jobs, work: str, job: AuditJob) -> None:
        self._asked: asyncio.Queue[bytes] = asyncio.Queue()
        self._say(job)
        self._lines = jobs.run(work, self._pieces(), seconds=SECONDS, memory_bytes=MEMORY_BYTES)

    @classmethod
    async def start(cls, jobs: Jobs, work: str, job: AuditJob) -> "AuditProcess":
        """A process that has reached the database. Raises as `WorkerPool.run`."""
        worker = cls(jobs, work, job)
        try:
            if not isinstance(await worker._answer(), Ready):
                raise JobFailed(why="crashed")
        except BaseException:
            await worker.end()
            raise
        return worker

    async def judge(self, row: EncounterRow, progressed: Progressed) -> JudgedLine:
        """What is found of an encounter. Raises JobFailed, DatabaseAway, SchemaMismatch."""
        self._say(row)
        told = 0
        while True:
            line = await self._answer()
            if isinstance(line, EventsJudged):
                told += line.count
                progressed(line.count)
            elif isinstance(line, Ready | DatabaseTrouble):
                raise JobFailed(why="crashed")
            else:
                progressed(line.events - told)
                return line

    async def end(self) -> None:
        """End the process, in the middle of its work if need be."""
        await self._lines.aclose()

    def _say(self, value: AuditJob | EncounterRow) -> None:
        self._asked.put_nowait(msgspec.json.encode(value) + b"\n")

    async def _pieces(self) -> AsyncIterator[bytes]:
        while True:
            yield await self._asked.get()

    async def _answer(self) -> WorkerLine:
        try:
            line: WorkerLine = _LINES.decode(await anext(self._lines))
        except (StopAsyncIteration, msgspec.MsgspecError) as error:
            raise JobFailed(why="crashed") from error
        if isinstance(line, DatabaseTrouble):
            raise _trouble(line)
        return line


def _trouble(line: DatabaseTrouble) -> WarlogError:
    return _TROUBLES.get(line.code, DatabaseAway)(**line.params)
