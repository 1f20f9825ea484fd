"""Writes that follow one another on one session, and what makes them borrow another."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.errors import DatabaseSlow, OutcomeUnknown, WarlogError
from service.eventstore.connection import Database, WriteLane
from service.eventstore.embedded import Dsns
from service.eventstore.servers import SILENCE_SECONDS, Servers
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import until
from tests.patience import PATIENCE_SECONDS

WHO = "SELECT pg_backend_pid() AS session"


class Commits:
    """Whether writes are committed, as the test says."""

    is_stuck = False

    def refusal(self) -> WarlogError:
        """Why not."""
        return DatabaseSlow()

    def doubt(self) -> None:
        """Nothing to find out."""


@pytest.fixture
async def pool(database: Dsns) -> AsyncIterator[Database]:
    """Three sessions, of which two may write."""
    opened = await Database.open(database.app, size=3, commits=Commits())
    yield opened
    await opened.close()


async def session_of(lane: WriteLane | Database) -> int:
    """The session that a write is carried out on."""
    [row] = await lane.write(WHO)
    number: int = row["session"]
    return number


async def test_one_session_carries_out_all_writes_and_is_given_back(pool: Database) -> None:
    lane = WriteLane(pool)
    sessions = {await session_of(lane) for _ in range(3)}
    assert (len(sessions), pool.connections) == (1, (1, 0))
    await lane.give_back()
    await lane.give_back()
    assert pool.connections == (1, 1)
    assert {await session_of(pool)} == sessions
    assert sum(pool.latency.counts) == 4


async def test_two_lanes_leave_no_room_for_another_write_but_for_reads(database: Dsns) -> None:
    pool = await Database.open(database.app, size=3, patience=Patience(connect_seconds=3.0))
    lanes = [WriteLane(pool) for _ in range(2)]
    assert len({await session_of(lane) for lane in lanes}) == 2
    assert len(await pool.fetch(WHO)) == 1
    with pytest.raises(DatabaseSlow):
        await pool.write(WHO)
    await lanes[0].give_back()
    await pool.write(WHO)
    await lanes[1].give_back()
    await pool.close()


async def test_a_session_that_was_closed_between_two_writes_is_not_written_to(
    pool: Database, database: Dsns
) -> None:
    lane = WriteLane(pool)
    session = await session_of(lane)
    admin = await asyncpg.connect(database.admin)
    try:
        await admin.execute("SELECT pg_terminate_backend($1)", session)
    finally:
        await admin.close()

    async def is_noticed() -> bool:
        return pool.connections[0] == 0

    await until(is_noticed)
    assert await session_of(lane) != session
    await lane.give_back()
    assert pool.connections == (1, 1)


async def test_behind_a_failure_the_session_is_borrowed_anew(pool: Database) -> None:
    lane = WriteLane(pool)
    first = await session_of(lane)
    with pytest.raises(WarlogError):
        await lane.write("SELECT 1 / 0")
    assert pool.connections == (1, 1)
    assert await session_of(lane) == first
    with pytest.raises(OutcomeUnknown):
        await lane.write("SELECT pg_terminate_backend(pg_backend_pid())")
    assert await session_of(lane) != first
    await lane.give_back()


async def test_while_nothing_is_committed_a_lane_writes_nothing(database: Dsns) -> None:
    commits = Commits()
    pool = await Database.open(database.app, size=3, commits=commits)
    lane = WriteLane(pool)
    await lane.write(WHO)
    commits.is_stuck = True
    with pytest.raises(DatabaseSlow):
        await lane.write(WHO)
    assert pool.connections == (1, 1)
    await pool.close()


async def test_the_server_is_asked_after_one_silent_write_not_after_many_quick_ones(
    database: Dsns,
) -> None:
    servers = Servers()
    pool = await Database.open(database.app, size=3, servers=servers)
    lane = WriteLane(pool)
    loop = asyncio.get_running_loop()
    began = since = loop.time()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while since <= began + SILENCE_SECONDS:
            await lane.write(WHO)
            [(_, since, _)] = servers.loans.values()
    await lane.give_back()
    assert not servers.loans
    await pool.close()
