"""A network that loses answers, between clients and a service that continues unharmed."""

import asyncio
import contextlib
from random import Random
from typing import Self
from urllib.parse import urlsplit

CHUNK = 1 << 16


class LossyProxy:
    """Passes everything on, but for some of what comes back: then both sides are hung up on.

    `loss` is the share of pieces that are lost; what is lost was done by the service.
    """

    def __init__(self, url: str, chance: Random, loss: float) -> None:
        self._address = urlsplit(url)
        self._chance = chance
        self.loss = loss
        self.lost = 0
        self.url = ""
        self._passing: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        asking: asyncio.Task[None] | None = None
        try:
            inner = await asyncio.open_connection(self._address.hostname, self._address.port)
            writers.append(inner[1])
            asking = asyncio.create_task(self._forward(reader, inner[1]))
            await self._answer(inner[0], writer)
        except OSError:
            pass
        finally:
            if asking is not None:
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            for each in writers:
                each.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(CHUNK):
                writer.write(piece)
                await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(CHUNK):
            if self._chance.random() < self.loss:
                self.lost += 1
                # Half of it arrives, so that answers end in the middle, too.
                writer.write(piece[: len(piece) // 2] if self._chance.random() < 0.5 else b"")
                return
            writer.write(piece)
            await writer.drain()
