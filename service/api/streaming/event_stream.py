"""Serves a stream of events: the head as any answer's, then lines straight to the transport.

How this works. Everything that can be refused is refused before the head goes out, as an ordinary
problem. What the hub shows meanwhile is held and follows the head. From then on the request only
waits for its client to be gone; the hub writes. Whoever ends the stream - the client, the hub, a
connection that breaks - ends the connection with it, and that is what is waited for.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from litestar.types import Receive, Scope, Send

from service.api.headers import Pair
from service.api.request import BROKEN_OFF
from service.api.services import Services
from service.api.streaming.transport import LINE, ChunkedLine
from service.api.streaming.writers import NORMAL, EventSink, VectorSink
from service.encounters.principal import Principal
from service.live.sinks import Sink, Subscription

EVENT_STREAM: Final = "text/event-stream"

HEADED: Final = "headed"
"""In the state of a request: present if only the head of the answer is wanted."""

_HEAD: Final[tuple[Pair, ...]] = (
    (b"content-type", EVENT_STREAM.encode()),
    # A proxy that compresses would hold back each event until the next.
    (b"cache-control", b"private, no-cache, no-transform"),
    (b"vary", b"Authorization, Accept, Accept-Language, Warlog-Seat, Origin"),
    (b"connection", b"close"),
    # Proxies are not to gather what is shown.
    (b"x-accel-buffering", b"no"),
)

Follow = Callable[[Sink], Awaitable[Subscription]]
"""Begins to fill a sink. Raises before anything was written."""


class EventStream:
    """The answer to a request for a stream of events: an ASGI application."""

    def __init__(
        self, services: Services, who: Principal, sink: EventSink | VectorSink, follow: Follow
    ) -> None:
        self._services = services
        self._who = who
        self._sink = sink
        self._follow = follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve it to its end. Raises what `follow` raises, Unavailable, TooMany."""
        services = self._services
        with services.stream_places.place(self._who.account), services.concurrency.aside():
            subscription = await self._follow(self._sink)
            try:
                await send({"type": "http.response.start", "status": 200, "headers": list(_HEAD)})
                if HEADED in scope["state"]:
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    return
                await self._serve(scope, receive)
            finally:
                subscription.cancel()

    async def _serve(self, scope: Scope, receive: Receive) -> None:
        line: ChunkedLine = scope["state"][LINE]
        try:
            self._sink.open(line)
            while (await receive())["type"] != "http.disconnect":
                if BROKEN_OFF in scope["state"]:
                    line.close(NORMAL)
        finally:
            line.close(NORMAL)
