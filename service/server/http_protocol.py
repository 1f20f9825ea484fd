"""How the service reads requests off a connection: nothing grows or waits without end.

How this works. The parser keeps a head whole, however long it is, and neither it nor the server
minds how long a request takes to come. So each connection counts what came since the last thing
that was complete, and once a second whoever runs the server asks each whether it has waited for
its client too long (`check`). That costs a request nothing but two assignments. What is wrong is
shown as any other problem: by the request's own route if it is waiting for the rest of the body,
else from here. An answer that is being made goes out first, and the connection closes behind it. A
stream waits for nothing of its client, and lasts.
"""

import asyncio
from functools import partial
from typing import Final, cast

from uvicorn._types import ASGI3Application, HTTPScope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from service.api.handshakes import JUDGED
from service.api.headers import Pair
from service.api.limits.client_address import Client
from service.api.middleware import Middleware
from service.api.request import BODY_AT_ONCE, BROKEN_OFF, RECEIPT_SECONDS
from service.api.response import ANSWER_AT_ONCE, HttpResponse
from service.api.streaming.transport import LINE, ChunkedLine
from service.errors import Malformed, RequestTimeout, Unavailable, WarlogError

MOST_HEAD_BYTES: Final = 65_536
"""More than any client needs to say before its body; default, not in the source texts."""

HALF_SECONDS: Final = 0.2
"""How long the rest of a request may take to come once the server stops."""

OPERATIONS: Final = "/health/"
"""Whether the process answers, and can work: these addresses wait for nobody."""

STREAMS: Final = "/stream"
"""How the addresses of streams end."""

_CLOSE: Final = (b"connection", b"close")


class BoundedProtocol(HttpToolsProtocol):
    """Gives up on a client that sends too much or too slowly without completing a request.

    What arrives in one piece is read before it is counted, so that a head somewhat above the limit
    may pass.
    """

    line: ChunkedLine
    _answered: RequestResponseCycle | None = None
    """The request that is being answered: `cycle` is the last one that came."""
    _unfinished_bytes = 0
    """Since a head, a part of a body or a request was complete."""
    _is_whole = True
    """Whether the last request whose head is here has come to its end."""
    _requests = 0
    """How many came whole."""
    _since: float | None = None
    """When it was first seen that the client is waited for, and behind how many requests."""
    _waits_behind = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.headers = []
        self.line = ChunkedLine(self.transport)
        self.app_state = {
            **self.app_state,
            LINE: self.line,
            BODY_AT_ONCE: self._body_at_once,
            ANSWER_AT_ONCE: self._answer_at_once,
        }

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self.line.lost()
        self.app_state = {}
        super().connection_lost(exc)
        # The server only shows the last request, behind which this one may not be over yet.
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()

    def handle_websocket_upgrade(self) -> None:
        """Become a socket in due time, unless an answer is still under way on this connection."""
        if self._requests <= 1 or self.cycle.response_complete:
            self.flow.pause_reading()
            self._edge.turns.take(self._upgrade, "handshake")
        else:
            self.transport.close()

    def _upgrade(self) -> None:
        """Become a socket, unless the head says that this leads nowhere."""
        if self.transport.is_closing():
            return
        if JUDGED not in self.app_state:
            client = sender_behind(self.app, self.headers, self.client)
            refusal = self._edge.handshake_refused(self.url, self.headers, client, self.app_state)
            if refusal is not None:
                self._send_last(refusal)
                return
        self.flow.resume_reading()
        super().handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Begin a request when it is its turn; health checks begin at once."""
        self._answered = cycle
        scope = cycle.scope
        if scope["path"].startswith(OPERATIONS):
            super()._start_asgi_task(cycle, app)
        else:
            begin = partial(self._begin, cycle, app)
            if b"authorization" not in dict(scope["headers"]):
                self._edge.turns.take(begin, "stranger")
            elif scope["path"].endswith(STREAMS):
                self._edge.services.encounters.hub.turns.take(begin)
            else:
                self._edge.turns.take(begin, "caller")

    def _begin(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        if not cycle.disconnected:
            super()._start_asgi_task(cycle, app)

    @property
    def _edge(self) -> Middleware:
        return cast(Middleware, self.config.app)

    def data_received(self, data: bytes) -> None:
        """Read on, unless this continues without end."""
        self._unfinished_bytes += len(data)
        super().data_received(data)
        if self._unfinished_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self._give_up(Malformed(path="$", why="head_too_large", limit=MOST_HEAD_BYTES))

    def on_headers_complete(self) -> None:
        """A head is whole."""
        super().on_headers_complete()
        self._unfinished_bytes = 0
        self._is_whole = False

    def on_body(self, body: bytes) -> None:
        """A part of a body has come; how long it may be is for the routes to say."""
        self._unfinished_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._unfinished_bytes = 0
        self._is_whole = True
        self._requests += 1
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What came cannot be read as HTTP; the server's own words for it are dropped."""
        self._give_up(Malformed(path="$", why="protocol"))

    def shutdown(self) -> None:
        """The server stops: answers are finished, but half a request is not waited for."""
        super().shutdown()
        if not self._is_whole:
            self.loop.call_later(HALF_SECONDS, self._give_up_half)

    def _give_up_half(self) -> None:
        if not self._is_whole:
            self._give_up(Unavailable("stopping", retry_after=1))

    def check(self, now: float, seconds: int) -> None:
        """Give up on a request that has taken longer than `seconds`; `now` is the loop's time."""
        if not self._waits_for_client():
            self._since = None
        elif self._since is None or self._waits_behind != self._requests:
            self._since, self._waits_behind = now, self._requests
        elif now - self._since >= (patience := self._patience(seconds)):
            self._since = None
            if self._is_idle and not self._unfinished_bytes:
                self.transport.close()
            else:
                self._give_up(RequestTimeout(seconds=patience))

    def _patience(self, seconds: int) -> int:
        """How long this request may take to come: as others, unless its route says otherwise."""
        if self._is_whole or self.cycle.response_complete:
            return seconds
        longer: int = self.cycle.scope["state"].get(RECEIPT_SECONDS, seconds)
        return longer

    @property
    def _is_idle(self) -> bool:
        """Whether no request is under way, though one may have begun to come."""
        return self._is_whole and (self._requests == 0 or self.cycle.response_complete)

    def _waits_for_client(self) -> bool:
        """Whether nothing can go on before the client has sent more of a request."""
        if self.transport.is_closing() or self.flow.read_paused:
            return False
        if self._is_idle:
            # The server itself closes a connection that was used and lies idle.
            return self._requests == 0 or self._unfinished_bytes > 0
        return not self._is_whole

    def _give_up(self, error: WarlogError) -> None:
        """Tell the client, if it is its turn to hear something, and close."""
        if self.transport.is_closing():
            return
        if self._is_idle:
            self._answer(error)
        elif self.cycle.response_complete:
            self.transport.close()
        else:
            self.cycle.keep_alive = False
            if self._is_whole:
                self.flow.pause_reading()
            else:
                self.cycle.scope["state"][BROKEN_OFF] = error
                self.cycle.message_event.set()

    def _answer(self, error: WarlogError) -> None:
        self._send_last(self._edge.turn_away(self.headers, error))

    def _body_at_once(self, scope: HTTPScope) -> bytes | None:
        """Take a whole body as the server's `receive` does; see `BodyAtOnce`."""
        cycle = self._answered
        if cycle is None or cycle.scope is not scope or cycle.more_body:
            return None
        if cycle.disconnected or cycle.waiting_for_100_continue:
            return None
        cycle.flow.resume_reading()
        body, cycle.body = bytes(cycle.body), bytearray()
        cycle.message_event.clear()
        return body

    def _answer_at_once(self, scope: HTTPScope, answer: HttpResponse, request_id: Pair) -> bool:
        """Write a whole answer in one piece; see `AnswerAtOnce`.

        The server's own way, which looks at each header again, is left what is out of the ordinary:
        a client that is gone or takes nothing, a connection that is to be closed.
        """
        cycle = self._answered
        if cycle is None or cycle.scope is not scope or not cycle.keep_alive:
            return False
        if cycle.disconnected or cycle.flow.write_paused:
            return False
        line = STATUS_LINE[answer.status]
        cycle.transport.write(answer.written(line, cycle.default_headers, request_id))
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        cycle.on_response()
        return True

    def _send_last(self, answer: HttpResponse) -> None:
        self.transport.write(last_answer(answer, self.server_state.default_headers))
        self.transport.close()


def last_answer(answer: HttpResponse, general: list[Pair]) -> bytes:
    """An answer behind which the connection is closed, as HTTP/1.1 writes it."""
    return answer.written(STATUS_LINE[answer.status], general, _CLOSE)


def sender_behind(app: object, headers: list[Pair], peer: Client | None) -> Client | None:
    """Who a head is from, by the word of proxies where `app` takes that; `peer` sent it here."""
    if isinstance(app, ProxyHeadersMiddleware) and peer is not None:
        proxies = app.trusted_hosts
        forwarded = [value for name, value in headers if name == b"x-forwarded-for"]
        if forwarded and peer[0] in proxies:
            host, port = proxies.get_trusted_client_address(b", ".join(forwarded).decode("latin-1"))
            return (host, port) if host else peer
    return peer
