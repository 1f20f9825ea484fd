"""The database as it is at one moment, for those who only look: nothing can be written in it.

How this works. One transaction that is read-only and sees one snapshot: what is appended, erased or
deleted meanwhile is not there yet, or still there, for all of its statements alike.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from service.eventstore.connection import Database, Row, Session
from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.log_reads import Log
from service.eventstore.log_survey import LogSurvey
from service.eventstore.session import READ_ONLY
from service.eventstore.snapshots import SnapshotReads

READING: Final = {
    READ_ONLY: "on",
    "idle_in_transaction_session_timeout": "0",
}
"""The settings of sessions that only ever look; between two pages they may take as long as they
take, since nobody waits for what they hold."""


class ReadMoment:
    """Statements of one moment; those that are asked at once are answered one after another."""

    def __init__(self, session: Session, answer_seconds: float) -> None:
        self._session = session
        self._answer_seconds = answer_seconds
        self._turn = asyncio.Lock()
        self.log = Log(self)
        self.snapshots = SnapshotReads(self)
        self.survey = LogSurvey(self)

    async def fetch(self, statement: str, *values: object) -> list[Row]:
        """The rows of a statement. Raises DatabaseReadOnly if it writes, and what reads raise."""
        async with self._turn:
            try:
                return await self._session.fetch(statement, *values, timeout=self._answer_seconds)
            except DRIVER_ERRORS as error:
                raise translated(error) from error

    async def fetch_row(self, statement: str, *values: object) -> Row | None:
        """The first row of a statement."""
        rows = await self.fetch(statement, *values)
        return rows[0] if rows else None


@asynccontextmanager
async def moment_of(database: Database) -> AsyncIterator[ReadMoment]:
    """The moment of the first statement. Raises DatabaseAway or DatabaseSlow."""
    async with database.session() as session:
        transaction = session.transaction(isolation="repeatable_read", readonly=True)
        try:
            await transaction.start()
        except DRIVER_ERRORS as error:
            raise translated(error) from error
        try:
            yield ReadMoment(session, database.patience.answer_seconds)
        finally:
            # Nothing was written: it is all the same how it ends.
            with suppress(*DRIVER_ERRORS):
                await transaction.rollback()
