"""A wire to PostgreSQL that notices how far a statement has come, and pulls a trigger there.

How this works. Whatever the service and the server say to one another is taken apart into the
messages of PostgreSQL's protocol and passed on one by one. A statement that carries the text in
question is watched from its first message to the server's last word about it. Once the trigger is
pulled its line is dead: what had not been passed on until then never arrives.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Literal, Self
from urllib.parse import urlsplit

from msgspec import Struct

from tests.patience import PATIENCE_SECONDS

Moment = Literal["unsent", "half_sent", "unsynced", "sent", "answered", "half_answered", "told"]
"""Nothing of a statement was passed on; half; all but the order to commit it; all of it. Nothing
of the answer was; half of its first message; all of it."""

_LENGTH = 4
_HEADER = 5


class Stage(Struct, frozen=True, kw_only=True):
    """A moment in the life of a statement that carries `text`."""

    text: str
    moment: Moment


class _Trap(Struct, kw_only=True):
    stage: Stage
    pull: Callable[[], None]
    pulled: asyncio.Event


class _Line(Struct, kw_only=True):
    """One connection: its prepared statements by name, and the trap that is about to close."""

    statements: dict[bytes, bytes]
    trap: _Trap | None = None


class Tripwire:
    """Listens on a separate port; `dsn` is the same database by way of it.

    New sessions begin with `settings` of the server instead of those the service asks for, and
    every answer takes `delay_seconds` longer.
    """

    def __init__(self, dsn: str) -> None:
        self._parts = urlsplit(dsn)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._trap: _Trap | None = None
        self.settings: Mapping[str, str] = {}
        self.delay_seconds = 0.0

    @property
    def dsn(self) -> str:
        """The address to use instead; nothing on this wire is encrypted."""
        login = self._parts.netloc.rpartition("@")[0]
        netloc = f"{login}@127.0.0.1:{self._port}"
        return self._parts._replace(netloc=netloc, query="sslmode=disable").geturl()

    async def trip(self, stage: Stage, pull: Callable[[], None]) -> None:
        """Wait until a statement comes that far, and pull then. Raises TimeoutError."""
        trap = self._trap = _Trap(stage=stage, pull=pull, pulled=asyncio.Event())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await trap.pulled.wait()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._parts.hostname or "127.0.0.1", self._parts.port or 5432
        there_reader, there_writer = await asyncio.open_connection(host, port)
        self._writers |= {writer, there_writer}
        line = _Line(statements={})
        for pump in (
            self._requests(line, reader, there_writer),
            self._answers(line, there_reader, writer),
        ):
            self._tasks.add(asyncio.ensure_future(pump))

    async def _requests(
        self, line: _Line, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        greeting = await _greeting(source)
        sink.write(_with_settings(greeting, self.settings) if greeting else b"")
        async for message in _messages(source):
            self._look(line, message)
            moment = line.trap.stage.moment if line.trap is not None else None
            ends = message[:1] in (b"S", b"Q")
            if moment == "unsent" or (moment == "unsynced" and ends):
                break
            if moment == "half_sent":
                sink.write(message[: len(message) // 2])
                break
            sink.write(message)
            await sink.drain()
            if moment == "sent" and ends:
                break
        self._close(line, sink)

    async def _answers(
        self, line: _Line, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        async for message in _messages(source):
            if self.delay_seconds and message[:1] == b"Z":
                await asyncio.sleep(self.delay_seconds)
            moment = line.trap.stage.moment if line.trap is not None else None
            if moment == "answered":
                break
            if moment == "half_answered":
                sink.write(message[: len(message) // 2])
                break
            sink.write(message)
            await sink.drain()
            if moment == "told" and message[:1] == b"Z":
                break
        self._close(line, sink)

    def _look(self, line: _Line, message: bytes) -> None:
        """Take note of a statement's text, and of the one that is waited for."""
        kind, body = message[:1], message[_HEADER:]
        if kind == b"P":
            name, text, _ = body.split(b"\0", 2)
            line.statements[name] = text
        if self._trap is None or kind not in (b"B", b"Q"):
            return
        text = body if kind == b"Q" else line.statements.get(body.split(b"\0", 2)[1], b"")
        if self._trap.stage.text.encode() in text:
            line.trap, self._trap = self._trap, None

    def _close(self, line: _Line, sink: asyncio.StreamWriter) -> None:
        """Pull the trigger if this line was to, and let nothing more through."""
        if line.trap is not None:
            line.trap.pull()
            line.trap.pulled.set()
            line.trap = None
        sink.close()


async def _greeting(source: asyncio.StreamReader) -> bytes:
    """A client's first message, which has no kind, only a length; nothing if it hung up."""
    try:
        length = await source.readexactly(_LENGTH)
        return await source.readexactly(int.from_bytes(length, "big") - _LENGTH)
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


def _with_settings(greeting: bytes, settings: Mapping[str, str]) -> bytes:
    """The greeting, which lists names and values after the protocol's version, with others."""
    version, words = greeting[:_LENGTH], greeting[_LENGTH:].decode().split("\0")
    named = {**dict(zip(words[:-2:2], words[1:-2:2], strict=True)), **settings}
    listed = "".join(f"{name}\0{value}\0" for name, value in named.items())
    body = version + listed.encode() + b"\0"
    return (len(body) + _LENGTH).to_bytes(_LENGTH, "big") + body


async def _messages(source: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What comes, message by message: a kind, a length, and what it says."""
    try:
        while True:
            header = await source.readexactly(_HEADER)
            yield header + await source.readexactly(int.from_bytes(header[1:], "big") - _LENGTH)
    except (asyncio.IncompleteReadError, ConnectionError):
        return
