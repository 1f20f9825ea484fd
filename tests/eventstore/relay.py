"""A wire to PostgreSQL that can be cut, and that can swallow what the server answers."""

import asyncio
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from tests.ports import free_port


class Relay:
    """Listens on a separate port; `dsn` is the same database by way of it."""

    def __init__(self, dsn: str) -> None:
        parts = urlsplit(dsn)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 5432)
        self._parts = parts
        self._port = free_port()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._swallows = False
        self._recovers = False
        self._tears = False
        self._delay_seconds = 0.0
        self._is_silent = False
        self._epoch = 0

    @property
    def dsn(self) -> str:
        """The address to use instead."""
        login = self._parts.netloc.rpartition("@")[0]
        return self._parts._replace(netloc=f"{login}@127.0.0.1:{self._port}").geturl()

    async def start(self) -> None:
        """Listen, on the same port as before."""
        self._swallows = False
        self._tears = False
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)

    async def stop(self) -> None:
        """Refuse new connections and cut the old ones."""
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writers.clear()

    def swallow_answers(self, *, once: bool = False) -> None:
        """From now on the server hears and answers, and nobody hears the server.

        `once`: only the next answer is lost, with the connection it was for.
        """
        self._swallows = True
        self._recovers = once

    def pass_answers(self) -> None:
        """From now on the server is heard again; connections lost meanwhile stay lost."""
        self._swallows = False

    @property
    def is_used(self) -> bool:
        """Whether anybody is connected, or was since it listens."""
        return bool(self._writers)

    def fall_silent(self) -> None:
        """From now on nothing arrives on either side, though everybody may connect."""
        self._is_silent = True
        self._epoch += 1

    def speak(self) -> None:
        """From now on new connections work; those made before never will again."""
        self._is_silent = False
        self._epoch += 1

    def tear_requests(self) -> None:
        """From now on half of what is said arrives, and the line is dead."""
        self._tears = True

    def pass_requests(self) -> None:
        """From now on everything arrives again; connections lost meanwhile stay lost."""
        self._tears = False

    def delay(self, seconds: float) -> None:
        """From now on every piece is so late, in both directions, and those behind it wait."""
        self._delay_seconds = seconds

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def _altered(self, chunk: bytes) -> bytes:
        """What is passed on instead of a piece."""
        return chunk

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, there_writer}
        for task in (
            asyncio.ensure_future(self._pass_on(reader, there_writer, is_answer=False)),
            asyncio.ensure_future(self._pass_on(there_reader, writer, is_answer=True)),
        ):
            self._tasks.add(task)

    async def _pass_on(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        epoch = self._epoch
        while chunk := await source.read(65536):
            if self._is_silent or epoch != self._epoch:
                continue
            if is_answer and self._swallows:
                self._swallows = not self._recovers
                break
            if self._tears and not is_answer:
                sink.write(chunk[: len(chunk) // 2])
                break
            if self._delay_seconds:
                await asyncio.sleep(self._delay_seconds)
            sink.write(self._altered(chunk))
            await sink.drain()
        sink.close()
