"""Errors of the database driver, translated into the service's own.

How this works. Every failure has one of three meanings for a write:

- the server answered with an error: the transaction was rolled back, nothing was written;
- the connection could not be made: nothing was written;
- the connection was lost while the server had the statement: unknown (`is_lost`).
  That includes 57P01 and its kin, which a server can still send after its commit.
"""

from typing import Final

import asyncpg

from service.errors import (
    DatabaseAway,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseSlow,
    NameTaken,
    OutcomeUnknown,
    SchemaMismatch,
    Unauthenticated,
    Unstorable,
    WarlogError,
)

DriverError = asyncpg.PostgresError | asyncpg.InterfaceError | asyncpg.InternalClientError | OSError
"""Everything the driver raises; TimeoutError is an OSError.

InternalClientError comes from a connection that was hung up while it was idle, too.
"""

DRIVER_ERRORS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
)

READ_ONLY: Final = "25006"

_BY_CONSTRAINT: Final[dict[str, type[WarlogError]]] = {
    "tenant_deleted": Unauthenticated,
    "tenant_name_key": NameTaken,
}

_BY_STATE: Final[dict[str, type[WarlogError]]] = {
    READ_ONLY: DatabaseReadOnly,
    "40001": DatabaseSlow,
    "40P01": DatabaseSlow,
    "53100": DatabaseFull,
    "53200": DatabaseFull,
    "53400": DatabaseFull,
    "55000": DatabaseAway,
    "55P03": DatabaseSlow,
    "57014": DatabaseSlow,
}

_BY_CLASS: Final[dict[str, type[WarlogError]]] = {
    "08": DatabaseAway,
    "0A": SchemaMismatch,
    "22": Unstorable,
    "23": Unstorable,
    "28": DatabaseAway,
    "3D": DatabaseAway,
    "3F": SchemaMismatch,
    "42": SchemaMismatch,
    "53": DatabaseAway,
    "54": Unstorable,
    "57": DatabaseAway,
    "58": DatabaseAway,
}


def is_lost(error: DriverError) -> bool:
    """Whether the connection is gone, so that the fate of the statement is unknown."""
    return _sqlstate(error).startswith(("08", "57P"))


def is_spent(error: DriverError) -> bool:
    """Whether the connection is of no more use: lost, or of a session that may not write.

    A session keeps the setting it began with, so a new one may be allowed to.
    """
    return is_lost(error) or _sqlstate(error) == READ_ONLY


def translated(error: DriverError) -> WarlogError:
    """The service's error for a read, or for a write that was never sent or was rolled back."""
    state = _sqlstate(error)
    constraint = getattr(error, "constraint_name", None)
    kind = (
        _BY_CONSTRAINT.get(constraint or "")
        or _BY_STATE.get(state)
        or _BY_CLASS.get(state[:2], WarlogError)
    )
    return kind(sqlstate=state, **({"constraint": constraint} if constraint else {}))


def translated_write(error: DriverError) -> WarlogError:
    """The service's error for a write that had been sent."""
    return OutcomeUnknown() if is_lost(error) else translated(error)


def _sqlstate(error: DriverError) -> str:
    """What the server said, or the code for a lost connection when it said nothing.

    Where no server of the address takes writes, the code is that of a read-only server.
    """
    if isinstance(error, asyncpg.TargetServerAttributeNotMatched):
        return READ_ONLY
    return getattr(error, "sqlstate", None) or "08000"
