"""Tenants and their API keys. Of a key's secret only the SHA-256 is ever here."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from service.eventstore.connection import Database, Row
from service.eventstore.records import ApiKey, NewApiKey, Tenant

_CREATE_TENANT: Final = """
    INSERT INTO tenant (id, name) VALUES ($1, $2) RETURNING id, name, created_at, deleted_at
"""
_TENANTS: Final = "SELECT id, name, created_at, deleted_at FROM tenant ORDER BY created_at, id"
_TENANT_NAMED: Final = "SELECT id, name, created_at, deleted_at FROM tenant WHERE name = $1"
_TENANT: Final = "SELECT id, name, created_at, deleted_at FROM tenant WHERE id = $1"
_CREATE_KEY: Final = """
    INSERT INTO api_key (id, tenant, name, secret_hash, scopes) VALUES ($1, $2, $3, $4, $5)
    RETURNING id, tenant, name, scopes, created_at, revoked_at
"""
_KEYS: Final = """
    SELECT id, tenant, name, scopes, created_at, revoked_at FROM api_key
    WHERE tenant = $1 ORDER BY created_at, id
"""
_KEY_BY_HASH: Final = """
    SELECT id, tenant, name, scopes, created_at, revoked_at FROM api_key WHERE secret_hash = $1
"""
_REVOKE_KEY: Final = """
    UPDATE api_key SET revoked_at = clock_timestamp()
    WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL RETURNING true
"""
_ENDED_KEYS: Final = """
    SELECT a.id FROM unnest($1::uuid[]) AS a (id)
    WHERE NOT EXISTS (SELECT FROM api_key k WHERE k.id = a.id AND k.revoked_at IS NULL)
"""
_ANY_KEY: Final = "SELECT true FROM api_key LIMIT 1"


class Access:
    """Creates, lists and revokes."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def create_tenant(self, tenant_id: UUID, name: str) -> Tenant:
        """A new tenant. Raises NameTaken."""
        [row] = await self._pool.write(_CREATE_TENANT, tenant_id, name)
        return Tenant(**row)

    async def tenants(self) -> tuple[Tenant, ...]:
        """All tenants, oldest first."""
        return tuple(Tenant(**row) for row in await self._pool.fetch(_TENANTS))

    async def tenant_named(self, name: str) -> Tenant | None:
        """The tenant of this name."""
        row = await self._pool.fetch_row(_TENANT_NAMED, name)
        return Tenant(**row) if row else None

    async def tenant(self, tenant_id: UUID) -> Tenant | None:
        """The tenant of this id."""
        row = await self._pool.fetch_row(_TENANT, tenant_id)
        return Tenant(**row) if row else None

    async def create_api_key(self, key: NewApiKey) -> ApiKey:
        """A new API key.

        Raises Unstorable if its tenant is not there, Unauthenticated if it is deleted.
        """
        [row] = await self._pool.write(
            _CREATE_KEY, key.id, key.tenant, key.name, key.secret_hash, key.scopes
        )
        return _api_key(row)

    async def api_keys(self, tenant: UUID) -> tuple[ApiKey, ...]:
        """A tenant's keys, oldest first, the revoked ones included."""
        return tuple(_api_key(row) for row in await self._pool.fetch(_KEYS, tenant))

    async def api_key_by_hash(self, secret_hash: bytes) -> ApiKey | None:
        """The key with this SHA-256 of its secret, even if it is revoked."""
        row = await self._pool.fetch_row(_KEY_BY_HASH, secret_hash)
        return _api_key(row) if row else None

    async def revoke_api_key(self, tenant: UUID, key_id: UUID) -> bool:
        """End a key; whether this call did it (False if it is unknown or was revoked before)."""
        return bool(await self._pool.write(_REVOKE_KEY, tenant, key_id))

    async def revoked(self, keys: Sequence[UUID]) -> frozenset[UUID]:
        """Those of these keys that are no longer good."""
        return frozenset(row["id"] for row in await self._pool.fetch(_ENDED_KEYS, keys))

    async def has_api_keys(self) -> bool:
        """Whether any key was ever created."""
        return bool(await self._pool.fetch(_ANY_KEY))


def _api_key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["id"],
        tenant=row["tenant"],
        name=row["name"],
        scopes=tuple(row["scopes"]),
        created_at=row["created_at"],
        revoked_at=row["revoked_at"],
    )
