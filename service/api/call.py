"""The declaration of a call, and what calls have in common.

A call is declared in its module of `endpoints`, next to the handler that answers it; `routes` lists
all of them. Its route, the reading of its query parameters and its part of the OpenAPI document
come from the declaration.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from service.api.negotiation import LANGUAGES
from service.api.query_parameters import Parameter, Text, Whole
from service.api.tickets import TICKET_PATTERN
from service.engine.vocabulary.client_ids import ID_FORM

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
UUID_FORM: Final = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

ENCOUNTER_PATH: Final = "/v1/encounters/{encounter:str}"
READING: Final = (400, 401, 403, 404, 406, 429, 503)
"""Statuses of the problems that any call may meet which reads an encounter."""
WRITING: Final = (400, 401, 403, 404, 406, 408, 409, 413, 415, 422, 429, 503)
"""Statuses of the problems that any call may meet which takes a body and writes."""

CURSOR: Final = Text(
    name="cursor",
    says="`next` of the page before.",
    pattern=r"[A-Za-z0-9_-]{1,200}",
    form="next",
)
AFTER: Final = Text(
    name="after",
    says="Events behind this one: `seq`, or `seq-hash8` to notice a log that was replaced.",
    pattern=r"(0|[1-9][0-9]{0,8})(-[0-9a-f]{8})?",
    form="seq | seq-hash8",
)
LAST_EVENT_ID: Final = Text(
    name="lastEventId",
    says=(
        "Another name of `after`: event-source-polyfill sends it on reconnecting. It wins over"
        " `after`, the header `Last-Event-ID` wins over both; an empty value counts as absent."
    ),
    pattern=f"({AFTER.pattern})?",
    form=AFTER.form,
)
STATE: Final = Text(
    name="state",
    says=(
        "`patch`: each event carries what it changes of the document `{decisions, state, table}` as"
        " this caller is told it, so that a client of any ruleset keeps it without rules."
    ),
    pattern="patch",
    form="patch",
)
SCENE: Final = Text(
    name="scene",
    says=(
        "`patch`: the document also has `scene`, the picture that `GET .../scene` tells this caller"
        " as JSON; without `state=patch` it has nothing else."
    ),
    pattern="patch",
    form="patch",
)
NARRATE: Final = Text(
    name="narrate",
    says=(
        "Each event carries `narration`: a few sentences that tell it in this language, as this"
        " caller may hear it and with the names that it knows."
    ),
    pattern="|".join(LANGUAGES),
    form=" | ".join(LANGUAGES),
)
NOTES: Final = Whole(
    name="notes",
    says=(
        "How many of the last notes `table.notes` has; absent: all. `GET .../notes` has the earlier"
        " ones."
    ),
    least=0,
    most=100_000,
)
VIEW: Final = Text(
    name="view",
    says=(
        "For game masters: the id of a seat, to be answered what that seat is, byte for byte: what"
        " it was entitled to at each event, and what it alone is told of itself."
    ),
    pattern=ID_FORM,
    form=ID_FORM,
)
TICKET: Final = Text(
    name="ticket",
    says="A ticket instead of `Authorization`, for browsers; it is looked at without that only.",
    pattern=TICKET_PATTERN,
    form="wt_...",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLinks:
    """The calls that an answer leads to: those whose path begins with `path`.

    `parameters` says by the name of a path parameter where its value is in this exchange.
    """

    path: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswer:
    """A success of a call: `content` has the name of the body's schema by media type.

    `headers` are keys of `openapi.parts.RESPONSE_HEADERS`.
    """

    status: int
    says: str
    content: Mapping[str, str]
    headers: tuple[str, ...] = ()
    links: AnswerLinks | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A body of a call that works as it is.

    `of` is the example of `create_encounter` whose encounter it is sent in; None: it works in any,
    or is sent to none.
    """

    name: str
    says: str
    value: dict[str, Any]
    of: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Call:
    """One call. `id` is its name, in `encounters.access` too, which says who may make it.

    `path` is as Litestar writes it; `body` names the schema of the body it takes, `body_type` its
    media type; `problems` are the statuses that it may refuse with.
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
    body_type: str = JSON
    examples: tuple[Example, ...] = ()
    answers: tuple[CallAnswer, ...]
    problems: tuple[int, ...] = ()

    @cached_property
    def published_path(self) -> str:
        """The path as OpenAPI writes it: without the types."""
        return self.path.replace(":str}", "}")

    @cached_property
    def media_types(self) -> tuple[str, ...]:
        """What the call can be asked for with `Accept`, the default first; none for no choice."""
        return tuple(self.answers[0].content)

    @cached_property
    def takes_tickets(self) -> bool:
        """Whether a ticket does instead of a token."""
        return TICKET in self.query

    @cached_property
    def takes_seat(self) -> bool:
        """Whether a key may name a seat: where there is an encounter it can be one of."""
        return "{encounter" in self.path or "seat" in self.headers

    @cached_property
    def is_open(self) -> bool:
        """Whether the call is outside the versioned interface, for machines and browsers."""
        return not self.path.startswith(VERSIONED)
