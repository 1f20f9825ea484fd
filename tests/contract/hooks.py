"""What schemathesis is shown about this interface besides its document."""

import re
from typing import Any
from zlib import crc32

import msgspec
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData

from service.engine.ruleset.definition import choices_of
from service.rulesets import RULESETS

SCHEMA_FORMS = {
    "duplicate_key",
    "missing_field",
    "missing_parameter",
    "not_an_object",
    "out_of_bounds",
    "not_whole",
    "too_big",
    "too_long",
    "too_short",
    "too_small",
    "unknown_field",
    "unknown_parameter",
    "unknown_value",
    "wrong_form",
    "wrong_length",
    "wrong_type",
}
"""Ways to be malformed that a JSON Schema shows: data that fits the schema never is so."""


_PINS = {
    "/v1/encounters": "version",
    "/v1/encounters/{encounter}/actions": "ruleset",
    "/v1/encounters/{encounter}/preview": "ruleset",
    "/v1/encounters/{encounter}/forks": "ruleset",
    "/v1/encounters/{encounter}/forks/simulations": "ruleset",
}
"""What a rulebook reads, and what such a body may pin next to it."""
_REFUSED_FIRST = {"if-match", "warlog-seat", "idempotency-key"}


@schemathesis.serializer("application/x-ndjson")
def bundle(context: schemathesis.SerializationContext, value: Any) -> bytes:
    """A body of lines is sent as the text that it is."""
    return str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def map_case(
    context: schemathesis.HookContext, case: "schemathesis.Case[Any]"
) -> "schemathesis.Case[Any]":
    """A body at its bounds is read: nothing else of the request is refused before.

    No header is generated that fits the pattern of a tag, no seat is there, a key may be used once.
    """
    if _is_about_body(case):
        for name in [each for each in case.headers if each.lower() in _REFUSED_FIRST]:
            del case.headers[name]
        case.headers["Idempotency-Key"] = f"{_digest(case):08x}"
        pin = _PINS.get(case.operation.path, "")
        if isinstance(case.body, dict) and isinstance(case.body.get(pin), str):
            del case.body[pin]
    return case


def _digest(case: "schemathesis.Case[Any]") -> int:
    return crc32(repr(case.body).encode())


def _is_about_body(case: "schemathesis.Case[Any]") -> bool:
    data = None if case.meta is None else case.meta.phase.data
    return isinstance(data, CoveragePhaseData) and data.parameter_location is ParameterLocation.BODY


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: Any) -> Any:
    """JSON Schema takes 5.0 for an integer; this service wants it written as one."""
    return integral(body)


def integral(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [integral(element) for element in value]
        case dict():
            return {key: integral(member) for key, member in value.items()}
        case _:
            return value


def is_of_another_ruleset(body: object, where: str) -> bool:
    """Whether a path leads into an action or an answer that only some rulesets know.

    An address names the encounter, not its ruleset, so the document can only list them all.
    """
    found = re.match(r"\$\.(?:actions\[(\d+)\]\.action|action\b|answers\[(\d+)\]\.choice)", where)
    if found is None or not isinstance(body, dict):
        return False
    if found[2]:
        choice = body["answers"][int(found[2])]["choice"]
        return not all(_fits(choice, choices_of(ruleset)) for ruleset in RULESETS.values())
    item = body["actions"][int(found[1])] if found[1] else body
    return not all(_fits(item["action"], ruleset.action) for ruleset in RULESETS.values())


def _fits(action: object, kind: Any) -> bool:
    try:
        msgspec.convert(action, kind)
    except msgspec.ValidationError:
        return False
    return True


@schemathesis.check
def what_fits_the_schema_is_not_called_misshapen(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: "schemathesis.Case[Any]"
) -> bool | None:
    """A 400 for data made to fit is about something that no schema can say."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return None
    problem = response.json()
    where = str(problem["params"].get("path", ""))
    # Headers are left out: for the pattern of a tag, with its quotes, no header is generated right.
    # Which rulesets there are the document leaves open: there will be more.
    left_out = where.startswith("header.") or where == "query.ruleset"
    if not left_out and not is_of_another_ruleset(case.body, where):
        assert problem["params"].get("why") not in SCHEMA_FORMS, problem["detail"]
    return None
