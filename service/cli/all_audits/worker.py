"""The work of one process: judges the encounters that it is asked for, one after another.

Nothing that it does to the database can write: each encounter is read in a transaction that is
read-only and sees one moment, so that play continues meanwhile.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator
from typing import BinaryIO, Final
from uuid import UUID

import msgspec
from msgspec import UNSET

from service.cli.all_audits.job import (
    AuditJob,
    DatabaseTrouble,
    EventsJudged,
    JudgedLine,
    Ready,
    WorkerLine,
    failed,
)
from service.engine.ruleset.definition import Rulesets
from service.errors import DatabaseAway, DatabaseSlow, SchemaMismatch, WarlogError
from service.eventstore.connection import Database
from service.eventstore.moment import READING, moment_of
from service.eventstore.records import EncounterRow
from service.replay.audit.audits import audit_log
from service.replay.audit.version_comparisons import compare_log, stored_comparison
from service.replay.report.brief import brief, shorter_comparison, unjudged
from service.rulesets import RULESETS
from service.server.garbage_collection import collect_seldom

TELL_SECONDS: Final = 0.25
"""How often it is reported how far a battle is."""

PAUSES: Final = (0.5, 2.0, 8.0)
"""Seconds before a database that is away is asked again."""


def work(requests: BinaryIO, rulesets: Rulesets = RULESETS) -> Iterator[bytes]:
    """Judge what is asked for until nothing is asked for any more, as `service.jobs` runs it."""
    job = msgspec.json.decode(requests.readline(), type=AuditJob)
    os.environ.update(job.environment)
    collect_seldom()
    with asyncio.Runner() as runner:
        worker = runner.run(_opened(job, rulesets))
        try:
            runner.run(worker.reach())
            yield msgspec.json.encode(Ready())
            for line in requests:
                answers = worker.answers(msgspec.json.decode(line, type=EncounterRow))
                while (answer := runner.run(_next(answers))) is not None:
                    yield msgspec.json.encode(answer)
        except WarlogError as error:
            yield msgspec.json.encode(DatabaseTrouble(code=error.code, params=error.params))
        finally:
            runner.run(worker.close())


class AuditWorker:
    """Judges stored logs one by one, and says how far it is."""

    def __init__(self, job: AuditJob, rulesets: Rulesets, database: Database) -> None:
        self._job = job
        self._rulesets = rulesets
        self._database = database
        self._untold = 0

    async def reach(self) -> None:
        """Raises DatabaseAway or SchemaMismatch unless there are logs at this address."""
        async with moment_of(self._database) as now:
            await now.log.head(UUID(int=0))

    async def close(self) -> None:
        """Let go of the database."""
        await self._database.close()

    async def answers(self, row: EncounterRow) -> AsyncGenerator[WorkerLine, None]:
        """How far it is, now and then, and at last what is found of an encounter.

        `row` is how it was when it was listed. Raises DatabaseAway if the database stays away, and
        SchemaMismatch.
        """
        self._untold = 0
        judging = asyncio.create_task(self._judge(row))
        while not (await asyncio.wait([judging], timeout=TELL_SECONDS))[0]:
            if self._untold:
                count, self._untold = self._untold, 0
                yield EventsJudged(count=count)
        yield judging.result()

    async def _judge(self, row: EncounterRow) -> JudgedLine:
        for pause in PAUSES:
            try:
                return await self._found(row)
            except (DatabaseAway, DatabaseSlow):
                await asyncio.sleep(pause)
            except Exception as error:  # one that cannot be judged must not keep the rest back
                return self._failed(row, error)
        try:
            return await self._found(row)
        except Exception as error:
            return self._failed(row, error)

    def _failed(self, row: EncounterRow, error: Exception) -> JudgedLine:
        if isinstance(error, DatabaseAway | SchemaMismatch):
            raise error
        name = error.code if isinstance(error, WarlogError) else type(error).__name__
        return failed(row, self._job.against, name)

    async def _found(self, listed: EncounterRow) -> JudgedLine:
        against = self._job.against
        async with moment_of(self._database) as now:
            row = await now.log.head(listed.id)
            if row is None and against is UNSET:
                return unjudged(listed, "gone")
            if row is None:
                return stored_comparison(listed, str(against), "gone")
            if against is not UNSET:
                found = await compare_log(now.log, row, self._rulesets, against, step=self._step)
                return shorter_comparison(found)
            report = await audit_log(
                now.log,
                row,
                self._rulesets,
                snapshots=now.snapshots,
                progress=lambda _: self._step(),
                is_brief=True,
            )
            return brief(row, report)

    def _step(self) -> None:
        self._untold += 1


async def _opened(job: AuditJob, rulesets: Rulesets) -> AuditWorker:
    database = await Database.open(job.url, size=1, settings=READING)
    return AuditWorker(job, rulesets, database)


async def _next(answers: AsyncGenerator[WorkerLine, None]) -> WorkerLine | None:
    return await anext(answers, None)
