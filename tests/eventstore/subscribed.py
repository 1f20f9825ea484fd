"""A database that looks as if a subscription of logical replication filled its event table.

The subscription has no publisher: it is entered as PostgreSQL enters one, and never connects.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from service.eventstore.connection import Connection

NAME = "feed"


@asynccontextmanager
async def subscribed(admin: str, table: str = "event_p0") -> AsyncIterator[Connection]:
    """A superuser's session while the subscription is there; it is enabled at first."""
    session = await asyncpg.connect(admin)
    session.add_log_listener(lambda *_: None)
    await session.execute(
        f"CREATE SUBSCRIPTION {NAME} CONNECTION 'host=127.0.0.1 port=1 dbname=none'"
        " PUBLICATION p WITH (connect = false)"
    )
    await session.execute("SET allow_system_table_mods = on")
    await session.execute(
        "INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate)"
        f" SELECT oid, '{table}'::regclass, 'r' FROM pg_subscription WHERE subname = '{NAME}'"
    )
    await enable(session)
    try:
        yield session
    finally:
        await disable(session)
        await session.execute(f"ALTER SUBSCRIPTION {NAME} SET (slot_name = NONE)")
        await session.execute(f"DROP SUBSCRIPTION {NAME}")
        await session.close()


async def enable(session: Connection) -> None:
    """Let it write, as far as PostgreSQL knows."""
    await session.execute(f"ALTER SUBSCRIPTION {NAME} ENABLE")


async def disable(session: Connection) -> None:
    """Let it write no longer."""
    await session.execute(f"ALTER SUBSCRIPTION {NAME} DISABLE")
