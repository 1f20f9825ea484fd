"""A PostgreSQL of one test whose commits hang when asked to, as without its synchronous standby."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import asyncpg

from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from tests.conftest import user_of
from tests.eventstore.logs import until

_NAMES: Final = "ALTER SYSTEM SET synchronous_standby_names = '{}'"
_COMMIT: Final = "SELECT pg_logical_emit_message(true, 'test', '')"
_HANGS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND application_name = 'canary'
"""
_WAITING: Final = """
    SELECT pid FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND application_name LIKE 'warlog%' ORDER BY xact_start
"""


class Stalling:
    """The server behind `dsns`; a separate session sees whether commits hang."""

    def __init__(self, dsns: Dsns) -> None:
        self.dsns = dsns
        self._admin: asyncpg.Connection
        self._canary: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Make the tables."""
        dsns = self.dsns
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        self._admin = await asyncpg.connect(dsns.admin)

    async def close(self) -> None:
        """Let everything go on."""
        await self.go_on()
        await self._admin.close()

    async def stall(self) -> None:
        """From now on commits wait for a standby that does not exist."""
        is_hanging = asyncio.Event()
        self._canary = asyncio.create_task(self._commit_until(is_hanging))
        await self._reload("nobody")

        async def hangs() -> bool:
            return bool(await self._admin.fetchval(_HANGS))

        await until(hangs)
        is_hanging.set()

    async def go_on(self) -> None:
        """What waits is committed, and what comes as well."""
        if self._canary is not None:
            await self._reload("")
            await self._canary
            self._canary = None

    async def waiting(self) -> list[int]:
        """The processes of the service's sessions whose commits hang, in the order they began."""
        return [row["pid"] for row in await self._admin.fetch(_WAITING)]

    async def end(self, process: int) -> None:
        """End one of them."""
        assert await self._admin.fetchval("SELECT pg_terminate_backend($1)", process)

    async def _reload(self, names: str) -> None:
        await self._admin.execute(_NAMES.format(names))
        await self._admin.execute("SELECT pg_reload_conf()")

    async def _commit_until(self, is_hanging: asyncio.Event) -> None:
        canary = await asyncpg.connect(
            self.dsns.admin,
            server_settings={"application_name": "canary", "synchronous_commit": "on"},
        )
        try:
            while not is_hanging.is_set():
                await canary.execute(_COMMIT)
        finally:
            await canary.close()


@asynccontextmanager
async def stalling_server(folder: Path) -> AsyncIterator[Stalling]:
    """A separate server, which is stopped at the end."""
    server = EmbeddedPostgres(folder / "postgres", durable=False)
    stalling = Stalling(await asyncio.to_thread(server.start))
    try:
        await stalling.open()
        yield stalling
        await stalling.close()
    finally:
        await asyncio.to_thread(server.stop)
