"""One PostgreSQL server process over one folder: make the cluster, start, ask, stop.

`folder` is ours: `cluster/` in it is PostgreSQL's, `server.log` what it had to say.
"""

import asyncio
import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

import asyncpg
from msgspec import Struct

from service.eventstore.embedded.account import Account, address_of, spawn
from service.eventstore.embedded.binaries import Installation
from service.eventstore.embedded.errors import EmbeddedError

ADMIN = "warlog_admin"
HOST = "127.0.0.1"
LOG_BYTES = 1 << 20
SILENCE_SECONDS = 60
RECOVERY_SECONDS = 900
STOP_SECONDS = 60
ENDING_SECONDS = 10
"""A server that was already shutting down is given so long before it is asked to drop everything.
"""
TELL_SECONDS = 2.0
TELL_AGAIN_SECONDS = 60.0
"""A recovery is reported once it takes so long, and again after each such time."""

logger = logging.getLogger(__name__)

# What is left of a killed server (its memory, its pid file), or its port in somebody's hands.
PASSING = ("shared memory block", "lock file", "could not bind", "TCP/IP sockets")

Result = TypeVar("Result")

# What the server may write down: no statement and no detail, for both can hold players' text.
QUIET = ("log_min_error_statement=panic", "log_error_verbosity=terse", "log_timezone=UTC")
DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")
FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
# Sixteen serving processes with pools of the usual size, each with a few separate connections.
MOST_CONNECTIONS = 300


class Condition(Enum):
    """What a server says when it is asked for a session."""

    READY = auto()
    STARTING = auto()
    """It starts, which includes recovering from its own crash or of one of its processes."""
    ENDING = auto()
    """It was asked to stop."""
    SILENT = auto()
    """It says nothing, or something else."""


class Site(Struct, frozen=True, kw_only=True):
    """Where a server lives, who runs it and with which programs.

    Without `durable` a crash of the machine loses data: for tests.
    """

    folder: Path
    account: Account
    programs: Installation
    durable: bool

    @property
    def cluster(self) -> Path:
        """PostgreSQL's data directory."""
        return self.folder / "cluster"

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self.folder / "server.log"


def address(port: int, user: str, password: str, database: str) -> str:
    """Write a DSN; our names and passwords need no escaping."""
    return f"postgresql://{user}:{password}@{HOST}:{port}/{database}"


def initialise(site: Site, password: str) -> None:
    """Make a new cluster with the password of its superuser; all or nothing.

    It is made next to its place and renamed, so that half a cluster is never started.
    Raises EmbeddedError with what initdb said.
    """
    scratch = site.folder / "cluster.new"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(mode=0o700)
    site.account.own(scratch)
    command = [
        site.programs.program("initdb"),
        f"--pgdata={address_of(scratch, site.account)}",
        f"--username={ADMIN}",
        "--auth=scram-sha-256",
        "--pwfile=/dev/stdin",
        "--encoding=UTF8",
        "--no-locale",
        "--data-checksums",
        *(() if site.durable else ("--no-sync",)),
    ]
    with tempfile.TemporaryFile() as secret, tempfile.TemporaryFile() as output:
        secret.write(password.encode() + b"\n")
        secret.seek(0)
        # initdb opens its standard input again, by name, and so must own it.
        if site.account.switch:
            os.fchown(secret.fileno(), site.account.uid, site.account.gid)
        process = spawn(command, site.account, folder=scratch, stdin=secret, output=output)
        status = process.wait()
        output.seek(0)
        said = output.read().decode(errors="replace").strip()
    if status != 0:
        raise EmbeddedError(f"initdb failed: {said[-2000:]}")
    scratch.rename(site.cluster)


def launch(site: Site, port: int) -> subprocess.Popen[bytes]:
    """Start the server on a loopback port, as our direct child; does not wait for it."""
    _forget_stale_pid(site.cluster)
    settings = (
        f"listen_addresses={HOST}",
        f"port={port}",
        "unix_socket_directories=",
        "password_encryption=scram-sha-256",
        "timezone=UTC",
        f"max_connections={MOST_CONNECTIONS}",
        *QUIET,
        *(DURABLE if site.durable else FORGETFUL),
    )
    command = [site.programs.program("postgres"), "-D", address_of(site.cluster, site.account)]
    for setting in settings:
        command += ["-c", setting]
    if site.log.exists() and site.log.stat().st_size > LOG_BYTES:
        site.log.replace(site.log.with_suffix(".log.1"))
    with site.log.open("ab") as log:
        return spawn(command, site.account, folder=site.cluster, output=log)


def running_pid(cluster: Path) -> int | None:
    """Tell which process serves the cluster; None if none does, whatever the pid file says.

    A number in a file is not a process: it may be a zombie, or somebody else's by now.
    """
    try:
        pid = int((cluster / "postmaster.pid").read_text(encoding="ascii").split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return pid if _serves(pid, cluster) else None


def answers(site: Site, port: int, password: str, is_awaited: Callable[[], bool]) -> bool:
    """Wait until the server takes our password.

    False if it is no longer awaited, shuts down or stays silent. A server that says it is starting
    up is recovering from a crash: it gets much longer, and the log says what is waited for.
    """
    began = time.monotonic()
    silent_until = began + SILENCE_SECONDS
    tell_at = began + TELL_SECONDS
    while (now := time.monotonic()) < silent_until:
        if not is_awaited():
            return False
        match condition(port, password):
            case Condition.READY:
                return True
            case Condition.ENDING:
                return False
            case Condition.STARTING:
                silent_until = min(time.monotonic() + SILENCE_SECONDS, began + RECOVERY_SECONDS)
                if now >= tell_at:
                    tell_at = now + TELL_AGAIN_SECONDS
                    logger.warning(
                        "the private PostgreSQL recovers from a crash; waiting for it, at most"
                        " %d minutes (see %s)",
                        RECOVERY_SECONDS // 60,
                        site.log,
                    )
            case Condition.SILENT:
                pass
        time.sleep(0.02)
    return False


def condition(port: int, password: str) -> Condition:
    """Ask the server for a session, and drop it."""
    try:
        complete(_greet(port, password))
    except asyncpg.CannotConnectNowError as error:
        # One SQLSTATE for both; the cluster's messages are in English (`--no-locale`).
        return Condition.ENDING if "shutting down" in str(error) else Condition.STARTING
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return Condition.SILENT
    return Condition.READY


def stop(
    site: Site, child: subprocess.Popen[bytes] | None, found: Condition = Condition.READY
) -> None:
    """End the server: sessions are broken off, what was committed is written out.

    A server that recovers is ended at once: it may not hear a gentler order before it has
    recovered, and recovers again when it is started. What was committed stays.
    Raises EmbeddedError if it will not go even when asked to drop everything.
    """
    orders = {signal.SIGINT: STOP_SECONDS, signal.SIGQUIT: STOP_SECONDS}
    if found is Condition.STARTING:
        del orders[signal.SIGINT]
    elif found is Condition.ENDING:
        orders[signal.SIGINT] = ENDING_SECONDS
    pid = running_pid(site.cluster)
    for order, seconds in orders.items():
        if pid is None:
            break
        _signal(pid, order)
        pid = _wait_for_end(site.cluster, child, seconds)
    if pid is not None:
        raise EmbeddedError(f"PostgreSQL (process {pid}) in {site.folder} does not stop")
    if child is not None:
        child.wait()


def last_words(site: Site) -> str:
    """Give the end of what the server printed, on one line."""
    try:
        lines = site.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "it left no log"
    return " / ".join(lines[-3:])


def may_start_later(site: Site) -> bool:
    """Tell whether the server refused to start over something that passes by itself."""
    words = last_words(site)
    return any(passing in words for passing in PASSING)


def free_port(preferred: int = 0) -> int:
    """Give the preferred loopback port if nobody listens there, else a free one."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, preferred))
        except OSError:
            probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def complete(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine to its end from plain code, also where a loop runs already."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


async def connect(port: int, password: str) -> asyncpg.Connection:
    """Log in as the superuser; the PG* variables of the caller are not for this server."""
    return await asyncpg.connect(
        address(port, ADMIN, password, "postgres"), ssl=False, timeout=5, command_timeout=60
    )


async def _greet(port: int, password: str) -> None:
    connection = await connect(port, password)
    await connection.close()


def _forget_stale_pid(cluster: Path) -> None:
    """Remove a pid file whose number now belongs to another process (or to a zombie).

    PostgreSQL would take that process for itself. Its second guard, the shared memory named
    after the folder, still keeps a new server from starting next to the remains of an old one.
    """
    if running_pid(cluster) is None:
        (cluster / "postmaster.pid").unlink(missing_ok=True)


def _serves(pid: int, cluster: Path) -> bool:
    if not Path("/proc/self").exists():
        return _is_process(pid)
    process = Path(f"/proc/{pid}")
    try:
        return (process / "cwd").samefile(cluster)
    except PermissionError:
        # A root without the right to look into other users' processes: its name must do.
        return _name(process) == "postgres"
    except OSError:
        return False


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _signal(pid: int, order: signal.Signals) -> None:
    try:
        os.kill(pid, order)
    except ProcessLookupError:
        return
    except PermissionError:
        raise EmbeddedError(f"may not stop PostgreSQL (process {pid})") from None


def _wait_for_end(
    cluster: Path, child: subprocess.Popen[bytes] | None, seconds: float
) -> int | None:
    """Give the pid that is still there after so long, or None."""
    deadline = time.monotonic() + seconds
    while (pid := running_pid(cluster)) is not None and time.monotonic() < deadline:
        if child is not None:
            child.poll()
        time.sleep(0.01)
    return pid
