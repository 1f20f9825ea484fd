"""The calls that streams are asked for by, and the cursor in their addresses."""

from typing import Final

from service.api.call import (
    AFTER,
    ENCOUNTER_PATH,
    EVENT_STREAM,
    JSON,
    LAST_EVENT_ID,
    NARRATE,
    NOTES,
    READING,
    SCENE,
    STATE,
    TICKET,
    UUID_FORM,
    VIEW,
    Call,
    CallAnswer,
)
from service.api.query_parameters import Query, Text
from service.api.streaming.framing import VECTOR_FORM, VECTOR_PATTERN
from service.api.streaming.refusal_records import REFUSALS
from service.live.hub import MOST_ENCOUNTERS

SEVERAL: Final = Text(
    name="encounters",
    says=f"Ids of the encounters, up to {MOST_ENCOUNTERS}, with commas between them.",
    pattern=f"{UUID_FORM}(,{UUID_FORM}){{0,{MOST_ENCOUNTERS - 1}}}",
    form="id,id,...",
    is_required=True,
)
VECTOR: Final = Text(
    name="after",
    says="Events behind these: the id of an event of an earlier stream.",
    pattern=VECTOR_PATTERN,
    form=VECTOR_FORM,
)
LAST_VECTOR: Final = Text(
    name=LAST_EVENT_ID.name,
    says=LAST_EVENT_ID.says,
    pattern=f"({VECTOR_PATTERN})?",
    form=VECTOR_FORM,
)

STREAM: Final = Call(
    id="stream",
    path=f"{ENCOUNTER_PATH}/stream",
    tag="streams",
    summary="Follow an encounter live: server-sent events",
    says=(
        "Events from now on, or from behind `after`; never one twice, never one missing. The first"
        " event is `hello`, then come `event`, `heartbeat` (every 10 seconds), `presence` and"
        " `timers`; after 4 seconds of silence a comment line comes; before the service closes the"
        " stream it says `bye` or `resync`. The `id` of an event is the cursor behind it:"
        " `Last-Event-ID`, which browsers send by themselves, wins over `lastEventId`, and that"
        " over `after`. What the events hold is described in the AsyncAPI document.\n\n"
        "With `state=patch` the client keeps the document `{decisions, state, table}`, which is"
        " what `GET .../{encounter}` tells, from the stream alone: without a cursor `hello` brings"
        " it, with one its SHA-256 at the cursor; each `event` brings a JSON Patch (RFC 6902)."
        " Where rights changed, parts were opened or text was erased, and behind more than 64"
        " missed events, `resync` brings the whole document, and the stream goes on. `scene=patch`"
        " adds `scene` to the document. With `narrate` each `event` is told in words."
    ),
    query=(AFTER, LAST_EVENT_ID, STATE, SCENE, NARRATE, NOTES, VIEW, TICKET, REFUSALS),
    headers=("seat", "last_event_id"),
    answers=(CallAnswer(status=200, says="The stream.", content={EVENT_STREAM: "Text"}),),
    problems=(*READING, 409),
)


STREAM_MANY: Final = Call(
    id="stream_many",
    path="/v1/stream",
    tag="streams",
    summary="Follow several encounters of a key's tenant in one stream",
    says=(
        "As `stream`, for keys. The `id` of an event says where the client stands in all of the"
        " encounters; one that it does not name is followed from now on. With `state=patch` a"
        " document is kept of each: of an encounter that the id names its `hello` has the SHA-256,"
        " of another one the document."
    ),
    query=(SEVERAL, VECTOR, LAST_VECTOR, STATE, SCENE, NARRATE, NOTES, REFUSALS),
    headers=("last_event_id",),
    answers=(CallAnswer(status=200, says="The stream.", content={EVENT_STREAM: "Text"}),),
    problems=(*READING, 409),
)


SOCKET: Final = Call(
    id="socket",
    path=f"{ENCOUNTER_PATH}/socket",
    tag="streams",
    summary="Follow an encounter live: a WebSocket",
    says=(
        "The records of `stream` as text frames, each with its `id` if it has one. The service"
        " reads nothing from it. Who shows neither a good token nor a ticket of this service is"
        " answered with HTTP. Any other socket that is refused, also for a ticket that is over, is"
        " opened all the same, since browsers tell their pages nothing of a refused handshake: told"
        ' `{"type": "problem", "problem": {...}}` and closed with 4000 + status: 4400, 4401, 4403,'
        " 4404, 4409, 4429, 4503. Otherwise it closes with 1001 when the process ends, 1013 behind"
        " `resync`, 4401 once the token is revoked, 4404 once the encounter is deleted, 1011 if"
        " something went wrong here."
    ),
    query=(AFTER, LAST_EVENT_ID, STATE, SCENE, NARRATE, NOTES, VIEW, TICKET),
    headers=("seat",),
    answers=(CallAnswer(status=101, says="The socket is open.", content={}),),
    problems=(400, 401, 403, 404, 426, 429, 503),
)


CREATE_TICKET: Final = Call(
    id="create_ticket",
    method="POST",
    path=f"{ENCOUNTER_PATH}/tickets",
    tag="streams",
    summary="A ticket for browsers, which cannot send a header with a stream",
    says=(
        "Good for the stream and the socket of this encounter, as `?ticket=`, for 300 seconds and"
        " no longer than the token that asks; a stream that is open by then goes on. A browser that"
        " lost its stream comes back with the address it had: up to 24 hours later the ticket still"
        " does for the stream if `Last-Event-ID` names an event of this log by its hash. So no"
        " proxy should log query strings (`/docs/hidden`)."
    ),
    headers=("seat",),
    answers=(CallAnswer(status=201, says="The ticket.", content={JSON: "TicketAnswer"}),),
    problems=READING,
)


def cursor_in(query: Query, after: Text, last: Text) -> str | None:
    """The cursor in an address: a client that keeps its first one adds `last` to its `after`."""
    return query.text_or_none(last) or query.text_or_none(after)
