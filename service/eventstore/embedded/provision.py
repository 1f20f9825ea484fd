"""The database and the three roles the service wants, made once and found again.

The schema's owner migrates, the service may not rewrite what is stored, erasure is a third:
the privileges on tables are the migrations' business, the roles are made here.
"""

import asyncpg
from msgspec import Struct


class Roles(Struct, frozen=True, kw_only=True):
    """Names of the roles: who owns the schema, who serves, who erases."""

    owner: str = "warlog_owner"
    app: str = "warlog_app"
    eraser: str = "warlog_eraser"


class Dsns(Struct, frozen=True, kw_only=True):
    """Addresses (`postgresql://`) of one database, one per role; `admin` is a superuser."""

    admin: str
    owner: str
    app: str
    eraser: str

    def __repr__(self) -> str:
        """Name nothing: every address holds a password."""
        return "Dsns(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Name nothing to tracebacks that print records in colour either."""
        return []


async def provision(
    connection: asyncpg.Connection, database: str, passwords: dict[str, str]
) -> None:
    """Make the roles (name to password, the owner first) and the database, where missing.

    Existing roles keep their passwords. Nobody but the roles may connect to the database.
    """
    for role, password in passwords.items():
        if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
            await _run(connection, "CREATE ROLE %I LOGIN PASSWORD %L", role, password)
    owner, *others = passwords
    if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", database):
        await _run(
            connection,
            "CREATE DATABASE %I OWNER %I TEMPLATE template0"
            " ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
            database,
            owner,
        )
    await _run(connection, "REVOKE ALL ON DATABASE %I FROM PUBLIC", database)
    for role in others:
        await _run(connection, "GRANT CONNECT ON DATABASE %I TO %I", database, role)


async def _run(connection: asyncpg.Connection, template: str, *words: str) -> None:
    """Run a statement that takes no parameters; the server itself quotes the words."""
    places = ", ".join(f"${number}::text" for number in range(2, len(words) + 2))
    statement = await connection.fetchval(f"SELECT format($1, {places})", template, *words)
    await connection.execute(statement)
