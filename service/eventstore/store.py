"""The event store as one thing: opened once per process, its parts named by what they do."""

from typing import Final, Self

from msgspec.structs import replace

from service.errors import DatabaseReadOnly, SchemaMismatch
from service.eventstore.abandoned_seeds import Seeds
from service.eventstore.connection import NO_SETTINGS, Database, Queries
from service.eventstore.cors_origins import CorsOriginRows
from service.eventstore.encounter_list import Directory
from service.eventstore.erasure import Eraser
from service.eventstore.log_heads import Tails
from service.eventstore.log_reads import Log
from service.eventstore.log_writes import WRITER_SETTINGS, Writer
from service.eventstore.processes import ProcessRows
from service.eventstore.records import Readiness
from service.eventstore.schema_version import SCHEMA_VERSION, SchemaVersion
from service.eventstore.seats import Seats
from service.eventstore.servers import Servers
from service.eventstore.service_keys import ServiceKeys
from service.eventstore.snapshots import Snapshots
from service.eventstore.subscriptions import SUBSCRIPTIONS
from service.eventstore.tenant_deletion import Retirer
from service.eventstore.tenants import Access
from service.eventstore.timeouts import PATIENCE, Patience
from service.eventstore.timers import ClockRows
from service.eventstore.write_probe import WriteProbe

ENDLESS_SECONDS: Final = 86_400.0
"""A write that only looks whether writes commit is waited for as long as its server is there."""

APPENDING: Final = 3
"""Connections for appends: two batches next to each other, and one that only reads."""

# Rights by column count, and so does owning the table, since an owner can grant them to itself.
_READY: Final = """
    SELECT
        current_setting('server_version_num')::integer AS server_version,
        current_setting('transaction_read_only') = 'on' AS is_read_only,
        coalesce(bool_or(
            has_any_column_privilege(log.oid, 'UPDATE') OR has_table_privilege(log.oid, 'DELETE')
            OR has_table_privilege(log.oid, 'TRUNCATE') OR pg_has_role(log.relowner, 'MEMBER')
            OR has_column_privilege('public.encounter', 'head_seq', 'UPDATE')
            OR has_column_privilege('public.encounter', 'head_hash', 'UPDATE')
        ), false) AS can_mutate_log
    FROM pg_class log
    WHERE log.oid = to_regclass('public.event') OR log.oid IN (
        SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('public.event')
    )
"""
_REVISION: Final = "SELECT version_num FROM alembic_version"


class EventStore:
    """Logs on PostgreSQL. Every part raises the `Unavailable` errors when the database fails."""

    def __init__(
        self,
        *,
        pool: Database,
        appending: Database,
        erasing: Database,
        probing: Database,
        probe: WriteProbe,
    ) -> None:
        self.databases = {
            "shared": pool,
            "appends": appending,
            "erasures": erasing,
            "probes": probing,
        }
        self.probe = probe
        self._pool = pool
        self.writer = Writer(appending=appending, pool=pool, probe=probe)
        self.log = Log(pool)
        self.tails = Tails(pool)
        self.directory = Directory(pool)
        self.snapshots = Snapshots(pool)
        self.access = Access(pool)
        self.origins = CorsOriginRows(pool)
        self.service_keys = ServiceKeys(pool)
        self.eraser = Eraser(erasing)
        self.retirer = Retirer(erasing)
        self.seeds = Seeds(pool)
        self.seats = Seats(pool)
        self.timers = ClockRows(pool)
        self.processes = ProcessRows(pool)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        eraser_url: str | None = None,
        pool_size: int = 8,
        patience: Patience = PATIENCE,
    ) -> Self:
        """A store that connects when it is first used, so the database may come up later.

        Erasing is done with `eraser_url`, or with `url` where one role does everything. Besides
        `pool_size` connections there are APPENDING for appends, one that probes whether writes
        commit and, when something is erased, one more.
        """
        servers = Servers()
        endless = replace(patience, answer_seconds=ENDLESS_SECONDS)
        probing = await Database.open(url, size=1, patience=endless, servers=servers)
        probe = WriteProbe(probing)
        pool, appending, erasing = [
            await Database.open(
                address,
                size=size,
                patience=patience,
                settings=settings,
                servers=servers,
                commits=probe,
            )
            for address, size, settings in (
                (url, pool_size, NO_SETTINGS),
                (url, APPENDING, WRITER_SETTINGS),
                (eraser_url or url, 1, NO_SETTINGS),
            )
        ]
        return cls(pool=pool, appending=appending, erasing=erasing, probing=probing, probe=probe)

    async def close(self) -> None:
        """Close all connections."""
        await self.probe.close()
        for database in self.databases.values():
            await database.close()

    async def ready(self) -> Readiness:
        """Ask the database how it stands. Raises DatabaseAway or DatabaseSlow."""
        [row] = await self._pool.fetch(_READY)
        if row["is_read_only"]:
            # Perhaps only this session is, which began before the database took writes again.
            await self._pool.renew()
            [row] = await self._pool.fetch(_READY)
        is_full = any(database.is_full for database in self.databases.values())
        takes_none = row["is_read_only"] or is_full
        return Readiness(
            **row,
            is_full=is_full,
            uncommitted_seconds=0 if takes_none else await self.probe.unanswered_seconds(),
            subscriptions=await self.subscriptions(),
            is_barred=self.probe.is_barred,
            revision=await self._revision(),
            schema=await self._schema(),
        )

    async def subscriptions(self) -> tuple[str, ...]:
        """Names of the enabled subscriptions that write into the store."""
        return tuple(row[0] for row in await self._pool.fetch(SUBSCRIPTIONS))

    async def bar_if_subscribed(self) -> None:
        """Begin no write while a subscription writes into the store; ask now and then."""
        names = await self.subscriptions()
        self.probe.bar(DatabaseReadOnly(subscriptions=list(names)) if names else None)

    async def _revision(self) -> str | None:
        try:
            row = await self._pool.fetch_row(_REVISION)
        except SchemaMismatch:
            return None
        return str(row["version_num"]) if row else None

    async def _schema(self) -> SchemaVersion | None:
        try:
            row = await self._pool.fetch_row(SCHEMA_VERSION)
        except SchemaMismatch:
            return None
        return SchemaVersion(**row) if row else None


async def can_mutate_log(reads: Queries) -> bool:
    """Whether the role of a session could rewrite logs, as `Readiness` says."""
    [row] = await reads.fetch(_READY)
    return bool(row["can_mutate_log"])
