"""Restoring a dump into a private server: what pg_dump wrote is proved by pg_restore alone.

How this works. `pg_dump` may exit with 0 and leave a file that no server takes. So the dump is
restored as its guide says: into an empty database, by the owner of the schema, in one transaction.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from service.eventstore.embedded.binaries import choose_installation
from service.eventstore.embedded.errors import EmbeddedError

MAGIC: Final = b"PGDMP"
"""How a dump of `pg_dump --format=custom` begins."""

RESTORE_SECONDS: Final = 86_400
_SERVER: Final = re.compile(r"^;\s+Dumped from database version: (\S+)", re.MULTILINE)
_PROGRAM: Final = re.compile(r"^;\s+Dumped by pg_dump version: (\S+)", re.MULTILINE)


class DumpOrigin(Struct, frozen=True):
    """Versions of the server that was dumped and of the pg_dump that did it, such as `15.20`."""

    server: str
    program: str

    @property
    def is_one_major(self) -> bool:
        """Whether both are of one major version."""
        return self.server.partition(".")[0] == self.program.partition(".")[0]


def origin_of(dump: Path) -> DumpOrigin:
    """Read the head of a dump. Raises EmbeddedError for a file that is none, OSError."""
    with dump.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise EmbeddedError("it is no dump of pg_dump --format=custom")
    listed = _pg_restore("--list", str(dump))
    server, program = _SERVER.search(listed), _PROGRAM.search(listed)
    if server is None or program is None:
        raise EmbeddedError("its head does not name the versions that made it")
    return DumpOrigin(server[1], program[1])


def restore(dump: Path, owner: str) -> None:
    """Restore a dump into the empty database at this address, all of it or nothing.

    Raises EmbeddedError with the first error of pg_restore.
    """
    login = urlsplit(owner)
    _pg_restore(
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        "--single-transaction",
        f"--host={login.hostname}",
        f"--port={login.port}",
        f"--username={login.username}",
        f"--dbname={login.path[1:]}",
        str(dump),
        password=login.password or "",
    )


def _pg_restore(*words: str, password: str = "") -> str:
    program = choose_installation(Path("/nonexistent")).program("pg_restore")
    # The PG* variables of the caller are not for this server.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PG")}
    try:
        done = subprocess.run(
            [program, *words],
            env=environment | {"PGPASSWORD": password, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=RESTORE_SECONDS,
        )
    except OSError as error:
        raise EmbeddedError(f"{program} cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        raise EmbeddedError(first_error(done.stderr))
    return done.stdout


def first_error(said: str) -> str:
    """The first error of pg_restore, which may quote no rows: those are players' text."""
    lines = [line for line in said.splitlines() if "error:" in line]
    text = (lines or said.splitlines() or ["pg_restore failed"])[0]
    return text.removeprefix("pg_restore: ").removeprefix("error: ")[:300]
