"""Rights on the tables: those of the serving role and of the eraser.

The serving role can read the log and call the function that appends to it, which runs with the
owner's rights and looks at what it is handed: neither a row of a log nor its head can be written
otherwise. The eraser can empty text and call the functions that delete. Neither owns anything.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_APPENDING: Final = ("append_free", "append_events")
"""The second is that of an earlier release, which may be running still."""

_APP: Final[tuple[tuple[str, str], ...]] = (
    ("tenant", "SELECT, INSERT"),
    ("tenant_origin", "SELECT, INSERT, DELETE"),
    ("api_key", "SELECT, INSERT, UPDATE (revoked_at)"),
    ("encounter", "SELECT, INSERT, UPDATE (lockable, metadata, metadata_seq)"),
    ("event", "SELECT"),
    ("event_part", "SELECT"),
    ("blob", "SELECT, INSERT"),
    ("encounter_blob", "SELECT, INSERT"),
    ("command", "SELECT"),
    ("creation", "SELECT, INSERT"),
    ("fork", "SELECT, INSERT"),
    ("fork_day", "SELECT, INSERT, UPDATE (day, forks)"),
    ("snapshot", "SELECT, INSERT"),
    ("seat", "SELECT, INSERT, UPDATE (role, name, token_hash, revoked_at)"),
    (
        "invitation",
        "SELECT, INSERT, UPDATE (code_hash, used_at, ended_at, used_code_hash, token_hash)",
    ),
    ("secret", "SELECT, INSERT"),
    ("signing_key", "SELECT, INSERT"),
    ("service_key", "SELECT, INSERT"),
    ("due_erasure", "SELECT"),
    ("sealed_seed", "SELECT, INSERT, DELETE"),
    ("clock", "SELECT, INSERT, UPDATE (seq, due, paused_at, changes), DELETE"),
    ("clock_pause", "SELECT, INSERT, UPDATE (resumed_at), DELETE"),
    ("clock_change", "SELECT, INSERT, UPDATE (extra_ms), DELETE"),
    ("clock_command", "SELECT, INSERT"),
    ("tombstone", "SELECT"),
    ("alembic_version", "SELECT"),
    ("schema_version", "SELECT"),
    ("serving_process", "SELECT, INSERT, UPDATE (seen_at), DELETE"),
    *((f"FUNCTION {function}", "EXECUTE") for function in _APPENDING),
)

_DELETING: Final = (
    "delete_encounter(uuid)",
    "retire_tenant(uuid)",
    "forget_tenant(uuid, integer)",
)

_FUNCTIONS: Final = (*_APPENDING, *_DELETING)

_ERASER: Final[tuple[tuple[str, str], ...]] = (
    ("encounter", "SELECT, UPDATE (title, metadata, erasures)"),
    ("event_part", "SELECT, UPDATE (salt, body)"),
    ("command", "SELECT, UPDATE (fingerprint)"),
    ("creation", "SELECT, UPDATE (fingerprint)"),
    ("snapshot", "SELECT, DELETE"),
    ("due_erasure", "SELECT, DELETE"),
    ("tombstone", "SELECT"),
    ("alembic_version", "SELECT"),
    ("schema_version", "SELECT"),
    *((f"FUNCTION {function}", "EXECUTE") for function in _DELETING),
)


_RIGHT: Final = re.compile(r"(\w+)(?: \(([^)]*)\))?")


class Right(NamedTuple):
    """One right to a table, to a single column of it if one is named."""

    table: str
    name: str
    column: str = ""


def _rights(granted: tuple[tuple[str, str], ...]) -> Iterator[Right]:
    for table, rights in granted:
        if table.startswith("FUNCTION "):
            continue
        for name, columns in _RIGHT.findall(rights):
            for column in columns.split(", "):
                yield Right(table, name, column)


SERVING: Final = tuple(_rights(_APP))
ERASING: Final = tuple(_rights(_ERASER))
"""Rights on tables of the serving role and of the erasing role."""


class Grants(NamedTuple):
    """The statements that give roles their rights, and those that take whatever they had before."""

    revocations: tuple[str, ...]
    grants: tuple[str, ...]


async def grants(connection: AsyncConnection, *, app: str | None, eraser: str | None) -> Grants:
    """The statements that give `app` the rights to serve and `eraser` the rights to erase."""
    owner = (await connection.execute(text("SELECT current_user"))).scalar_one()
    named = [
        (await _quoted(connection, role), rights)
        for role, rights in ((app, _APP), (eraser, _ERASER))
        if role not in (None, owner)
    ]
    roles = dict.fromkeys(role for role, _ in named)
    return Grants(
        revocations=tuple(statement for role in roles for statement in _taken_back(role)),
        grants=tuple(
            f"GRANT {right} ON {thing} TO {role}"
            for role, rights in named
            for thing, right in rights
        ),
    )


def _taken_back(name: str) -> tuple[str, ...]:
    """Start from nothing, so that a right once granted by mistake does not stay."""
    tables = (
        *(table for table, _ in _APP if not table.startswith("FUNCTION ")),
        *(f"{table}_p{number}" for table in ("event", "event_part") for number in range(8)),
    )
    return (
        f"GRANT USAGE ON SCHEMA public TO {name}",
        f"REVOKE ALL ON {', '.join(tables)} FROM {name}",
        *(f"REVOKE ALL ON FUNCTION {function} FROM {name}" for function in _FUNCTIONS),
    )


async def _quoted(connection: AsyncConnection, role: str | None) -> str:
    result = await connection.execute(text("SELECT quote_ident(:role)"), {"role": role})
    return str(result.scalar_one())
