"""Every call of the service, declared once.

The routes are made from this table, the query parameters are read against it, and the OpenAPI
document is built from it. Ids are those of `encounters.access`, which says who may call.
"""

from typing import Final, Literal

from msgspec import Struct

from service.api.query_parameters import Parameter, Text, Whole
from service.api.streaming.framing import VECTOR_FORM, VECTOR_PATTERN
from service.api.streaming.tickets import TICKET_PATTERN
from service.engine.vocabulary.client_ids import ID_FORM
from service.live.hub import MOST_ENCOUNTERS

Method = Literal["GET", "POST", "PATCH", "DELETE"]
HeaderName = Literal["seat", "key", "key_required", "if_match", "if_none_match", "last_event_id"]

VERSIONED: Final = "/v1/"

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
OPENMETRICS: Final = "application/openmetrics-text"
EVENT_STREAM: Final = "text/event-stream"
SVG: Final = "image/svg+xml"
TEXT: Final = "text/plain"

LARGEST_SEQ: Final = 2**31 - 1
ENCOUNTERS_PER_PAGE: Final = 100
BATTLES_PER_PAGE: Final = 50
SAMPLES: Final = 50


class Given(Struct, frozen=True, kw_only=True):
    """A body that a call answers with: the name of its schema, by media type.

    `headers` are names from `openapi.headers`.
    """

    status: int
    says: str
    content: dict[str, str]
    headers: tuple[str, ...] = ()


class Call(Struct, frozen=True, kw_only=True):
    """One call: `body` names the schema of what it takes, `problems` the statuses it may refuse.

    `path` is as Litestar writes it. `media_types` are what it can be asked for with `Accept`; a
    call without any answers in one form whatever it is asked.
    """

    id: str
    method: Method = "GET"
    path: str
    tag: str
    summary: str
    says: str = ""
    query: tuple[Parameter, ...] = ()
    headers: tuple[HeaderName, ...] = ()
    body: str | None = None
    gives: tuple[Given, ...]
    problems: tuple[int, ...] = ()

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types of the call's success, the default one first."""
        return tuple(self.gives[0].content)

    @property
    def takes_tickets(self) -> bool:
        """Whether a ticket does instead of a token."""
        return TICKET in self.query

    @property
    def takes_seat(self) -> bool:
        """Whether a key may name a seat: where there is an encounter it can be one of."""
        return "{encounter" in self.path or "seat" in self.headers

    @property
    def is_open(self) -> bool:
        """Whether the call is outside the versioned interface, for machines and browsers."""
        return not self.path.startswith(VERSIONED)


_ID: Final = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

AT: Final = Whole(name="at", says="The state after this event.", least=1, most=LARGEST_SEQ)
CURSOR: Final = Text(
    name="cursor",
    says="`next` of the page before.",
    pattern=r"[A-Za-z0-9_-]{1,200}",
    form="next",
)
ORDER: Final = Text(
    name="order",
    says="By the time of creation: `oldest` first, as without it, or `newest`.",
    pattern="oldest|newest",
    form="oldest | newest",
)
STATUS: Final = Text(
    name="status",
    says="Only encounters that stand so.",
    pattern="setup|running|ended",
    form="setup | running | ended",
)
RULESET: Final = Text(
    name="ruleset",
    says="Only encounters of this ruleset.",
    pattern="[a-z0-9-]{1,40}",
    form="[a-z0-9-]{1,40}",
)
METADATA: Final = Text(
    name="metadata",
    says="`key:text`: only encounters whose metadata have exactly this text under this key, which "
    "stands at the top and has no colon.",
    pattern=r"[^:\x00]{1,200}:[^\x00]{0,1000}",
    form="key:text",
)
ENCOUNTERS_LIMIT: Final = Whole(
    name="limit",
    says="How many at most.",
    least=1,
    most=ENCOUNTERS_PER_PAGE,
    default=20,
)
BATTLES_LIMIT: Final = Whole(
    name="limit",
    says="How many at most.",
    least=1,
    most=BATTLES_PER_PAGE,
    default=10,
)
COMBATANT: Final = Text(
    name="combatant",
    says="Whose actions.",
    pattern=ID_FORM,
    form=ID_FORM,
    is_required=True,
)
ATTACKER: Final = Text(
    name="attacker",
    says="Id of the combatant at whose end a line begins.",
    pattern=ID_FORM,
    form=ID_FORM,
)
TARGET: Final = Text(
    name="target",
    says="Id of the combatant at whose end a line ends.",
    pattern=ID_FORM,
    form=ID_FORM,
)
SAMPLE: Final = Whole(
    name="sample",
    says="How many complete actions, legal now, to draw at random.",
    least=0,
    most=SAMPLES,
    default=0,
)
AFTER: Final = Text(
    name="after",
    says="Events behind this one: `seq`, or `seq-hash8` to notice a log that was replaced.",
    pattern=r"(0|[1-9][0-9]{0,8})(-[0-9a-f]{8})?",
    form="seq | seq-hash8",
)
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
TICKET: Final = Text(
    name="ticket",
    says="A ticket instead of `Authorization`, for browsers; it is looked at without that only.",
    pattern=TICKET_PATTERN,
    form="wt_...",
)
SEVERAL: Final = Text(
    name="encounters",
    says=f"Ids of the encounters, up to {MOST_ENCOUNTERS}, with commas between them.",
    pattern=f"{_ID}(,{_ID}){{0,{MOST_ENCOUNTERS - 1}}}",
    form="id,id,...",
    is_required=True,
)
VECTOR: Final = Text(
    name="after",
    says="Events behind these: the id of an event of an earlier stream.",
    pattern=VECTOR_PATTERN,
    form=VECTOR_FORM,
)
DIGEST: Final = Text(
    name="digest",
    says="Digest of an earlier map or content; the present map if absent.",
    pattern="[0-9a-f]{64}",
    form="[0-9a-f]{64}",
)

ENCOUNTER_PATH: Final = "/v1/encounters/{encounter:str}"
READING: Final = (400, 401, 403, 404, 406, 429, 503)
WRITING: Final = (400, 401, 403, 404, 406, 408, 409, 413, 415, 422, 429, 503)

LIST_RULESETS: Final = Call(
    id="list_rulesets",
    path="/v1/rulesets",
    tag="rulesets",
    summary="Which rulebooks there are, and the service's limits",
    gives=(Given(status=200, says="All rulesets.", content={JSON: "RulesetList"}),),
    problems=(400, 406, 503),
)
READ_RULESET: Final = Call(
    id="read_ruleset",
    path="/v1/rulesets/{slug:str}",
    tag="rulesets",
    summary="A rulebook: options, limits, rules and terms in English and Russian",
    gives=(Given(status=200, says="The ruleset.", content={JSON: "RulesetDetail"}),),
    problems=(400, 404, 406, 503),
)
READ_RULESET_SCHEMA: Final = Call(
    id="read_ruleset_schema",
    path="/v1/rulesets/{slug:str}/schema",
    tag="rulesets",
    summary="JSON Schema of a rulebook's setup, actions, effects and state",
    gives=(Given(status=200, says="The schemas.", content={JSON: "RulesetSchemas"}),),
    problems=(400, 404, 406, 503),
)
CREATE_ENCOUNTER: Final = Call(
    id="create_encounter",
    method="POST",
    path="/v1/encounters",
    tag="encounters",
    summary="Create an encounter",
    says=(
        "The setup is the ruleset's own. The seed is sealed until the game master reveals it. A"
        " repeated key is answered with the encounter it created: 404 if that is deleted."
    ),
    headers=("key_required",),
    body="CreateRequest",
    gives=(
        Given(
            status=201,
            says="The encounter and its first event.",
            content={JSON: "CreatedAnswer"},
            headers=("Location", "ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 428),
)
LIST_ENCOUNTERS: Final = Call(
    id="list_encounters",
    path="/v1/encounters",
    tag="encounters",
    summary="The encounters of the key's tenant, oldest first unless `order` says otherwise",
    says="To a seat by its own token there is one. A cursor is good in the order and under the "
    "filters of the page that gave it.",
    query=(CURSOR, ENCOUNTERS_LIMIT, ORDER, STATUS, RULESET, METADATA),
    gives=(Given(status=200, says="A page.", content={JSON: "EncounterPage"}),),
    problems=(400, 401, 403, 406, 429, 503),
)
READ_ENCOUNTER: Final = Call(
    id="read_encounter",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="The state as the caller may see it",
    says="What the caller may not know is absent. `at` goes back to any event.",
    query=(AT,),
    headers=("seat", "if_none_match"),
    gives=(
        Given(status=200, says="The state.", content={JSON: "EncounterView"}, headers=("ETag",)),
        Given(status=304, says="It has not changed.", content={}, headers=("ETag",)),
    ),
    problems=(*READING, 409),
)
READ_MAP: Final = Call(
    id="read_map",
    path=f"{ENCOUNTER_PATH}/map",
    tag="encounters",
    summary="The map of an encounter as it was created",
    says="It never changes; what did change stands in the state.",
    query=(DIGEST,),
    headers=("seat", "if_none_match"),
    gives=(
        Given(status=200, says="The map.", content={JSON: "Board"}, headers=("ETag",)),
        Given(status=304, says="You have it.", content={}, headers=("ETag",)),
    ),
    problems=READING,
)
READ_SCENE: Final = Call(
    id="read_scene",
    path=f"{ENCOUNTER_PATH}/scene",
    tag="encounters",
    summary="A picture of the battle as the caller may see it: as data, as SVG, in characters",
    says=(
        "The same for every ruleset: ground, combatants, areas and lines of the last event, in"
        " integers of its unit. It shows nothing that the state, the map and that event do not"
        " tell the caller. `Accept` chooses the form. `at` goes back to any event."
    ),
    query=(AT,),
    headers=("seat", "if_none_match"),
    gives=(
        Given(
            status=200,
            says="The picture.",
            content={JSON: "SceneAnswer", SVG: "Picture", TEXT: "Picture"},
            headers=("ETag",),
        ),
        Given(status=304, says="It has not changed.", content={}, headers=("ETag",)),
    ),
    problems=READING,
)
DELETE_ENCOUNTER: Final = Call(
    id="delete_encounter",
    method="DELETE",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="Delete an encounter for good, but for its id and its last hash",
    says="Its log, parts, snapshots and seed are gone. Deleting it again gives the same answer.",
    gives=(Given(status=200, says="What is left of it.", content={JSON: "TombstoneView"}),),
    problems=READING,
)
ACT: Final = Call(
    id="act",
    method="POST",
    path=f"{ENCOUNTER_PATH}/actions",
    tag="play",
    summary="Do something: one action, or several in order",
    says=(
        "Each accepted action is one event. A list stops before the first action that is refused"
        " and after any that opened a decision. Send `Idempotency-Key` or `If-Match`; an answer to"
        " a decision needs neither."
    ),
    headers=("seat", "key", "if_match"),
    body="ActRequest",
    gives=(
        Given(
            status=201,
            says="What happened.",
            content={JSON: "ActionsAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 412, 428),
)
PREVIEW: Final = Call(
    id="preview",
    method="POST",
    path=f"{ENCOUNTER_PATH}/preview",
    tag="play",
    summary="What an action would do: modifiers, target number, exact odds",
    says=(
        "Nothing is drawn, written or changed. `answers` says how those answer whom the action"
        " would ask; whoever is not named declines. The odds of what depends on numbers that the"
        " caller may not know are left out, and `unknown` says which. Has its own rate limit for"
        " each key."
    ),
    headers=("seat",),
    body="PreviewRequest",
    gives=(
        Given(
            status=200,
            says="What would happen.",
            content={JSON: "PreviewAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=WRITING,
)
INSPECT: Final = Call(
    id="inspect",
    path=f"{ENCOUNTER_PATH}/inspections/{{name:str}}",
    tag="play",
    summary="A question that is no action, on what the caller may see",
    says=(
        "Each ruleset lists its inspections. `line` of both: the line and the cover between two"
        " combatants of the caller's view. Nothing is drawn, written or changed. Counts as a"
        " preview."
    ),
    query=(ATTACKER, TARGET),
    headers=("seat",),
    gives=(
        Given(
            status=200,
            says="What was found.",
            content={JSON: "InspectionAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=(*READING, 422),
)
LIST_LEGAL_ACTIONS: Final = Call(
    id="list_legal_actions",
    path=f"{ENCOUNTER_PATH}/legal-actions",
    tag="play",
    summary="What a combatant may do now, with a domain for every parameter",
    says=(
        "A node is `{type, params, example}`; the example is a complete action. A domain is"
        " `{one_of: [...]}`, whose members may be `{value, params}`, `{int_range: {min, max}}`,"
        " `{disc: {x, y, radius}}` for a point (without a radius: any), `{cells: [...]}` or"
        " `{path: {x, y, budget, metric}}` for a path, `{params: {...}}` for an object;"
        " `optional` ones may be left out. Whoever is asked something has its open `decision`."
    ),
    query=(COMBATANT, SAMPLE),
    headers=("seat",),
    gives=(Given(status=200, says="The actions.", content={JSON: "LegalAnswer"}),),
    problems=(*READING, 409, 422),
)
LIST_TIMERS: Final = Call(
    id="list_timers",
    path=f"{ENCOUNTER_PATH}/timers",
    tag="play",
    summary="How long open decisions and the present turn may still take",
    says=(
        "Where the options `decision_seconds` or `turn_seconds` limit them. What is over the"
        " service ends within seconds, as `by: system`: it passes for whoever is asked, or ends the"
        " turn. A question for dice, which cannot be passed, stays open and overdue."
    ),
    headers=("seat",),
    gives=(Given(status=200, says="All deadlines.", content={JSON: "TimersAnswer"}),),
    problems=(*READING, 409),
)
CHANGE_TIMERS: Final = Call(
    id="change_timers",
    method="POST",
    path=f"{ENCOUNTER_PATH}/timers",
    tag="play",
    summary="Pause or resume the clock, or give more time: for game masters",
    says=(
        "Nothing of it stands in the log. A repeated key changes nothing and is answered with the"
        " deadlines as they are now."
    ),
    headers=("seat", "key_required"),
    body="TimersRequest",
    gives=(
        Given(
            status=200,
            says="All deadlines.",
            content={JSON: "TimersAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(*WRITING, 428),
)
LIST_EVENTS: Final = Call(
    id="list_events",
    path=f"{ENCOUNTER_PATH}/events",
    tag="log",
    summary="Events behind a cursor: a page, a stream of lines, or a long poll",
    query=(AFTER, EVENTS_LIMIT, WAIT),
    headers=("seat",),
    gives=(
        Given(
            status=200,
            says="The events, `application/x-ndjson` with one to a line.",
            content={JSON: "EventPage", NDJSON: "EventRecord"},
            headers=("Warlog-Next", "Warlog-Head"),
        ),
    ),
    problems=(*READING, 409),
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
        " what is met from its `base` alone."
    ),
    headers=("seat",),
    gives=(Given(status=200, says="The event.", content={JSON: "EventRecord"}),),
    problems=READING,
)
STREAM: Final = Call(
    id="stream",
    path=f"{ENCOUNTER_PATH}/stream",
    tag="streams",
    summary="Follow an encounter live: server-sent events",
    says=(
        "Events from now on, or from behind `after`; never one twice, never one missing. The first"
        " event is `hello`, then come `event`, `heartbeat` (every 10 seconds), `presence` and"
        " `timers`; before the service closes the stream it says `bye` or `resync`. The `id` of an"
        " event is the cursor behind it: `Last-Event-ID`, which browsers send by themselves, wins"
        " over `after`. What the events hold is described in the AsyncAPI document."
    ),
    query=(AFTER, TICKET),
    headers=("seat", "last_event_id"),
    gives=(Given(status=200, says="The stream.", content={EVENT_STREAM: "Text"}),),
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
    query=(AFTER, TICKET),
    headers=("seat",),
    gives=(Given(status=101, says="The socket is open.", content={}),),
    problems=(400, 401, 403, 404, 426, 429, 503),
)
STREAM_MANY: Final = Call(
    id="stream_many",
    path="/v1/stream",
    tag="streams",
    summary="Follow several encounters of a key's tenant in one stream",
    says=(
        "As `stream`, for keys. The `id` of an event says where the client stands in all of the"
        " encounters; one that it does not name is followed from now on."
    ),
    query=(SEVERAL, VECTOR),
    headers=("last_event_id",),
    gives=(Given(status=200, says="The stream.", content={EVENT_STREAM: "Text"}),),
    problems=(*READING, 409),
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
    gives=(Given(status=201, says="The ticket.", content={JSON: "TicketAnswer"}),),
    problems=READING,
)
SEATS_PATH: Final = f"{ENCOUNTER_PATH}/seats"
SEAT_PATH: Final = f"{SEATS_PATH}/{{seat:str}}"

CREATE_SEAT: Final = Call(
    id="create_seat",
    method="POST",
    path=SEATS_PATH,
    tag="seats",
    summary="Give somebody a seat, and a code to come to it",
    says=(
        "For game masters. The seat stands in the log, as the action `add_seat` would put it there;"
        " the code is told now and never again: ask `invite` for another."
    ),
    headers=("seat", "key_required"),
    body="CreateSeatRequest",
    gives=(
        Given(
            status=201,
            says="The seat, the event that says so, the invitation.",
            content={JSON: "SeatAnswer"},
            headers=("Location", "ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 428),
)
LIST_SEATS: Final = Call(
    id="list_seats",
    path=SEATS_PATH,
    tag="seats",
    summary="Who takes part, and who is there now",
    headers=("seat",),
    gives=(Given(status=200, says="All seats.", content={JSON: "SeatList"}),),
    problems=READING,
)
READ_SEAT: Final = Call(
    id="read_seat",
    path=SEAT_PATH,
    tag="seats",
    summary="One seat",
    headers=("seat",),
    gives=(Given(status=200, says="The seat.", content={JSON: "SeatView"}),),
    problems=READING,
)
CHANGE_SEAT: Final = Call(
    id="change_seat",
    method="PATCH",
    path=SEAT_PATH,
    tag="seats",
    summary="Change the role, control or name of a seat",
    says=(
        "For game masters. What is absent stays. Send `Idempotency-Key` or `If-Match`. What the"
        " seat may see changes with the event; what it could see before stays its own."
    ),
    headers=("seat", "key", "if_match"),
    body="ChangeSeatRequest",
    gives=(
        Given(
            status=200,
            says="The seat, and the event that says so.",
            content={JSON: "SeatAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 412, 428),
)
REMOVE_SEAT: Final = Call(
    id="remove_seat",
    method="DELETE",
    path=SEAT_PATH,
    tag="seats",
    summary="Take a seat away for good, with its token and its invitation",
    says=(
        "For game masters. Its id is never given again. Send `Idempotency-Key` or `If-Match`. Its"
        " token is refused and its streams are closed within seconds."
    ),
    headers=("seat", "key", "if_match"),
    gives=(
        Given(
            status=200,
            says="The event that says so.",
            content={JSON: "ActionsAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*READING, 409, 412, 422, 428),
)
INVITE: Final = Call(
    id="invite",
    method="POST",
    path=f"{SEAT_PATH}/invitation",
    tag="seats",
    summary="A new code for a seat; the one before is good no more",
    says=(
        "For game masters. Whoever sits there stays until the code is exchanged: then that token"
        " ends. A repeated request is answered without the code."
    ),
    headers=("seat", "key_required"),
    gives=(
        Given(
            status=201,
            says="The invitation.",
            content={JSON: "InvitationAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(*READING, 409, 428),
)
REVOKE_TOKEN: Final = Call(
    id="revoke_token",
    method="DELETE",
    path=f"{SEAT_PATH}/token",
    tag="seats",
    summary="End the token of a seat, of a lost phone for one; the seat stays",
    says="For game masters. Doing it again gives the same answer. `invite` makes a code anew.",
    headers=("seat",),
    gives=(Given(status=200, says="The seat.", content={JSON: "SeatView"}),),
    problems=READING,
)
JOIN: Final = Call(
    id="join",
    method="POST",
    path="/v1/join",
    tag="seats",
    summary="Exchange an invitation's code for the token of its seat, once",
    says=(
        "Needs no key. A code that never was, was used or has expired gets one and the same 404."
        " How many a minute are taken from one address, `limits` of `GET /v1/rulesets` says."
    ),
    body="JoinRequest",
    gives=(
        Given(
            status=201,
            says="The token, which is told to nobody again.",
            content={JSON: "JoinAnswer"},
        ),
    ),
    problems=(400, 404, 406, 408, 413, 415, 429, 503),
)
ME: Final = Call(
    id="me",
    path="/v1/me",
    tag="seats",
    summary="Who am I, where do I play, and whose move is it",
    says=(
        "By the token of a seat: that seat and its encounter. By a key: a page of the encounters"
        " that are under way; with `Warlog-Seat` those in which there is such a seat, as it sees"
        " them, so that a page may be empty and have a `next`."
    ),
    query=(CURSOR, BATTLES_LIMIT),
    headers=("seat",),
    gives=(Given(status=200, says="A seat or a key.", content={JSON: "Me"}),),
    problems=(400, 401, 403, 406, 429, 503),
)
AUDIT_ENCOUNTER: Final = Call(
    id="audit_encounter",
    path=f"{ENCOUNTER_PATH}/audit",
    tag="proof",
    summary="Decide every event again and compare",
    headers=("seat",),
    gives=(Given(status=200, says="A verdict per event.", content={JSON: "AuditReport"}),),
    problems=READING,
)
AUDIT_WITH_RECEIPTS: Final = Call(
    id="audit_with_receipts",
    method="POST",
    path=f"{ENCOUNTER_PATH}/audit",
    tag="proof",
    summary="The same, and hold receipts that a client kept against the log",
    says=(
        "Every answer to an action, every `hello` and every heartbeat of a stream brings a receipt:"
        " the service's signature over the head of the log at that moment. A log that was rewritten"
        " as a whole, or cut off at its end, is found by nothing else (`/docs/audits`). What is"
        " wrong with one is among the `problems` of the report; `receipts` has a verdict for each."
        " Writes nothing."
    ),
    headers=("seat",),
    body="AuditRequest",
    gives=(
        Given(
            status=200,
            says="A verdict per event, and one per receipt.",
            content={JSON: "AuditReport"},
        ),
    ),
    problems=(*READING, 408, 413, 415),
)
EXPORT_BUNDLE: Final = Call(
    id="export_bundle",
    path=f"{ENCOUNTER_PATH}/bundle",
    tag="proof",
    summary="One file with everything needed to audit the encounter offline",
    headers=("seat",),
    gives=(Given(status=200, says="The bundle, line by line.", content={NDJSON: "BundleLine"}),),
    problems=READING,
)
LIVE: Final = Call(
    id="live",
    path="/health/live",
    tag="operations",
    summary="Whether the process answers",
    gives=(Given(status=200, says="It does.", content={JSON: "Liveness"}),),
)
READY: Final = Call(
    id="ready",
    path="/health/ready",
    tag="operations",
    summary="Whether the service can do its work: the database answers and is up to date",
    gives=(Given(status=200, says="It can.", content={JSON: "ReadinessAnswer"}),),
    problems=(503,),
)
METRICS: Final = Call(
    id="metrics",
    path="/metrics",
    tag="operations",
    summary="Figures for Prometheus",
    gives=(
        Given(
            status=200,
            says="The figures.",
            content={"text/plain": "Text", OPENMETRICS: "Text"},
        ),
    ),
)
SIGNING_KEYS: Final = Call(
    id="signing_keys",
    path="/.well-known/warlog-keys.json",
    tag="operations",
    summary="The public keys that receipts are checked with",
    gives=(Given(status=200, says="The keys.", content={JSON: "KeySet"}),),
    problems=(503,),
)
OPENAPI: Final = Call(
    id="openapi",
    path="/openapi.json",
    tag="operations",
    summary="This document",
    gives=(Given(status=200, says="The document.", content={JSON: "AnyObject"}),),
)
ASYNCAPI: Final = Call(
    id="asyncapi",
    path="/asyncapi.json",
    tag="operations",
    summary="The AsyncAPI document: what streams tell",
    gives=(Given(status=200, says="The document.", content={JSON: "AnyObject"}),),
)
DOCS: Final = Call(
    id="docs",
    path="/docs",
    tag="operations",
    summary="This document for people, with a way to try every call",
    gives=(Given(status=200, says="A page.", content={"text/html": "Text"}),),
)
DOCS_ASSET: Final = Call(
    id="docs_asset",
    path="/docs/{asset:str}",
    tag="operations",
    summary=(
        "What the page needs; guides with examples at `/docs/guides`, the problems at"
        " `/docs/problems`, what stays hidden at `/docs/hidden`, audits at `/docs/audits`"
    ),
    gives=(Given(status=200, says="A file.", content={"text/html": "Text"}),),
    problems=(404,),
)
ROOT: Final = Call(
    id="root",
    path="/",
    tag="operations",
    summary="Leads to the documentation",
    gives=(Given(status=307, says="The documentation.", content={}, headers=("Location",)),),
)
VERSION_ROOT: Final = Call(
    id="version_root",
    path="/v1",
    tag="operations",
    summary="Leads to the documentation",
    gives=(Given(status=307, says="The documentation.", content={}, headers=("Location",)),),
)

CALLS: Final = (
    LIST_RULESETS,
    READ_RULESET,
    READ_RULESET_SCHEMA,
    CREATE_ENCOUNTER,
    LIST_ENCOUNTERS,
    READ_ENCOUNTER,
    READ_MAP,
    READ_SCENE,
    DELETE_ENCOUNTER,
    ACT,
    PREVIEW,
    INSPECT,
    LIST_LEGAL_ACTIONS,
    LIST_TIMERS,
    CHANGE_TIMERS,
    LIST_EVENTS,
    READ_EVENT,
    STREAM,
    SOCKET,
    STREAM_MANY,
    CREATE_TICKET,
    CREATE_SEAT,
    LIST_SEATS,
    READ_SEAT,
    CHANGE_SEAT,
    REMOVE_SEAT,
    INVITE,
    REVOKE_TOKEN,
    JOIN,
    ME,
    AUDIT_ENCOUNTER,
    AUDIT_WITH_RECEIPTS,
    EXPORT_BUNDLE,
    LIVE,
    READY,
    METRICS,
    SIGNING_KEYS,
    OPENAPI,
    ASYNCAPI,
    DOCS,
    DOCS_ASSET,
    ROOT,
    VERSION_ROOT,
)
