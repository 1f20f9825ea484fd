"""The client's types hold against the published documents."""

import json
from collections.abc import Iterator
from inspect import getmembers, isclass
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

import msgspec
import pytest
from msgspec import Struct

from tests.clients.tools import DOCUMENT
from warlog import answers, problems, records

STREAMS: Final = json.loads((DOCUMENT.parent / "asyncapi.json").read_bytes())["components"][
    "schemas"
]
CALLS: Final = json.loads(DOCUMENT.read_bytes())["components"]["schemas"]
RENAMED: Final = {
    "Event": "EventTold",
    "Presence": "PresenceChange",
    "Timers": "TimersChange",
    "Timer": "TimerView",
    "ProblemBody": "Problem",
}
OURS: Final = {"Status", "JoinAnswer"}
"""Types of the library alone."""

RECORDED: Final = {("Event", "undone_by"), ("Event", "undoing"), ("Event", "explanation")}
"""Fields of an event that is read by a call."""


ASKED: Final = ("MelodyD6Question", "SeekerD100Reaction", "TacticalD20Opportunity")
"""Decisions of rulesets that say what they are about."""


def published(name: str) -> list[dict[str, Any]]:
    """The schemas of a type: that of each ruleset, and of its versions, where it has several."""
    if name == "Decision":
        return [CALLS[each] for each in ASKED]
    place = STREAMS if RENAMED.get(name, name) in STREAMS else CALLS
    waiting, found = [place[RENAMED.get(name, name)]], []
    while waiting:
        schema = waiting.pop()
        members = schema.get("oneOf", schema.get("anyOf"))
        if members is None:
            found.append(schema)
        else:
            waiting += [place[each["$ref"].rpartition("/")[2]] for each in members]
    return found


def structs() -> Iterator[type[Struct]]:
    for module in (records, answers, problems):
        for name, kind in getmembers(module, isclass):
            is_own = kind.__module__ == module.__name__
            if is_own and issubclass(kind, Struct) and name not in OURS:
                yield kind


def kinds(schema: dict[str, Any]) -> set[str]:
    """What JSON of a schema may be; nothing where it says nothing."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return kinds(CALLS.get(name) or STREAMS[name])
    if "type" in schema:
        return {schema["type"]}
    if "const" in schema:
        return {{str: "string", int: "integer"}[type(schema["const"])]}
    return set[str]().union(*map(kinds, [*schema.get("oneOf", ()), *schema.get("anyOf", ())]))


def kinds_of(annotation: Any) -> set[str]:
    """What JSON of an annotation may be."""
    origin = get_origin(annotation) or annotation
    if origin in (Union, UnionType):
        return set[str]().union(*map(kinds_of, get_args(annotation)))
    if isclass(origin) and issubclass(origin, Struct):
        return {"object"}
    names = {str: "string", int: "integer", bool: "boolean", tuple: "array", dict: "object"}
    return {names[origin]} if origin in names else set()


@pytest.mark.parametrize("kind", list(structs()), ids=lambda kind: kind.__name__)
def test_a_type_is_what_is_published(kind: type[Struct]) -> None:
    name = kind.__name__
    for schema in published(name):
        properties = schema["properties"]
        for field in msgspec.structs.fields(kind):
            place = (name, field.encode_name)
            if place in RECORDED and field.encode_name not in properties:
                continue
            assert field.encode_name in properties, place
            is_needed = field.encode_name in schema["required"]
            assert field.required <= is_needed, place
            wanted, ours = kinds(properties[field.encode_name]), kinds_of(field.type)
            assert not ours or wanted <= ours, place
            if not is_needed and name != "ProblemBody":
                assert field.default is None or field.default == () or ours, place


def test_nothing_that_an_event_or_an_answer_tells_is_left_out() -> None:
    missing = {
        (kind.__name__, name)
        for kind in structs()
        for schema in published(kind.__name__)
        for name in schema["properties"]
        if name
        not in {"type", "kind", *(each.encode_name for each in msgspec.structs.fields(kind))}
    }
    assert missing == set()


def test_none_stands_for_what_may_be_absent() -> None:
    for kind in structs():
        for field in msgspec.structs.fields(kind):
            if field.default is None and field.type is not Any:
                assert NoneType in get_args(field.type), (kind, field.name)
