"""A service of the benchmark's own: a durable private PostgreSQL and one serving process."""

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit
from uuid import UUID

from _driving import Load

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore

READY_SECONDS = 30
ECHO = Path(__file__).with_name("_echo.py")


class Service:
    """Use as a context: `url` and `key` for clients, `admin` for the reference.

    `settings` are environment variables of the serving process beyond its own. It says what goes
    wrong; with a `WARLOG_LOG_LEVEL` among them it writes that log into a file.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        self.settings = dict(settings or {})
        self._folder = Path(tempfile.mkdtemp(prefix="warlog-bench-"))
        self._folder.chmod(0o755)
        self._postgres = EmbeddedPostgres(self._folder / "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        self.key = f"wk_{secrets.token_urlsafe(32)}"
        self.url = ""
        self.admin = ""
        self.dsns: Dsns
        self.tenant = UUID(bytes=secrets.token_bytes(16))

    def __enter__(self) -> Self:
        """Start everything and wait until it answers."""
        try:
            self.dsns = self._postgres.start()
            self.admin = self.dsns.admin
            asyncio.run(self._prepare(self.dsns))
            self.restart()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything and remove the data."""
        self._end()
        self._postgres.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """The serving process."""
        if self._process is None:
            raise RuntimeError("the service is not started")
        return self._process.pid

    @property
    def database_pid(self) -> int:
        """The server that all of PostgreSQL's processes are children of."""
        file = self._folder / "postgres" / "cluster" / "postmaster.pid"
        return int(file.read_text().split(maxsplit=1)[0])

    def load(self, seconds: float) -> Load:
        """A load on this service, 64 connections, with the processes to watch."""
        return Load(
            url=self.url,
            key=self.key,
            seconds=seconds,
            pid=self.pid,
            database_pid=self.database_pid,
        )

    def restart(self) -> None:
        """Begin again with empty caches."""
        self._end()
        self._process, self.url = self._started()

    @contextmanager
    def another(self) -> Iterator[tuple[str, int]]:
        """One more process on the same database: its address and its id."""
        process, url = self._started()
        try:
            yield url, process.pid
        finally:
            process.terminate()
            process.wait(20)

    def figure(self, name: str) -> float:
        """What the process says of itself at `/metrics`, over all labels."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        named = [line for line in lines if line.startswith((f"{name} ", f"{name}{{"))]
        if not named:
            raise SystemExit(f"the service has no figure {name}")
        return sum([float(line.rpartition(" ")[2]) for line in named])

    def _started(self) -> tuple[subprocess.Popen[bytes], str]:
        port = free_port()
        environment = os.environ | {
            "WARLOG_DATABASE_URL": self.dsns.app,
            "WARLOG_ERASE_URL": self.dsns.eraser,
            "WARLOG_PORT": str(port),
            "WARLOG_LOG_LEVEL": "warning",
            "WARLOG_REQUESTS_PER_MINUTE": "1000000000",
            "WARLOG_NOTES_PER_MINUTE": "1000000",
        }
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "service", "serve"],
                env=environment | self.settings,
                stdout=subprocess.DEVNULL,
                stderr=log if "WARLOG_LOG_LEVEL" in self.settings else None,
            )
        url = f"http://127.0.0.1:{port}"
        wait_until_ready(f"{url}/health/ready")
        return process, url

    def _end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)
            self._process = None

    async def _prepare(self, dsns: Dsns) -> None:
        await upgrade(
            dsns.owner,
            app_role=urlsplit(dsns.app).username,
            eraser_role=urlsplit(dsns.eraser).username,
        )
        store = await EventStore.open(dsns.app, eraser_url=dsns.eraser)
        await store.access.create_tenant(self.tenant, "bench")
        await store.access.create_api_key(
            NewApiKey(
                id=UUID(bytes=secrets.token_bytes(16)),
                tenant=self.tenant,
                name="bench",
                secret_hash=sha256(self.key.encode()).digest(),
                scopes=SCOPES,
            )
        )
        await store.close()


@contextmanager
def echo(kind: str) -> Iterator[str]:
    """The address of an echo that stores nothing: `litestar`, or `bare` sockets."""
    with answering(kind) as (url, _):
        yield url


@contextmanager
def answering(kind: str) -> Iterator[tuple[str, int]]:
    """A server that stores nothing, one of those in `_echo.py`: its address and its process."""
    port = free_port()
    process = subprocess.Popen([sys.executable, ECHO, kind, str(port)])
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(url)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(20)


def wait_until_ready(url: str) -> None:
    """Return once there is an answer, be it that there is no such page."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except urllib.error.HTTPError as error:
            if error.code not in (404, 405):
                time.sleep(0.1)
                continue
        except OSError:
            time.sleep(0.1)
            continue
        return
    raise SystemExit(f"{url} did not become ready")


def wait_until_open(port: int) -> None:
    """Return once somebody listens there."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
            continue
        return
    raise SystemExit(f"nobody listens on port {port}")


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
