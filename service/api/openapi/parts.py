"""The parts of the OpenAPI document that stand next to the types: parameters, headers, problems."""

from typing import Final

from service.api import problem_texts
from service.api.call import LARGEST_SEQ, AnswerLinks, Call
from service.api.headers import REQUEST_ID_FORM
from service.api.openapi.schemas import Schema, reference
from service.api.problems import PROBLEM_TYPE
from service.api.query_parameters import Parameter, Whole
from service.encounters.access import ROUTES
from service.engine.vocabulary.client_ids import ID_FORM

SECURITY: Final[Schema] = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "wk_... | ws_...",
    "description": (
        "An API key of a tenant, `Authorization: Bearer wk_...`, or the token of a seat, `ws_...`."
        " Of the scopes of a key `play` contains `read`: answers and forks show what it may read."
    ),
}

_TAG: Final[Schema] = {
    "type": "string",
    "pattern": '^"[1-9][0-9]{0,8}-[0-9a-f]{8}(;[A-Za-z0-9=_-]*)?"$',
    "examples": ['"2-0a1b2c3d"'],
}

HEADER_PARAMETERS: Final[dict[str, Schema]] = {
    "seat": {
        "name": "Warlog-Seat",
        "in": "header",
        "description": "The seat to read or act for; the key needs the scope `act_as`.",
        "schema": {"type": "string", "pattern": f"^{ID_FORM}$"},
    },
    "key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "The request is applied once, however often it is sent under this key.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    },
    "key_required": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "The request is applied once, however often it is sent under this key.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    },
    "if_match": {
        "name": "If-Match",
        "in": "header",
        "description": "The head the write expects, as the ETag of the encounter tells it.",
        "schema": _TAG,
    },
    "if_none_match": {
        "name": "If-None-Match",
        "in": "header",
        "description": "Tags of what the client has: 304 if it is still so.",
        "schema": {"type": "string"},
    },
    "last_event_id": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The id of the last event that the client has; wins over `after`.",
        "schema": {"type": "string"},
    },
    "language": {
        "name": "Accept-Language",
        "in": "header",
        "description": "The language of problems: English or Russian.",
        "schema": {"type": "string"},
    },
}

ALWAYS: Final = ("Warlog-Request-Id",)
"""Headers of every answer."""

RESPONSE_HEADERS: Final[dict[str, Schema]] = {
    "Location": {
        "description": "The address of what was made, or of where to go on.",
        "schema": {"type": "string"},
    },
    "Warlog-Request-Id": {
        "description": (
            "The id of the request, as it stands in problems and in the service's log: that of"
            " `X-Request-Id` or the trace id of `traceparent` if one came along, else a new one."
        ),
        "schema": {"type": "string", "pattern": f"^{REQUEST_ID_FORM}$"},
    },
    "ETag": {
        "description": 'The version: `"seq-hash8"`, with `;variant` for another representation.',
        "schema": {"type": "string"},
    },
    "Idempotency-Replayed": {
        "description": "Present where the answer is that of an earlier request under the key.",
        "schema": {"type": "string", "const": "true"},
    },
    "RateLimit-Limit": {"description": "Requests a minute.", "schema": {"type": "string"}},
    "RateLimit-Remaining": {"description": "Requests left now.", "schema": {"type": "string"}},
    "RateLimit-Reset": {"description": "Seconds until all are.", "schema": {"type": "string"}},
    "Warlog-Next": {
        "description": "The cursor behind the last event given.",
        "schema": {"type": "string"},
    },
    "Warlog-Head": {"description": "Seq of the log's last event.", "schema": {"type": "string"}},
    "Content-Language": {
        "description": "The language of `title` and `detail`.",
        "schema": {"type": "string", "enum": ["en", "ru"]},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "How to identify.", "schema": {"type": "string"}},
}

_PROBLEM_HEADERS: Final[dict[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
_NOT_DOCUMENTED: Final = frozenset({405, 500})


def info(version: str) -> Schema:
    """What the document says of the service."""
    return {
        "title": "Warlog",
        "version": version,
        "summary": "Event-sourced encounter service for tabletop software",
        "description": (
            "Post what a combatant does; Warlog applies the rulebook, draws the dice and stores"
            " one immutable event. Every refusal is a problem (RFC 9457) with a stable `code`, in"
            " English or Russian. Clients ignore fields they do not know."
        ),
    }


def problem_responses() -> dict[str, Schema]:
    """One response per status that a problem can have."""
    return {
        f"Problem{status}": {
            "description": titles[0] + ".",
            "headers": {
                name: {"$ref": f"#/components/headers/{name}"}
                for name in ("Content-Language", *ALWAYS, *_PROBLEM_HEADERS.get(status, ()))
            },
            "content": {PROBLEM_TYPE: {"schema": reference("Problem")}},
        }
        for status, titles in problem_texts.TITLES.items()
        if status not in _NOT_DOCUMENTED
    }


def path_parameter(name: str) -> Schema:
    """A parameter in the path."""
    return {"name": name, "in": "path", "required": True, "schema": _PATH_SCHEMAS[name]}


def link_to(call: Call, links: AnswerLinks) -> Schema:
    """How to go on from an answer to a call about what it made."""
    parameters = {
        name: place for name, place in links.parameters.items() if f"{{{name}:" in call.path
    }
    return {"operationId": call.id, "parameters": parameters}


def query_parameter(parameter: Parameter) -> Schema:
    """A parameter in the query."""
    schema: Schema
    if isinstance(parameter, Whole):
        schema = {"type": "integer", "minimum": parameter.least, "maximum": parameter.most}
        if parameter.default is not None:
            schema["default"] = parameter.default
        is_required = False
    else:
        # Else an alternative at the end would match what only ends in it.
        pattern = f"({parameter.pattern})" if "|" in parameter.pattern else parameter.pattern
        schema = {"type": "string", "pattern": f"^{pattern}$"}
        is_required = parameter.is_required
    return {
        "name": parameter.name,
        "in": "query",
        "required": is_required,
        "description": parameter.says,
        "schema": schema,
    }


def common_parameters(call: Call) -> list[Schema]:
    """Headers that every call understands which can refuse."""
    return [{"$ref": "#/components/parameters/language"}] if call.problems else []


def is_without_key(call: Call) -> bool:
    """Whether the call needs no key."""
    return ROUTES[call.id].key == "open"


_PATH_SCHEMAS: Final[dict[str, Schema]] = {
    "encounter": {"type": "string", "format": "uuid"},
    "slug": {"type": "string", "pattern": "^[a-z0-9-]{1,40}$"},
    "name": {"type": "string", "pattern": "^[a-z_]{1,40}$"},
    "seat": {"type": "string", "pattern": f"^{ID_FORM}$"},
    "seq": {"type": "integer", "minimum": 1, "maximum": LARGEST_SEQ},
    "asset": {"type": "string", "pattern": "^[a-z.]{1,40}$"},
    "guide": {"type": "string", "pattern": "^[a-z-]{1,40}$"},
}
