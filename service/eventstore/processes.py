"""Rows of the processes that serve: each process writes, renews and removes its own."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from service.errors import BuildTooOld
from service.eventstore.connection import Database
from service.releases import is_before

SEEN_SECONDS: Final = 5.0
"""How often a process renews its row."""
LIVE_SECONDS: Final = 15
"""A process counts as alive so long after its row was renewed."""
KEPT_SECONDS: Final = 3600
"""Rows of processes that were killed are removed by those that start, so much later."""

# A row that is lost with its server is written again seconds later: no standby is waited for.
_AT_ONCE: Final = "SET LOCAL synchronous_commit = off"
_SEEN: Final = """
    INSERT INTO serving_process (id, build, rulesets) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()
"""
_CLEARED: Final = """
    DELETE FROM serving_process WHERE seen_at < clock_timestamp() - make_interval(secs => $1)
"""
_LEFT: Final = "DELETE FROM serving_process WHERE id = $1"
_LOWEST: Final = "SELECT lowest_release FROM schema_version"


class ServingProcess(Struct, frozen=True, kw_only=True):
    """A process that serves; `rulesets` are the slugs and versions it knows."""

    id: UUID
    build: str
    rulesets: tuple[str, ...]


class ProcessRows:
    """The rows of all processes, and the lowest release that the operator allows.

    Every method raises SchemaMismatch on a schema that has no rows of processes yet.
    """

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def lowest_release(self) -> str:
        """The lowest release that the operator allows; writes nothing."""
        [row] = await self._pool.fetch(_LOWEST)
        return str(row[0])

    async def begin(self, process: ServingProcess) -> str:
        """Write the row of a process that starts; the lowest release.

        Raises BuildTooOld, and then there is no row. Whoever raises the lowest release locks the
        rows first, so one of the two sees what the other did.
        """
        async with self._pool.transaction() as session:
            await session.execute(_AT_ONCE)
            await session.execute(_CLEARED, KEPT_SECONDS)
            await session.execute(_SEEN, process.id, process.build, list(process.rulesets))
            lowest = str(await session.fetchval(_LOWEST))
            require_allowed(process.build, lowest)
        return lowest

    async def renew(self, process: ServingProcess) -> str:
        """Show that a process is alive; the lowest release, also where that is a later one."""
        async with self._pool.transaction() as session:
            await session.execute(_AT_ONCE)
            await session.execute(_SEEN, process.id, process.build, list(process.rulesets))
            return str(await session.fetchval(_LOWEST))

    async def end(self, process: UUID) -> None:
        """Remove the row of a process that ends."""
        await self._pool.write(_LEFT, process)


def require_allowed(build: str, lowest: str) -> None:
    """Raises BuildTooOld for a build that is older than the lowest release."""
    if is_before(build, lowest):
        raise BuildTooOld(build=build, lowest=lowest)
