"""Who asks: an API key of a tenant, by itself or for a seat."""

from functools import lru_cache
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.engine.vocabulary import By, Role

SCOPES = ("read", "play", "act_as", "dice")
"""What a key may be allowed: read, create and act, act for a seat, supply faces."""


class Principal(Struct, frozen=True, kw_only=True):
    """An authenticated caller; `acting_for` is the seat named in `Warlog-Seat`."""

    key_id: UUID
    tenant: UUID
    scopes: frozenset[str]
    acting_for: str | None = None

    @property
    def name(self) -> str:
        """Under which idempotency keys are kept: the key, or the key and the seat."""
        return _name_of(self.key_id, self.acting_for)


@lru_cache(maxsize=1024)
def _name_of(key_id: UUID, acting_for: str | None) -> str:
    return str(key_id) if acting_for is None else f"{key_id}/{acting_for}"


SYSTEM: Final = By(kind="system", id="reveal_by", role="gm")
"""How the log names the service itself, which reveals what nobody else will."""


def system_of(tenant: UUID) -> Principal:
    """The service itself, asking in a tenant's name; no key is of this id."""
    return Principal(key_id=UUID(int=0), tenant=tenant, scopes=frozenset())


def by_of(principal: Principal, role: Role) -> By:
    """How the log names a caller; `role` is the seat's, a key by itself is the GM."""
    if principal.acting_for is None:
        return By(kind="key", id=str(principal.key_id), role="gm")
    return By(
        kind="seat",
        id=principal.acting_for,
        role=role,
        seat=principal.acting_for,
        via=str(principal.key_id),
    )
