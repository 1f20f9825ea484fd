"""The OpenAPI 3.1 document: the calls of the table, the types behind them, working examples."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from service import __version__
from service.api.call import Call, CallAnswer
from service.api.openapi import parts
from service.api.openapi.components import reached, references_in
from service.api.openapi.schemas import PREFIX, Schema, reference
from service.api.openapi.service_types import service_components
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset

_IN_PATH: Final = re.compile(r"\{([a-z]+)\}")
_TAGS: Final = (
    ("rulesets", "What can be played"),
    ("encounters", "Battles"),
    ("play", "Acting"),
    ("log", "What happened"),
    ("seats", "Who takes part"),
    ("streams", "What happens, live"),
    ("proof", "That it happened by the rules"),
    ("operations", "Running the service"),
)


def document(calls: Sequence[Call], rulesets: Sequence[Ruleset[RuleState]]) -> Schema:
    """The whole document."""
    paths: dict[str, Schema] = {}
    for call in calls:
        operations = paths.setdefault(call.published_path, {})
        operations[call.method.lower()] = _operation(call, calls)
    problems = parts.problem_responses()
    needed = [target.removeprefix(PREFIX) for target in references_in([paths, problems])]
    schemas = reached(
        [name for name in needed if not name.startswith("#")], service_components(rulesets)
    )
    return {
        "openapi": "3.1.0",
        "info": parts.info(__version__),
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": says} for name, says in _TAGS],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": parts.SECURITY},
            "parameters": parts.HEADER_PARAMETERS,
            "headers": parts.RESPONSE_HEADERS,
            "responses": problems,
        },
    }


@cache
def document_bytes(calls: tuple[Call, ...], rulesets: tuple[Ruleset[RuleState], ...]) -> bytes:
    """The document as it is published: indented, ending in a line feed."""
    return msgspec.json.format(msgspec.json.encode(document(calls, rulesets)), indent=1) + b"\n"


def _operation(call: Call, calls: Sequence[Call]) -> Schema:
    operation: Schema = {
        "operationId": call.id,
        "tags": [call.tag],
        "summary": call.summary,
        "parameters": [
            *(parts.path_parameter(name) for name in _IN_PATH.findall(call.published_path)),
            *(parts.query_parameter(parameter) for parameter in call.query),
            *({"$ref": f"#/components/parameters/{name}"} for name in call.headers),
            *parts.common_parameters(call),
        ],
        "responses": {
            **{str(answer.status): _response(answer, calls) for answer in call.answers},
            **{
                str(status): {"$ref": f"#/components/responses/Problem{status}"}
                for status in sorted(call.problems)
            },
        },
    }
    if call.says:
        operation["description"] = call.says
    if parts.is_without_key(call):
        operation["security"] = []
    if call.body is not None:
        operation["requestBody"] = _body(call, call.body)
    return operation


def _body(call: Call, schema: str) -> Schema:
    content: Schema = {"schema": reference(schema)}
    if call.examples:
        content["examples"] = {
            example.name: {"summary": example.says, "value": example.value}
            for example in call.examples
        }
    return {"required": True, "content": {call.body_type: content}}


def _response(answer: CallAnswer, calls: Sequence[Call]) -> Schema:
    response: Schema = {
        "description": answer.says,
        "headers": {
            name: {"$ref": f"#/components/headers/{name}"}
            for name in (*answer.headers, *parts.ALWAYS)
        },
    }
    links = answer.links
    if links is not None:
        response["links"] = {
            call.id: parts.link_to(call, links)
            for call in calls
            if call.path.startswith(links.path)
        }
    if answer.content:
        response["content"] = {
            media_type: {"schema": reference(schema)}
            for media_type, schema in answer.content.items()
        }
    return response
