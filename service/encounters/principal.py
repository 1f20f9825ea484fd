"""The caller: an API key of a tenant, by itself or for a seat, or a seat by its own token."""

from functools import cached_property
from typing import Final
from uuid import UUID

from msgspec import UNSET, Struct

from service.engine.battle.linear import Linear, Seat, seat_of
from service.engine.vocabulary.values import By, Role

SCOPES = ("read", "play", "act_as", "dice")
"""What a key may be allowed: read, create and act, act for a seat, supply faces.

`play` contains `read`: answers to actions and forks of a battle show all that it may read.
"""

SEAT_SCOPES: Final = frozenset({"read", "play", "dice"})
"""What every seat token is allowed: which role may do what, the engine says."""


FORKER_SEAT: Final = "gm"
"""The seat that a seat which forks by its own token has in the fork."""


class Principal(Struct, frozen=True, kw_only=True, dict=True):
    """An authenticated caller: a key, or a seat by its own token.

    A key has a `key_id`; `acting_for` is the seat it names in `Warlog-Seat`. A seat by its own
    token has no key but an `encounter`, the only one it may know of, and is its own `acting_for`;
    `token_hash` (SHA-256) distinguishes the token from one that the seat is given later;
    `on_account` is that of the seat which made the encounter as a fork, if one did. `viewing` is
    the seat whose view a game master reads; whether the caller is one, the encounter says.
    """

    tenant: UUID
    scopes: frozenset[str]
    key_id: UUID | None = None
    acting_for: str | None = None
    encounter: UUID | None = None
    token_hash: bytes | None = None
    on_account: str | None = None
    viewing: str | None = None

    @cached_property
    def reads_for(self) -> str | None:
        """The seat whose view is read; None for a key by itself, which sees everything."""
        return self.acting_for if self.viewing is None else self.viewing

    @property
    def seat(self) -> str | None:
        """The seat that is asked for, by whichever way; None for a key by itself."""
        return self.acting_for

    @property
    def has_own_token(self) -> bool:
        """Whether it is a seat by its own token."""
        return self.key_id is None

    @cached_property
    def name(self) -> str:
        """Under which idempotency keys are kept: the key, the key and the seat, or the seat.

        No two of these are alike: an id of a key holds no `/`, and none begins with `seat`.
        """
        if self.key_id is None:
            return f"seat/{self.acting_for}"
        return str(self.key_id) if self.acting_for is None else f"{self.key_id}/{self.acting_for}"

    @cached_property
    def account(self) -> str:
        """On whose account requests are counted: the key's, or the seat's of its encounter.

        Every seat of a fork that a seat made counts on that seat's: to fork brings nobody more.
        """
        if self.key_id is not None:
            return str(self.key_id)
        return self.on_account or f"{self.encounter}/{self.acting_for}"

    @cached_property
    def by_itself(self) -> By:
        """How the log names a key that acts for no seat, which is a game master."""
        return By(kind="key", id=str(self.key_id), role="gm")


def seat_principal(
    tenant: UUID, encounter: UUID, seat: str, token_hash: bytes, on_account: str | None = None
) -> Principal:
    """The holder of a seat's own token."""
    return Principal(
        tenant=tenant,
        scopes=SEAT_SCOPES,
        acting_for=seat,
        encounter=encounter,
        token_hash=token_hash,
        on_account=on_account,
    )


def is_forker(who: Principal) -> bool:
    """Whether it is the seat that made its encounter as a fork, by the token it has there."""
    return who.has_own_token and who.on_account is not None and who.acting_for == FORKER_SEAT


def is_seated(who: Principal, linear: Linear) -> bool:
    """Whether the seats that are asked for are there, if any are."""
    named = (who.acting_for, who.viewing)
    return all(seat is None or seat_of(linear, seat) is not None for seat in named)


SYSTEM: Final = By(kind="system", id="reveal_by", role="gm")
"""How the log names the service where it reveals the seed of an abandoned encounter."""


def system_of(tenant: UUID) -> Principal:
    """The service itself, asking in a tenant's name; no key is of this id."""
    return Principal(key_id=UUID(int=0), tenant=tenant, scopes=frozenset())


def by_of(principal: Principal, role: Role) -> By:
    """How the log names a caller; `role` is the seat's, a key by itself is the GM."""
    seat, key_id = principal.acting_for, principal.key_id
    if seat is None:
        return principal.by_itself
    via = UNSET if key_id is None else str(key_id)
    return By(kind="seat", id=seat, role=role, seat=seat, via=via)


def by_of_view(seat: Seat) -> By:
    """How the log names the seat whose view is read."""
    return By(kind="seat", id=seat.id, role=seat.role, seat=seat.id)
