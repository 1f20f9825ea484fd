"""The outermost layer around the routes: what holds for every request, matched or not.

HEAD is answered as GET without the body; OPTIONS and 405 name all methods of an address; every
request is counted and logged by its call, never with what it carried. Actions go no further than
here: see `endpoints.actions`. Nor do the questions of browsers whether a page may ask: see `cors`.

A request that is still under way when the process must end is cancelled by the server. It is
answered here all the same: no fault in the log, and the client of a write learns that it may have
happened.
"""

import asyncio
import logging
import re
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, cast
from urllib.parse import unquote

import structlog
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPScope, WebSocketScope
from msgspec.structs import replace
from opentelemetry.trace import Span

from service.api.call import VERSIONED, Call
from service.api.compression import Compressor
from service.api.cors import ORIGIN
from service.api.endpoints.actions import ACT, acted
from service.api.handshakes import UNCERTAIN
from service.api.headers import Headers, Pair, headers_of, request_id_pair
from service.api.limits.client_address import Client
from service.api.limits.fair_queue import Turns
from service.api.request import CALL_OPTION, PRINCIPAL, REQUEST_ID, admit
from service.api.request_span import SPAN, RequestTracer, complete
from service.api.response import (
    ANSWER_AT_ONCE,
    NOSNIFF,
    AnswerAtOnce,
    AnswerSender,
    HttpResponse,
    refused,
)
from service.api.services import SERVICES_KEY, Services
from service.api.streaming.calls import SOCKET, STREAM, STREAM_MANY
from service.api.streaming.event_stream import HEADED
from service.api.streaming.refusal_records import RefusalRecord, asks_for_records
from service.api.streaming.websocket import serve_socket
from service.encounters.principal import Principal
from service.errors import Malformed, OutcomeUnknown, Unavailable, WarlogError

_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"})
_OTHER: Final = "other"
_UNKNOWN_CALL: Final = "none"
_PREFLIGHT: Final = "preflight"
_NONE_GIVEN: Final = 499
"""What is counted for a request that ended without an answer."""

_READS: Final = frozenset({"GET", "HEAD"})
_TOLD_METHODS: Final = frozenset({204, 405})
"""Statuses of the answers that name the methods of an address."""

_BY_ORIGIN: Final[Pair] = (b"vary", b"Origin")
"""What the router forgets where it answers by itself."""

_STREAMS: Final = frozenset({STREAM.id, STREAM_MANY.id})
"""Calls that take as long as their client likes: what counts is how long it took to begin."""

_MOST_REFUSALS: Final = 256
_NO_REQUEST: Final = "@"
"""In place of a request's id, which it can never be."""
_REQUEST_LEFT_OUT: Final = b'"request":"@"'

_ACTIONS: Final = re.compile(r"/v1/encounters/([^/]+)/actions")
_HOST: Final = re.compile(rb"[A-Za-z0-9.:\[\]-]+")

_ENCOUNTER: Final = re.compile(
    r"/v1/encounters/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![^/])"
)

_QUIET: Final = frozenset({"live", "ready", "metrics"})

_log = structlog.get_logger("warlog.http")


class Middleware:
    """An ASGI application around the Litestar one."""

    def __init__(self, application: Litestar, tracer: RequestTracer | None = None) -> None:
        self.application = application
        self.turns = Turns()
        self._handshakes_refused: Counter[int] = Counter()
        self._handshake_refusals = _HandshakeRefusals()
        self._tracer = tracer

    @property
    def services(self) -> Services:
        """The rooms behind the routes, from the moment that the application has started."""
        services: Services = self.application.state[SERVICES_KEY]
        return services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind: str = scope["type"]
        if kind == ScopeType.HTTP:
            await self._http(cast(HTTPScope, scope), receive, send)
        elif kind == ScopeType.WEBSOCKET:
            await self._socket(cast(WebSocketScope, scope), receive, send)
        else:
            await self.application(scope, receive, send)

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        scope["headers"] = headers = Headers(scope["headers"])
        scope["state"][REQUEST_ID] = request_id = headers.request_id()
        sender = AnswerSender(send, request_id_pair(request_id))
        if self._tracer is None:
            await self._serve(scope, receive, sender, began)
            return
        with self._tracer.request(scope) as span:
            scope["state"][SPAN] = span
            await self._serve(scope, receive, sender, began)

    async def _serve(
        self, scope: HTTPScope, receive: Receive, send: AnswerSender, began: float
    ) -> None:
        headers = cast(Headers, scope["headers"])
        if headers.is_repeating:
            try:
                headers.require_one_host()
            except Malformed as error:
                await self._refuse(scope, send, began, error)
                return
        if scope["method"] == "OPTIONS" and await self._allowed_to_ask(scope, send, began):
            return
        encounter = acted_upon(scope)
        services = self.services
        concurrency = services.concurrency
        if concurrency.under_way >= concurrency.most and scope["path"].startswith(VERSIONED):
            await self._refuse(scope, send, began, Unavailable("overloaded", retry_after=1))
            return
        concurrency.under_way += 1
        try:
            if encounter is None:
                await self._route(scope, receive, send, began)
            else:
                await self._act(scope, receive, send, encounter, began)
        finally:
            concurrency.under_way -= 1

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()

        headers = Headers(scope["headers"])
        scope["state"][REQUEST_ID] = headers.request_id()

        def answered(call: str, status: int) -> None:
            self._record(scope, call, "GET", status, began)

        await serve_socket(scope, receive, send, self.services, answered)

    def turn_away(self, pairs: list[Pair], error: WarlogError) -> HttpResponse:
        """The answer to bytes that did not become a request, for the protocol that read them."""
        services, headers = self.services, Headers(pairs)
        request_id = headers.request_id()
        state = {REQUEST_ID: request_id}
        scope = cast(HTTPScope, {"headers": headers, "path": "", "raw_path": b"", "state": state})
        answer = refused(scope, error, services)
        self._record(scope, _UNKNOWN_CALL, _OTHER, answer.status, time.perf_counter())
        shared = (*services.origins.at_hand(headers), request_id_pair(request_id))
        return replace(answer, shared=shared)

    def handshake_refused(
        self, target: bytes, headers: list[Pair], client: Client | None, state: dict[str, Any]
    ) -> HttpResponse | None:
        """The answer to a handshake that leads to no socket; None if there may be one.

        `state` is that of the request to come. There may be too many to log them one by one: see
        `tell_refused_handshakes`.
        """
        services = self.services
        raw = Headers(headers)
        path, _, query = target.decode("latin-1").partition("?")
        try:
            if not services.handshakes.require_known(unquote(path), query, raw, client):
                state[UNCERTAIN] = True
            return None
        except WarlogError as error:
            request = raw.request_id()
            answer = self._handshake_refusals.answer(error, raw, target, services, request)
        services.measures.answered(SOCKET.id, SOCKET.method, answer.status, 0.0)
        self._handshakes_refused[answer.status] += 1
        return replace(answer, shared=(*answer.shared, request_id_pair(request)))

    def tell_refused_handshakes(self) -> None:
        """Log how many handshakes were refused since this was last called, by status."""
        if self._handshakes_refused:
            counts = {str(status): count for status, count in self._handshakes_refused.items()}
            self._handshakes_refused.clear()
            _log.info("handshakes refused", call=SOCKET.id, counts=counts)

    async def shared(self, scope: HTTPScope) -> tuple[Pair, ...]:
        """The headers by which the page that asked may read the answer; none without a page."""
        origin = headers_of(scope).raw(ORIGIN)
        if origin is None:
            return ()
        who: Principal | None = scope["state"].get(PRINCIPAL)
        tenant = None if who is None else who.tenant
        return await self.services.origins.shared(origin, scope["path"], tenant)

    async def _allowed_to_ask(self, scope: HTTPScope, send: Send, began: float) -> bool:
        """Whether this was a browser's question for a page of a listed origin, now answered."""
        origins = self.services.origins
        granted = await origins.preflight(headers_of(scope), scope["path"])
        if granted is None:
            return False
        await send({"type": "http.response.start", "status": 204, "headers": [*granted, NOSNIFF]})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        self._record(scope, _PREFLIGHT, "OPTIONS", 204, began)
        return True

    async def _refuse(self, scope: HTTPScope, send: Send, began: float, error: WarlogError) -> None:
        """Refuse a request that is not read any further: overload, or a head that is malformed."""
        answer = refused(scope, error, self.services)
        self._record(scope, _UNKNOWN_CALL, _known(scope["method"]), answer.status, began)
        await replace(answer, shared=await self.shared(scope)).send(_recording(scope, send))

    async def _act(
        self,
        scope: HTTPScope,
        receive: Receive,
        send: AnswerSender,
        encounter: str,
        began: float,
    ) -> None:
        """Answer an action, whatever comes of it, by the steps of its route."""
        status, headers, services = _NONE_GIVEN, cast(Headers, scope["headers"]), self.services
        try:
            try:
                await admit(scope, ACT, services)
                answer = await acted(scope, receive, encounter, services)
            except Exception as error:
                answer = refused(scope, error, services)
            status = answer.status
            if ORIGIN in headers.by_name:
                answer = replace(answer, shared=await self.shared(scope))
            at_once: AnswerAtOnce = scope["state"][ANSWER_AT_ONCE]
            if not at_once(scope, answer, send.request_id):
                await answer.send(send.plain, send.request_id)
        except asyncio.CancelledError as cut:
            status = await self._cut_off(cut, scope, send, status)
        finally:
            self._record(scope, ACT.id, ACT.method, status, began)

    async def _route(self, scope: HTTPScope, receive: Receive, send: Send, began: float) -> None:
        method = scope["method"]
        if method == "HEAD":
            # A copy: the server goes by its own and expects no body.
            scope = scope.copy()
            scope["method"] = "GET"
            scope["state"][HEADED] = True
        compressor = Compressor(send, headers_of(scope))
        answer = _Answer(self, scope, method, _recording(scope, compressor.send))
        try:
            await self.application(scope, receive, answer.send)
        except asyncio.CancelledError as cut:
            answer.status = await self._cut_off(cut, scope, send, answer.status)
        finally:
            call = call_of(scope)
            ended = answer.began if call in _STREAMS else None
            self._record(scope, call, _known(method), answer.status, began, ended)

    async def _cut_off(
        self, cut: asyncio.CancelledError, scope: HTTPScope, send: Send, status: int
    ) -> int:
        """Answer a request that is waited for no longer, unless that had begun; its status.

        Raises `cut` if the process does not end.
        """
        services = self.services
        if not services.stopping.is_set():
            raise cut
        if status != _NONE_GIVEN:
            return status
        is_read = scope["method"] in _READS
        error = Unavailable("stopping", retry_after=1) if is_read else OutcomeUnknown()
        answer = refused(scope, error, services)
        shared = services.origins.at_hand(headers_of(scope))
        await replace(answer, shared=shared).send(_recording(scope, send))
        return answer.status

    def _record(
        self,
        scope: Scope,
        call: str,
        method: str,
        status: int,
        began: float,
        ended: float | None = None,
    ) -> None:
        """Count and log a request that is over: by now, if not for long already."""
        seconds = (ended or time.perf_counter()) - began
        span: Span | None = scope["state"].get(SPAN)
        level = logging.DEBUG if call in _QUIET else logging.INFO
        is_logged = _log.is_enabled_for(level)
        if span is not None or is_logged:
            facts: dict[str, str | int] = {
                "call": call,
                "method": method,
                "status": status,
                **_whereabouts(scope),
            }
            if span is not None:
                complete(span, facts)
            if is_logged:
                _log.log(level, "answered", ms=int(seconds * 1000), **facts)
        self.services.measures.answered(call, method, status, seconds)


class _HandshakeRefusals:
    """Refusals of handshakes, each made once: thousands differ in nothing but their request id."""

    def __init__(self) -> None:
        self._answers: dict[tuple[object, ...], HttpResponse] = {}

    def answer(
        self, error: WarlogError, headers: Headers, target: bytes, services: Services, request: str
    ) -> HttpResponse:
        """The answer to this error at this address, in the language asked for."""
        language = headers.raw(b"accept-language")
        what = (error.code, *error.params.items(), language, target)
        answer = self._answers.get(what)
        if answer is None:
            if len(self._answers) >= _MOST_REFUSALS:
                self._answers.clear()
            state = {REQUEST_ID: _NO_REQUEST}
            scope = cast(HTTPScope, {"headers": headers, "raw_path": target, "state": state})
            answer = self._answers[what] = refused(scope, error, services)
        body = answer.body.replace(_REQUEST_LEFT_OUT, f'"request":"{request}"'.encode())
        return replace(answer, body=body)


class _Answer:
    """Passes an answer on, mended on the way; remembers its status and when it began."""

    def __init__(self, edge: Middleware, scope: HTTPScope, method: str, send: Send) -> None:
        self._edge = edge
        self._scope = scope
        self._method = method
        self._send = send
        self.status = _NONE_GIVEN
        self.began: float | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.began = time.perf_counter()
            shared = await self._edge.shared(self._scope)
            message["headers"] = [*self._mended(message["headers"]), NOSNIFF, *shared]
        elif message["type"] == "http.response.body" and self._method == "HEAD":
            message["body"] = b""
        await self._send(message)

    def _mended(self, headers: Iterable[Pair]) -> Iterable[Pair]:
        """The headers with every method of the address, if they name any."""
        if self.status not in _TOLD_METHODS:
            return headers
        kept = [pair for pair in headers if pair[0].lower() != b"allow"]
        allowed = [pair for pair in headers if pair[0].lower() == b"allow"]
        if not allowed:
            return kept
        by_origin = (_BY_ORIGIN,) if self.status == 204 else ()
        return [*kept, (b"allow", self._allowed(allowed)), *by_origin]

    def _allowed(self, headers: Iterable[Pair]) -> bytes:
        """Every method of the address; a route by itself only knows its own."""
        named = b",".join(value for _, value in headers)
        methods = {word.strip() for word in named.decode().split(",")} - {""}
        template = dict(self._scope).get("path_template")
        for route in self._edge.application.routes:
            if route.path_format == template:
                methods |= set(getattr(route, "methods", ()))
        if "GET" in methods:
            methods.add("HEAD")
        return ", ".join(sorted(methods)).encode()


def acted_upon(scope: HTTPScope) -> str | None:
    """The encounter of a plain action; None for whatever the router has to look at."""
    if scope["method"] != ACT.method:
        return None
    address = _ACTIONS.fullmatch(scope["path"])
    host = cast(Headers, scope["headers"]).by_name.get(b"host")
    has_plain_host = host is None or _HOST.fullmatch(host) is not None
    return address[1] if address is not None and has_plain_host else None


def _recording(scope: HTTPScope, send: Send) -> Send:
    """Sends an answer; a refusal as a record, if the request asks for that."""
    return RefusalRecord(send).send if asks_for_records(scope) else send


def _whereabouts(scope: Scope) -> dict[str, str]:
    """Facts of a request for its log line: id, tenant, encounter, address of the client."""
    state = scope["state"]
    facts = {"request": str(state[REQUEST_ID])}
    who: Principal | None = state.get(PRINCIPAL)
    if who is not None:
        facts["tenant"] = str(who.tenant)
    encounter = _ENCOUNTER.match(scope["path"])
    if encounter is not None:
        facts["encounter"] = encounter[1].lower()
    client = scope.get("client")
    if client is not None:
        facts["client"] = client[0]
    return facts


def _known(method: str) -> str:
    """A method as it is counted and logged."""
    return method if method in _METHODS else _OTHER


def call_of(scope: Scope) -> str:
    """The id of the call that a request came to, `none` if the address is unknown."""
    handler = dict(scope).get("route_handler")
    call = handler.opt.get(CALL_OPTION) if isinstance(handler, BaseRouteHandler) else None
    return call.id if isinstance(call, Call) else _UNKNOWN_CALL
