"""Origins of pages in browsers that tenants list; a deleted tenant has none."""

from typing import Final
from uuid import UUID

from service.eventstore.connection import Database

_LISTED: Final = """
    SELECT tenant, array_agg(origin ORDER BY origin) AS origins FROM tenant_origin GROUP BY tenant
"""
_OF_TENANT: Final = "SELECT origin FROM tenant_origin WHERE tenant = $1 ORDER BY origin"
_ADD: Final = """
    INSERT INTO tenant_origin (tenant, origin) SELECT $1, $2
    WHERE (SELECT count(*) FROM tenant_origin WHERE tenant = $1 AND origin <> $2) < $3
    ON CONFLICT DO NOTHING RETURNING true
"""
_REMOVE: Final = "DELETE FROM tenant_origin WHERE tenant = $1 AND origin = $2 RETURNING true"


class CorsOriginRows:
    """Lists, adds and removes; the form of an origin is not checked here."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def listed(self) -> dict[UUID, frozenset[str]]:
        """The origins of every tenant that has any."""
        return {row["tenant"]: frozenset(row["origins"]) for row in await self._pool.fetch(_LISTED)}

    async def of_tenant(self, tenant: UUID) -> tuple[str, ...]:
        """A tenant's origins, by the alphabet."""
        return tuple(row["origin"] for row in await self._pool.fetch(_OF_TENANT, tenant))

    async def add(self, tenant: UUID, origin: str, most: int) -> bool:
        """Add one, or leave it if it is there; False if the tenant has `most` already.

        Raises Unstorable if there is no such tenant, Unauthenticated if it is deleted.
        """
        if await self._pool.write(_ADD, tenant, origin, most):
            return True
        return origin in await self.of_tenant(tenant)

    async def remove(self, tenant: UUID, origin: str) -> bool:
        """Remove one; False if it was not there."""
        return bool(await self._pool.write(_REMOVE, tenant, origin))
