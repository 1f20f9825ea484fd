"""The schema: up, down, up; the same as the tables described; migrated once by many."""

import asyncio
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import asyncpg
import msgspec
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import Script
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from service.eventstore.embedded import Dsns
from service.eventstore.log_writes import columns
from service.eventstore.migrate import current, downgrade, newest_revision, upgrade
from service.eventstore.records import NO_HASH, Appended, Duplicate
from service.eventstore.schema_version import SCHEMA_VERSION, build_number
from service.eventstore.store import EventStore
from service.eventstore.tables import METADATA
from tests.eventstore.logs import (
    append,
    command,
    event,
    json_as_bytes,
    log_of,
    stored_encounter,
)
from tests.house.test_migrations import migrations
from tests.patience import PATIENCE_SECONDS, PATIENT

EVERYTHING = """
    SELECT 'table', relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION SELECT 'function', proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION SELECT 'trigger', tgname FROM pg_trigger WHERE NOT tgisinternal
    UNION SELECT 'type', typname FROM pg_type WHERE typnamespace = 'public'::regnamespace
"""


COMMAND_BEFORE = """
    SELECT first_seq, last_seq FROM command
    WHERE encounter_id = $1 AND principal = $2 AND idempotency_key = $3
"""
"""How the release before 0012 finds a command."""


async def everything(dsn: str) -> set[tuple[str, str]]:
    connection = await asyncpg.connect(dsn)
    try:
        return {tuple(row) for row in await connection.fetch(EVERYTHING)}
    finally:
        await connection.close()


def differences(connection: Connection) -> list[object]:
    def is_ours(_: object, name: str | None, kind: str, *__: object) -> bool:
        return not (kind == "table" and (name or "").rpartition("_p")[2].isdigit())

    context = MigrationContext.configure(
        connection,
        opts={
            "compare_type": True,
            "include_object": is_ours,
        },
    )
    return list(compare_metadata(context, METADATA))


async def test_migrations_go_up_and_down_and_up_again(empty_database: Dsns) -> None:
    owner = empty_database.owner
    assert await current(owner) is None
    await upgrade(owner)
    assert await current(owner) == newest_revision()
    above = await everything(owner)
    await downgrade(owner)
    assert await current(owner) is None
    below = await everything(owner)
    assert {name for _, name in below} == {
        "alembic_version",
        "_alembic_version",
        "alembic_version_pkc",
    }
    await upgrade(owner)
    assert await everything(owner) == above


def test_the_number_of_the_build_is_that_of_the_newest_migration() -> None:
    assert build_number() == int(newest_revision())


async def test_every_single_step_can_be_taken_both_ways(empty_database: Dsns) -> None:
    owner = empty_database.owner
    for number in range(1, int(newest_revision()) + 1):
        await upgrade(owner, revision=f"{number:04}")
        here = await everything(owner)
        await downgrade(owner, revision="-1")
        await upgrade(owner, revision="+1")
        assert await everything(owner) == here


async def version_of(dsn: str) -> tuple[int, int] | None:
    connection = await asyncpg.connect(dsn)
    try:
        if await connection.fetchval("SELECT to_regclass('schema_version')") is None:
            return None
        [row] = await connection.fetch(SCHEMA_VERSION)
        return row["number"], row["oldest_build"]
    finally:
        await connection.close()


def stated_by(migration: Script) -> tuple[int, int] | None:
    oldest_build = getattr(migration.module, "oldest_build", None)
    return None if oldest_build is None else (int(migration.revision), oldest_build)


async def test_each_step_writes_down_which_builds_the_schema_serves(empty_database: Dsns) -> None:
    owner = empty_database.owner
    for migration in migrations():
        await upgrade(owner, revision=migration.revision)
        assert await version_of(owner) == stated_by(migration)
    for migration in reversed(migrations()[:-1]):
        await downgrade(owner, revision=migration.revision)
        assert await version_of(owner) == stated_by(migration)


async def test_the_tables_described_are_the_tables_migrated(database: Dsns) -> None:
    engine = create_async_engine(database.owner.replace("postgresql:", "postgresql+asyncpg:", 1))
    async with engine.connect() as connection:
        found = await connection.run_sync(differences)
    await engine.dispose()
    assert found == []


async def test_processes_that_start_at_once_migrate_once(empty_database: Dsns) -> None:
    user = urlsplit(empty_database.app).username
    await asyncio.gather(*(upgrade(empty_database.owner, app_role=user) for _ in range(4)))
    assert await current(empty_database.app) == newest_revision()


async def test_the_log_is_partitioned_by_encounter(database: Dsns) -> None:
    connection = await asyncpg.connect(database.owner)
    found = await connection.fetch(
        "SELECT p.partrelid::regclass::text, pg_get_partkeydef(p.partrelid),"
        " (SELECT count(*) FROM pg_inherits WHERE inhparent = p.partrelid)"
        " FROM pg_partitioned_table p ORDER BY 1"
    )
    await connection.close()
    assert [tuple(row) for row in found] == [
        ("event", "HASH (encounter_id)", 8),
        ("event_part", "HASH (encounter_id)", 8),
    ]


async def test_nothing_points_from_the_log_at_another_table(database: Dsns) -> None:
    connection = await asyncpg.connect(database.owner)
    found = await connection.fetch(
        "SELECT conrelid::regclass::text FROM pg_constraint"
        " WHERE contype = 'f' AND conrelid::regclass::text ~ '^event'"
    )
    await connection.close()
    assert found == []


async def test_the_release_before_appends_on_this_schema_beside_this_one(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    before = f"SELECT taken FROM append_events({', '.join(f'${n}' for n in range(1, 25))})"
    first = append(await stored_encounter(store, tenant))
    second, third = append(first), append(append(first))
    pool = await asyncpg.create_pool(database.app, init=json_as_bytes, max_size=1, min_size=1)
    rows = await pool.fetch(before, *columns((first,))[:24])
    [outcome] = await store.writer.append([second])
    rows += await pool.fetch(before, *columns((third,))[:24])
    stale = await pool.fetchval(before, *columns((second,))[:24])
    await pool.close()
    assert [row["taken"] for row in rows] == [[first.encounter_id]] * 2
    assert isinstance(outcome, Appended)
    assert stale is None
    assert [each.seq for each in await log_of(store, first.encounter_id)] == [1, 2, 3, 4]


async def test_keys_are_used_once_across_releases(empty_database: Dsns) -> None:
    owner, app = empty_database.owner, urlsplit(empty_database.app).username
    await upgrade(owner)
    connection = await asyncpg.connect(owner)
    await connection.execute("INSERT INTO tenant (id, name) VALUES ($1, 'n')", UUID(int=1))
    store = await EventStore.open(owner, patience=PATIENT)
    first = append(await stored_encounter(store, UUID(int=1)), commands=(command("k", 2),))
    await store.writer.append([first])
    again = append(first, commands=(command("k", 3),))
    await downgrade(owner, revision="0011")
    before = f"SELECT taken FROM append_free({', '.join(f'${n}' for n in range(1, 27))})"
    pool = await asyncpg.create_pool(owner, init=json_as_bytes, max_size=1, min_size=1)
    assert await pool.fetchval(before, *columns((again,))) is None
    await upgrade(owner, app_role=app)
    assert await pool.fetchval(before, *columns((again,))) is None
    await pool.close()
    assert await store.writer.append([again]) == (Duplicate(commands=first.commands),)
    found = await connection.fetch(COMMAND_BEFORE, first.encounter_id, "seat:1", "k")
    await connection.close()
    await store.close()
    assert [tuple(row) for row in found] == [(2, 2)]


async def test_erasures_of_older_releases_count_as_due(empty_database: Dsns) -> None:
    bodies = (
        '{"seq":1,"action":{"type":"create_encounter"}}',
        '{"seq":2,"action":{"type":"note"},"note":"\\"type\\":\\"erase\\""}',
        '{"seq":3,"action":{"type":"erase","seqs":[1,2]}}',
        '{"seq":4,"action":{"type":"erase","seqs":[2]}}',
    )
    await upgrade(empty_database.owner, revision="0003")
    connection = await asyncpg.connect(empty_database.owner)
    await connection.executemany(
        "INSERT INTO event VALUES ($1, $2, $2 - 1, sha256(''), $3, '')",
        [(UUID(int=7), seq, body) for seq, body in enumerate(bodies, 1)],
    )
    await upgrade(empty_database.owner)
    found = await connection.fetch("SELECT encounter_id, seq FROM due_erasure ORDER BY seq")
    await connection.close()
    assert [tuple(row) for row in found] == [(UUID(int=7), 1), (UUID(int=7), 2)]


async def test_what_the_release_before_erases_and_creates_is_noted_for_this_one(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    before = f"SELECT taken FROM append_events({', '.join(f'${n}' for n in range(1, 25))})"
    row = await stored_encounter(store, tenant)
    body = b'{"seq":2,"action":{"type":"erase","seqs":[1,1]}}'
    erasing = append(row, event(2, body=body))
    missed = append(row, event(2, body=body.replace(b"[1,1]", b"[7]")))
    new = uuid4()
    first = msgspec.structs.replace(
        append(msgspec.structs.replace(row, id=new, head_seq=0, head_hash=NO_HASH)),
        events=(event(1, base=0, body=b'{"seq":1,"action":{"reveal_by_days":30}}'),),
    )
    owner = await asyncpg.connect(database.owner)
    await owner.execute(
        "INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)"
        " VALUES ($1, $2, 'crossfire-d6', '1', 'setup', 0, $3)",
        new,
        tenant,
        NO_HASH,
    )
    pool = await asyncpg.create_pool(database.app, init=json_as_bytes, max_size=1, min_size=1)
    for batch in ((erasing, first), (missed,)):
        await pool.fetch(before, *columns(batch)[:24])
    await pool.close()
    noted = await owner.fetch("SELECT reveal_by_days FROM sealed_seed WHERE encounter_id = $1", new)
    await owner.close()
    assert await store.log.due_erasures(row.id) == (1,)
    assert [tuple(each) for each in noted] == [(30,)]


async def test_an_append_that_waits_for_the_migration_ends_as_it_began(
    empty_database: Dsns,
) -> None:
    owner, app = empty_database.owner, urlsplit(empty_database.app).username
    await upgrade(owner, revision="0008")
    rights = (
        "SELECT ON ALL TABLES IN SCHEMA public",
        "INSERT ON event, event_part, encounter, command, creation, secret, sealed_seed, seat",
        "UPDATE (status, head_seq, head_hash) ON encounter",
    )
    connection = await asyncpg.connect(owner)
    for right in rights:
        await connection.execute(f"GRANT {right} TO {app}")
    await connection.execute("INSERT INTO tenant (id, name) VALUES ($1, 'n')", UUID(int=1))
    before = await EventStore.open(empty_database.app, patience=PATIENT)
    first = append(await stored_encounter(before, UUID(int=1)))
    async with connection.transaction():
        await connection.execute("LOCK TABLE encounter IN ACCESS EXCLUSIVE MODE")
        migrating = asyncio.create_task(upgrade(owner, app_role=app))
        await waiting(connection, 1)
        appending = asyncio.create_task(before.writer.append([first]))
        await waiting(connection, 2)
    [outcome] = await appending
    await migrating
    [later] = await before.writer.append([append(first)])
    await connection.close()
    await before.close()
    assert isinstance(outcome, Appended)
    assert isinstance(later, Appended)


async def waiting(connection: asyncpg.Connection, count: int) -> None:
    """Until so many sessions wait for the table of encounters."""
    asked = "SELECT count(*) FROM pg_locks WHERE relation = 'encounter'::regclass AND NOT granted"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await connection.fetchval(asked) >= count:
                return
            await asyncio.sleep(0.01)


async def test_what_is_created_while_the_log_is_read_for_seeds_is_not_left_out(
    empty_database: Dsns,
) -> None:
    await upgrade(empty_database.owner, revision="0004")
    connection = await asyncpg.connect(empty_database.owner)
    tenant, encounter = uuid4(), uuid4()
    await connection.execute("INSERT INTO tenant (id, name) VALUES ($1, 'n')", tenant)
    await connection.execute(
        "INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)"
        " VALUES ($1, $2, 'crossfire-d6', '1', 'setup', 1, $3)",
        encounter,
        tenant,
        NO_HASH,
    )
    await connection.execute(
        "INSERT INTO event VALUES ($1, 1, 0, sha256(''), $2, '')",
        encounter,
        '{"seq":1,"action":{"reveal_by_days":9}}',
    )
    await upgrade(empty_database.owner)
    found = await connection.fetch("SELECT encounter_id, reveal_by_days FROM sealed_seed")
    await connection.close()
    assert [tuple(row) for row in found] == [(encounter, 9)]


async def test_a_creation_on_its_way_and_a_migration_do_not_wait_for_one_another(
    empty_database: Dsns,
) -> None:
    owner = empty_database.owner
    await upgrade(owner, revision="0004")
    connection = await asyncpg.connect(owner)
    tenant = uuid4()
    await connection.execute("INSERT INTO tenant (id, name) VALUES ($1, 'n')", tenant)
    async with connection.transaction():
        await connection.execute("LOCK TABLE encounter IN ROW EXCLUSIVE MODE")
        migrating = asyncio.create_task(upgrade(owner, revision="0005"))
        await waiting(connection, 1)
        await connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE_SECONDS:.0f}s'")
        await connection.execute(
            "INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)"
            " VALUES ($1, $2, 'crossfire-d6', '1', 'setup', 0, $3)",
            uuid4(),
            tenant,
            NO_HASH,
        )
    await migrating
    await connection.close()
    assert await current(owner) == "0005"
