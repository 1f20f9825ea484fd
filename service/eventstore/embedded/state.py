"""What the launcher remembers next to the cluster, and the two locks processes share it by.

`server.json` (0600) holds the port and the passwords. `start.lock` is held while somebody starts
or stops the server; `users.lock` is held, shared, by everybody who uses it, so that whoever
leaves last knows it. The kernel drops both when a process dies, however it dies.
"""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from service.eventstore.embedded.errors import EmbeddedError

LOCK_SECONDS = 120


class Passwords(Struct, frozen=True, kw_only=True):
    """One random password per role: the superuser, the schema's owner, the service, erasure."""

    admin: str
    owner: str
    app: str
    eraser: str


class ServerState(Struct, frozen=True, kw_only=True):
    """Where the server listens (0: nowhere yet) and how to log in."""

    port: int
    passwords: Passwords


def read_or_create(folder: Path) -> ServerState:
    """Read `server.json`, or invent the passwords of a new cluster and write it.

    Raises EmbeddedError if it cannot be read: without it nobody can log in any more.
    """
    path = folder / "server.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=ServerState)
    except FileNotFoundError:
        if (folder / "cluster").exists():
            raise EmbeddedError(f"{path} is gone, and with it the database's passwords") from None
    except msgspec.DecodeError as error:
        raise EmbeddedError(f"{path} is damaged: {error}") from None
    state = ServerState(port=0, passwords=_new_passwords())
    write(folder, state)
    return state


def write(folder: Path, state: ServerState) -> None:
    """Replace `server.json` in one step; readable by its owner alone."""
    path = folder / "server.json"
    scratch = path.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(state))
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


@contextmanager
def start_lock(folder: Path) -> Iterator[None]:
    """Keep everybody else from starting or stopping this server meanwhile.

    Raises EmbeddedError if somebody else holds it for longer than LOCK_SECONDS.
    """
    deadline = time.monotonic() + LOCK_SECONDS
    with (folder / "start.lock").open("a") as file:
        while not _try_lock(file.fileno(), fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise EmbeddedError(f"another process has been starting {folder} for too long")
            time.sleep(0.05)
        yield


class UsersLock:
    """Membership in the group of processes that use one server; call under `start_lock`."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / "users.lock").open("a")

    def others_use_it(self) -> bool:
        """Tell whether anybody else is a member; ends a membership of our own."""
        if _try_lock(self._file.fileno(), fcntl.LOCK_EX):
            fcntl.flock(self._file, fcntl.LOCK_UN)
            return False
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return True

    def join(self) -> None:
        """Become a member. Waits for nobody: exclusive holders let go at once."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Leave, and forget the file."""
        self._file.close()


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _new_passwords() -> Passwords:
    return Passwords(
        admin=secrets.token_urlsafe(24),
        owner=secrets.token_urlsafe(24),
        app=secrets.token_urlsafe(24),
        eraser=secrets.token_urlsafe(24),
    )
