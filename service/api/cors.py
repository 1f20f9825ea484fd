"""Whose pages in a browser may read the answers: the origins that each tenant lists (CORS).

How this works. A browser names the origin of the page that asks; whatever else calls does not, and
is none of this module's business. Before anything that is not harmless a browser asks whether it
may (a preflight), without a key, so that answer is made from the origins of all tenants together.
The answer itself can be read by the page only if the caller's own tenant lists the origin; as long
as the caller is not known (there is no key, a wrong one, no database to look it up in), if any
does. Credentials are never allowed, nor `*`: keys are sent in a header that the page itself sets.

All lists are read at once and remembered for `REMEMBERED_SECONDS`; when the database cannot be
asked, the last ones go on being good, so that a page can read that answer too.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from itertools import chain
from typing import Final, get_args
from uuid import UUID

import structlog

from service.api.call import Method
from service.api.headers import Headers, Pair
from service.errors import WarlogError

REMEMBERED_SECONDS: Final = 5.0
AGAIN_SECONDS: Final = 1.0
"""How soon the lists are asked for again when they could not be read."""
LONGEST_WAIT_SECONDS: Final = 1.0
"""How long an answer waits for the lists; after that it goes by the last ones."""

PREFLIGHT_SECONDS: Final = 600
"""How long a browser may remember that it may ask; default, not in the source texts."""

LONGEST: Final = 255
MOST_OF_A_TENANT: Final = 100
FORM: Final = "scheme://host or scheme://host:port"

READ_BY_PAGES: Final = ("/v1/", "/.well-known/")
"""Addresses whose answers pages of other origins may read."""

_ORIGIN: Final = re.compile(
    r"([a-z][a-z0-9+.-]{0,29})://([a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:([0-9]{1,5}))?"
)
_USUAL_PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}

ORIGIN: Final = b"origin"
_ALLOW_ORIGIN: Final = b"access-control-allow-origin"
_ASKED_HEADERS: Final = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match,"
    " If-None-Match, Last-Event-ID, Warlog-Seat, X-Request-Id, traceparent"
)
_EXPOSED: Final[Pair] = (
    b"access-control-expose-headers",
    b"ETag, Location, Retry-After, Idempotency-Replayed, Warlog-Next, Warlog-Head,"
    b" RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset,"
    b" Warlog-Request-Id",
)
_PREFLIGHT: Final[tuple[Pair, ...]] = (
    (
        b"access-control-allow-methods",
        ", ".join(sorted({"HEAD", *get_args(Method)})).encode(),
    ),
    (b"access-control-allow-headers", _ASKED_HEADERS.encode()),
    (b"access-control-max-age", str(PREFLIGHT_SECONDS).encode()),
    (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
)

_log = structlog.get_logger("warlog.api")

Lists = Mapping[UUID, frozenset[str]]
"""The origins of each tenant that lists any."""


class AllowedOrigins:
    """The lists of all tenants. `clock` is monotonic, in seconds."""

    def __init__(self, look_up: Callable[[], Awaitable[Lists]], clock: Callable[[], float]) -> None:
        self._look_up = look_up
        self._clock = clock
        self._lists: Lists = {}
        self._all: frozenset[str] = frozenset()
        self._good_until = -1.0
        self._asked: asyncio.Task[None] | None = None

    async def preflight(self, headers: Headers, path: str) -> tuple[Pair, ...] | None:
        """The headers that answer a preflight; None for any other request.

        A preflight of an origin that no tenant lists is treated as any other OPTIONS request.
        """
        origin = headers.raw(ORIGIN)
        if origin is None or headers.raw(b"access-control-request-method") is None:
            return None
        if not path.startswith(READ_BY_PAGES) or not await self._is_listed(origin, None):
            return None
        return ((_ALLOW_ORIGIN, origin), *_PREFLIGHT)

    async def shared(self, origin: bytes, path: str, tenant: UUID | None) -> tuple[Pair, ...]:
        """The headers by which a page of this origin may read an answer; none if it may not.

        `tenant` is None as long as the caller is not known.
        """
        if not path.startswith(READ_BY_PAGES) or not await self._is_listed(origin, tenant):
            return ()
        return ((_ALLOW_ORIGIN, origin), _EXPOSED)

    def at_hand(self, headers: Headers) -> tuple[Pair, ...]:
        """The same for an unknown caller, as far as is known without asking the database."""
        origin = headers.raw(ORIGIN)
        if origin is None or origin.decode("latin-1") not in self._all:
            return ()
        return ((_ALLOW_ORIGIN, origin), _EXPOSED)

    async def may_connect(self, headers: Headers, tenant: UUID) -> bool:
        """Whether a socket may be opened: by a page only if its tenant lists the origin.

        The service's own pages may, and whatever names no origin.
        """
        origin = headers.raw(ORIGIN)
        if origin is None or origin.partition(b"://")[2] == headers.raw(b"host"):
            return True
        return await self._is_listed(origin, tenant)

    async def _is_listed(self, origin: bytes, tenant: UUID | None) -> bool:
        if self._clock() >= self._good_until:
            await self._renew()
        listed = self._all if tenant is None else self._lists.get(tenant, frozenset())
        return origin.decode("latin-1") in listed

    async def _renew(self) -> None:
        """Read the lists, once for all requests that need them; after a second go by the last ones.

        A request that is cancelled meanwhile does not cancel the reading.
        """
        if self._asked is None:
            self._asked = asyncio.create_task(self._read())
        await asyncio.wait({self._asked}, timeout=LONGEST_WAIT_SECONDS)
        if self._clock() >= self._good_until:
            self._good_until = self._clock() + AGAIN_SECONDS

    async def _read(self) -> None:
        began = self._clock()
        try:
            lists = await self._look_up()
        except WarlogError as error:
            _log.warning("the lists of origins cannot be read", code=error.code)
        else:
            self._lists = lists
            self._all = frozenset(chain.from_iterable(lists.values()))
            self._good_until = began + REMEMBERED_SECONDS
        finally:
            self._asked = None


def origin_of(text: str) -> str:
    """An origin as browsers write it: in lower case, without the port that its scheme implies.

    Raises ValueError for what is none: a path, `*`, `null`, letters of other alphabets.
    """
    origin = text.strip().lower()
    match = _ORIGIN.fullmatch(origin)
    if match is None or len(origin) > LONGEST:
        raise ValueError(f"{text!r} is not an origin; it looks like {FORM}")
    scheme, host, port = match[1], match[2], match[5]
    if port is None:
        return f"{scheme}://{host}"
    if not 1 <= int(port) <= 65_535:
        raise ValueError(f"{text!r}: a port is a number from 1 to 65535")
    return f"{scheme}://{host}" + ("" if int(port) == _USUAL_PORTS.get(scheme) else f":{int(port)}")
