"""Writes that follow one another, on one session."""

from contextlib import AsyncExitStack
from time import perf_counter

import asyncpg

from service.eventstore.connection import Database, Row, Session


class WriteLane:
    """Writes of a database one after the other, on a session that is kept until it is given back.

    Borrowing a session and giving it back costs as much as sending it a small statement does.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._loan = AsyncExitStack()
        self._session: Session | None = None

    async def write(self, statement: str, *values: object) -> list[Row]:
        """As `Database.write`; behind a failure the next one borrows again."""
        began = perf_counter()
        try:
            session = await self._session_at_hand()
            return await self._database.carried_out(session, statement, values)
        except BaseException:
            await self.give_back()
            raise
        finally:
            self._database.latency.add(perf_counter() - began)

    async def give_back(self) -> None:
        """Return the session, if there is one; a later write borrows another."""
        self._session = None
        await self._loan.aclose()

    async def _session_at_hand(self) -> Session:
        session = self._session
        if session is not None and _is_there(session):
            self._database.require_commits()
            self._database.lend(session)
            return session
        await self.give_back()
        self._session = await self._loan.enter_async_context(self._database.writing())
        return self._session


def _is_there(session: Session) -> bool:
    """Whether a session on loan was not closed meanwhile, by whomever."""
    try:
        return not session.is_closed()
    except asyncpg.InterfaceError:
        return False
