"""Lines: the way a stream's bytes take to its client, straight to the transport.

How this works. A stream is shown the same bytes as hundreds of others, made once for all of them;
what is left to do for each is one `write` of the transport, without a task, a queue or an await.
The protocols that accept connections (`server.http_protocol`, `server.websocket_protocol`) put a
line into the state of every request, under `LINE`. A line that is closed or lost takes what it is
given and drops it, so that nobody has to ask first. What a client has not taken grows no further
than `live.hub` allows, which asks `waiting`; and a line that was closed but whose client takes
nothing any more is cut after `CLOSE_SECONDS`, so that no client can hold up the process.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Final, Protocol

LINE: Final = "line"
"""In the state of a request: the line of its connection."""

CLOSE_SECONDS: Final = 5.0
"""How long a client may take what was said before the end; default, not in the source texts."""

SILENCE_SECONDS: Final = 60
"""How long a client may leave what it was sent unacknowledged before it counts as gone."""

_LAST_CHUNK: Final = b"0\r\n\r\n"
_USER_TIMEOUT: Final[int | None] = getattr(socket, "TCP_USER_TIMEOUT", None)


class StreamTransport(Protocol):
    """What a stream is written to. Nothing here waits or raises."""

    @property
    def write(self) -> Callable[[bytes], None]:
        """Send bytes as they are; drop them once the line is closed or lost."""

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""

    def close(self, code: int) -> None:
        """End it behind what was written; `code` is a close code of RFC 6455, for sockets."""


def nowhere(_: bytes) -> None:
    """Where a line writes that is closed or lost."""


class ChunkedLine:
    """The line of an HTTP connection: takes the chunks of an answer whose head is out."""

    __slots__ = ("_cutting", "_transport", "write")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.write: Callable[[bytes], None] = transport.write
        self._transport = transport
        self._cutting: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""
        return self._transport.get_write_buffer_size()

    def expect_life(self) -> None:
        """From now on a client that acknowledges nothing for `SILENCE_SECONDS` is gone."""
        connected = self._transport.get_extra_info("socket")
        if _USER_TIMEOUT is None or self._transport.is_closing():
            return
        if connected.family in {socket.AF_INET, socket.AF_INET6}:
            connected.setsockopt(socket.IPPROTO_TCP, _USER_TIMEOUT, SILENCE_SECONDS * 1000)

    def close(self, _: int) -> None:
        """End the answer and the connection, at the latest after `CLOSE_SECONDS`."""
        if self.write is nowhere:
            return
        self.write(_LAST_CHUNK)
        self.write = nowhere
        loop = asyncio.get_running_loop()
        self._cutting = loop.call_later(CLOSE_SECONDS, self._transport.abort)
        self._transport.close()

    def cut(self) -> None:
        """Break the answer off, so that its client does not take it for whole."""
        self.write = nowhere
        self._transport.abort()

    def lost(self) -> None:
        """The connection is gone."""
        self.write = nowhere
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None


class HeldLine:
    """Keeps what is written until there is a line: before the head of an answer is out."""

    __slots__ = ("_closed_with", "_kept", "waiting", "write")

    def __init__(self) -> None:
        self.write: Callable[[bytes], None] = self._keep
        self.waiting = 0
        self._kept: list[bytes] = []
        self._closed_with: int | None = None

    def close(self, code: int) -> None:
        """Remember that it was closed."""
        self._closed_with = code
        self.write = nowhere

    def pass_to(self, line: StreamTransport) -> None:
        """Hand everything over."""
        for piece in self._kept:
            line.write(piece)
        if self._closed_with is not None:
            line.close(self._closed_with)

    def _keep(self, piece: bytes) -> None:
        self._kept.append(piece)
        self.waiting += len(piece)
