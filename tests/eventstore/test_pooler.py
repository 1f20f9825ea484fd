"""Behind a pooler: nothing is kept prepared, and the roles have what sessions need."""

import asyncio
import re
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest

from service.cli.database import Addresses, bring_up_to_date
from service.cli.doctor import examine_all
from service.cli.findings import Finding, Severity
from service.eventstore.connection import Database
from service.eventstore.embedded import Dsns
from service.eventstore.processes import ServingProcess
from service.eventstore.role_settings import put_settings
from service.eventstore.store import EventStore
from service.eventstore.timeouts import PATIENCE
from service.releases import BUILD, FIRST_LOWEST, RELEASES, newest_of
from service.settings import from_environment
from tests.conftest import user_of
from tests.eventstore.relay import Relay

STARTUP = b"\0\3\0\0"
PREPARED = "SELECT name FROM pg_prepared_statements"
SETTINGS = """
    SELECT r.rolname, s.setconfig FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
    WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class Pooler(Relay):
    """A wire that shows what a pooler shows: another process, and none of the settings."""

    def _altered(self, chunk: bytes) -> bytes:
        chunk = re.sub(rb"(?<=K\0\0\0\x0c)....", b"none", chunk, flags=re.DOTALL)
        if chunk[4:8] != STARTUP:
            return chunk
        for name in PATIENCE.settings:
            # A setting of the same length that nobody reads.
            chunk = chunk.replace(name.encode() + b"\0", b"w." + name.encode()[2:] + b"\0")
        return chunk


@pytest.fixture
async def pooler(empty_database: Dsns) -> AsyncIterator[Pooler]:
    """In front of a migrated database whose server would forget what it acknowledged."""
    await set_for_all(empty_database, "synchronous_commit", "off")
    addresses = Addresses(
        serve=empty_database.app,
        migrate=empty_database.owner,
        erase=empty_database.eraser,
        is_embedded=False,
    )
    await bring_up_to_date(addresses)
    async with Pooler(empty_database.app) as pooler:
        yield pooler


async def set_for_all(database: Dsns, name: str, value: str) -> None:
    """What every session of this database begins with, unless its role has another."""
    admin = await asyncpg.connect(database.admin)
    await admin.execute(f"ALTER DATABASE {database.admin.rpartition('/')[2]} SET {name} = {value}")
    await admin.close()


async def role_settings(database: Dsns) -> dict[str, dict[str, str]]:
    admin = await asyncpg.connect(database.admin)
    try:
        rows = await admin.fetch(SETTINGS)
    finally:
        await admin.close()
    return {role: dict(each.split("=", 1) for each in settings) for role, settings in rows}


@pytest.mark.usefixtures("pooler")
async def test_migrating_puts_the_settings_on_each_role_but_the_owner(
    empty_database: Dsns,
) -> None:
    wanted = {
        user_of(address): {**PATIENCE.settings, "synchronous_commit": "on"}
        for address in (empty_database.app, empty_database.eraser)
    }
    assert await role_settings(empty_database) == wanted
    await put_settings(empty_database.app)
    assert await role_settings(empty_database) == wanted


async def test_who_waits_for_more_than_the_disk_keeps_that(empty_database: Dsns) -> None:
    await set_for_all(empty_database, "synchronous_commit", "remote_apply")
    await put_settings(empty_database.app)
    wanted = {user_of(empty_database.app): PATIENCE.settings}
    assert await role_settings(empty_database) == wanted


async def test_where_one_role_does_everything_it_gets_none(empty_database: Dsns) -> None:
    owner = empty_database.owner
    await bring_up_to_date(Addresses(serve=owner, migrate=owner, erase=None, is_embedded=False))
    assert await role_settings(empty_database) == {}


async def test_nothing_stays_prepared_behind_a_pooler(empty_database: Dsns, pooler: Pooler) -> None:
    names = []
    for address in (pooler.dsn, empty_database.app):
        database = await Database.open(address, size=1)
        await database.fetch("SELECT $1::uuid[]", [])
        await database.write("SELECT pg_logical_emit_message($1, 'warlog', '')", True)
        async with database.transaction() as session:
            await session.fetch("SELECT $1::integer", 1)
        names.append(await database.fetch(PREPARED))
        await database.close()
    behind, direct = names
    assert behind == []
    assert direct


async def test_a_write_that_fails_behind_a_pooler_leaves_nothing_open(pooler: Pooler) -> None:
    database = await Database.open(pooler.dsn, size=1)
    for ask in (database.write, database.fetch):
        with pytest.raises(Exception, match="unstorable"):
            await ask("SELECT 1 / $1::integer", 0)
    rows = await database.fetch("SELECT pg_current_xact_id_if_assigned() AS begun")
    await database.close()
    assert [row["begun"] for row in rows] == [None]


async def found(database: Dsns, pooler: Pooler) -> dict[str, Finding]:
    """What doctor says, asked through the pooler."""
    settings = from_environment(
        {
            "WARLOG_DATABASE_URL": pooler.dsn,
            "WARLOG_MIGRATE_URL": database.owner,
            "WARLOG_ERASE_URL": database.eraser,
            "HOME": "/nonexistent",
        }
    )
    return {each.subject: each for each in await asyncio.to_thread(examine_all, settings, ())}


async def test_doctor_says_which_setting_differs(empty_database: Dsns, pooler: Pooler) -> None:
    good = await found(empty_database, pooler)
    assert {each.verdict for each in good.values()} == {Severity.OK}
    assert good["sessions"].says == (
        "a pooler is in between; its sessions have what the service needs"
    )
    assert "erasing sessions" not in good
    role = await asyncpg.connect(empty_database.app)
    name = await role.fetchval("SELECT current_database()")
    for setting in ("statement_timeout", "search_path", "synchronous_commit"):
        await role.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {name} RESET {setting}")
    await role.close()
    worse = await found(empty_database, pooler)
    assert worse["sessions"].verdict == Severity.WRONG
    assert worse["sessions"].says.startswith(
        'search_path is "$user", public and not public, statement_timeout is 0 and not 10000,'
        " synchronous_commit is off and not on ("
    )
    assert {**worse, "sessions": good["sessions"], "clock": good["clock"]} == good


async def test_a_process_has_its_row_behind_a_pooler(empty_database: Dsns, pooler: Pooler) -> None:
    process = ServingProcess(id=uuid4(), build=BUILD, rulesets=("a 1",))
    store = await EventStore.open(pooler.dsn, pool_size=1)
    lowest = [await store.processes.begin(process), await store.processes.renew(process)]
    await store.close()
    assert lowest == [newest_of(FIRST_LOWEST, RELEASES)] * 2
    admin = await asyncpg.connect(empty_database.admin)
    rows = await admin.fetch(
        "SELECT id, build, rulesets, seen_at > started_at FROM serving_process"
    )
    assert [tuple(row) for row in rows] == [(process.id, BUILD, ["a 1"], True)]
    store = await EventStore.open(pooler.dsn, pool_size=1)
    await store.processes.end(process.id)
    await store.close()
    assert await admin.fetch("SELECT FROM serving_process") == []
    await admin.close()
