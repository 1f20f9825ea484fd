"""A way to the service on which answers are lost: it did what was asked, and nobody hears of it.

How this works. Bytes go both ways as they come. Of what the service answers, a piece now and then
is cut short or left out, and the connection is broken off behind it; now and then one is broken off
before the request has gone out.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from urllib.parse import urlsplit

_PIECE = 1 << 16


class LossyProxy:
    """Loses so many of all answers; `lost` counts them. `is_shut`: nobody comes through."""

    def __init__(self, url: str, share: float, number: int) -> None:
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._share = share
        self._chance = Random(number)
        self._writers: set[asyncio.StreamWriter] = set()
        self.lost = 0
        self.is_shut = False
        self.url = ""

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a client."""
        self._writers.add(writer)
        with suppress(OSError):
            if self.is_shut:
                raise ConnectionRefusedError
            there, to_service = await asyncio.open_connection(self._host, self._port)
            ways = self._requests(reader, to_service), self._answers(there, writer)
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            to_service.close()
        self._writers.discard(writer)
        writer.transport.abort()

    def break_off(self) -> None:
        """Break off every connection."""
        for writer in self._writers:
            writer.transport.abort()

    async def _requests(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            if self._chance.random() < self._share / 4:
                self.lost += 1
                return
            to.write(piece)

    async def _answers(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            if self._chance.random() < self._share:
                self.lost += 1
                to.write(piece[: self._chance.choice([0, 0, len(piece) // 2])])
                with suppress(OSError):
                    await to.drain()
                return
            to.write(piece)


@asynccontextmanager
async def lossy_proxy(url: str, share: float, number: int = 1) -> AsyncIterator[LossyProxy]:
    """A proxy before a service."""
    proxy = LossyProxy(url, share, number)
    server = await asyncio.start_server(proxy.pass_on, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    proxy.url = f"http://{host}:{port}"
    try:
        yield proxy
    finally:
        server.close()
