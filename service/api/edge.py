"""The outermost layer around the routes: what holds for every request, matched or not.

HEAD is answered as GET without the body; OPTIONS and 405 name all methods of an address; every
request is counted and logged by its call, never with what it carried.
"""

import time
from collections.abc import Iterable
from typing import Final

import structlog
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPScope

from service.api.asking import CALL_OPTION
from service.api.calls import Call
from service.api.rooms import rooms_of

_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"})
_UNKNOWN_CALL: Final = "none"
_QUIET: Final = frozenset({"live", "ready", "metrics"})

_log = structlog.get_logger("warlog.http")


class Edge:
    """An ASGI application around the Litestar one."""

    def __init__(self, application: Litestar) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await self.application(scope, receive, send)

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        method = scope["method"]
        if method == "HEAD":
            # A copy: the server goes by its own and expects no body.
            scope = scope.copy()
            scope["method"] = "GET"
        answer = _Answer(self.application, scope, method, send)
        try:
            await self.application(scope, receive, answer.send)
        finally:
            call = call_of(scope)
            seconds = time.perf_counter() - began
            known = method if method in _METHODS else "other"
            rooms_of(self.application).measures.answered(call, known, answer.status, seconds)
            tell = _log.debug if call in _QUIET else _log.info
            tell("answered", call=call, method=known, status=answer.status, ms=int(seconds * 1000))


class _Answer:
    """Passes an answer on, mended on the way; remembers its status (499: none was given)."""

    def __init__(self, application: Litestar, scope: HTTPScope, method: str, send: Send) -> None:
        self._application = application
        self._scope = scope
        self._method = method
        self._send = send
        self.status = 499

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kept = [pair for pair in message["headers"] if pair[0].lower() != b"allow"]
            if len(kept) < len(list(message["headers"])):
                kept.append((b"allow", self._allowed(message["headers"])))
            message["headers"] = [*kept, (b"x-content-type-options", b"nosniff")]
        elif message["type"] == "http.response.body" and self._method == "HEAD":
            message["body"] = b""
        await self._send(message)

    def _allowed(self, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """Every method of the address; a route by itself only knows its own."""
        told = b",".join(value for name, value in headers if name.lower() == b"allow")
        methods = {word.strip() for word in told.decode().split(",")} - {""}
        template = dict(self._scope).get("path_template")
        for route in self._application.routes:
            if route.path_format == template:
                methods |= set(getattr(route, "methods", ()))
        if "GET" in methods:
            methods.add("HEAD")
        return ", ".join(sorted(methods)).encode()


def call_of(scope: Scope) -> str:
    """The id of the call that a request came to, `none` if the address is unknown."""
    handler = dict(scope).get("route_handler")
    call = handler.opt.get(CALL_OPTION) if isinstance(handler, BaseRouteHandler) else None
    return call.id if isinstance(call, Call) else _UNKNOWN_CALL
