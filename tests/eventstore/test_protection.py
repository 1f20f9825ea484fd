"""Nobody changes the log: not who serves, not who owns it, on no partition of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.log_writes import APPEND, columns
from service.eventstore.migrate import newest_revision, upgrade
from service.eventstore.records import EncounterRow, Readiness, Tombstone
from service.eventstore.schema_version import build_number
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    append,
    event,
    facts_part,
    head_of,
    log_of,
    new_encounter,
    sha,
    stored_encounter,
    text_part,
)

LOG = ("event", *(f"event_p{number}" for number in range(8)))
PARTS = ("event_part", *(f"event_part_p{number}" for number in range(8)))
ROLES = ("app", "owner", "eraser", "admin")


def user_of(dsn: str) -> str:
    return urlsplit(dsn).username or ""


@asynccontextmanager
async def as_role(database: Dsns, role: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(getattr(database, role))
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def logs(store: EventStore, database: Dsns, tenant: UUID) -> list[EncounterRow]:
    """Encounters until no partition of the log is empty."""
    rows = [await stored_encounter(store, tenant, parts=(text_part(), facts_part()))]
    async with as_role(database, "admin") as admin:
        while await admin.fetchval("SELECT count(DISTINCT tableoid) FROM event") < len(LOG) - 1:
            rows.append(await stored_encounter(store, tenant, parts=(text_part(), facts_part())))
    return rows


@pytest.mark.parametrize("role", ROLES)
async def test_changing_the_log_is_refused(
    database: Dsns, logs: list[EncounterRow], role: str
) -> None:
    changes = [
        change.format(table)
        for table in (*LOG, *PARTS)
        for change in ("UPDATE {} SET seq = seq + 1000", "DELETE FROM {}", "TRUNCATE {}")
    ]
    async with as_role(database, role) as connection:
        taken = [change for change in changes if not await is_refused(connection, change)]
    assert taken == []


async def is_refused(connection: asyncpg.Connection, change: str) -> bool:
    """Whether the database does not let this role make a change."""
    try:
        await connection.execute(change)
    except asyncpg.InsufficientPrivilegeError:
        return True
    return False


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE event SET recorded_at = now() WHERE encounter_id = $1",
        "UPDATE event SET body = body WHERE encounter_id = $1",
        "UPDATE event_part SET body = '' WHERE encounter_id = $1",
        "UPDATE event_part SET body = NULL, salt = NULL WHERE encounter_id = $1",
        "UPDATE event_part SET body = NULL, salt = NULL, seq = 9"
        " WHERE encounter_id = $1 AND kind = 'text'",
        "UPDATE event_part SET body = '{}' WHERE encounter_id = $1 AND kind = 'text'",
        "INSERT INTO event SELECT * FROM event WHERE encounter_id = $1"
        " ON CONFLICT (encounter_id, seq) DO UPDATE SET base = 0",
        "DELETE FROM event WHERE encounter_id = $1",
    ],
)
async def test_the_owner_is_refused_every_change_but_emptying_text(
    database: Dsns, store: EventStore, tenant: UUID, change: str
) -> None:
    row = await stored_encounter(store, tenant, parts=(text_part(), facts_part()))
    before = await log_of(store, row.id)
    async with as_role(database, "owner") as owner:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await owner.execute(change, row.id)
    assert await log_of(store, row.id) == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM delete_encounter('00000000-0000-0000-0000-000000000000')",
        "INSERT INTO tombstone VALUES (gen_random_uuid(), gen_random_uuid(), 1, '')",
        "UPDATE command SET last_seq = 9",
        "DELETE FROM command",
        "INSERT INTO command SELECT * FROM command",
        "INSERT INTO event SELECT * FROM event",
        "INSERT INTO event_p2 SELECT * FROM event_p2",
        "INSERT INTO event_part SELECT * FROM event_part",
        "INSERT INTO due_erasure VALUES (gen_random_uuid(), 1)",
        "UPDATE encounter SET head_seq = head_seq - 1",
        "UPDATE encounter SET head_hash = head_hash",
        "UPDATE encounter SET status = 'ended'",
        "UPDATE encounter SET tenant = tenant",
        "DELETE FROM encounter",
        "UPDATE secret SET seed = seed",
        "DELETE FROM snapshot",
        "UPDATE creation SET fingerprint = ''",
        "UPDATE api_key SET secret_hash = secret_hash",
        "CREATE TABLE mine ()",
    ],
)
async def test_the_serving_role_has_no_right_it_does_not_need(
    database: Dsns, statement: str
) -> None:
    async with as_role(database, "app") as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


async def test_who_locks_a_row_can_change_nothing_in_it(database: Dsns) -> None:
    async with as_role(database, "app") as connection:
        await connection.execute("SELECT FROM encounter FOR UPDATE")
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute("UPDATE encounter SET lockable = false")


async def test_the_eraser_appends_nothing(database: Dsns) -> None:
    async with as_role(database, "eraser") as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="function append_free"):
            await connection.fetch(APPEND, *columns(()))


@pytest.mark.parametrize("table", ["secret", "api_key", "signing_key", "service_key", "event"])
async def test_the_eraser_reads_no_secret_and_no_event(database: Dsns, table: str) -> None:
    async with as_role(database, "eraser") as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(f"SELECT FROM {table}")


async def test_a_deleted_encounter_leaves_a_tombstone_and_nothing_else(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant, parts=(text_part(), facts_part()))
    other = await stored_encounter(store, tenant, parts=(text_part(),))
    [_] = await store.writer.append([append(row, event(2), event(3))])
    head = await head_of(store, row.id)
    tombstone = await store.eraser.delete_encounter(row.id)
    assert tombstone == Tombstone(
        encounter_id=row.id,
        tenant=tenant,
        head_seq=3,
        head_hash=head.head_hash,
        deleted_at=tombstone.deleted_at if tombstone else row.created_at,
    )
    assert await store.eraser.delete_encounter(row.id) == tombstone
    assert await store.log.tombstone(row.id) == tombstone
    async with as_role(database, "admin") as admin:
        tables = await admin.fetch(
            "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND column_name = 'encounter_id'"
        )
        left = {
            table: await admin.fetchval(
                f"SELECT count(*) FROM {table} WHERE encounter_id = $1", row.id
            )
            for (table,) in tables
        }
    assert {table for table, count in left.items() if count} == {"creation", "tombstone"}
    assert await store.log.head(row.id) is None
    assert await head_of(store, other.id) == other


async def test_deleting_what_never_was_gives_nothing(store: EventStore, tenant: UUID) -> None:
    assert await store.eraser.delete_encounter(tenant) is None


async def test_blobs_go_with_the_last_encounter_that_uses_them(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    own, shared = tenant.bytes + b"own", tenant.bytes + b"shared"
    first, second = (
        new_encounter(tenant, blobs=(own, shared)),
        new_encounter(tenant, blobs=(shared,)),
    )
    await store.writer.create(first)
    await store.writer.create(second)
    left = []
    async with as_role(database, "admin") as admin:
        for new in (first, second):
            await store.eraser.delete_encounter(new.id)
            left.append(
                {
                    row["digest"]
                    for row in await admin.fetch(
                        "SELECT digest FROM blob WHERE digest = ANY ($1::bytea[])",
                        [sha(own), sha(shared)],
                    )
                }
            )
    assert left == [{sha(shared)}, set()]


async def test_readiness_says_whether_the_log_could_be_changed(database: Dsns) -> None:
    found = {}
    for role in ("app", "eraser", "owner", "admin"):
        store = await EventStore.open(getattr(database, role))
        found[role] = await store.ready()
        await store.close()
    app = found["app"]
    assert app == Readiness(
        revision=newest_revision(),
        schema=app.schema,
        is_read_only=False,
        is_full=False,
        uncommitted_seconds=0,
        can_mutate_log=False,
        server_version=app.server_version,
    )
    assert app.server_version >= 150000
    assert app.schema is not None
    assert app.schema.serves(build_number())
    assert {role: ready.can_mutate_log for role, ready in found.items()} == {
        "app": False,
        "eraser": False,
        "owner": True,
        "admin": True,
    }


async def test_an_empty_database_is_ready_for_nothing(empty_database: Dsns) -> None:
    store = await EventStore.open(empty_database.owner)
    ready = await store.ready()
    await store.close()
    assert (ready.revision, ready.schema, ready.can_mutate_log) == (None, None, False)


async def test_one_role_for_everything_can_serve_erase_and_delete(empty_database: Dsns) -> None:
    await upgrade(empty_database.owner)
    store = await EventStore.open(empty_database.owner)
    owner = await store.access.create_tenant(UUID(int=1), "one")
    row = await stored_encounter(store, owner.id, parts=(text_part(),))
    [_] = await store.writer.append([append(row)])
    assert await store.eraser.erase_text(row.id, until=2) == 1
    assert await store.eraser.delete_encounter(row.id) is not None
    await store.close()


async def test_a_right_given_by_mistake_is_taken_back_by_the_next_migration(
    empty_database: Dsns,
) -> None:
    app = user_of(empty_database.app)
    await upgrade(empty_database.owner, app_role=app)
    async with as_role(empty_database, "owner") as owner:
        await owner.execute(f"GRANT ALL ON event, event_p3, encounter TO {app}")
    store = await EventStore.open(empty_database.app)
    before = await store.ready()
    await upgrade(empty_database.owner, app_role=app)
    after = await store.ready()
    await store.close()
    assert (before.can_mutate_log, after.can_mutate_log) == (True, False)


async def test_a_role_that_can_move_heads_is_not_ready_to_serve(empty_database: Dsns) -> None:
    app = user_of(empty_database.app)
    await upgrade(empty_database.owner, app_role=app)
    async with as_role(empty_database, "owner") as owner:
        await owner.execute(f"GRANT UPDATE (head_seq) ON encounter TO {app}")
    store = await EventStore.open(empty_database.app)
    ready = await store.ready()
    await store.close()
    assert ready.can_mutate_log


async def test_the_owner_named_as_a_role_keeps_its_rights(empty_database: Dsns) -> None:
    owner = user_of(empty_database.owner)
    await upgrade(empty_database.owner, app_role=owner, eraser_role=owner)
    store = await EventStore.open(empty_database.owner)
    tenant = await store.access.create_tenant(UUID(int=1), "one")
    row = await stored_encounter(store, tenant.id)
    assert await store.eraser.delete_encounter(row.id) is not None
    await store.close()


async def test_one_role_may_both_serve_and_erase(empty_database: Dsns) -> None:
    app = user_of(empty_database.app)
    await upgrade(empty_database.owner, app_role=app, eraser_role=app)
    store = await EventStore.open(empty_database.app)
    tenant = await store.access.create_tenant(UUID(int=1), "one")
    row = await stored_encounter(store, tenant.id, parts=(text_part(),))
    assert await store.eraser.erase_text(row.id, until=1) == 1
    assert await store.eraser.delete_encounter(row.id) is not None
    assert not (await store.ready()).can_mutate_log
    await store.close()
