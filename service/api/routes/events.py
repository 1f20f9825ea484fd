"""The log: a page, lines, a long poll, one event."""

import asyncio
import contextlib

import msgspec
from litestar import Response
from litestar.params import FromPath

from service.api import calls
from service.api.request import (
    Ask,
    encounter_id,
    event_seq,
    media_type_asked,
    principal_of,
    query_of,
    services_behind,
)
from service.api.response import encoded, plain
from service.api.routes.serving import serving
from service.api.services import Services
from service.encounters.principal import Principal
from service.encounters.responses import EventPage


@serving(calls.LIST_EVENTS)
async def list_events(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Events behind a cursor; with `wait` the next one is waited for."""
    services = services_behind(request)
    who, query = principal_of(request), query_of(request)
    wanted, after = encounter_id(encounter), query.text_or_none(calls.AFTER)
    limit = min(query.whole(calls.EVENTS_LIMIT), services.limits.events_per_page)
    page = await services.encounters.reads.events(who, wanted, after, limit)
    seconds = min(query.whole(calls.WAIT), services.limits.wait_seconds)
    if not page.events and seconds and not services.stopping.is_set():
        with services.crowd.aside():
            await _news(services, who, encounter, after, seconds)
        page = await services.encounters.reads.events(who, wanted, after, limit)
    extra = {"Warlog-Next": page.next, "Warlog-Head": str(page.head)}
    if media_type_asked(request) == calls.NDJSON:
        return plain(_lines(page), calls.NDJSON, extra=extra)
    return encoded(page, extra=extra)


@serving(calls.READ_EVENT)
async def read_event(request: Ask, encounter: FromPath[str], seq: FromPath[str]) -> Response[bytes]:
    """One event."""
    encounters = services_behind(request).encounters
    who, wanted = principal_of(request), encounter_id(encounter)
    return encoded(await encounters.reads.event(who, wanted, event_seq(seq)))


async def _news(
    services: Services, who: Principal, encounter: str, after: str | None, seconds: int
) -> None:
    """Wait for an event behind the cursor, until the time is up or the process ends."""
    waiting = asyncio.ensure_future(
        services.encounters.wait(who, encounter_id(encounter), after, seconds)
    )
    ending = asyncio.ensure_future(services.stopping.wait())
    try:
        await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            waiting.result()
    finally:
        for task in (waiting, ending):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def _lines(page: EventPage) -> bytes:
    return b"".join(msgspec.json.encode(event) + b"\n" for event in page.events)
