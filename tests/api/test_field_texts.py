"""What is below a field in the code is next to it in the document."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from msgspec import Struct, field

from service.api.openapi import asyncapi, document
from service.api.openapi.field_texts import described
from service.api.routes import CALLS
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.rulesets import RULESETS


class Ladder(Struct, tag_field="kind", tag="ladder"):
    """Something to climb."""

    rungs: int
    """How many there are,
    at least 2."""

    length_ft: int = field(name="length", default=10)
    """In feet."""

    colour: str = "red"


class Stair(Ladder, tag="stair"):
    """Something to walk up."""

    length_ft: int = field(name="length", default=9)
    """In feet, along the slope."""


def schema_of(*names: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": "integer"} for name in names}}


def texts(kind: type[Struct], *names: str) -> dict[str, str | None]:
    shown = described(kind, schema_of(*names))["properties"]
    return {name: inner.get("description") for name, inner in shown.items()}


def test_a_property_is_described_by_the_text_below_its_field() -> None:
    assert texts(Ladder, "kind", "rungs", "length", "colour") == {
        "kind": "What this is: always `ladder`.",
        "rungs": "How many there are, at least 2.",
        "length": "In feet.",
        "colour": None,
    }


def test_a_type_inherits_texts_and_may_say_better() -> None:
    assert texts(Stair, "kind", "rungs", "length") == {
        "kind": "What this is: always `stair`.",
        "rungs": "How many there are, at least 2.",
        "length": "In feet, along the slope.",
    }


def test_what_is_described_already_is_left_alone() -> None:
    schema = {"properties": {"rungs": {"type": "integer", "description": "Steps."}}}
    assert described(Ladder, schema) == schema


VALUES = {"const", "default", "enum", "examples"}
"""What is there is a value, no schema."""


def undescribed(place: str, node: object) -> Iterator[str]:
    """Properties without a description in a schema, at any depth."""
    if isinstance(node, list):
        for inner in node:
            yield from undescribed(place, inner)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key == "properties":
            for name, inner in value.items():
                if "description" not in inner:
                    yield f"{place}.{name}"
                yield from undescribed(f"{place}.{name}", inner)
        elif key not in VALUES:
            yield from undescribed(place, value)


@pytest.mark.parametrize(
    "body_of",
    [partial(document.document_bytes, CALLS), asyncapi.document_bytes],
    ids=["openapi", "asyncapi"],
)
def test_every_published_property_says_what_it_means(
    body_of: Callable[[Sequence[Ruleset[RuleState]]], bytes],
) -> None:
    schemas = json.loads(body_of(tuple(RULESETS.values())))["components"]["schemas"]
    assert [place for name, each in schemas.items() for place in undescribed(name, each)] == []
