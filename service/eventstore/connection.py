"""Connections to PostgreSQL: one pool per use, JSON as bytes, failures in the service's words.

Nothing connects before it is needed, and a pool whose server went away connects again by
itself. The driver prepares each statement once per connection and keeps it; where a pooler is in
between, nothing is kept and each statement is in a transaction (`session`).
"""

import asyncio
from bisect import bisect_left
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, Protocol, Self, TypeAlias, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from asyncpg.transaction import Transaction

from service.errors import DatabaseFull, DatabaseSlow, WarlogError
from service.eventstore.driver_errors import (
    DRIVER_ERRORS,
    DriverError,
    is_lost,
    is_spent,
    translated,
    translated_write,
)
from service.eventstore.servers import Servers, ServerSession
from service.eventstore.session import SessionDialer
from service.eventstore.timeouts import PATIENCE, Patience

Row = asyncpg.Record
# Generic for the type checker only.
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Session: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
"""A connection on loan from a pool."""


FULL_SECONDS: Final = 10.0
"""So long a database is taken to be full after it said so, unless it takes a write meanwhile."""

MARGIN_SECONDS: Final = 5.0

DOUBT_SECONDS: Final = 1.0
"""A commit that takes longer makes it doubtful whether any write is committed now."""

READERS_SHARE: Final = 4
"""One in so many connections, at least one, is never lent to a write."""

NO_SETTINGS: Final[Mapping[str, str]] = {}

_SERVER: Final = "server"
_IS_POOLED: Final = "is_pooled"
"""Attributes of `ServerSession`, reached through the session on loan, whose type hides them."""

LATENCY_BOUNDS: Final = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
)
"""Upper bounds of the classes that answers are counted in, in seconds; a last class is for what
took longer."""

T = TypeVar("T")


class Latency:
    """Seconds from asking for a connection to the answer; `counts` by class, `seconds` in all."""

    def __init__(self) -> None:
        self.counts = [0] * (len(LATENCY_BOUNDS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count one answer, or one failure."""
        self.counts[bisect_left(LATENCY_BOUNDS, seconds)] += 1
        self.seconds += seconds


class Commits(Protocol):
    """Whether writes are committed at this moment; while it `is_stuck`, no write is begun."""

    @property
    def is_stuck(self) -> bool:
        """Whether no write is begun now."""
        ...

    def refusal(self) -> WarlogError:
        """Why no write is begun while it is stuck."""
        ...

    def doubt(self) -> None:
        """Find out: a commit is unanswered for DOUBT_SECONDS."""
        ...


class Queries(Protocol):
    """Whatever answers statements that only read."""

    async def fetch(self, statement: str, *values: object) -> list[Row]:
        """The rows of a statement."""
        ...

    async def fetch_row(self, statement: str, *values: object) -> Row | None:
        """The first row of a statement."""
        ...


class StatementWriter(Protocol):
    """Whatever carries out single statements that write."""

    async def write(self, statement: str, *values: object) -> list[Row]:
        """The rows of a statement, once it is durable."""
        ...


class Database:
    """A pool of connections to one database in one role.

    Writes are refused, raising what `commits` says, before anything of them is sent.
    """

    def __init__(
        self,
        pool: Pool,
        dialer: SessionDialer,
        servers: Servers,
        patience: Patience,
        commits: Commits | None,
    ) -> None:
        self._pool = pool
        self._dialer = dialer
        self._servers = servers
        self._commits = commits
        size = pool.get_max_size()
        # Commits that hang hold their connections: reads must not wait for them.
        self.writes_at_once = max(1, size - max(1, size // READERS_SHARE))
        self._writers = asyncio.Semaphore(self.writes_at_once)
        self.patience = patience
        self._full_until = 0.0
        self.latency = Latency()

    @property
    def connections(self) -> tuple[int, int]:
        """How many connections there are, and how many of them are idle."""
        return self._pool.get_size(), self._pool.get_idle_size()

    @property
    def is_full(self) -> bool:
        """Whether a write found no room, and none has found any since; known for FULL_SECONDS."""
        return asyncio.get_running_loop().time() < self._full_until

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        size: int,
        patience: Patience = PATIENCE,
        settings: Mapping[str, str] = NO_SETTINGS,
        servers: Servers | None = None,
        commits: Commits | None = None,
    ) -> Self:
        """A pool of at most `size` connections; none is made yet.

        `settings` are the server's, for every session of this pool; `servers` and `commits` are
        shared by the pools of one store. Raises ValueError for a URL that is none.
        """
        servers = servers or Servers()
        dialer = SessionDialer(
            url,
            servers,
            seconds=patience.connect_seconds,
            # Beyond what is waited for here: the driver's own limit would cancel the statement.
            answer_seconds=patience.answer_seconds + MARGIN_SECONDS,
            settings={**patience.settings, **settings},
            prepare=_prepare,
        )
        pool = await asyncpg.create_pool(
            min_size=0,
            max_size=size,
            connect=dialer.connect,
            connection_class=ServerSession,
            reset=_keep,
        )
        return cls(pool, dialer, servers, patience, commits)

    async def close(self) -> None:
        """Close all connections, waiting a moment for those on loan."""
        try:
            async with asyncio.timeout(self.patience.connect_seconds):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()
        await self._servers.settle()

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """A connection on loan. Raises DatabaseAway or DatabaseSlow when there is none."""
        try:
            session = await self._pool.acquire(timeout=self.patience.connect_seconds)
        except TimeoutError as error:
            raise DatabaseSlow() from error
        except DRIVER_ERRORS as error:
            raise translated(error) from error
        self.lend(session)
        try:
            try:
                yield session
            finally:
                await self._give_back(session)
        finally:
            del self._servers.loans[session]

    def lend(self, session: Session) -> None:
        """Note that a session on loan is used from now on: its server is to answer soon."""
        servers = self._servers
        now = asyncio.get_running_loop().time()
        servers.loans.pop(session, None)
        servers.loans[session] = (getattr(session, _SERVER), now, self._dialer.is_there)
        if not servers.is_watching:
            servers.watch()

    async def _give_back(self, session: Session) -> None:
        """Return a connection to the pool; one that is lost on its way back is no failure.

        The driver gives it back in a separate task. Where the connection is lost before that
        task runs, it has let go of it already and calls the return a mistake. The statement's
        outcome is known by then and stands.
        """
        with suppress(*DRIVER_ERRORS):
            await self._pool.release(session)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Session]:
        """A connection on loan for a write.

        Raises what `commits` says if none is begun now, DatabaseAway or DatabaseSlow.
        """
        self.require_commits()
        try:
            async with asyncio.timeout(self.patience.connect_seconds):
                await self._writers.acquire()
        except TimeoutError as error:
            raise DatabaseSlow() from error
        try:
            async with self.session() as session:
                self.require_commits()
                yield session
        finally:
            self._writers.release()

    def require_commits(self) -> None:
        """Raises what `commits` says if no write is begun now."""
        if self._commits is not None and self._commits.is_stuck:
            raise self._commits.refusal()

    async def renew(self) -> None:
        """Lend none of the present connections again."""
        await self._pool.expire_connections()

    async def fetch(self, statement: str, *values: object) -> list[Row]:
        """The rows of a statement that only reads; asked twice if the connection was stale."""
        try:
            return await self._fetch(statement, values)
        except DRIVER_ERRORS as error:
            if isinstance(error, TimeoutError) or not is_lost(error):
                raise translated(error) from error
        await self.renew()
        try:
            return await self._fetch(statement, values)
        except DRIVER_ERRORS as error:
            raise translated(error) from error

    async def fetch_row(self, statement: str, *values: object) -> Row | None:
        """The first row of a statement that only reads."""
        rows = await self.fetch(statement, *values)
        return rows[0] if rows else None

    async def write(self, statement: str, *values: object) -> list[Row]:
        """The rows a single writing statement returns, once it is durable.

        Raises OutcomeUnknown if the connection was lost after it was sent.
        """
        began = perf_counter()
        try:
            async with self.writing() as session:
                return await self.carried_out(session, statement, values)
        finally:
            self.latency.add(perf_counter() - began)

    async def carried_out(
        self, session: Session, statement: str, values: tuple[object, ...]
    ) -> list[Row]:
        """As `write`, on a session that was lent for writing."""
        if getattr(session, _IS_POOLED):
            async with self._in_transaction(session):
                return await session.fetch(statement, *values)
        try:
            rows = await self._settled(session, session.fetch(statement, *values))
        except DRIVER_ERRORS as error:
            _drop_if_spent(session, error)
            raise self._noted(translated_write(error)) from error
        self._full_until = 0.0
        return rows

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """Several statements, all or none, durable when the block is left.

        Raises OutcomeUnknown only if the connection was lost during COMMIT.
        """
        async with self.writing() as session, self._in_transaction(session):
            yield session

    @asynccontextmanager
    async def _in_transaction(self, session: Session) -> AsyncIterator[None]:
        transaction = session.transaction()
        try:
            await transaction.start()
            yield
            # What is not committed yet can still be taken back.
            self.require_commits()
        except DRIVER_ERRORS as error:
            _drop_if_spent(session, error)
            await _roll_back(transaction, session)
            raise self._noted(translated(error)) from error
        except BaseException:
            await _roll_back(transaction, session)
            raise
        try:
            await self._settled(session, transaction.commit())
        except DRIVER_ERRORS as error:
            _drop_if_spent(session, error)
            raise self._noted(translated_write(error)) from error
        self._full_until = 0.0

    async def _settled(self, session: Session, commit: Coroutine[None, None, T]) -> T:
        """The result of a statement that commits; after `answer_seconds` its session is dropped.

        It is never cancelled, not even when its request is: a commit that waits for a standby would
        end its wait, and be visible though the standby does not have it.
        """
        seconds = self.patience.answer_seconds
        doubtful = min(DOUBT_SECONDS, seconds)
        work = asyncio.create_task(commit)
        try:
            await asyncio.wait([work], timeout=doubtful)
            if not work.done():
                if self._commits is not None:
                    self._commits.doubt()
                await asyncio.wait([work], timeout=seconds - doubtful)
        finally:
            if not work.done():
                _drop(session)
                await asyncio.gather(work, return_exceptions=True)
        return work.result()

    def _noted(self, failure: WarlogError) -> WarlogError:
        if isinstance(failure, DatabaseFull):
            self._full_until = asyncio.get_running_loop().time() + FULL_SECONDS
        return failure

    async def _fetch(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        began = perf_counter()
        try:
            return await self._fetch_on_loan(statement, values)
        finally:
            self.latency.add(perf_counter() - began)

    async def _fetch_on_loan(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        async with self.session() as session:
            try:
                async with session.transaction() if getattr(session, _IS_POOLED) else nullcontext():
                    return await session.fetch(
                        statement, *values, timeout=self.patience.answer_seconds
                    )
            except DRIVER_ERRORS as error:
                _drop_if_spent(session, error)
                raise


@dataclass(slots=True)
class WriteLane:
    """Writes of a database one after the other, on a session that is kept until it is given back.

    Borrowing a session and giving it back costs as much as sending it a small statement does.
    Whoever has a lane gives it back behind the last write.
    """

    database: Database
    _loan: AsyncExitStack = field(init=False, default_factory=AsyncExitStack)
    _session: "Session | None" = field(init=False, default=None)

    async def write(self, statement: str, *values: object) -> list[Row]:
        """As `Database.write`; behind a failure the next one borrows again."""
        began = perf_counter()
        try:
            session = await self._session_at_hand()
            return await self.database.carried_out(session, statement, values)
        except BaseException:
            await self.give_back()
            raise
        finally:
            self.database.latency.add(perf_counter() - began)

    async def give_back(self) -> None:
        """Return the session, if there is one; a later write borrows another."""
        self._session = None
        await self._loan.aclose()

    async def _session_at_hand(self) -> Session:
        session = self._session
        if session is not None and _is_there(session):
            self.database.require_commits()
            self.database.lend(session)
            return session
        await self.give_back()
        self._session = await self._loan.enter_async_context(self.database.writing())
        return self._session


async def _prepare(connection: ServerSession) -> None:
    """Make a new connection ours: JSON is bytes as stored, and a commit is durable."""
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=_same, decoder=_same, format="binary"
    )
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off'"
    )


async def _keep(_: Connection) -> None:
    """Nothing of a session is ever left behind that giving it back would have to reset."""


def _same(body: bytes) -> bytes:
    return body


def _is_there(session: Session) -> bool:
    """Whether a session on loan was not closed meanwhile, by whomever."""
    try:
        return not session.is_closed()
    except asyncpg.InterfaceError:
        return False


def _drop_if_spent(session: Session, error: DriverError) -> None:
    """Close a connection that did not answer, or may not write, instead of lending it again."""
    if is_spent(error):
        _drop(session)


def _drop(session: Session) -> None:
    # A connection that closed by itself is no longer on loan, and raises this.
    with suppress(asyncpg.InterfaceError):
        session.terminate()


async def _roll_back(transaction: Transaction, session: Session) -> None:
    try:
        await transaction.rollback()
    except DRIVER_ERRORS:
        _drop(session)
