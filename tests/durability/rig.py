"""A database that can be killed, services that can be killed, and a load to see what is lost."""

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import asyncpg
from msgspec import Struct

from service.api.authentication import hash_of, token_of
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.embedded.postmaster import free_port, running_pid
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from tests.conftest import user_of
from tests.durability.driver import POISON, Key
from tests.durability.wire import AnswerLost, NotConnected, Wire

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60.0
HOLDERS = 3

_POISONED = f"""
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'poisoned' USING ERRCODE = 'check_violation';
    END $$;
    CREATE TRIGGER refuse_poison BEFORE INSERT ON event_part FOR EACH ROW
        WHEN (position('{POISON}'::bytea IN NEW.body) > 0) EXECUTE FUNCTION refuse_poison();
"""


class Gauges(Struct, frozen=True, kw_only=True):
    """What a process holds: asyncio tasks, and open files but for connections to the database."""

    tasks: int
    handles: int


class Store:
    """A durable private PostgreSQL that is started again whenever it dies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = EmbeddedPostgres(folder)
        self.dsns: Dsns

    def start(self) -> None:
        """Start it and make the tables; no event part that is poisoned can be stored."""
        self.dsns = self._server.start()
        asyncio.run(self._prepare())

    def stop(self) -> None:
        """Stop it."""
        self._server.stop()

    async def _prepare(self) -> None:
        dsns = self.dsns
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        admin = await asyncpg.connect(dsns.admin)
        await admin.execute(_POISONED)
        await admin.close()

    async def kill(self) -> None:
        """End the server without a word and wait until its successor answers."""
        cluster = self._folder / "cluster"
        killed = running_pid(cluster)
        if killed is None:
            raise AssertionError("there is no server to kill")
        os.kill(killed, signal.SIGKILL)
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            await asyncio.sleep(0.05)
            if running_pid(cluster) in (None, killed):
                continue
            try:
                admin = await asyncpg.connect(self.dsns.admin, timeout=2)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                continue
            await admin.close()
            return
        raise AssertionError("the database does not come back")

    async def holders(self) -> tuple[UUID, tuple[Key, ...]]:
        """A new tenant and its keys."""
        store = await EventStore.open(self.dsns.app, pool_size=1)
        tenant = UUID(bytes=secrets.token_bytes(16))
        await store.access.create_tenant(tenant, secrets.token_hex(8))
        keys = []
        for _ in range(HOLDERS):
            token, name = token_of(secrets.token_bytes(32)), UUID(bytes=secrets.token_bytes(16))
            await store.access.create_api_key(
                NewApiKey(
                    id=name,
                    tenant=tenant,
                    name="durability",
                    secret_hash=hash_of(token),
                    scopes=SCOPES,
                )
            )
            keys.append(Key(token=token, principal=str(name)))
        await store.close()
        return tenant, tuple(keys)


class ServiceProcess:
    """A service in a process of its own, always on the same port."""

    def __init__(self, folder: Path, dsns: Dsns, *, app: str | None = None, **more: str) -> None:
        number = len(list(folder.glob("service-*.log")))
        self._gauges = folder / f"service-{number}.json"
        self._log = folder / f"service-{number}.log"
        self._log.touch()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        inherited = {name: value for name, value in os.environ.items() if "WARLOG" not in name}
        self._environment = inherited | {
            "WARLOG_DATABASE_URL": app or dsns.app,
            "WARLOG_ERASE_URL": dsns.eraser,
            "WARLOG_PORT": str(port),
            "WARLOG_LOG_LEVEL": "warning",
            **more,
        }
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it and wait until it is ready."""
        self._process = process = self._launched()
        wire = Wire(self.url, "")
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise AssertionError(self._log.read_text()[-2000:])
            try:
                if (await wire.get("/health/ready")).status == 200:
                    wire.close()
                    return
            except (NotConnected, AnswerLost):
                pass
            await asyncio.sleep(0.05)
        raise AssertionError("the service does not become ready")

    def _launched(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.durability.process", str(self._gauges)],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Tell it to end, and see that it does."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
                raise

    async def gauges(self) -> Gauges:
        """What it holds now."""
        if self._process is None:
            raise AssertionError("nothing was started")
        self._gauges.unlink(missing_ok=True)
        self._process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + 10
        while not self._gauges.exists():
            if time.monotonic() > deadline:
                raise AssertionError("the service does not answer to a signal")
            await asyncio.sleep(0.02)
        return Gauges(**json.loads(self._gauges.read_text()))

    def complaints(self) -> list[str]:
        """What it said that it did not foresee."""
        lines = self._log.read_text().splitlines()
        return [line for line in lines if re.search(r"Traceback|never (retrieved|awaited)", line)]
