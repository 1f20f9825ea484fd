"""The first bytes of a connection, which tell whether it is worth more than a short answer.

How this works. A parser, a request and a socket cost many times what a client pays to ask for
them. So a connection begins with as little as there can be. If its first bytes are the whole
handshake of a socket, its head is split here, without a parser, and judged (`api.handshakes`): who
shows nothing that was ever ours is answered and gone. Whatever else comes, and a handshake that
comes in pieces, goes to the HTTP protocol (`http_protocol`), which judges those it gets by itself.
"""

import asyncio
import re
from functools import partial
from typing import Any, Final, cast

from uvicorn.config import Config
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState

from service.api.handshakes import JUDGED
from service.api.headers import Pair
from service.api.limits.fair_queue import RequestClass
from service.api.middleware import Middleware
from service.server.http_protocol import BoundedProtocol, last_answer, sender_behind

LONGEST: Final = 8_192
"""Bytes of a handshake that is judged here; service default."""

_END: Final = b"\r\n\r\n"
_REQUEST_LINE: Final = re.compile(rb"GET (/[!-~]*) HTTP/1\.1")
_UPGRADE: Final = re.compile(rb"\r\nupgrade:[ \t]*websocket[ \t]*\r\n", re.IGNORECASE)


class FirstBytes(asyncio.Protocol):
    """A connection of which nothing is known yet."""

    __slots__ = ("_app_state", "_config", "_since", "_state", "_transport")

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._config = config
        self._state = server_state
        self._app_state = app_state
        self._since: float | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there."""
        self._transport = cast("asyncio.Transport", transport)
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._connections.discard(self)

    def data_received(self, data: bytes) -> None:
        """Read on in due time: a thousand may have come at once."""
        self._transport.pause_reading()
        kind: RequestClass = "handshake" if _is_handshake(data) else "connection"
        cast(Middleware, self._config.app).turns.take(partial(self._begin, data, kind), kind)

    def _begin(self, data: bytes, kind: RequestClass) -> None:
        """Answer the handshake of a stranger; leave everything else to HTTP."""
        if self._transport.is_closing():
            return
        self._transport.resume_reading()
        if kind == "handshake":
            self._judge(data)
        else:
            self._become_http(data, self._app_state)

    def _judge(self, data: bytes) -> None:
        """Answer a handshake that leads nowhere; leave any other to HTTP."""
        head = _head_of(data)
        if head is None:
            self._become_http(data, self._app_state)
            return
        target, headers = head
        peer = get_remote_addr(self._transport)
        client = sender_behind(self._config.loaded_app, headers, peer)
        state = {**self._app_state, JUDGED: True}
        edge = cast(Middleware, self._config.app)
        refusal = edge.handshake_refused(target, headers, client, state)
        if refusal is None:
            self._become_http(data, state)
        else:
            self._transport.write(last_answer(refusal, self._state.default_headers))
            self._transport.close()

    def shutdown(self) -> None:
        """The server stops."""
        self._transport.close()

    def check(self, now: float, seconds: int) -> None:
        """Close if the client has said nothing for `seconds`; `now` is the loop's time."""
        if self._since is None:
            self._since = now
        elif now - self._since >= seconds:
            self._transport.close()

    @property
    def _connections(self) -> set[Any]:
        """The open connections of this server, of every kind."""
        return self._state.connections

    def _become_http(self, data: bytes, state: dict[str, Any]) -> None:
        self._connections.discard(self)
        protocol = BoundedProtocol(self._config, self._state, state)
        protocol.connection_made(self._transport)
        self._transport.set_protocol(protocol)
        protocol.data_received(data)


def _is_handshake(data: bytes) -> bool:
    """Whether this is the whole head of a handshake and nothing else."""
    is_whole = len(data) <= LONGEST and data.find(_END) == len(data) - len(_END)
    return is_whole and _UPGRADE.search(data) is not None


def _head_of(data: bytes) -> tuple[bytes, list[Pair]] | None:
    """The address and the headers of a plain handshake; None for any other request."""
    request, *lines = data[: -len(_END)].split(b"\r\n")
    line = _REQUEST_LINE.fullmatch(request)
    pairs = [each.partition(b":") for each in lines]
    if line is None or not all(colon and name for name, colon, _ in pairs):
        return None
    return line[1], [(name.lower(), value.strip()) for name, _, value in pairs]
