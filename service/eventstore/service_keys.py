"""Keys of the service itself, created once and shared by all processes.

Each process offers a candidate: the first that is stored is the key of all. The stored key is read
back, since a candidate that lost the race is worth nothing.
"""

from typing import Final

from service.errors import Unstorable
from service.eventstore.connection import Database
from service.eventstore.records import PublicKey, SigningKey

_ACTIVE: Final = """
    SELECT kid, private, public FROM signing_key WHERE private IS NOT NULL AND retired_at IS NULL
"""
_OFFER_SIGNING: Final = """
    INSERT INTO signing_key (kid, private, public) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
_PUBLISH: Final = """
    INSERT INTO signing_key (kid, public) VALUES ($1, $2) ON CONFLICT (kid) DO NOTHING
"""
_PUBLIC_KEYS: Final = """
    SELECT kid, public, created_at, retired_at FROM signing_key ORDER BY created_at, kid
"""
_PUBLIC_KEY: Final = "SELECT public FROM signing_key WHERE kid = $1"
_SHARED: Final = "SELECT secret FROM service_key WHERE name = $1"
_OFFER_SHARED: Final = """
    INSERT INTO service_key (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
"""


class ServiceKeys:
    """The signing keys of receipts, and secrets by name."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def signing_key(self, candidate: SigningKey) -> SigningKey:
        """The database's active signing key; `candidate` if it had none.

        Raises Unstorable if the candidate's id is that of another key.
        """
        active = await self._active()
        if active is None:
            await self._pool.write(
                _OFFER_SIGNING, candidate.kid, candidate.private, candidate.public
            )
            active = await self._active()
        if active is None:
            raise Unstorable(constraint="signing_key_pkey")
        return active

    async def publish(self, kid: str, public: bytes) -> None:
        """List the public half of a signing key that is kept elsewhere.

        Raises Unstorable if the id is that of another key.
        """
        await self._pool.write(_PUBLISH, kid, public)
        row = await self._pool.fetch_row(_PUBLIC_KEY, kid)
        if row is None or row["public"] != public:
            raise Unstorable(constraint="signing_key_pkey")

    async def public_keys(self) -> tuple[PublicKey, ...]:
        """Every key that ever signed, oldest first."""
        return tuple(PublicKey(**row) for row in await self._pool.fetch(_PUBLIC_KEYS))

    async def shared_secret(self, name: str, candidate: bytes) -> bytes:
        """The secret of this name; `candidate` if there was none."""
        row = await self._pool.fetch_row(_SHARED, name)
        if row is None:
            await self._pool.write(_OFFER_SHARED, name, candidate)
            row = await self._pool.fetch_row(_SHARED, name)
        if row is None:
            raise Unstorable(constraint="service_key_pkey")
        return bytes(row["secret"])

    async def _active(self) -> SigningKey | None:
        row = await self._pool.fetch_row(_ACTIVE)
        return SigningKey(**row) if row else None
