"""The AsyncAPI 3 document: what streams tell, over server-sent events and over sockets.

How this works. The records are the Structs of `live.records`; what they hold of
rulesets is described by the very components of the OpenAPI document, of which those needed are
taken along, so that each document is alone. An AsyncAPI schema names its discriminator by a
word.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from service import __version__
from service.api.call import ENCOUNTER_PATH, JSON, TICKET, Call
from service.api.openapi import parts
from service.api.openapi.components import reached
from service.api.openapi.schemas import Schema, reference
from service.api.openapi.service_types import service_components
from service.api.query_parameters import Parameter
from service.api.streaming.calls import CREATE_TICKET, SOCKET, STREAM, STREAM_MANY
from service.api.tickets import TICKET_SECONDS
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.live import records

_RECORDS: Final = (
    (records.Hello, "Hello", "The first of every stream: who the client is here."),
    (records.EventOut, "EventTold", "Something happened."),
    (records.Heartbeat, "Heartbeat", "Nothing else happened: the signed end of the log."),
    (records.PresenceChange, "PresenceChange", "A seat came, or went."),
    (records.TimersChange, "TimersChange", "Deadlines are others now."),
    (records.Resync, "Resync", "The stream ends: read anew."),
    (records.Bye, "Bye", "The stream ends."),
)
_PROBLEM: Final = "problem"
_STREAMED: Final = (
    ("events", STREAM, "follow"),
    ("socket", SOCKET, "followOverSocket"),
    ("several", STREAM_MANY, "followSeveral"),
)
"""Channel, its call, the operation."""


def document(rulesets: Sequence[Ruleset[RuleState]]) -> Schema:
    """The whole document."""
    schemas = _schemas(rulesets)
    return {
        "asyncapi": "3.0.0",
        "info": _info(),
        "defaultContentType": JSON,
        "servers": _servers(),
        "channels": {channel: _channel(channel, call) for channel, call, _ in _STREAMED},
        "operations": {
            operation: _operation(channel, call) for channel, call, operation in _STREAMED
        },
        "components": {
            "schemas": schemas,
            "messages": _messages(),
            "securitySchemes": _security_schemes(),
        },
    }


@cache
def document_bytes(rulesets: tuple[Ruleset[RuleState], ...]) -> bytes:
    """The document as it is published: indented, ending in a line feed."""
    return msgspec.json.format(msgspec.json.encode(document(rulesets)), indent=1) + b"\n"


def _info() -> Schema:
    base = parts.info(__version__)
    return {
        "title": f"{base['title']}: live streams",
        "version": __version__,
        "description": (
            "What happens in a battle, live. The events of `stream` are server-sent events, each"
            " with the record's JSON in one `data` line, its type as `event` and, where it moves"
            " the client, a cursor `seq-hash8` as `id`, which is the last line; the socket sends"
            " the same JSON as text frames with that cursor as the field `id`. A client that was"
            " away sends the last cursor it has (`Last-Event-ID`, `?lastEventId=` or `?after=`)"
            " and misses nothing and gets nothing"
            " twice; `409 history_diverged` says that the cursor is of a history that is no more."
            " Clients ignore fields and records that they do not know. The calls themselves and"
            " their refusals are described in the OpenAPI document."
        ),
    }


def _servers() -> Schema:
    return {
        scheme: {
            "host": "{host}",
            "protocol": scheme,
            "description": says,
            "variables": {"host": {"default": "127.0.0.1:8080", "description": "The service."}},
            "security": [{"$ref": f"#/components/securitySchemes/{name}"} for name in _KEYS],
        }
        for scheme, says in (("http", "Server-sent events."), ("ws", "Sockets."))
    }


_KEYS: Final = ("key", "ticket")


def _security_schemes() -> Schema:
    bearer = {name: parts.SECURITY[name] for name in ("type", "scheme", "description")}
    ticket = {
        "type": "httpApiKey",
        "name": TICKET.name,
        "in": "query",
        "description": (
            f"A ticket of `POST {CREATE_TICKET.published_path}`, good for {TICKET_SECONDS}"
            " seconds: browsers send no header with a stream."
        ),
    }
    return {"key": {**bearer, "bearerFormat": parts.SECURITY["bearerFormat"]}, "ticket": ticket}


def _channel(name: str, call: Call) -> Schema:
    channel: Schema = {
        "address": call.published_path,
        "title": call.summary,
        "description": call.says,
        "servers": [{"$ref": f"#/servers/{'ws' if call is SOCKET else 'http'}"}],
        "messages": {
            word: {"$ref": f"#/components/messages/{message}"} for word, message in _told().items()
        },
    }
    if call.path.startswith(ENCOUNTER_PATH):
        channel["parameters"] = {"encounter": {"description": "Id of the encounter."}}
    if call is SOCKET:
        query = {"type": "object", "properties": dict(map(_query_schema, call.query))}
        channel["bindings"] = {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}}
    return channel


def _query_schema(parameter: Parameter) -> tuple[str, Schema]:
    described = parts.query_parameter(parameter)
    return parameter.name, {**described["schema"], "description": described["description"]}


def _told() -> dict[str, str]:
    """The messages of every channel: tag to the name of the message."""
    return {word: word for word in (*(_tag(kind) for kind, _, _ in _RECORDS), _PROBLEM)}


def _operation(channel: str, call: Call) -> Schema:
    operation: Schema = {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": call.summary,
        "messages": [{"$ref": f"#/channels/{channel}/messages/{word}"} for word in _told()],
    }
    if call is not SOCKET:
        query = {"type": "object", "properties": dict(map(_query_schema, call.query))}
        operation["bindings"] = {
            "http": {"method": "GET", "query": query, "bindingVersion": "0.3.0"}
        }
    return operation


def _messages() -> Schema:
    messages = {
        _tag(kind): {
            "name": _tag(kind),
            "title": name,
            "summary": says,
            "contentType": JSON,
            "payload": reference(name),
        }
        for kind, name, says in _RECORDS
    }
    problem: Schema = {
        "name": _PROBLEM,
        "title": "SocketProblem",
        "summary": (
            "Why a socket was refused, or what it does not take; why a stream of events was"
            " refused, with `refusals=record`."
        ),
        "contentType": JSON,
        "payload": reference("SocketProblem"),
    }
    return {**messages, _PROBLEM: problem}


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _schemas(rulesets: Sequence[Ruleset[RuleState]]) -> dict[str, Schema]:
    """The records, and every component that they refer to."""
    components = service_components(rulesets)
    components["SocketProblem"] = {
        "type": "object",
        "properties": {
            "type": {
                "type": "string",
                "const": _PROBLEM,
                "description": f"What this is: always `{_PROBLEM}`.",
            },
            "problem": {
                "description": "Why, as HTTP would answer it.",
                **reference("Problem"),
            },
            "retry": {
                "type": "boolean",
                "description": (
                    "Whether the same request may succeed later; of an open socket, always false."
                ),
            },
        },
        "required": ["type", "problem", "retry"],
    }
    needed = reached([name for _, name, _ in _RECORDS] + ["SocketProblem"], components)
    return {name: _as_asyncapi(schema) for name, schema in needed.items()}


def _as_asyncapi(schema: Any) -> Any:
    """The same schema as AsyncAPI writes it."""
    if isinstance(schema, Mapping):
        return {
            key: value["propertyName"]
            if key == "discriminator" and isinstance(value, Mapping)
            else _as_asyncapi(value)
            for key, value in schema.items()
        }
    return [_as_asyncapi(each) for each in schema] if isinstance(schema, list) else schema
