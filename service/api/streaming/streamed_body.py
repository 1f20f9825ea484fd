"""A body that is passed on as it comes: never whole in this process, and not waited for for ever.

How this works. Only what was asked for is received; until then the connection is not read from, so
whoever takes the pieces sets the pace. Time counts only while the client is waited for. A body may
be long, so it gets more time with every byte: a client that is slower than `LEAST_RATE` for long
holds up others, and gets an error that says so.
"""

import asyncio
from collections.abc import AsyncIterator
from math import ceil
from typing import Final

from litestar.types import Receive
from litestar.types.asgi_types import HTTPScope

from service.api.request import RECEIPT_SECONDS, next_chunk
from service.errors import RequestTimeout, TooLarge

LEAST_RATE: Final = 16_384
"""Bytes a second below which a body counts as not coming; default, not in the source texts."""


class StreamedBody:
    """The body of a request, of at most `limit` bytes, for which `seconds` is always waited.

    `longest` seconds it may take altogether, waiting for whoever takes it included.
    """

    def __init__(
        self, scope: HTTPScope, receive: Receive, *, limit: int, seconds: int, longest: int
    ) -> None:
        self._scope = scope
        self._receive = receive
        self._limit = limit
        self._seconds = seconds
        self._received = 0
        self._waited = 0.0
        self._is_whole = asyncio.Event()
        scope["state"][RECEIPT_SECONDS] = longest

    async def pieces(self) -> AsyncIterator[bytes]:
        """What has not been taken yet, piece by piece.

        Raises TooLarge, RequestTimeout, and what `next_chunk` raises.
        """
        while not self._is_whole.is_set():
            piece = await self._next()
            if piece:
                yield piece

    async def left(self) -> None:
        """Return when the client is gone, once the body was whole."""
        await self._is_whole.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _next(self) -> bytes:
        loop = asyncio.get_running_loop()
        began, allowed = loop.time(), self._seconds + self._received / LEAST_RATE
        try:
            async with asyncio.timeout(max(0.0, allowed - self._waited)):
                piece, is_last = await next_chunk(self._scope, self._receive)
        except TimeoutError:
            raise RequestTimeout(seconds=ceil(allowed)) from None
        self._waited += loop.time() - began
        self._received += len(piece)
        if self._received > self._limit:
            raise TooLarge(limit=self._limit)
        if is_last:
            self._is_whole.set()
        return piece
