"""Who may do what to which table: the rights of the serving role and of the eraser.

The serving role can insert into the log and read it, no more. The eraser can empty text and
call `delete_encounter`, which runs with the owner's rights. Neither owns anything.
"""

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_APP: Final[tuple[tuple[str, str], ...]] = (
    ("tenant", "SELECT, INSERT"),
    ("api_key", "SELECT, INSERT, UPDATE (revoked_at)"),
    ("encounter", "SELECT, INSERT, UPDATE (status, head_seq, head_hash)"),
    ("event", "SELECT, INSERT"),
    ("event_part", "SELECT, INSERT"),
    ("blob", "SELECT, INSERT"),
    ("encounter_blob", "SELECT, INSERT"),
    ("command", "SELECT, INSERT"),
    ("creation", "SELECT, INSERT"),
    ("snapshot", "SELECT, INSERT"),
    ("seat", "SELECT, INSERT, UPDATE (role, name, token_hash, revoked_at)"),
    ("secret", "SELECT, INSERT"),
    ("signing_key", "SELECT, INSERT"),
    ("service_key", "SELECT, INSERT"),
    ("tombstone", "SELECT"),
    ("alembic_version", "SELECT"),
)

_ERASER: Final[tuple[tuple[str, str], ...]] = (
    ("encounter", "SELECT, UPDATE (title, erasures)"),
    ("event_part", "SELECT, UPDATE (salt, body)"),
    ("command", "SELECT, UPDATE (fingerprint)"),
    ("creation", "SELECT, UPDATE (fingerprint)"),
    ("snapshot", "SELECT, DELETE"),
    ("tombstone", "SELECT"),
    ("alembic_version", "SELECT"),
)


async def app_grants(connection: AsyncConnection, role: str) -> tuple[str, ...]:
    """What makes `role` the one that serves."""
    name = await _quoted(connection, role)
    return (*_taken_back(name), *(f"GRANT {rights} ON {table} TO {name}" for table, rights in _APP))


async def eraser_grants(connection: AsyncConnection, role: str) -> tuple[str, ...]:
    """What makes `role` the one that erases and deletes."""
    name = await _quoted(connection, role)
    return (
        *_taken_back(name),
        *(f"GRANT {rights} ON {table} TO {name}" for table, rights in _ERASER),
        f"GRANT EXECUTE ON FUNCTION delete_encounter(uuid) TO {name}",
    )


def _taken_back(name: str) -> tuple[str, ...]:
    """Start from nothing, so that a right once granted by mistake does not stay."""
    partitions = ("event", "event_part")
    tables = (
        *(table for table, _ in _APP),
        *(f"{table}_p{number}" for table in partitions for number in range(8)),
    )
    return (
        f"GRANT USAGE ON SCHEMA public TO {name}",
        f"REVOKE ALL ON {', '.join(tables)} FROM {name}",
        f"REVOKE ALL ON FUNCTION delete_encounter(uuid) FROM {name}",
    )


async def _quoted(connection: AsyncConnection, role: str) -> str:
    result = await connection.execute(text("SELECT quote_ident(:role)"), {"role": role})
    return str(result.scalar_one())
