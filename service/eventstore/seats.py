"""Tokens of seats, and invitations to them.

How this works. The log alone says which seats there are, in which roles; here is what gives access
to one. The row of a seat is made when it is first needed. Every change of a token or an invitation
locks that row first, so that two at once happen one after the other. A removed seat stays as a row
without a token, so that it can have no invitation again. Of tokens and codes only the SHA-256 is
stored.

A seat's own token is in its row. A token of another device of it is the invitation that was
exchanged for it, made `beside` the seat's own: it is good for as long as that one is.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.errors import ConflictingRequest, NotFound, Unauthenticated, Unstorable
from service.eventstore.connection import Database, Session
from service.eventstore.creation import require_encounter
from service.eventstore.records import SeatRole


class SeatHolder(Struct, frozen=True, kw_only=True):
    """Whose a good token is."""

    tenant: UUID
    encounter_id: UUID
    seat: str
    account: str | None = None
    """On whose account it asks, where the encounter is a fork that another seat made."""


class SeatStanding(Struct, frozen=True, kw_only=True):
    """On how many devices a seat has a token, and until when its code may be exchanged."""

    devices: int
    invited_until: datetime | None


class NewInvitation(Struct, frozen=True, kw_only=True):
    """An invitation to be made for a request: whose (`principal`) and under which key."""

    encounter_id: UUID
    seat: str
    role: SeatRole
    principal: str
    key: str
    code_hash: bytes
    minutes: int


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
    """A code for a token: of both only the SHA-256.

    `may_repeat`: whoever sends the same two again gets the same answer for `REPEAT_MINUTES`.
    """

    encounter_id: UUID
    seat: str
    role: SeatRole
    code_hash: bytes
    token_hash: bytes
    may_repeat: bool = False


DEVICES: Final = 8
"""On how many devices a seat may be at once, the first included."""
REPEAT_MINUTES: Final = 10
"""For how long an exchange may be repeated."""

_HOLDER: Final = """
    SELECT e.tenant, s.encounter_id, s.id AS seat, f.account
    FROM (
        SELECT encounter_id, id FROM seat WHERE token_hash = $1 AND revoked_at IS NULL
        UNION ALL
        SELECT o.encounter_id, o.id FROM invitation d
        JOIN seat o ON o.encounter_id = d.encounter_id AND o.id = d.seat
            AND o.token_hash = d.beside AND o.revoked_at IS NULL
        WHERE d.token_hash = $1
    ) AS s JOIN encounter e ON e.id = s.encounter_id
    LEFT JOIN fork f ON f.encounter_id = s.encounter_id
    JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
"""
_REVOKED: Final = """
    SELECT a.encounter_id, a.id, a.token_hash
    FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS a (encounter_id, id, token_hash)
    WHERE NOT EXISTS (
        SELECT FROM seat s JOIN encounter e ON e.id = s.encounter_id
        JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
        WHERE s.encounter_id = a.encounter_id AND s.id = a.id AND s.revoked_at IS NULL
            AND (s.token_hash = a.token_hash OR EXISTS (
                SELECT FROM invitation d WHERE d.token_hash = a.token_hash
                    AND d.encounter_id = s.encounter_id AND d.seat = s.id
                    AND d.beside = s.token_hash
            ))
    )
"""
_STANDING: Final = """
    SELECT s.id, i.expires_at AS invited_until,
        CASE WHEN s.token_hash IS NULL THEN 0 ELSE 1 + (
            SELECT count(*)::integer FROM invitation d
            WHERE d.beside = s.token_hash AND d.token_hash IS NOT NULL
        ) END AS devices
    FROM seat s LEFT JOIN invitation i ON i.encounter_id = s.encounter_id AND i.seat = s.id
        AND i.code_hash IS NOT NULL AND i.expires_at > clock_timestamp() AND i.beside IS NULL
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
_END_INVITATION_BESIDE: Final = f"{_END_INVITATION} AND beside IS NOT NULL"
_INVITE: Final = """
    INSERT INTO invitation
        (encounter_id, principal, idempotency_key, seat, code_hash, expires_at, beside)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(mins => $6), $7)
    RETURNING expires_at
"""
# The seat's own token and how many are next to it, if the one that asks is any of these.
_BESIDE: Final = """
    SELECT s.token_hash AS beside, (
        SELECT count(*) FROM invitation d
        WHERE d.beside = s.token_hash AND d.token_hash IS NOT NULL
    ) AS others
    FROM seat s WHERE s.encounter_id = $1 AND s.id = $2 AND (
        s.token_hash = $3 OR EXISTS (
            SELECT FROM invitation d WHERE d.token_hash = $3 AND d.beside = s.token_hash
                AND d.encounter_id = s.encounter_id AND d.seat = s.id
        )
    )
"""
_INVITED: Final = """
    SELECT e.tenant, i.encounter_id, i.seat FROM invitation i
    JOIN encounter e ON e.id = i.encounter_id
    JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
    WHERE i.code_hash = $1 AND i.expires_at > clock_timestamp()
"""
_USE: Final = """
    UPDATE invitation i SET code_hash = NULL, used_at = clock_timestamp(),
        token_hash = $4, used_code_hash = $5
    WHERE code_hash = $1 AND encounter_id = $2 AND seat = $3 AND expires_at > clock_timestamp()
        AND (beside IS NULL OR EXISTS (
            SELECT FROM seat s WHERE s.encounter_id = $2 AND s.id = $3 AND s.token_hash = i.beside
        ))
    RETURNING beside
"""
_REPEATED: Final = """
    SELECT e.tenant, i.encounter_id, i.seat FROM invitation i
    JOIN seat s ON s.encounter_id = i.encounter_id AND s.id = i.seat AND s.revoked_at IS NULL
        AND s.token_hash = coalesce(i.beside, i.token_hash)
    JOIN encounter e ON e.id = i.encounter_id
    JOIN tenant t ON t.id = e.tenant AND t.deleted_at IS NULL
    WHERE i.used_code_hash = $1 AND i.token_hash = $2
        AND i.used_at > clock_timestamp() - make_interval(mins => $3)
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
            row["id"]: SeatStanding(devices=row["devices"], invited_until=row["invited_until"])
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
            return await _invited(session, new, None)

    async def invite_beside(self, new: NewInvitation, token_hash: bytes) -> InvitationMade:
        """Make an invitation for another device of the seat that this token is of.

        It ends the one before of its kind; none if this request made one already. Raises NotFound
        for an encounter or a seat that is gone, Unauthenticated for a token that is no longer good,
        ConflictingRequest("too_many_devices").
        """
        request = (new.encounter_id, new.principal, new.key)
        seat = (new.encounter_id, new.seat)
        async with self._pool.transaction() as session:
            await _lock(session, *seat, new.role)
            rows = await session.fetch(_BESIDE, *seat, token_hash)
            if not rows:
                raise Unauthenticated(presented=True)
            for row in await session.fetch(_INVITED_BEFORE, *request):
                return InvitationMade(**row, is_new=False)
            if rows[0]["others"] + 1 >= DEVICES:
                raise ConflictingRequest("too_many_devices", limit=DEVICES)
            await session.execute(_END_INVITATION_BESIDE, *seat)
            return await _invited(session, new, rows[0]["beside"])

    async def invited_to(self, code_hash: bytes) -> Invited | None:
        """Where the code of an open invitation leads, None if there is no such."""
        row = await self._pool.fetch_row(_INVITED, code_hash)
        return Invited(**row) if row else None

    async def exchange(self, exchange: Exchange) -> bool:
        """Use a code up for a token of the seat; False if it is too late.

        The token is the only good one from now on, or one more of a code for another device.
        Raises NotFound for an encounter or a seat that is gone, ConflictingRequest("token_taken").
        """
        seat = (exchange.encounter_id, exchange.seat)
        remembered = exchange.code_hash if exchange.may_repeat else None
        used = (exchange.code_hash, *seat, exchange.token_hash, remembered)
        try:
            async with self._pool.transaction() as session:
                await _lock(session, *seat, exchange.role)
                rows = await session.fetch(_USE, *used)
                if rows and rows[0]["beside"] is None:
                    await session.execute(_SEATED, *seat, exchange.token_hash)
        except Unstorable as error:
            if error.params.get("constraint") not in _TOKENS:
                raise
            raise ConflictingRequest("token_taken") from error
        return bool(rows)

    async def exchanged(self, code_hash: bytes, token_hash: bytes) -> Invited | None:
        """Where a code led that was exchanged for this token just now; None if it was not."""
        row = await self._pool.fetch_row(_REPEATED, code_hash, token_hash, REPEAT_MINUTES)
        return Invited(**row) if row else None

    async def revoke_token(self, encounter_id: UUID, seat: str) -> bool:
        """End all tokens of a seat; whether there was one."""
        return bool(await self._pool.write(_UNSEATED, encounter_id, seat))

    async def remove(self, encounter_id: UUID, seat: str) -> None:
        """End the token and the invitation of a seat for good: its id is never given again.

        Raises NotFound for an encounter that is gone.
        """
        async with self._pool.transaction() as session:
            await require_encounter(session, encounter_id)
            await session.execute(_REMOVE, encounter_id, seat)
            await session.execute(_END_INVITATION, encounter_id, seat)


_TOKENS: Final = frozenset({"seat_token_hash_key", "invitation_token_hash_key"})
"""Constraints that hold a token to one seat."""


async def _invited(session: Session, new: NewInvitation, beside: bytes | None) -> InvitationMade:
    request = (new.encounter_id, new.principal, new.key)
    made = (new.seat, new.code_hash, new.minutes, beside)
    [row] = await session.fetch(_INVITE, *request, *made)
    return InvitationMade(seat=new.seat, expires_at=row["expires_at"], is_new=True)


async def _lock(session: Session, encounter_id: UUID, seat: str, role: SeatRole) -> None:
    """Have the row of a seat that is not removed, until the transaction ends. Raises NotFound."""
    await require_encounter(session, encounter_id)
    [row] = await session.fetch(_LOCK, encounter_id, seat, role)
    if row["is_removed"]:
        raise NotFound("unknown_seat", seat=seat)
