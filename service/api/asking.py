"""What a request asks, read from its parts; every route starts here."""

import re
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Receive

from service.api import headers
from service.api.calls import Call
from service.api.language import media_type_of
from service.api.query import Query
from service.api.reading import read_object, require_json, require_length
from service.api.rooms import Rooms, rooms_of
from service.encounters import access
from service.encounters.access import not_found
from service.encounters.principal import Principal
from service.errors import Malformed, NotAcceptable, NotFound, TooLarge

Ask = Request[Any, Any, Any]
"""A request; its untyped halves (user, auth, state) are not used."""

CALL_OPTION: Final = "call"

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SEQ: Final = re.compile(r"[1-9][0-9]{0,14}")
_SHOWN: Final = 60


async def admit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Let in who may call, with parameters that can be read; the guard of every route.

    Raises Unauthenticated, Forbidden, Malformed, NotAcceptable.
    """
    call: Call = handler.opt[CALL_OPTION]
    scope = connection.scope
    raw = scope["headers"]
    if access.ROUTES[call.id] != "open":
        keys = rooms_of(connection.app).keys
        who = await keys.principal(headers.header(raw, "authorization"), headers.seat(raw))
        access.require_scope(who, call.id)
        scope["state"]["principal"] = who
    if call.is_open:
        return
    media_type = media_type_of(headers.header(raw, "accept"), call.media_types)
    if media_type is None:
        raise NotAcceptable(allowed=list(call.media_types))
    scope["state"]["media_type"] = media_type
    scope["state"]["query"] = Query(scope["query_string"], call.query)


def principal_of(request: Ask) -> Principal:
    """Who `admit` let in."""
    who: Principal = request.scope["state"]["principal"]
    return who


def query_of(request: Ask) -> Query:
    """The query parameters that `admit` read."""
    query: Query = request.scope["state"]["query"]
    return query


def media_type_asked(request: Ask) -> str:
    """The media type that `admit` settled on."""
    return str(request.scope["state"]["media_type"])


def rooms_behind(request: Ask) -> Rooms:
    """The rooms that do the work."""
    return rooms_of(request.app)


def encounter_id(text: str) -> UUID:
    """The id in an address. Raises NotFound, as for an encounter that does not exist."""
    if not _UUID.fullmatch(text):
        raise not_found(text[:_SHOWN])
    return UUID(text)


def event_seq(text: str) -> int:
    """The seq in an address. Raises NotFound, as for an event that does not exist."""
    if not _SEQ.fullmatch(text):
        raise NotFound("unknown_event", seq=text[:_SHOWN])
    return int(text)


async def tree_of(request: Ask) -> dict[str, object]:
    """The JSON object that is the body.

    Raises Malformed, TooLarge, UnsupportedMedia.
    """
    limits = rooms_behind(request).limits
    raw = request.scope["headers"]
    require_length(headers.header(raw, "content-length"), limits.body_bytes)
    content_type = headers.header(raw, "content-type")
    if content_type is not None:
        require_json(content_type, headers.header(raw, "content-encoding"))
    body = await bytes_of(request.receive, limits.body_bytes)
    if body and content_type is None:
        require_json(None, None)
    return read_object(body, limits.json_depth)


async def bytes_of(receive: Receive, limit: int) -> bytes:
    """The body, given up as soon as it is longer than `limit` bytes.

    Raises TooLarge; Malformed if the client went away, who will not read it.
    """
    chunks: list[bytes] = []
    left = limit
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Malformed(path="$", why="protocol")
        chunk = message.get("body", b"")
        left -= len(chunk)
        if left < 0:
            raise TooLarge(limit=limit)
        chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks)
