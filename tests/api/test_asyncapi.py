"""What streams tell, as published: complete, valid, and what real streams say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest

from service.api.openapi.asyncapi import document_bytes
from service.api.routes import CALLS
from service.live import records
from service.rulesets import RULESETS
from tests.api.published import ASYNCAPI
from tests.api.serving import SHOT, START, Caller, Served

COMMITTED = Path(__file__).parents[2] / "openapi" / "asyncapi.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MESSAGES: dict[str, Any] = ASYNCAPI["components"]["messages"]
SCHEMAS: dict[str, Any] = ASYNCAPI["components"]["schemas"]
TAGS = [str(kind.__struct_config__.tag) for kind in records.RecordBody.__args__]


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for inner in node.values():
            yield from references(inner)
    elif isinstance(node, list | tuple):
        for inner in node:
            yield from references(inner)


def found(pointer: str) -> Any:
    node: Any = ASYNCAPI
    for step in pointer.removeprefix("#/").split("/"):
        node = node[step]
    return node


def fits(record: Any) -> None:
    """The record is one of the published messages, by the schema of its type."""
    payload = MESSAGES[record["type"]]["payload"]
    schema = {**payload, "components": {"schemas": SCHEMAS}}
    jsonschema_rs.Draft202012Validator(schema).validate(record)


def test_the_committed_document_is_up_to_date(served: Served) -> None:
    body = document_bytes(tuple(RULESETS.values()))
    assert COMMITTED.read_bytes() == body, "run 'make openapi'"
    assert httpx.get(f"{served.url}/asyncapi.json").content == body


def test_every_reference_leads_somewhere_and_every_component_is_needed() -> None:
    named = set(references(ASYNCAPI))
    for pointer in named:
        assert found(pointer) is not None
    for kind in ("schemas", "messages"):
        parts = {f"#/components/{kind}/{name}" for name in ASYNCAPI["components"][kind]}
        assert parts <= named, parts - named


def test_every_record_is_a_message_of_every_channel() -> None:
    assert set(TAGS) < set(MESSAGES)
    for name, channel in ASYNCAPI["channels"].items():
        told = set(channel["messages"])
        assert told == {*TAGS, "problem"}, name
    addresses = {channel["address"] for channel in ASYNCAPI["channels"].values()}
    streamed = [call for call in CALLS if call.id in {"stream", "socket", "stream_many"}]
    assert len(streamed) == len(addresses) == len(ASYNCAPI["operations"])


def test_every_schema_is_one() -> None:
    broken = {name: faults for name, schema in SCHEMAS.items() if (faults := faults_of(schema))}
    assert broken == {}


def faults_of(schema: dict[str, Any]) -> list[str]:
    """What a schema breaks of JSON Schema, and discriminators that are not a name."""
    try:
        jsonschema_rs.meta.validate({"$schema": DIALECT, **plain(schema)})
    except jsonschema_rs.ValidationError as error:
        return [error.message]
    names = [inner.get("discriminator", "") for inner in dictionaries(schema)]
    return [f"discriminator: {name}" for name in names if not isinstance(name, str)]


def plain(schema: dict[str, Any]) -> dict[str, Any]:
    """What AsyncAPI adds to JSON Schema left out."""
    return {key: value for key, value in schema.items() if key != "discriminator"}


def dictionaries(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from dictionaries(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from dictionaries(inner)


def test_what_a_stream_tells_is_what_is_published(served: Served, caller: Caller) -> None:
    encounter = caller.create()
    caller.act(encounter, START)
    caller.act(encounter, SHOT)
    told = []
    for record in streamed(caller, f"{encounter}/stream?after=0"):
        fits(record)
        told.append(record["type"])
        if told.count("event") == 3:
            break
    assert told[0] == "hello"


def streamed(caller: Caller, path: str) -> Iterator[Any]:
    with caller.http.stream("GET", path) as answer:
        assert answer.status_code == 200, answer.read()
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line[6:])


def test_a_record_that_lacks_its_fields_does_not_fit() -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        fits({"type": "bye"})
    with pytest.raises(jsonschema_rs.ValidationError):
        fits({"type": "presence", "encounter": "x", "seat": "anna"})
