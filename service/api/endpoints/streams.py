"""Following encounters live, and the tickets that browsers need for it."""

from litestar import Response
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.api.authentication import digest_of
from service.api.call import AFTER, LAST_EVENT_ID
from service.api.event_additions import additions_in
from service.api.headers import headers_of
from service.api.query_parameters import Text
from service.api.request import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    reader_of,
    route,
    services_behind,
)
from service.api.response import encoded
from service.api.streaming.calls import (
    CREATE_TICKET,
    LAST_VECTOR,
    SEVERAL,
    SOCKET,
    STREAM,
    STREAM_MANY,
    VECTOR,
    cursor_in,
)
from service.api.streaming.event_stream import EventStream
from service.api.streaming.framing import read_vector
from service.api.streaming.writers import EventSink, VectorSink
from service.api.tickets import TicketAnswer
from service.encounters.clock_and_ids import recorded
from service.errors import UpgradeRequired
from service.live.sinks import Sink, Subscription


@route(STREAM)
async def stream(request: Ask, encounter: FromPath[str]) -> ASGIApp:
    """One encounter, as server-sent events."""
    services, who = services_behind(request), reader_of(request)
    number, after = encounter_id(encounter), _cursor(request, AFTER, LAST_EVENT_ID)

    hub = services.encounters.hub
    additions = additions_in(query_of(request))

    async def follow(sink: Sink) -> Subscription:
        if additions.is_any:
            return await hub.follow_extended(who, number, after, sink, additions)
        return await hub.follow(who, number, after, sink)

    return EventStream(services, who, EventSink(), follow)


@route(STREAM_MANY)
async def stream_many(request: Ask) -> ASGIApp:
    """Several encounters, as server-sent events."""
    services, who = services_behind(request), principal_of(request)
    several = query_of(request).text(SEVERAL).split(",")
    vector = _cursor(request, VECTOR, LAST_VECTOR)
    positions = {} if vector is None else read_vector(vector, VECTOR.name)
    cursors = {number: positions.get(number) for number in map(encounter_id, several)}
    additions = additions_in(query_of(request))

    async def follow(sink: Sink) -> Subscription:
        return await services.encounters.hub.follow_many(who, cursors, sink, additions)

    return EventStream(services, who, VectorSink(cursors), follow)


@route(SOCKET)
async def socket(request: Ask, encounter: FromPath[str]) -> None:
    """A GET of the socket's address without an upgrade; `streaming.websocket` serves sockets.

    Raises NotFound, UpgradeRequired.
    """
    services, who = services_behind(request), reader_of(request)
    await services.encounters.reads.stored(who, encounter_id(encounter))
    raise UpgradeRequired(allowed=["websocket"])


@route(CREATE_TICKET)
async def create_ticket(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A ticket for the streams of one encounter."""
    services, who = services_behind(request), principal_of(request)
    number = encounter_id(encounter)
    await services.encounters.reads.stored(who, number)
    digest = digest_of(headers_of(request.scope).value("authorization"))
    # A seat by its own token is known by that; a key says for whom it asks.
    seat = who.acting_for if who.key_id is not None else None
    shown, ticket = services.tickets.issue(digest, seat, number)
    answer = TicketAnswer(ticket=shown, expires_at=recorded(ticket.expires_at))
    return encoded(answer, status=201, extra={"Cache-Control": "no-store"})


def _cursor(request: Ask, after: Text, last: Text) -> str | None:
    """Where the client is: what its browser remembers wins over the address."""
    remembered = headers_of(request.scope).last_event_id(after.pattern, after.form)
    return remembered or cursor_in(query_of(request), after, last)
