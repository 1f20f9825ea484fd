"""Rows of processes, and the lowest release: who may serve, what keeps an upgrade unfinished."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import asyncpg
import pytest

from service.errors import BuildTooOld, SchemaMismatch
from service.eventstore import upgrades
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import downgrade, upgrade
from service.eventstore.processes import KEPT_SECONDS, LIVE_SECONDS, SEEN_SECONDS, ServingProcess
from service.eventstore.session import NAME, one_session
from service.eventstore.store import EventStore
from service.eventstore.upgrades import (
    KNOWS_RELEASES,
    Finish,
    LiveProcess,
    LiveSessions,
    Upgrade,
    finish_upgrade,
    read_upgrade,
)
from service.releases import BUILD, FIRST_LOWEST, Release
from tests.conftest import user_of
from tests.eventstore.logs import until, until_waiting
from tests.patience import PATIENT

TABLE = (Release(number=FIRST_LOWEST), Release(number=BUILD, actions=("roll",)))
"""This build brings an action."""
OLDER = "1.1.7"
"""A build between the two, which has rows."""
RULESETS = ("melody-d6 1", "melody-d6 2")
NOBODY = Upgrade(lowest=FIRST_LOWEST)
DONE = Finish(before=FIRST_LOWEST, release=BUILD, older=NOBODY)
LIVE = KEPT_SECONDS // 2
"""So long a row counts here: no machine is too slow for that."""


@pytest.fixture(autouse=True)
def rows_last_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrades, "LIVE_SECONDS", LIVE)


@pytest.fixture
async def upgrading(empty_database: Dsns) -> Dsns:
    """A database whose upgrade is unfinished."""
    await upgrade(
        empty_database.owner,
        app_role=user_of(empty_database.app),
        eraser_role=user_of(empty_database.eraser),
        releases=TABLE[:1],
    )
    return empty_database


@asynccontextmanager
async def opened(dsns: Dsns) -> AsyncIterator[EventStore]:
    store = await EventStore.open(dsns.app, patience=PATIENT)
    try:
        yield store
    finally:
        await store.close()


def process(build: str = BUILD) -> ServingProcess:
    return ServingProcess(id=uuid4(), build=build, rulesets=RULESETS)


async def look(dsns: Dsns) -> Upgrade:
    """The upgrade as the serving role sees it."""
    session = await one_session(dsns.app, seconds=10.0, answer_seconds=10.0, settings=NAME)
    try:
        return await read_upgrade(session)
    finally:
        await session.close()


async def owner_does(dsns: Dsns, statement: str, *values: object) -> list[tuple[object, ...]]:
    session = await asyncpg.connect(dsns.owner)
    try:
        return [tuple(row) for row in await session.fetch(statement, *values)]
    finally:
        await session.close()


async def age(dsns: Dsns, process: UUID, seconds: int) -> None:
    """Let a process have renewed its row for the last time so many seconds ago."""
    await owner_does(
        dsns,
        "UPDATE serving_process SET seen_at = clock_timestamp() - make_interval(secs => $2)"
        " WHERE id = $1",
        process,
        seconds,
    )


async def rows(dsns: Dsns) -> set[object]:
    return {row[0] for row in await owner_does(dsns, "SELECT id FROM serving_process")}


async def numbers(dsns: Dsns) -> list[tuple[object, ...]]:
    return await owner_does(dsns, "SELECT lowest_release, oldest_build FROM schema_version")


async def test_a_process_has_a_row_from_its_start_to_its_end(upgrading: Dsns) -> None:
    one, other = process(), process(OLDER)
    async with opened(upgrading) as store:
        assert await store.processes.begin(one) == FIRST_LOWEST
        assert await store.processes.begin(other) == FIRST_LOWEST
        await age(upgrading, one.id, 900)
        found = await look(upgrading)
        assert [(each.build, each.rulesets) for each in found.processes] == [
            (BUILD, RULESETS),
            (OLDER, RULESETS),
        ]
        assert 900 <= found.processes[0].seen_seconds < LIVE
        assert await store.processes.renew(one) == FIRST_LOWEST
        found = await look(upgrading)
        assert found.processes[0].seen_seconds < 900
        await store.processes.end(one.id)
        assert await rows(upgrading) == {other.id}


async def test_a_row_that_is_not_renewed_is_of_a_process_that_is_gone(upgrading: Dsns) -> None:
    killed, forgotten = process(OLDER), process(OLDER)
    async with opened(upgrading) as store:
        for each in (killed, forgotten):
            await store.processes.begin(each)
        await age(upgrading, killed.id, LIVE + 1)
        await age(upgrading, forgotten.id, KEPT_SECONDS + 1)
        assert (await look(upgrading)).processes == ()
        new = process()
        await store.processes.begin(new)
        # The row of the first is kept for a while, the other one is cleared away.
        assert await rows(upgrading) == {killed.id, new.id}
        # A process that was only frozen is seen again, and so is one without a row.
        await store.processes.renew(killed)
        await store.processes.renew(forgotten)
        assert [each.build for each in (await look(upgrading)).processes] == [OLDER, BUILD, OLDER]


def test_a_row_outlasts_two_renewals_that_fail() -> None:
    assert LIVE_SECONDS >= 3 * SEEN_SECONDS


async def test_an_upgrade_is_finished_once_and_again(upgrading: Dsns) -> None:
    async with opened(upgrading) as store:
        await store.processes.begin(process())
        assert await numbers(upgrading) == [(FIRST_LOWEST, 8)]
        assert await finish_upgrade(upgrading.owner, TABLE) == DONE
        assert await numbers(upgrading) == [(BUILD, KNOWS_RELEASES)]
        again = Finish(before=BUILD, release=BUILD, older=Upgrade(lowest=BUILD))
        assert await finish_upgrade(upgrading.owner, TABLE) == again
        assert await store.processes.lowest_release() == BUILD
        assert await numbers(upgrading) == [(BUILD, KNOWS_RELEASES)]


async def test_finishing_at_once_by_two_raises_once(upgrading: Dsns) -> None:
    found = await asyncio.gather(*(finish_upgrade(upgrading.owner, TABLE) for _ in range(2)))
    assert sorted(each.before for each in found) == [FIRST_LOWEST, BUILD]
    assert all(each.is_finished for each in found)


async def test_a_release_that_brings_nothing_leaves_the_lowest_one(upgrading: Dsns) -> None:
    table = (*TABLE[:1], Release(number=BUILD))
    async with opened(upgrading) as store:
        await store.processes.begin(process(OLDER))
        done = Finish(before=FIRST_LOWEST, release=FIRST_LOWEST, older=NOBODY)
        assert await finish_upgrade(upgrading.owner, table) == done
    assert await numbers(upgrading) == [(FIRST_LOWEST, 8)]


async def test_an_older_process_keeps_an_upgrade_unfinished_until_it_ends(upgrading: Dsns) -> None:
    older = process(OLDER)
    async with opened(upgrading) as store:
        await store.processes.begin(older)
        await store.processes.begin(process())
        refused = await finish_upgrade(upgrading.owner, TABLE)
        [found] = refused.older.processes
        assert refused == Finish(
            before=FIRST_LOWEST,
            release=BUILD,
            older=Upgrade(
                lowest=FIRST_LOWEST,
                processes=(
                    LiveProcess(build=OLDER, rulesets=RULESETS, seen_seconds=found.seen_seconds),
                ),
            ),
        )
        assert not refused.is_finished
        assert await numbers(upgrading) == [(FIRST_LOWEST, 8)]
        await store.processes.end(older.id)
        assert await finish_upgrade(upgrading.owner, TABLE) == DONE


async def test_a_killed_process_keeps_an_upgrade_unfinished_until_its_row_is_stale(
    upgrading: Dsns,
) -> None:
    killed = process(OLDER)
    async with opened(upgrading) as store:
        await store.processes.begin(killed)
    assert not (await finish_upgrade(upgrading.owner, TABLE)).is_finished
    await age(upgrading, killed.id, LIVE)
    assert await finish_upgrade(upgrading.owner, TABLE) == DONE


@pytest.mark.parametrize(("name", "build"), [("warlog", ""), (f"warlog {OLDER}", OLDER)])
async def test_a_session_of_an_older_build_keeps_an_upgrade_unfinished(
    upgrading: Dsns, name: str, build: str
) -> None:
    session = await asyncpg.connect(upgrading.app, server_settings={"application_name": name})
    pid = session.get_server_pid()
    refused = await finish_upgrade(upgrading.owner, TABLE)
    listed = LiveSessions(build=build, role=user_of(upgrading.app), pids=(pid,))
    assert refused.older == Upgrade(lowest=FIRST_LOWEST, sessions=(listed,))
    assert refused.older.older_than(FIRST_LOWEST) == NOBODY
    assert await numbers(upgrading) == [(FIRST_LOWEST, 8)]
    await session.close()
    await sessions_end(upgrading, name)
    assert await finish_upgrade(upgrading.owner, TABLE) == DONE


async def sessions_end(dsns: Dsns, name: str) -> None:
    """Wait until the server has let go of the sessions of this name."""
    session = await asyncpg.connect(dsns.admin)
    asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = $2"
    database = await session.fetchval("SELECT current_database()")

    async def are_gone() -> bool:
        return not await session.fetchval(asked, name, database)

    await until(are_gone)
    await session.close()


async def test_sessions_of_others_and_of_other_databases_are_in_nobodys_way(
    upgrading: Dsns, database: Dsns
) -> None:
    sessions = [
        await asyncpg.connect(dsn, server_settings={"application_name": name})
        for dsn, name in (
            (upgrading.app, "psql"),
            (upgrading.app, "warlogger"),
            (upgrading.app, f"warlog {BUILD}"),
            (upgrading.app, "warlog 99.0.0"),
            (database.app, "warlog"),
        )
    ]
    assert await finish_upgrade(upgrading.owner, TABLE) == DONE
    for session in sessions:
        await session.close()


async def test_sessions_of_this_build_name_its_release(upgrading: Dsns) -> None:
    async with opened(upgrading) as store:
        await store.ready()
        found = (await look(upgrading)).sessions
    assert {(each.build, each.role) for each in found} == {(BUILD, user_of(upgrading.app))}


async def test_a_build_below_the_lowest_release_does_not_begin(upgrading: Dsns) -> None:
    older = process(OLDER)
    await finish_upgrade(upgrading.owner, TABLE)
    async with opened(upgrading) as store:
        with pytest.raises(BuildTooOld) as refused:
            await store.processes.begin(older)
        assert refused.value.params == {"build": OLDER, "lowest": BUILD}
        assert await rows(upgrading) == set()
        # One that runs already, such as one that was frozen, shows that it does.
        assert await store.processes.renew(older) == BUILD
        assert [each.build for each in (await look(upgrading)).processes] == [OLDER]
    with pytest.raises(BuildTooOld):
        await finish_upgrade(upgrading.owner, TABLE, build=OLDER)


async def test_finishing_waits_for_a_process_that_starts_and_then_sees_it(upgrading: Dsns) -> None:
    starting = await asyncpg.connect(upgrading.app)
    transaction = starting.transaction()
    await transaction.start()
    await starting.execute(
        "INSERT INTO serving_process (id, build, rulesets) VALUES ($1, $2, '{}')", uuid4(), OLDER
    )
    finishing = asyncio.create_task(finish_upgrade(upgrading.owner, TABLE))
    await until_waiting(upgrading, 1)
    await transaction.commit()
    refused = await finishing
    await starting.close()
    assert [each.build for each in refused.older.processes] == [OLDER]
    assert await numbers(upgrading) == [(FIRST_LOWEST, 8)]


async def test_a_process_that_starts_waits_for_the_finish_and_then_sees_it(upgrading: Dsns) -> None:
    finishing = await asyncpg.connect(upgrading.owner)
    transaction = finishing.transaction()
    await transaction.start()
    await finishing.execute("LOCK TABLE serving_process IN SHARE ROW EXCLUSIVE MODE")
    async with opened(upgrading) as store:
        starting = asyncio.create_task(store.processes.begin(process(OLDER)))
        await until_waiting(upgrading, 1)
        await finishing.execute("UPDATE schema_version SET lowest_release = $1", BUILD)
        await transaction.commit()
        with pytest.raises(BuildTooOld):
            await starting
    await finishing.close()
    assert await rows(upgrading) == set()


async def test_old_processes_that_start_while_it_is_finished_begin_or_keep_it_unfinished(
    upgrading: Dsns,
) -> None:
    async with opened(upgrading) as store:

        async def started() -> bool:
            try:
                await store.processes.begin(process(OLDER))
            except BuildTooOld:
                return False
            return True

        *began, finish = await asyncio.gather(
            *(started() for _ in range(4)), finish_upgrade(upgrading.owner, TABLE)
        )
    assert isinstance(finish, Finish)
    assert any(began) != finish.is_finished


async def test_on_an_empty_database_everything_is_finished(empty_database: Dsns) -> None:
    # A service of the release before that waits for its schema finds one that does not serve it.
    waiting = await asyncpg.connect(
        empty_database.owner, server_settings={"application_name": "warlog"}
    )
    await upgrade(empty_database.owner, releases=TABLE)
    assert await numbers(empty_database) == [(BUILD, KNOWS_RELEASES)]
    await waiting.close()


async def test_a_database_of_the_release_before_begins_unfinished(empty_database: Dsns) -> None:
    owner = empty_database.owner
    await upgrade(owner, revision="0015", releases=TABLE)
    await upgrade(owner, releases=TABLE)
    assert await numbers(empty_database) == [(FIRST_LOWEST, 8)]


async def test_later_migrations_leave_out_the_builds_that_a_finish_left_out(
    empty_database: Dsns,
) -> None:
    owner = empty_database.owner
    await upgrade(owner, revision="0014")
    await owner_does(empty_database, "UPDATE schema_version SET oldest_build = 12")
    await upgrade(owner)
    assert await numbers(empty_database) == [(FIRST_LOWEST, 12)]
    await downgrade(owner, revision="0011")
    found = await owner_does(empty_database, "SELECT number, oldest_build FROM schema_version")
    assert found == [(11, 11)]


async def test_a_schema_without_rows_of_processes_is_not_of_this_build(
    empty_database: Dsns,
) -> None:
    await upgrade(empty_database.owner, revision="0015")
    async with opened(Dsns(**{**_addresses(empty_database), "app": empty_database.owner})) as store:
        for asked in (
            store.processes.lowest_release(),
            store.processes.begin(process()),
            store.processes.renew(process()),
            store.processes.end(uuid4()),
        ):
            with pytest.raises(SchemaMismatch):
                await asked
    with pytest.raises(SchemaMismatch):
        await finish_upgrade(empty_database.owner, TABLE)


def _addresses(dsns: Dsns) -> dict[str, str]:
    return {name: getattr(dsns, name) for name in ("admin", "owner", "app", "eraser")}
