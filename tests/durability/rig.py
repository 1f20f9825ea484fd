"""A database that can be killed, services that can be killed, and a load to see what is lost."""

import asyncio
import os
import re
import secrets
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import msgspec
from msgspec import Struct

from service.api.authentication import hash_of, token_of
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres, provision
from service.eventstore.embedded.postmaster import running_pid
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from tests.conftest import address_in, user_of
from tests.durability.driver import POISON, Key
from tests.durability.process import Place, start
from tests.durability.wire import AnswerLost, NotConnected, Wire
from tests.eventstore.logs import until
from tests.limits import PLENTY
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port

HOLDERS = 3

BACKUP = "warlog_backup"

GAVE_UP = "service.errors.DatabaseSlow"
"""What a service writes last that found no connection in time when it started."""

_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"
_END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1"
_SNAPSHOTS = "SELECT count(*) FROM snapshot WHERE encounter_id = $1"
_BUSY = "SELECT state, query FROM pg_stat_activity WHERE usename = ANY ($1) AND state <> 'idle'"

_POISONED = f"""
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'poisoned' USING ERRCODE = 'check_violation';
    END $$;
    CREATE TRIGGER refuse_poison BEFORE INSERT ON event_part FOR EACH ROW
        WHEN (position('{POISON}'::bytea IN NEW.body) > 0) EXECUTE FUNCTION refuse_poison();
"""


class Gauges(Struct, frozen=True, kw_only=True):
    """What a process holds.

    `tasks` of asyncio, `handles` of files and clients, `connections` to the database, `blocks`
    and `resident` bytes of memory.
    """

    tasks: int
    handles: int
    connections: int
    blocks: int
    resident: int


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
        # A deadlock is found at once, and by the service.
        await admin.execute(f"ALTER ROLE {user_of(dsns.app)} SET deadlock_timeout = '50ms'")
        await admin.close()

    async def kill(self) -> None:
        """End the server without a word and wait until its successor answers."""
        cluster = self._folder / "cluster"
        killed = running_pid(cluster)
        if killed is None:
            raise AssertionError("there is no server to kill")
        os.kill(killed, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            await asyncio.sleep(0.05)
            if running_pid(cluster) in (None, killed):
                continue
            try:
                admin = await asyncpg.connect(self.dsns.admin, timeout=PATIENCE_SECONDS / 10)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                continue
            await admin.close()
            return
        raise AssertionError("the database does not come back")

    async def back_up(self) -> dict[str, tuple[int, str]]:
        """Keep a copy of the whole database as it is now; the heads it has."""
        async with self._closed() as (maintenance, name):
            owner, *others = map(user_of, (self.dsns.owner, self.dsns.app, self.dsns.eraser))
            await maintenance.execute(f"CREATE DATABASE {BACKUP} TEMPLATE {name} OWNER {owner}")
            await provision(maintenance, BACKUP, dict.fromkeys([owner, *others], ""))
        admin = await asyncpg.connect(address_in(self.dsns.admin, BACKUP))
        rows = await admin.fetch("SELECT id, head_seq, head_hash FROM encounter")
        await admin.close()
        return {str(row["id"]): (row["head_seq"], row["head_hash"].hex()) for row in rows}

    async def put_back(self) -> None:
        """Put the copy in the place of the database."""
        async with self._closed() as (maintenance, name):
            await maintenance.execute(f"DROP DATABASE {name} WITH (FORCE)")
            await maintenance.execute(f"ALTER DATABASE {BACKUP} RENAME TO {name}")

    @asynccontextmanager
    async def _closed(self) -> AsyncIterator[tuple[asyncpg.Connection, str]]:
        """A connection next to the database, and its name; nobody is connected to it meanwhile."""
        name = urlsplit(self.dsns.admin).path[1:]
        maintenance = await asyncpg.connect(address_in(self.dsns.admin, "postgres"))
        await maintenance.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await maintenance.fetch(_END_SESSIONS, name)

        async def is_closed() -> bool:
            return not await maintenance.fetchval(_SESSIONS, name)

        await until(is_closed)
        yield maintenance, name
        await maintenance.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await maintenance.close()

    async def busy_sessions(self) -> list[str]:
        """What sessions of the services still do, or keep open, when nothing is asked of them.

        The rounds that a service makes by itself are waited for.
        """
        admin = await asyncpg.connect(self.dsns.admin)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while rows := await admin.fetch(_BUSY, [user_of(self.dsns.app), user_of(self.dsns.eraser)]):
            if time.monotonic() > deadline:
                break
            await asyncio.sleep(0.02)
        await admin.close()
        return [f"a session is {row['state']}: {row['query'][:80]}" for row in rows]

    async def deadlocks(self, expected: int = 0) -> int:
        """How many the server has found; sessions tell theirs late, so some are waited for."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            admin = await asyncpg.connect(self.dsns.admin)
            found: int = await admin.fetchval("SELECT sum(deadlocks) FROM pg_stat_database")
            await admin.close()
            if found >= expected or time.monotonic() > deadline:
                return found
            await asyncio.sleep(0.01)

    async def snapshots(self, encounter: str) -> int:
        """How many snapshots of an encounter there are."""
        admin = await asyncpg.connect(self.dsns.admin)
        count: int = await admin.fetchval(_SNAPSHOTS, UUID(encounter))
        await admin.close()
        return count

    async def encounters(self, tenant: UUID) -> set[str]:
        """The encounters that a tenant has."""
        admin = await asyncpg.connect(self.dsns.admin)
        rows = await admin.fetch("SELECT id FROM encounter WHERE tenant = $1", tenant)
        await admin.close()
        return {str(row["id"]) for row in rows}

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
    """A service in a separate process, always on the same port.

    `app` and `eraser` are the addresses it reaches the database by, if not its own.
    """

    def __init__(
        self,
        folder: Path,
        dsns: Dsns,
        *,
        app: str | None = None,
        eraser: str | None = None,
        **more: str,
    ) -> None:
        name = f"service-{len(list(folder.glob('service-*.log')))}"
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = {
            "WARLOG_DATABASE_URL": app or dsns.app,
            "WARLOG_ERASE_URL": eraser or dsns.eraser,
            "WARLOG_PORT": str(port),
            "WARLOG_LOG_LEVEL": "warning",
            **PLENTY,
            **more,
        }
        self._place = Place(
            environment=environment,
            gauges=folder / f"{name}.json",
            clock=folder / f"{name}.clock",
            log=folder / f"{name}.log",
        )
        self._place.log.touch()
        self._place.clock.write_text("0")
        self._process: BaseProcess | None = None

    async def start(self) -> None:
        """Start it and wait until it is ready.

        One that gave up because the database was too slow is started again, as supervisors do.
        """
        self._process = process = start(self._place)
        wire = Wire(self.url, "")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if not process.is_alive():
                said = self._place.log.read_text()
                if GAVE_UP not in said:
                    raise AssertionError(said[-2000:])
                self._place.log.write_text("")
                self._process = process = start(self._place)
            try:
                if (await wire.get("/health/ready")).status == 200:
                    wire.close()
                    return
            except (NotConnected, AnswerLost):
                pass
            await asyncio.sleep(0.02)
        raise AssertionError("the service does not become ready")

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.kill()
            self._process.join()

    def stop(self) -> None:
        """Tell it to end, and see that it does."""
        if self._process is None or not self._process.is_alive():
            return
        self._process.terminate()
        self._process.join(PATIENCE_SECONDS)
        if self._process.is_alive():
            self.kill()
            raise AssertionError("the service does not stop")

    def pause(self) -> None:
        """Let it stand still: what was connected stays so, and nothing is said."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def set_clock(self, seconds: int) -> None:
        """Make its clock wrong by so much from now on."""
        self._place.clock.write_text(str(seconds))
        self._signal(signal.SIGUSR2)

    async def gauges(self) -> Gauges:
        """What it holds now."""
        self._place.gauges.unlink(missing_ok=True)
        self._signal(signal.SIGUSR1)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._place.gauges.exists():
            if time.monotonic() > deadline:
                raise AssertionError("the service does not answer to a signal")
            await asyncio.sleep(0.02)
        return msgspec.json.decode(self._place.gauges.read_bytes(), type=Gauges)

    def complaints(self) -> list[str]:
        """What it said that it did not foresee."""
        lines = self._place.log.read_text().splitlines()
        return [line for line in lines if re.search(r"Traceback|never (retrieved|awaited)", line)]

    def _signal(self, which: signal.Signals) -> None:
        if self._process is None or self._process.pid is None:
            raise AssertionError("nothing was started")
        os.kill(self._process.pid, which)
