"""Following encounters live, and the tickets that browsers need for it."""

from litestar import Response
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.api import calls, headers
from service.api.authentication import digest_of
from service.api.query_parameters import Text
from service.api.request import Ask, encounter_id, principal_of, query_of, services_behind
from service.api.response import encoded
from service.api.routes.serving import serving
from service.api.streaming.event_stream import EventStream
from service.api.streaming.framing import read_vector
from service.api.streaming.tickets import TicketAnswer
from service.api.streaming.writers import EventSink, VectorSink
from service.encounters.clock_and_ids import recorded
from service.errors import UpgradeRequired
from service.live.sinks import Sink, Subscription


@serving(calls.STREAM)
async def stream(request: Ask, encounter: FromPath[str]) -> ASGIApp:
    """One encounter, as server-sent events."""
    services, who = services_behind(request), principal_of(request)
    wanted, after = encounter_id(encounter), _cursor(request, calls.AFTER)

    async def follow(sink: Sink) -> Subscription:
        return await services.encounters.hub.follow(who, wanted, after, sink)

    return EventStream(services, who, EventSink(), follow)


@serving(calls.STREAM_MANY)
async def stream_many(request: Ask) -> ASGIApp:
    """Several encounters, as server-sent events."""
    services, who = services_behind(request), principal_of(request)
    several = query_of(request).text(calls.SEVERAL).split(",")
    vector = _cursor(request, calls.VECTOR)
    known = {} if vector is None else read_vector(vector, calls.VECTOR.name)
    cursors = {wanted: known.get(wanted) for wanted in map(encounter_id, several)}

    async def follow(sink: Sink) -> Subscription:
        return await services.encounters.hub.follow_many(who, cursors, sink)

    return EventStream(services, who, VectorSink(cursors), follow)


@serving(calls.SOCKET)
async def socket(request: Ask, encounter: FromPath[str]) -> None:
    """A socket that was asked for without an upgrade; see `streaming.websocket` for the others.

    Raises NotFound, UpgradeRequired.
    """
    services, who = services_behind(request), principal_of(request)
    await services.encounters.reads.stored(who, encounter_id(encounter))
    raise UpgradeRequired(allowed=["websocket"])


@serving(calls.CREATE_TICKET)
async def create_ticket(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A ticket for the streams of one encounter."""
    services, who = services_behind(request), principal_of(request)
    wanted = encounter_id(encounter)
    await services.encounters.reads.stored(who, wanted)
    digest = digest_of(headers.header(request.scope["headers"], "authorization"))
    # A seat by its own token is known by that; a key says for whom it asks.
    seat = who.acting_for if who.key_id is not None else None
    shown, ticket = services.tickets.issue(digest, seat, wanted)
    answer = TicketAnswer(ticket=shown, expires_at=recorded(ticket.expires_at))
    return encoded(answer, status=201, extra={"Cache-Control": "no-store"})


def _cursor(request: Ask, parameter: Text) -> str | None:
    """Where the client is: what its browser remembers wins over the address."""
    raw = request.scope["headers"]
    remembered = headers.last_event_id(raw, parameter.pattern, parameter.form)
    return remembered or query_of(request).text_or_none(parameter)
