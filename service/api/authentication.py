"""Who asks: API keys, known by the SHA-256 of their secret.

How this works. A key that was looked up is remembered for `REMEMBERED_SECONDS`, good or not, so
that most requests need no look-up; a revocation is noticed by every process when that time is
over. When it is, the first who needs the key looks it up for all who need it meanwhile. A key that
is malformed, unknown or revoked gets one and the same answer.
"""

import asyncio
import base64
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from service.encounters.principal import Principal
from service.errors import Unauthenticated
from service.eventstore.records import ApiKey

PREFIX: Final = "wk_"
SECRET_BYTES: Final = 32
REMEMBERED_SECONDS: Final = 2.0

_TOKEN: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
_MOST_REMEMBERED: Final = 10_000


def token_of(secret: bytes) -> str:
    """The key as its holder sends it, from 32 random bytes."""
    return PREFIX + base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def hash_of(token: str) -> bytes:
    """What is stored of a key."""
    return sha256(token.encode()).digest()


class KeyRing:
    """Finds the holder of a key. `clock` is monotonic, in seconds."""

    def __init__(
        self,
        look_up: Callable[[bytes], Awaitable[ApiKey | None]],
        clock: Callable[[], float],
    ) -> None:
        self._look_up = look_up
        self._clock = clock
        self._remembered: OrderedDict[bytes, tuple[Principal | None, float]] = OrderedDict()
        self._asked: dict[bytes, asyncio.Task[Principal | None]] = {}

    async def principal(self, authorization: str | None, seat: str | None) -> Principal:
        """The caller, for `seat` if that is named. Raises Unauthenticated, Unavailable."""
        holder = await self._holder(_token(authorization))
        if holder is None:
            raise Unauthenticated(presented=True)
        return holder if seat is None else replace(holder, acting_for=seat)

    async def _holder(self, token: str) -> Principal | None:
        digest = hash_of(token)
        known = self._remembered.get(digest)
        if known is not None and self._clock() < known[1]:
            return known[0]
        asked = self._asked.get(digest)
        if asked is None:
            asked = self._asked[digest] = asyncio.create_task(self._found(digest))
            asked.add_done_callback(lambda _: self._asked.pop(digest))
        # A caller that hangs up must not take the answer from the others.
        return await asyncio.shield(asked)

    async def _found(self, digest: bytes) -> Principal | None:
        now = self._clock()
        holder = _holder_of(await self._look_up(digest))
        self._remembered[digest] = (holder, now + REMEMBERED_SECONDS)
        self._remembered.move_to_end(digest)
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return holder


def _holder_of(key: ApiKey | None) -> Principal | None:
    """Who holds a key that is good."""
    if key is None or key.revoked_at is not None:
        return None
    return Principal(key_id=key.id, tenant=key.tenant, scopes=frozenset(key.scopes))


def _token(authorization: str | None) -> str:
    if authorization is None:
        raise Unauthenticated(presented=False)
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not _TOKEN.fullmatch(token):
        raise Unauthenticated(presented=True)
    return token
