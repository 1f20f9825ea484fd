"""Serves a socket: the same records as text frames, and refusals that a browser can read.

How this works. Strangers have been refused before (`api.handshakes`), and so is a token that turns
out to be none. A browser shows its page nothing of a handshake that failed; so for everybody else
the socket is accepted, what HTTP would have answered as a problem is sent as a text frame, and the
socket is closed with the code 4000 + status. As with streams of events, the hub writes frames
straight to the transport; here is only read: a client has nothing to say on a socket but that it
goes.
"""

from collections.abc import Callable
from typing import Final, cast

from litestar.types import Receive, Scope, Send
from litestar.types.asgi_types import HTTPScope
from msgspec.structs import replace

from service.api.call import AFTER, LAST_EVENT_ID
from service.api.event_additions import additions_in
from service.api.handshakes import SOCKET_ADDRESS, UNCERTAIN
from service.api.headers import Headers, headers_of, request_id_pair
from service.api.query_parameters import Query
from service.api.request import REQUEST_ID, admit, encounter_id, principal_in, reader_in
from service.api.response import HttpResponse, refused
from service.api.services import Services
from service.api.streaming.calls import SOCKET, cursor_in
from service.api.streaming.framing import problem_frame
from service.api.streaming.transport import LINE, StreamTransport
from service.api.streaming.writers import SocketSink
from service.encounters.principal import Principal
from service.errors import Forbidden, Malformed, NotFound, Unauthenticated, Unavailable
from service.live.sinks import Subscription

UNTOLD: Final = 4000
"""A socket that could not be served is closed with this plus the status of its problem."""

POLICY: Final = 1008
MOST_MESSAGES: Final = 16
"""So many messages of a client are answered; then it has not understood. Service default."""

_SHOWN: Final = 60


async def serve_socket(
    scope: Scope,
    receive: Receive,
    send: Send,
    services: Services,
    answered: Callable[[str, int], None],
) -> None:
    """Serve one socket to its end; `answered` is called once, with the call and the status."""
    http_scope = cast(HTTPScope, scope)
    http_scope["headers"] = Headers(http_scope["headers"])
    socket = _Socket(http_scope, receive, services)
    await receive()
    request_id = request_id_pair(scope["state"][REQUEST_ID])
    refusal = await socket.admit()
    if refusal is not None:
        answered(SOCKET.id, refusal.status)
        await _deny(replace(refusal, shared=(*refusal.shared, request_id)), send)
        return
    await send({"type": "websocket.accept", "subprotocol": None, "headers": [request_id]})
    await socket.serve(answered)


async def _deny(refusal: HttpResponse, send: Send) -> None:
    """Answer a handshake with HTTP instead of a socket."""
    start = refusal.pairs()
    await send(
        {"type": "websocket.http.response.start", "status": refusal.status, "headers": start}
    )
    await send({"type": "websocket.http.response.body", "body": refusal.body, "more_body": False})


class _Socket:
    """One socket, or a handshake that may become one."""

    def __init__(self, scope: HTTPScope, receive: Receive, services: Services) -> None:
        self._scope = scope
        self._receive = receive
        self._services = services
        self._line: StreamTransport = scope["state"][LINE]
        self._problem: Exception | None = None

    async def admit(self) -> HttpResponse | None:
        """Identify the caller; the HTTP answer to a token that is none, else None."""
        try:
            await self._admit()
        except Unauthenticated as error:
            if headers_of(self._scope).value("authorization") is not None:
                return refused(self._scope, error, self._services)
            self._problem = error
        except Exception as error:
            self._problem = error
        return None

    async def serve(self, answered: Callable[[str, int], None]) -> None:
        """Serve it to its end, now that it is accepted."""
        call = SOCKET.id
        try:
            if self._problem is not None:
                raise self._problem
            who = reader_in(self._scope)
            with self._services.stream_places.place(who.account):
                subscription = await self._follow(who)
                answered(call, 101)
                try:
                    await self._until_gone()
                finally:
                    subscription.cancel()
        except Exception as error:
            answer = self._send_problem(error)
            answered(call, answer.status)
            self._line.close(UNTOLD + answer.status)
            await self._until_gone()

    async def _admit(self) -> None:
        if self._services.concurrency.is_full:
            raise Unavailable("overloaded", retry_after=1)
        await admit(self._scope, SOCKET, self._services)
        if UNCERTAIN in self._scope["state"]:
            self._services.handshakes.succeeded(self._scope["client"])
        who = principal_in(self._scope)
        headers = headers_of(self._scope)
        if not await self._services.origins.may_connect(headers, who.tenant):
            origin = (headers.raw(b"origin") or b"").decode("latin-1")
            raise Forbidden("origin_not_listed", origin=origin[:_SHOWN])

    async def _follow(self, who: Principal) -> Subscription:
        address = SOCKET_ADDRESS.fullmatch(self._scope["path"])
        if address is None:
            raise NotFound
        query: Query = self._scope["state"]["query"]
        after = cursor_in(query, AFTER, LAST_EVENT_ID)
        hub = self._services.encounters.hub
        additions, sink = additions_in(query), SocketSink(self._line)
        number = encounter_id(address[1])
        if additions.is_any:
            return await hub.follow_extended(who, number, after, sink, additions)
        return await hub.follow(who, number, after, sink)

    def _send_problem(self, error: Exception) -> HttpResponse:
        """Send the problem that HTTP would have answered, as a frame."""
        answer = refused(self._scope, error, self._services)
        self._line.write(problem_frame(answer.body, answer.status))
        return answer

    async def _until_gone(self) -> None:
        """Wait for the client to go; what else it says is refused, and at some point too much."""
        messages = 0
        while (await self._receive())["type"] != "websocket.disconnect":
            messages += 1
            if messages <= MOST_MESSAGES:
                self._send_problem(Malformed("socket_only_tells"))
            else:
                self._line.close(POLICY)
