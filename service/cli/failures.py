"""Failures of commands: one sentence for the caller, and an exit code."""

from typing import Final

from msgspec import Struct

from service.errors import (
    BuildTooOld,
    DatabaseAway,
    NameTaken,
    SchemaMismatch,
    Unavailable,
    WarlogError,
)
from service.eventstore.embedded import EmbeddedError
from service.exits import Exit
from service.settings import SettingError

_DOCTOR: Final = "'warlog doctor' looks at everything"


class Failure(Struct, frozen=True):
    """How a command ended."""

    sentence: str
    exit: Exit


def failure_of(error: Exception) -> Failure | None:
    """The sentence for an error that a user can do something about; None for a fault of ours."""
    match error:
        case SettingError():
            return Failure(f"{error.variable} {error.problem}", Exit.USAGE)
        case EmbeddedError():
            return Failure(str(error), Exit.UNAVAILABLE)
        case BuildTooOld():
            return Failure(f"{_too_old(error)} ({error.code})", Exit.UNAVAILABLE)
        case SchemaMismatch():
            return Failure(f"{_schema(error)} ({error.code})", Exit.UNAVAILABLE)
        case DatabaseAway():
            return Failure(f"{_away(error)} ({error.code})", Exit.UNAVAILABLE)
        case Unavailable():
            return Failure(
                f"the database cannot do it now; try again ({error.code})", Exit.UNAVAILABLE
            )
        case NameTaken():
            return Failure(
                "there is one of that name already; take another name (name_taken)", Exit.WRONG
            )
        case WarlogError():
            return Failure(
                f"{error.code}: {error.params}" if error.params else error.code, Exit.WRONG
            )
        case OSError():
            return Failure(_system(error), Exit.WRONG)
        case _:
            return None


def _schema(error: SchemaMismatch) -> str:
    match error.params.get("why"):
        case "foreign_revision":
            return (
                f"the database is at revision {error.params['revision']!r}, which this build does"
                " not know: it is another program's, or a newer build migrated it; nothing was"
                " changed. Name another database in WARLOG_DATABASE_URL, or use the newer build"
            )
        case "foreign_tables":
            return (
                f"the database has already what this build would make: {error.params['name']};"
                " it is another program's, and nothing was changed. Name an empty database in"
                " WARLOG_DATABASE_URL"
            )
        case _:
            return (
                "the database's schema is not the one this build works with; 'warlog migrate'"
                f" brings an older one up to date, {_DOCTOR}"
            )


def _too_old(error: BuildTooOld) -> str:
    build, lowest = error.params["build"], error.params["lowest"]
    return (
        f"this build is of release {build}, but the upgrade to {lowest} is finished on this"
        f" database: no earlier build starts on it. Install release {lowest} or later"
    )


def _away(error: DatabaseAway) -> str:
    state = str(error.params.get("sqlstate", ""))
    if state.startswith("3D"):
        return (
            "there is no database of that name on the server; make it (deploy/roles.sql), or name"
            " another in WARLOG_DATABASE_URL"
        )
    if state.startswith("28"):
        return "the database refuses this user or password; see WARLOG_DATABASE_URL"
    return f"the database does not answer; is WARLOG_DATABASE_URL right? {_DOCTOR}"


def _system(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
