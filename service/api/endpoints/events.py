"""The log: a page, lines, a long poll, one event."""

import asyncio
import contextlib
from functools import partial
from typing import Final

import msgspec
from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api.call import (
    AFTER,
    ENCOUNTER_PATH,
    JSON,
    NARRATE,
    NDJSON,
    NOTES,
    READING,
    SCENE,
    STATE,
    TEXT,
    VIEW,
    Call,
    CallAnswer,
)
from service.api.event_additions import additions_in, stated_language
from service.api.explanation_page import page_of
from service.api.query_parameters import Text, Whole
from service.api.request import (
    Ask,
    encounter_id,
    event_seq,
    media_type_asked,
    query_of,
    reader_of,
    route,
    services_behind,
)
from service.api.response import encoded, language_asked, plain
from service.api.services import Services
from service.encounters.explanations import explained_event
from service.encounters.principal import Principal
from service.encounters.responses import EventPage

EVENTS_LIMIT: Final = Whole(
    name="limit",
    says="How many at most; the service may give fewer.",
    least=1,
    most=10_000,
    default=100,
)
WAIT: Final = Whole(
    name="wait",
    says="Seconds to wait for the next event when there is none yet; the service may wait less.",
    least=0,
    most=300,
    default=0,
)

LIST_EVENTS: Final = Call(
    id="list_events",
    path=f"{ENCOUNTER_PATH}/events",
    tag="log",
    summary="Events behind a cursor: a page, a stream of lines, or a long poll",
    says=(
        "With `state=patch` each event has a JSON Patch that leads from the document"
        " `{decisions, state, table}` before it, which is what `GET .../{encounter}?at=` tells, to"
        " the one behind it; of event 1 from `{}`. `scene=patch` adds"
        " `scene` to the document. With `narrate` each event is told in words. A page with any of"
        " these holds at most 64 events and counts as a preview."
    ),
    query=(AFTER, EVENTS_LIMIT, WAIT, STATE, SCENE, NARRATE, NOTES, VIEW),
    headers=("seat",),
    answers=(
        CallAnswer(
            status=200,
            says="The events, `application/x-ndjson` with one to a line.",
            content={JSON: "EventPage", NDJSON: "EventRecord"},
            headers=(
                "Warlog-Next",
                "Warlog-Head",
                "RateLimit-Limit",
                "RateLimit-Remaining",
                "RateLimit-Reset",
            ),
        ),
    ),
    problems=(*READING, 409),
)


@route(LIST_EVENTS)
async def list_events(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Events behind a cursor; with `wait` the next one is waited for."""
    services = services_behind(request)
    who, query = reader_of(request), query_of(request)
    number, after = encounter_id(encounter), query.text_or_none(AFTER)
    limit = min(query.whole(EVENTS_LIMIT), services.limits.events_per_page)
    reads = services.encounters.reads
    extra: dict[str, str] = {}
    read_page = reads.events
    additions = additions_in(query)
    if additions.is_any:
        read_page = partial(reads.extended_events, additions=additions)
        extra = {**services.previews.take(who.account).headers()}
    page = await read_page(who, number, after, limit)
    seconds = min(query.whole(WAIT), services.limits.wait_seconds)
    if not page.events and seconds and not services.stopping.is_set():
        with services.concurrency.aside():
            await _news(services, who, encounter, after, seconds)
        page = await read_page(who, number, after, limit)
    extra |= {"Warlog-Next": page.next, "Warlog-Head": str(page.head)}
    if media_type_asked(request) == NDJSON:
        return plain(_lines(page), NDJSON, extra=extra)
    return encoded(page, extra=extra)


EXPLAIN: Final = Text(
    name="explain",
    says="Adds `explanation`, in English or Russian; `true`, or nothing, in the language that"
    " `Accept-Language` likes best. `text/plain` is explained in any case.",
    pattern=r"(en|ru|true)?",
    form="en | ru | true",
)

READ_EVENT: Final = Call(
    id="read_event",
    path=f"{ENCOUNTER_PATH}/events/{{seq:str}}",
    tag="log",
    summary="One event",
    says=(
        "Of a `rewind` also what it undid and whose it was, and what it brought back where it went"
        " forward again (`undoing`): how many events, and the last hundred of them. Pages, streams"
        " and answers to actions leave it out, and the stored event does not have it: what is told"
        " of each event follows from the rights that the reader had then, and all of it was in the"
        " log before. Whoever has that finds it there: an event continues the one that its `base`"
        " names, so an event counts that is met on the way from the head from `base` to `base`."
        " Undone is what is met from the event before the rewind and not from its `base`, restored"
        " what is met from its `base` alone. Of any event `undone_by` is the rewind since which it"
        " does not count at the head.\n\n"
        "With `explain` it comes with its explanation: a few sentences that tell it, what was asked"
        " for, every fact that the caller may know with the facts and modifiers that made it, each"
        " with the text of its rule and the phrase of the rulebook, suppressed ones with their"
        " reason, and the dice. While the seed is sealed a die is named by stream and number alone;"
        " once it is revealed also the key, and for each die the bytes of its stream that it reads,"
        " so that one HMAC draws it again. It says whether the event was rewound, overruled or"
        " erased. All of it follows from what the caller may see of this event."
    ),
    query=(EXPLAIN, VIEW),
    headers=("seat",),
    answers=(
        CallAnswer(
            status=200,
            says="The event, `text/plain` its dispute page.",
            content={JSON: "EventRecord", TEXT: "ExplanationPage"},
        ),
    ),
    problems=READING,
)


@route(READ_EVENT)
async def read_event(request: Ask, encounter: FromPath[str], seq: FromPath[str]) -> Response[bytes]:
    """One event, explained if that is asked for; as text it always is."""
    reads = services_behind(request).encounters.reads
    who, number = reader_of(request), encounter_id(encounter)
    wanted, is_page = query_of(request).text_or_none(EXPLAIN), media_type_asked(request) == TEXT
    if wanted is None and not is_page:
        return encoded(await reads.event(who, number, event_seq(seq)))
    language = stated_language(query_of(request), EXPLAIN) or language_asked(request.scope)
    record = await explained_event(reads, who, number, event_seq(seq), language)
    spoken = {"Content-Language": language}
    if not is_page or record.explanation is UNSET:
        return encoded(record, extra=spoken)
    page = page_of(record, record.explanation, str(number))
    return plain(page.encode(), TEXT, extra=spoken)


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
