"""Brings a database's schema up or down, and gives the roles their rights.

All migrations of one call happen in one transaction under one lock: two processes that start at
once migrate once, and a migration that fails leaves the schema as it was.

Rights are given with the migrations, and taken in a separate transaction afterwards, once those
have ended that were writing to logs meanwhile: a function that was waiting for the migration
continues in the shape and with the rights it began with.
"""

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from service.errors import SchemaMismatch
from service.eventstore.connection import Connection as DriverConnection
from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.grants import grants
from service.eventstore.schema_version import migrations
from service.eventstore.session import one_session
from service.eventstore.upgrades import KNOWS_RELEASES, RAISED
from service.releases import FIRST_LOWEST, RELEASES, Releases, newest_of

_MIGRATION_LOCK: Final = 0x7761726C6F67
"""The advisory lock's number: `warlog` in ASCII. Two processes that start never migrate at once."""

_WRITERS_DONE: Final = "LOCK TABLE encounter IN EXCLUSIVE MODE"
"""Waits for every transaction that has locked or moved a head; readers go on."""

SECONDS: Final = 60.0
"""How long a connection is waited for."""

_PUBLIC: Final = {"search_path": "public"}
_UNHURRIED: Final = (
    "SET LOCAL search_path = public",
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL lock_timeout = 0",
)
"""Whatever the role has, or a pooler did not pass on."""


async def upgrade(
    owner_url: str,
    *,
    app_role: str | None = None,
    eraser_role: str | None = None,
    revision: str = "head",
    releases: Releases = RELEASES,
) -> None:
    """Migrate up to `revision` as the owner of the tables; at `head`, grant the roles their rights.

    On an empty database no upgrade is under way: everything that `releases` brought is allowed.

    Without roles nothing is granted: the owner serves, and the triggers protect the log. A role
    named here must exist; whatever it held on our tables before is taken from it first. It may be
    the owner, who needs nothing, and both may be one.
    """
    rights = None
    async with _migrating(owner_url) as connection:
        before = await connection.run_sync(_current)
        await connection.run_sync(_upgrade, revision)
        is_changed = before != await connection.run_sync(_current)
        if revision == "head":
            rights = await grants(connection, app=app_role, eraser=eraser_role)
            await _execute(connection, rights.grants)
            if before is None:
                await connection.run_sync(_raise_lowest, newest_of(FIRST_LOWEST, releases))
    if rights is None:
        return
    async with _migrating(owner_url) as connection:
        waiting = (_WRITERS_DONE,) if is_changed else ()
        await _execute(connection, (*waiting, *rights.revocations, *rights.grants))


async def downgrade(owner_url: str, *, revision: str = "base") -> None:
    """Migrate down to `revision`; at `base` everything stored is gone."""
    async with _migrating(owner_url) as connection:
        await connection.run_sync(_downgrade, revision)


async def current(url: str) -> str | None:
    """The revision the schema is at, None before the first migration."""
    async with _connected(url) as connection:
        return await connection.run_sync(_current)


async def _execute(connection: AsyncConnection, statements: Iterable[str]) -> None:
    for statement in statements:
        await connection.execute(text(statement))


def newest_revision() -> str:
    """The revision this build was written for: what `upgrade` leads to."""
    return str(ScriptDirectory(str(migrations())).get_current_head())


@asynccontextmanager
async def _migrating(url: str) -> AsyncIterator[AsyncConnection]:
    async with _connected(url) as connection:
        await connection.execute(
            text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATION_LOCK}
        )
        yield connection


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[AsyncConnection]:
    async def connect() -> DriverConnection:
        try:
            return await one_session(url, seconds=SECONDS, answer_seconds=None, settings=_PUBLIC)
        except DRIVER_ERRORS as error:
            raise translated(error) from error

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await _execute(connection, _UNHURRIED)
            yield connection
    finally:
        await engine.dispose()


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations()))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection, revision: str) -> None:
    """Raises SchemaMismatch where the database is another program's, or a newer build's."""
    at = _current(connection)
    if at is not None and at not in _revisions():
        raise SchemaMismatch(why="foreign_revision", revision=at)
    try:
        command.upgrade(_config(connection), revision)
    except ProgrammingError as error:
        name = _already_there(error.orig)
        if name is None:
            raise
        raise SchemaMismatch(why="foreign_tables", name=name) from error


def _raise_lowest(connection: Connection, release: str) -> None:
    if release != FIRST_LOWEST:
        connection.exec_driver_sql(RAISED, (release, KNOWS_RELEASES))


def _already_there(error: BaseException | None) -> str | None:
    """What a migration would have made, but something of that name is there; else None."""
    cause = error.__cause__ if error is not None else None
    if isinstance(cause, asyncpg.DuplicateTableError | asyncpg.DuplicateObjectError):
        return re.sub(" already exists$", "", str(cause))
    return None


def _revisions() -> frozenset[str]:
    scripts = ScriptDirectory(str(migrations()))
    return frozenset(script.revision for script in scripts.walk_revisions())


def _downgrade(connection: Connection, revision: str) -> None:
    command.downgrade(_config(connection), revision)


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
