"""Who asks: API keys and seats by their own token, known by the SHA-256 of what they present.

How this works. A key or token that was looked up is remembered for `REMEMBERED_SECONDS`, good or
not, so that most requests need no look-up. A seat's token that is revoked is forgotten at once
(`revocations`); a process that hears nothing of it, and one that knows a revoked key, notices when
that time is over. When it is, the first who needs it looks it up for all who need it meanwhile. One
that is malformed, unknown or revoked gets one and the same answer.
"""

import asyncio
import base64
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from service.encounters.principal import Principal, seat_principal
from service.errors import Forbidden, Unauthenticated
from service.eventstore.records import ApiKey
from service.eventstore.seats import SeatHolder

PREFIX: Final = "wk_"
SEAT_PREFIX: Final = "ws_"
SECRET_BYTES: Final = 32
REMEMBERED_SECONDS: Final = 2.0

_TOKEN: Final = re.compile(rf"(?:{PREFIX}|{SEAT_PREFIX})[A-Za-z0-9_-]{{43}}")
_MOST_REMEMBERED: Final = 10_000

_LookUp = Callable[[bytes], Awaitable[Principal | None]]


def token_of(secret: bytes) -> str:
    """The key as its holder sends it, from 32 random bytes."""
    return PREFIX + _text_of(secret)


def seat_token_of(secret: bytes) -> str:
    """The token of a seat as its holder sends it, from 32 random bytes."""
    return SEAT_PREFIX + _text_of(secret)


def hash_of(token: str) -> bytes:
    """What is stored of a key or a token."""
    return sha256(token.encode()).digest()


def digest_of(authorization: str | None) -> bytes:
    """What is stored of the token in a header. Raises Unauthenticated if there is none."""
    return hash_of(_token(authorization))


class KeyRing:
    """Finds the holder of a key or a token. `clock` is monotonic, in seconds."""

    def __init__(
        self,
        keys: Callable[[bytes], Awaitable[ApiKey | None]],
        seats: Callable[[bytes], Awaitable[SeatHolder | None]],
        clock: Callable[[], float],
    ) -> None:
        self._keys = keys
        self._seats = seats
        self._clock = clock
        self._remembered: OrderedDict[bytes, tuple[Principal | None, float]] = OrderedDict()
        self._asked: dict[bytes, asyncio.Task[Principal | None]] = {}
        self._forgotten = 0

    async def principal(self, authorization: str | None, seat: str | None) -> Principal:
        """The caller, for `seat` if that is named.

        Raises Unauthenticated, Forbidden, Unavailable.
        """
        token = _token(authorization)
        look_up = self._sitter if token.startswith(SEAT_PREFIX) else self._key_holder
        return _seated(await self._holder(hash_of(token), look_up), seat)

    async def principal_of(self, digest: bytes, seat: str | None) -> Principal:
        """The caller whose token has this SHA-256, for `seat` if that is named.

        Raises Unauthenticated, Forbidden, Unavailable.
        """
        return _seated(await self._holder(digest, self._anybody), seat)

    def standing(self, authorization: str) -> bool | None:
        """Whether a header is plainly good or plainly not; None where it has to be looked up."""
        try:
            digest = hash_of(_token(authorization))
        except Unauthenticated:
            return False
        remembered = self._remembered.get(digest)
        if remembered is None or self._clock() >= remembered[1]:
            return None
        return remembered[0] is not None

    def forget(self, encounter: UUID, seat: str | None = None) -> None:
        """Look tokens of this seat up again, of all seats of the encounter without one."""
        for digest, (holder, _) in list(self._remembered.items()):
            if (
                holder is not None
                and holder.encounter == encounter
                and seat
                in (
                    None,
                    holder.acting_for,
                )
            ):
                del self._remembered[digest]
        self._let_go_of_look_ups()

    def forget_all(self) -> None:
        """Look everything up again."""
        self._remembered.clear()
        self._let_go_of_look_ups()

    def _let_go_of_look_ups(self) -> None:
        """What is being looked up may be as it was before: nobody else waits for it."""
        self._forgotten += 1
        self._asked.clear()

    async def _holder(self, digest: bytes, look_up: _LookUp) -> Principal | None:
        remembered = self._remembered.get(digest)
        if remembered is not None and self._clock() < remembered[1]:
            return remembered[0]
        running = self._asked.get(digest)
        if running is None:
            running = self._asked[digest] = asyncio.create_task(self._remember(digest, look_up))
            running.add_done_callback(lambda done: self._answered(digest, done))
        # A caller that hangs up must not take the answer from the others.
        return await asyncio.shield(running)

    def _answered(self, digest: bytes, done: asyncio.Task[Principal | None]) -> None:
        if self._asked.get(digest) is done:
            del self._asked[digest]

    async def _remember(self, digest: bytes, look_up: _LookUp) -> Principal | None:
        now, forgotten = self._clock(), self._forgotten
        holder = await look_up(digest)
        if forgotten != self._forgotten:
            return holder
        self._remembered[digest] = (holder, now + REMEMBERED_SECONDS)
        self._remembered.move_to_end(digest)
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return holder

    async def _anybody(self, digest: bytes) -> Principal | None:
        return await self._key_holder(digest) or await self._sitter(digest)

    async def _key_holder(self, digest: bytes) -> Principal | None:
        """Who holds a key that is good."""
        key = await self._keys(digest)
        if key is None or key.revoked_at is not None:
            return None
        return Principal(key_id=key.id, tenant=key.tenant, scopes=frozenset(key.scopes))

    async def _sitter(self, digest: bytes) -> Principal | None:
        """Who holds a seat's token that is good."""
        holder = await self._seats(digest)
        if holder is None:
            return None
        return seat_principal(
            holder.tenant, holder.encounter_id, holder.seat, digest, holder.account
        )


def _seated(holder: Principal | None, seat: str | None) -> Principal:
    """The holder, acting for `seat` if that is named: a key may name one, a seat only itself.

    Raises Unauthenticated, Forbidden."""
    if holder is None:
        raise Unauthenticated(presented=True)
    if seat is None or seat == holder.acting_for:
        return holder
    if holder.key_id is None:
        raise Forbidden("scope_missing", scope="act_as")
    return replace(holder, acting_for=seat)


def _text_of(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def _token(authorization: str | None) -> str:
    if authorization is None:
        raise Unauthenticated(presented=False)
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not _TOKEN.fullmatch(token):
        raise Unauthenticated(presented=True)
    return token
