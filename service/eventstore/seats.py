"""Tokens of seats, and invitations to them.

How this works. The log alone says which seats there are, in which roles; here is what gives access
to one. The row of a seat is made when it is first needed. Every change of a token or an invitation
locks that row first, so that two at once happen one after the other. A removed seat stays as a row
without a token, so that it can have no invitation again. Of tokens and codes only the SHA-256 is
stored.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.errors import NotFound
from service.eventstore.connection import Database, Session
from service.eventstore.creation import require_encounter
from service.eventstore.records import SeatRole


class SeatHolder(Struct, frozen=True, kw_only=True):
    """Whose a good token is."""

    tenant: UUID
    encounter_id: UUID
    seat: str


class SeatStanding(Struct, frozen=True, kw_only=True):
    """Whether a seat has a token, and until when its code may be exchanged."""

    has_token: bool
    invited_until: datetime | None


class NewInvitation(Struct, frozen=True, kw_only=True):
    """An invitation to be made for a request: whose (`principal`) and under which key."""

    encounter_id: UUID
    seat: str
    role: SeatRole
    principal: str
    key: str
    code_hash: bytes
    hours: int


class InvitationMade(Struct, frozen=True, kw_only=True):
    """An invitation to `seat`; if it is not `is_new`, the same request made it before."""

    seat: str
    expires_at: datetime
    is_new: bool


class Invited(Struct, frozen=True, kw_only=True):
    """Where an open invitation leads."""

    tenant: UUID
    encounter_id: UUID
    seat: str


class Exchange(Struct, frozen=True, kw_only=True):
    """A code for a token: of both only the SHA-256."""

    encounter_id: UUID
    seat: str
    role: SeatRole
    code_hash: bytes
    token_hash: bytes


_HOLDER: Final = """
    SELECT e.tenant, s.encounter_id, s.id AS seat
    FROM seat s JOIN encounter e ON e.id = s.encounter_id
    JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
    WHERE s.token_hash = $1 AND s.revoked_at IS NULL
"""
_REVOKED: Final = """
    SELECT a.encounter_id, a.id, a.token_hash
    FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS a (encounter_id, id, token_hash)
    WHERE NOT EXISTS (
        SELECT FROM seat s JOIN encounter e ON e.id = s.encounter_id
        JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
        WHERE s.encounter_id = a.encounter_id AND s.id = a.id
            AND s.token_hash = a.token_hash AND s.revoked_at IS NULL
    )
"""
_STANDING: Final = """
    SELECT s.id, s.token_hash IS NOT NULL AS has_token, i.expires_at AS invited_until
    FROM seat s LEFT JOIN invitation i ON i.encounter_id = s.encounter_id AND i.seat = s.id
        AND i.code_hash IS NOT NULL AND i.expires_at > clock_timestamp()
    WHERE s.encounter_id = $1 AND s.revoked_at IS NULL
"""
_LOCK: Final = """
    INSERT INTO seat (encounter_id, id, role) VALUES ($1, $2, $3)
    ON CONFLICT (encounter_id, id) DO UPDATE SET role = excluded.role
    RETURNING revoked_at IS NOT NULL AS is_removed
"""
_INVITED_BEFORE: Final = """
    SELECT seat, expires_at FROM invitation
    WHERE encounter_id = $1 AND principal = $2 AND idempotency_key = $3
"""
_END_INVITATION: Final = """
    UPDATE invitation SET code_hash = NULL, ended_at = clock_timestamp()
    WHERE encounter_id = $1 AND seat = $2 AND code_hash IS NOT NULL
"""
_INVITE: Final = """
    INSERT INTO invitation
        (encounter_id, principal, idempotency_key, seat, code_hash, expires_at)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(hours => $6))
    RETURNING expires_at
"""
_INVITED: Final = """
    SELECT e.tenant, i.encounter_id, i.seat FROM invitation i
    JOIN encounter e ON e.id = i.encounter_id
    JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
    WHERE i.code_hash = $1 AND i.expires_at > clock_timestamp()
"""
_USE: Final = """
    UPDATE invitation SET code_hash = NULL, used_at = clock_timestamp()
    WHERE code_hash = $1 AND encounter_id = $2 AND seat = $3 AND expires_at > clock_timestamp()
    RETURNING true
"""
_SEATED: Final = "UPDATE seat SET token_hash = $3 WHERE encounter_id = $1 AND id = $2"
_UNSEATED: Final = """
    UPDATE seat SET token_hash = NULL
    WHERE encounter_id = $1 AND id = $2 AND token_hash IS NOT NULL RETURNING true
"""
# A seat without a row gets one: an invitation that is late finds it removed.
_REMOVE: Final = """
    INSERT INTO seat (encounter_id, id, role, revoked_at)
    VALUES ($1, $2, 'observer', clock_timestamp())
    ON CONFLICT (encounter_id, id) DO UPDATE
    SET token_hash = NULL, revoked_at = coalesce(seat.revoked_at, excluded.revoked_at)
"""


class Seats:
    """Invites, exchanges, revokes. Neither rights nor the log are looked at here."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def holder(self, token_hash: bytes) -> SeatHolder | None:
        """Whose token this is, None if it is not good (any more)."""
        row = await self._pool.fetch_row(_HOLDER, token_hash)
        return SeatHolder(**row) if row else None

    async def revoked(
        self, seats: Sequence[tuple[UUID, str, bytes]]
    ) -> frozenset[tuple[UUID, str, bytes]]:
        """Those of these seats (encounter, id, SHA-256 of the token) that are no longer good."""
        columns = [list(column) for column in zip(*seats, strict=True)] or [[], [], []]
        rows = await self._pool.fetch(_REVOKED, *columns)
        return frozenset((row["encounter_id"], row["id"], row["token_hash"]) for row in rows)

    async def standing(self, encounter_id: UUID) -> dict[str, SeatStanding]:
        """How the seats of an encounter stand, by id; one that was never invited may be absent."""
        rows = await self._pool.fetch(_STANDING, encounter_id)
        return {
            row["id"]: SeatStanding(has_token=row["has_token"], invited_until=row["invited_until"])
            for row in rows
        }

    async def invite(self, new: NewInvitation) -> InvitationMade:
        """Make an invitation, which ends the one before; none if this request made one already.

        Raises NotFound for an encounter or a seat that is gone.
        """
        request = (new.encounter_id, new.principal, new.key)
        async with self._pool.transaction() as session:
            await _lock(session, new.encounter_id, new.seat, new.role)
            for row in await session.fetch(_INVITED_BEFORE, *request):
                return InvitationMade(**row, is_new=False)
            await session.execute(_END_INVITATION, new.encounter_id, new.seat)
            [row] = await session.fetch(_INVITE, *request, new.seat, new.code_hash, new.hours)
        return InvitationMade(seat=new.seat, expires_at=row["expires_at"], is_new=True)

    async def invited_to(self, code_hash: bytes) -> Invited | None:
        """Where the code of an open invitation leads, None if there is no such."""
        row = await self._pool.fetch_row(_INVITED, code_hash)
        return Invited(**row) if row else None

    async def exchange(self, exchange: Exchange) -> bool:
        """Use a code up and make this the only good token of the seat; False if it is too late.

        Raises NotFound for an encounter or a seat that is gone.
        """
        seat = (exchange.encounter_id, exchange.seat)
        async with self._pool.transaction() as session:
            await _lock(session, *seat, exchange.role)
            if not await session.fetch(_USE, exchange.code_hash, *seat):
                return False
            await session.execute(_SEATED, *seat, exchange.token_hash)
        return True

    async def revoke_token(self, encounter_id: UUID, seat: str) -> bool:
        """End the token of a seat; whether there was one."""
        return bool(await self._pool.write(_UNSEATED, encounter_id, seat))

    async def remove(self, encounter_id: UUID, seat: str) -> None:
        """End the token and the invitation of a seat for good: its id is never given again.

        Raises NotFound for an encounter that is gone.
        """
        async with self._pool.transaction() as session:
            await require_encounter(session, encounter_id)
            await session.execute(_REMOVE, encounter_id, seat)
            await session.execute(_END_INVITATION, encounter_id, seat)


async def _lock(session: Session, encounter_id: UUID, seat: str, role: SeatRole) -> None:
    """Have the row of a seat that is not removed, until the transaction ends. Raises NotFound."""
    await require_encounter(session, encounter_id)
    [row] = await session.fetch(_LOCK, encounter_id, seat, role)
    if row["is_removed"]:
        raise NotFound("unknown_seat", seat=seat)
