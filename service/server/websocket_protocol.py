"""How the service reads frames off a connection that became a socket; see `http_protocol`.

How this works. The library reads frames and answers pings; records are written past it, straight
to the transport, as whole frames of their own. What a client may do to a socket is bounded here: a
message is short and of few pieces, a pong is not sent to a client that takes nothing, a client that
does not answer a ping is gone, and whoever is sent goodbye has `CLOSE_SECONDS` to take it. Nothing
is logged of a socket, above all not its address, which may hold a ticket.
"""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from service.api.middleware import Middleware
from service.api.response import HttpResponse
from service.api.streaming.transport import CLOSE_SECONDS, LINE, nowhere
from service.errors import Malformed

MOST_MESSAGE_BYTES: Final = 4_096
"""More than a client ever has to say on a socket; default, not in the source texts."""

PING_SECONDS: Final = 20.0
"""How often a client is asked whether it is still there, and how long it may take to say so."""

_MOST_PIECES: Final = 64
_MOST_UNREAD_BYTES: Final = 65_536
"""Beyond this a client that takes nothing gets no pong."""

_POLICY: Final = 1008

_quiet = logging.getLogger("warlog.sockets")
_quiet.setLevel(logging.CRITICAL)


class Handshake(ServerProtocol):
    """Refuses what is no handshake with a problem; `turn_away` makes it."""

    def __init__(self, turn_away: Callable[[], HttpResponse]) -> None:
        super().__init__(max_size=MOST_MESSAGE_BYTES, logger=_quiet)
        self._turn_away = turn_away

    def reject(self, _: object, __: str) -> Response:
        """The answer to a request that cannot become a socket."""
        answer = self._turn_away()
        headers = Headers([(name.decode(), value.decode()) for name, value in answer.pairs()])
        headers["Connection"] = "close"
        return Response(answer.status, "Bad Request", headers, answer.body)


class SocketLine:
    """The line of a socket: takes whole frames."""

    __slots__ = ("_connection", "write")

    def __init__(self, connection: "SocketProtocol") -> None:
        self.write: Callable[[bytes], None] = connection.transport.write
        self._connection = connection

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def close(self, code: int) -> None:
        """Say goodbye behind what was written."""
        self.write = nowhere
        self._connection.say_goodbye(code)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A socket that nothing its client does makes grow or stay without end."""

    line: SocketLine
    _cutting: asyncio.TimerHandle | None = None
    _asked: Request | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection is to become a socket."""
        super().connection_made(transport)
        self.logger = _quiet
        self.conn = Handshake(self._turned_away)
        self.line = SocketLine(self)
        self.app_state = {**self.app_state, LINE: self.line}

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self.line.write = nowhere
        if self._cutting is not None:
            self._cutting.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what came first is the whole request that HTTP left to this."""
        super().data_received(data)
        if not self.handshake_initiated:
            refusal = b"".join(self.conn.data_to_send())
            self.transport.write(
                refusal or self.conn.reject(HTTPStatus.BAD_REQUEST, "").serialize()
            )
            self.transport.close()
            self._cut_soon()

    def handle_connect(self, event: Request) -> None:
        """The request can be read."""
        self._asked = event
        super().handle_connect(event)

    def say_goodbye(self, code: int) -> None:
        """Begin to close, unless that has begun already."""
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_close(code)
            self._end()

    def shutdown(self) -> None:
        """The server stops; streams have ended with `bye` before."""
        self._cut_soon()

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message has come; a message of too many pieces is no message."""
        super().handle_cont(event)
        if len(self.frames) > _MOST_PIECES:
            self.frames = []
            self.say_goodbye(_POLICY)

    def handle_ping(self) -> None:
        """HttpResponse a ping, unless the client does not even take what was sent before."""
        pong = b"".join(self.conn.data_to_send())
        if self.line.waiting < _MOST_UNREAD_BYTES:
            self.transport.write(pong)

    def handle_close(self, event: Frame) -> None:
        """The client says goodbye, or returns it."""
        self.line.write = nowhere
        super().handle_close(event)
        self._cut_soon()

    def handle_parser_exception(self) -> None:
        """What came is no frame, or too long a message."""
        self.line.write = nowhere
        if self.conn.close_sent is None:
            # It came before the socket was open: nobody is there to be shown.
            self.transport.abort()
        else:
            super().handle_parser_exception()
            self._cut_soon()

    def keepalive_timeout(self) -> None:
        """The client does not answer."""
        self.line.write = nowhere
        super().keepalive_timeout()
        self._cut_soon()

    def _turned_away(self) -> HttpResponse:
        """The answer to a malformed handshake."""
        items = [] if self._asked is None else self._asked.headers.raw_items()
        pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in items]
        return cast(Middleware, self.config.app).turn_away(
            pairs, Malformed(path="$", why="protocol")
        )

    def _end(self) -> None:
        """Send what closes the socket; the client has to answer it before long."""
        self.stop_keepalive()
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1000, "reason": ""})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _cut_soon(self) -> None:
        """Whatever the client has not taken by then it will not get."""
        if self._cutting is None:
            self._cutting = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
