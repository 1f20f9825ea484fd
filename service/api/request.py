"""What a request asks, read from its parts; every route starts here."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, cast
from uuid import UUID

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.types import Receive
from litestar.types.asgi_types import HTTPScope
from msgspec.structs import replace

from service.api.call import AFTER, TICKET, VIEW, Call
from service.api.headers import JSON_TYPE, Headers, headers_of
from service.api.limits.client_address import sender_of
from service.api.negotiation import media_type_of
from service.api.query_parameters import Query
from service.api.services import SERVICES_KEY, Services
from service.api.strict_json import read_object
from service.api.tickets import Ticket
from service.encounters import access
from service.encounters.access import not_found
from service.encounters.clock_and_ids import recorded
from service.encounters.cursors import is_event_of
from service.encounters.principal import Principal
from service.errors import (
    Malformed,
    NotAcceptable,
    NotFound,
    TooLarge,
    Unauthenticated,
    UnsupportedMedia,
)

Ask = Request[Any, Any, Any]
"""A request; its untyped halves (user, auth, state) are not used."""

CALL_OPTION: Final = "call"

REQUEST_ID: Final = "request_id"
"""In the state of a request: its id."""

PRINCIPAL: Final = "principal"
"""In the state of a request: the caller, once there is one."""

BROKEN_OFF: Final = "broken_off"
"""In the state of a request: the error why the rest of its body will not come."""

BODY_AT_ONCE: Final = "body_at_once"
"""In the state of a request: `BodyAtOnce` of its connection."""

RECEIPT_SECONDS: Final = "receipt_seconds"
"""In the state of a request: how long it may take to come whole, if longer than others."""

BodyAtOnce = Callable[[HTTPScope], bytes | None]
"""Takes the body of a request if all of it is here; None if it has to be received."""

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SEQ: Final = re.compile(r"[1-9][0-9]{0,14}")
_SHOWN: Final = 60
_NO_QUERY: Final = Query(b"", ())
_ID_AT: Final = 3
"""Where the id of an encounter is in an address."""


def route(call: Call) -> HTTPRouteHandler:
    """The decorator of the function that answers a call."""
    return HTTPRouteHandler(
        path=call.path,
        http_method=call.method,
        name=call.id,
        guards=[guard],
        opt={CALL_OPTION: call},
        status_code=call.answers[0].status,
        include_in_schema=False,
    )


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """`admit` for the router: the guard of every route."""
    scope, services = cast(HTTPScope, connection.scope), services_of(connection.app)
    await admit(scope, handler.opt[CALL_OPTION], services)


async def admit(scope: HTTPScope, call: Call, services: Services) -> None:
    """Let in who may call, with parameters that can be read.

    Raises Unauthenticated, TooMany, Forbidden, Malformed, NotAcceptable.
    """
    headers = headers_of(scope)
    accept = headers.value("accept")
    if access.ROUTES[call.id] is not access.OPEN:
        authorization = headers.value("authorization")
        if authorization is None and call.takes_tickets:
            who = await _ticket_holder(scope, call, services)
        else:
            who = await services.keys.principal(authorization, headers.seat())
        scope["state"][PRINCIPAL] = who
        services.rates.count(who)
        if not call.takes_seat:
            _require_no_seat(headers)
        access.require_scope(who, call.id)
    elif not call.is_open and not call.takes_seat:
        _require_no_seat(headers)
    if call.is_open:
        return
    if call.media_types:
        scope["state"]["media_type"] = _accepted(accept, call.media_types)
    if call.query or scope["query_string"]:
        scope["state"]["query"] = Query(scope["query_string"], call.query)


def _require_no_seat(headers: Headers) -> None:
    """A seat is named only where there is an encounter that it can be one of. Raises Malformed."""
    if headers.seat() is not None:
        raise Malformed(path="header.warlog-seat", why="unknown_parameter")


def _accepted(accept: str | None, offers: tuple[str, ...]) -> str:
    """The media type on offer that a client likes best. Raises NotAcceptable."""
    if accept in {None, "*/*", offers[0]}:
        return offers[0]
    media_type = media_type_of(accept, offers)
    if media_type is None:
        raise NotAcceptable(allowed=list(offers))
    return media_type


async def _ticket_holder(scope: HTTPScope, call: Call, services: Services) -> Principal:
    """The caller who was given the ticket in the address.

    Raises Unauthenticated without one, for one that is not good, and for another encounter's.
    """
    shown = Query(scope["query_string"], call.query).text_or_none(TICKET)
    if shown is None:
        raise Unauthenticated(presented=False)
    ticket = services.tickets.opened(shown)
    if encounter_id(scope["path"].split("/")[_ID_AT]) != ticket.encounter:
        raise Unauthenticated(presented=True)
    if services.tickets.is_over(ticket):
        await _require_stream_was_had(scope, call, ticket, services)
    return await services.keys.principal_of(ticket.digest, ticket.seat)


async def _require_stream_was_had(
    scope: HTTPScope, call: Call, ticket: Ticket, services: Services
) -> None:
    """A ticket that is over does for a browser that connects again to the stream it had.

    It names an event by seq and hash, which only a reader of the stream knows. Raises TooMany, and
    Unauthenticated with the moment since which the ticket is over.
    """
    over = Unauthenticated(presented=True, expired_at=recorded(ticket.expires_at))
    if "last_event_id" not in call.headers or services.tickets.is_forgotten(ticket):
        raise over
    cursor = headers_of(scope).last_event_id(AFTER.pattern, AFTER.form)
    if cursor is None:
        raise over
    services.tickets.resumed.count(ticket.digest.hex())
    if not await is_event_of(services.encounters.reads.store.log, ticket.encounter, cursor):
        raise over
    services.tickets.resumed.refund(ticket.digest.hex())


def principal_of(request: Ask) -> Principal:
    """Who `admit` let in."""
    return principal_in(request.scope)


def principal_in(scope: HTTPScope) -> Principal:
    """Who `admit` let in."""
    who: Principal = scope["state"][PRINCIPAL]
    return who


def reader_in(scope: HTTPScope) -> Principal:
    """Who `admit` let in, reading what the seat sees that `view` names, if any."""
    who, query = principal_in(scope), cast(Query, scope["state"]["query"])
    seat = query.text_or_none(VIEW)
    return who if seat is None else replace(who, viewing=seat)


def reader_of(request: Ask) -> Principal:
    """Who `admit` let in, reading what the seat sees that `view` names, if any."""
    return reader_in(request.scope)


def query_of(request: Ask) -> Query:
    """The query parameters that `admit` read."""
    query: Query = request.scope["state"].get("query", _NO_QUERY)
    return query


def media_type_asked(request: Ask) -> str:
    """The media type that `admit` settled on."""
    return str(request.scope["state"]["media_type"])


def services_of(application: Litestar) -> Services:
    """The rooms of a running application."""
    services: Services = application.state[SERVICES_KEY]
    return services


def services_behind(request: Ask) -> Services:
    """The rooms that do the work."""
    return services_of(request.app)


def encounter_id(text: str) -> UUID:
    """The id in an address. Raises NotFound, as for an encounter that does not exist."""
    if not _UUID.fullmatch(text):
        raise not_found(text[:_SHOWN])
    return _uuid(text)


_uuid: Final = lru_cache(maxsize=512)(UUID)
"""The same encounter is asked for again and again."""


def event_seq(text: str) -> int:
    """The seq in an address. Raises NotFound, as for an event that does not exist."""
    if not _SEQ.fullmatch(text):
        raise NotFound("unknown_event", seq=text[:_SHOWN])
    return int(text)


async def tree_of(request: Ask, limit: int | None = None) -> dict[str, object]:
    """The JSON object that is the body. Raises what `tree_in` raises."""
    return await tree_in(request.scope, request.receive, services_behind(request), limit)


async def tree_in(
    scope: HTTPScope, receive: Receive, services: Services, limit: int | None = None
) -> dict[str, object]:
    """The JSON object that is the body, of at most `limit` bytes if that is less than usual.

    Raises Malformed, TooLarge, UnsupportedMedia, RequestTimeout, TooMany, Unavailable.
    """
    headers = headers_of(scope)
    most = min(limit or services.limits.body_bytes, services.limits.body_bytes)
    headers.require_length(most)
    is_typed = headers.names_json()
    at_once: BodyAtOnce = scope["state"][BODY_AT_ONCE]
    body = at_once(scope)
    if body is None:
        body = await _received(scope, receive, services, most)
    if len(body) > most:
        raise TooLarge(limit=most)
    if body and not is_typed:
        raise UnsupportedMedia(header="Content-Type", allowed=JSON_TYPE)
    return read_object(body, services.limits.json_depth)


async def _received(scope: HTTPScope, receive: Receive, services: Services, most: int) -> bytes:
    """The body as it comes, part by part, until it is whole or longer than `most` bytes.

    Raises RequestTimeout, TooMany, Unavailable; Malformed if the client went away.
    """
    chunk, is_last = await next_chunk(scope, receive)
    if is_last:
        return chunk
    who: Principal | None = scope["state"].get(PRINCIPAL)
    account = sender_of(scope["client"]) if who is None else str(who.key_id or who.account)
    with services.unfinished_bodies.body(account) as held:
        chunks, length = [chunk], len(chunk)
        while not is_last and length <= most:
            held.grow(len(chunks[-1]))
            chunk, is_last = await next_chunk(scope, receive)
            chunks.append(chunk)
            length += len(chunk)
    return b"".join(chunks)


async def next_chunk(scope: HTTPScope, receive: Receive) -> tuple[bytes, bool]:
    """The next part of the body, and whether it is the last.

    Raises what the connection says is wrong with it (`BROKEN_OFF`); Malformed if the client went
    away, who will not read it.
    """
    message = await receive()
    if BROKEN_OFF in scope["state"]:
        raise scope["state"][BROKEN_OFF]
    if message["type"] != "http.request":
        raise Malformed(path="$", why="protocol")
    return message.get("body", b""), not message.get("more_body", False)
