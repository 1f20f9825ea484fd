"""A proxy before the service that cuts streams within a record, or keeps everybody out a while.

How this works. Bytes go both ways as they come. Of a connection that is to be cut, the next event
goes out up to the middle of its data; behind that the connection ends in order, so that the client
reads all of it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

_PIECE: Final = 1 << 16
_EVENT: Final = b"event: event\n"
_SHOWN: Final = 200
"""Bytes of an event that go out: its data is longer."""


class CuttingProxy:
    """Passes connections on to the service at `target`; `heads` are the heads of all requests.

    `replaced`: what requests say, and what goes out in its place.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.url = ""
        self.is_shut = False
        self.heads: list[str] = []
        self.replaced: tuple[bytes, bytes] | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._to_cut: set[asyncio.StreamWriter] = set()

    def cut_next_event(self) -> int:
        """Cut every stream that is open within its next event; how many they are."""
        self._to_cut = set(self._open)
        return len(self._to_cut)

    def break_off(self) -> None:
        """Break off every connection."""
        for writer in tuple(self._open):
            writer.transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a client."""
        self._open.add(writer)
        with suppress(OSError):
            if not self.is_shut:
                parts = urlsplit(self.target)
                there, to_service = await asyncio.open_connection(parts.hostname, parts.port)
                ways = self._requests(reader, to_service), self._answers(there, writer)
                tasks = [asyncio.ensure_future(way) for way in ways]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                to_service.close()
        self._open.discard(writer)
        writer.close()

    async def _requests(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            self.heads.append(piece.decode("latin-1"))
            to.write(piece.replace(*self.replaced) if self.replaced else piece)

    async def _answers(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            at = piece.find(_EVENT) if to in self._to_cut else -1
            if at >= 0:
                assert len(piece) > at + _SHOWN
                to.write(piece[: at + _SHOWN])
                await to.drain()
                return
            to.write(piece)


@asynccontextmanager
async def cutting_proxy(target: str) -> AsyncIterator[CuttingProxy]:
    """A proxy before the service at an address."""
    proxy = CuttingProxy(target)
    server = await asyncio.start_server(proxy.pass_on, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    proxy.url = f"http://{host}:{port}"
    try:
        yield proxy
    finally:
        proxy.is_shut = True
        proxy.break_off()
        server.close()
