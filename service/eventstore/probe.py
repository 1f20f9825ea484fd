"""Looking at a database as one role sees it, without changing anything: for `warlog doctor`."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import asyncpg
from msgspec import Struct

from service.eventstore.connection import Connection
from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.grants import Right
from service.eventstore.role_settings import different_settings
from service.eventstore.schema_version import SCHEMA_VERSION, SchemaVersion
from service.eventstore.servers import ServerSession
from service.eventstore.session import one_session
from service.eventstore.subscriptions import SUBSCRIPTIONS
from service.eventstore.timeouts import PATIENCE
from service.eventstore.upgrades import Upgrade, read_upgrade

SECONDS = 10.0
"""How long a connection, or an answer, is waited for."""

# Both tables and their partitions: what is revoked on one is not revoked on the other.
_RIGHTS = """
SELECT c.relname || ' ' || lower(wanted.name)
FROM pg_class c, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS wanted(name)
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
  AND c.relname ~ '^event(_p[0-9]+)?$'
  AND (CASE wanted.name WHEN 'UPDATE' THEN has_any_column_privilege(c.oid, wanted.name)
       ELSE has_table_privilege(c.oid, wanted.name) END)
UNION
SELECT 'encounter update' FROM pg_attribute a
WHERE a.attrelid = to_regclass('public.encounter')
  AND a.attname IN ('head_seq', 'head_hash', 'status')
  AND has_column_privilege(a.attrelid, a.attnum, 'UPDATE')
ORDER BY 1
"""

# Where what is asked about is not there at all, the revision says so.
_LACKED = """
SELECT DISTINCT wanted.thing || ' ' || lower(wanted.name)
FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted(thing, name, part)
JOIN pg_class c ON c.oid = to_regclass('public.' || quote_ident(wanted.thing))
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = wanted.part
WHERE CASE WHEN wanted.part = '' THEN NOT has_table_privilege(c.oid, wanted.name)
    ELSE NOT has_column_privilege(c.oid, a.attnum, wanted.name) END
ORDER BY 1
"""

_LOOKED_FOR = frozenset(
    {"has_erasures", "has_processes", "has_revision", "has_version", "may_read", "may_append"}
)

# A probe for each log: joined, the whole of all logs might be read.
_BEYOND_HEAD = """
SELECT count(*) FROM encounter e
WHERE (
    SELECT true FROM event v WHERE v.encounter_id = e.id AND v.seq > e.head_seq LIMIT 1
)
"""
BEYOND_HEAD_SECONDS = 60
"""So long it is looked for rows beyond heads: a million logs take about ten seconds."""

_HALF_ERASED = "SELECT count(DISTINCT encounter_id) FROM due_erasure"
_REVISION = "SELECT version_num FROM alembic_version"


class Examination(Struct, frozen=True, kw_only=True):
    """What was found. `version` is the server's major, `revision` that of the schema, `schema`
    which builds it serves, if it says so.

    `may_append`: it can read and extend the log. `may_rewrite` lists "table right" for every
    right to write into the log or to its head past the function that appends, `lacks` for every
    right that the role needs and has not.
    `half_erased` counts encounters whose log says that text is erased which may be there still,
    `beyond_head` those whose log has rows beyond its head; None if that took too long.
    The database's clock is `ahead_ms` ahead of ours, give or take `within_ms`.
    `is_pooled`: a pooler is in between; `different_settings` are those of a session that are not
    what the service asked for, in words. `subscriptions` that write into the store are enabled.
    `upgrade`: the lowest release, and who uses the database; None where the role may not see it.
    """

    role: str
    version: int
    version_name: str
    encoding: str
    is_migrated: bool
    is_read_only: bool
    may_append: bool
    may_rewrite: tuple[str, ...]
    ahead_ms: int
    within_ms: int
    revision: str | None = None
    schema: SchemaVersion | None = None
    lacks: tuple[str, ...] = ()
    half_erased: int = 0
    beyond_head: int | None = 0
    is_pooled: bool = False
    different_settings: tuple[str, ...] = ()
    subscriptions: tuple[str, ...] = ()
    upgrade: Upgrade | None = None


async def examine(
    url: str, now: Callable[[], datetime], needed: Sequence[Right] = ()
) -> Examination:
    """Connect and look; `now` is the clock to compare with, `needed` what the role must have.

    Raises DatabaseAway and its kin if that is not possible.
    """
    try:
        connection = await one_session(
            url, seconds=SECONDS, answer_seconds=SECONDS, settings=PATIENCE.settings
        )
        try:
            # In one transaction: a pooler would otherwise hand on what is set or prepared here.
            async with connection.transaction():
                return await _examine(connection, now, needed)
        finally:
            await connection.close()
    except DRIVER_ERRORS as error:
        raise translated(error) from error


async def _examine(
    connection: ServerSession, now: Callable[[], datetime], needed: Sequence[Right]
) -> Examination:
    # First, before anything is set here.
    different = await different_settings(connection)
    [facts] = await connection.fetch(
        "SELECT current_user::text AS role, current_setting('server_version') AS version_name,"
        " current_setting('server_version_num')::int / 10000 AS version,"
        " pg_encoding_to_char(encoding) AS encoding,"
        " to_regclass('public.event') IS NOT NULL AS is_migrated,"
        " COALESCE(has_table_privilege(to_regclass('public.event'), 'SELECT')"
        " AND has_table_privilege(to_regclass('public.encounter'), 'SELECT'), false) AS may_read,"
        " EXISTS (SELECT FROM pg_proc WHERE proname = 'append_free'"
        " AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE'))"
        " AS may_append,"
        " COALESCE(has_table_privilege(to_regclass('public.due_erasure'), 'SELECT'), false)"
        " AS has_erasures,"
        " COALESCE(has_table_privilege(to_regclass('public.alembic_version'), 'SELECT'), false)"
        " AS has_revision,"
        " COALESCE(has_table_privilege(to_regclass('public.schema_version'), 'SELECT'), false)"
        " AS has_version,"
        " COALESCE(has_table_privilege(to_regclass('public.serving_process'), 'SELECT'), false)"
        " AS has_processes,"
        " pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS is_read_only"
        " FROM pg_database WHERE datname = current_database()"
    )
    rights = await connection.fetch(_RIGHTS)
    columns = [list(column) for column in zip(*needed, strict=True)] or [[], [], []]
    lacked = await connection.fetch(_LACKED, *columns)
    revision = await connection.fetchval(_REVISION) if facts["has_revision"] else None
    version = await connection.fetchrow(SCHEMA_VERSION) if facts["has_version"] else None
    half_erased = await connection.fetchval(_HALF_ERASED) if facts["has_erasures"] else 0
    beyond_head = await _beyond_head(connection) if facts["may_read"] else 0
    subscriptions = await connection.fetch(SUBSCRIPTIONS)
    upgrade = await read_upgrade(connection) if facts["has_processes"] else None
    before = now()
    theirs = await connection.fetchval("SELECT clock_timestamp()")
    after = now()
    half_way = (after - before) / 2
    return Examination(
        **{name: value for name, value in facts.items() if name not in _LOOKED_FOR},
        is_pooled=connection.is_pooled,
        different_settings=different,
        revision=revision,
        schema=SchemaVersion(**version) if version else None,
        upgrade=upgrade,
        lacks=tuple(row[0] for row in lacked),
        subscriptions=tuple(row[0] for row in subscriptions),
        half_erased=half_erased,
        beyond_head=beyond_head,
        may_append=facts["may_read"] and facts["may_append"],
        may_rewrite=tuple(row[0] for row in rights),
        ahead_ms=_milliseconds(theirs - before - half_way),
        within_ms=_milliseconds(half_way) + 1,
    )


async def _beyond_head(connection: Connection) -> int | None:
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL statement_timeout = '{BEYOND_HEAD_SECONDS}s'")
            return int(await connection.fetchval(_BEYOND_HEAD, timeout=BEYOND_HEAD_SECONDS + 5))
    except asyncpg.QueryCanceledError:
        return None


def _milliseconds(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)
