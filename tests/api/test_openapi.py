"""The published contract is that of the running service."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler
from openapi_spec_validator import validate

from service.api.openapi.document import document, document_bytes
from service.api.openapi.rulesets import camel
from service.api.request import CALL_OPTION
from service.api.routes import CALLS, ROUTES
from service.encounters.access import ROUTES as ACCESS
from service.rulesets import RULESETS, crossfire_d6
from tests.api.examples import EXAMPLES
from tests.api.joining import join, patch
from tests.api.published import OPENAPI
from tests.api.serving import Caller, Served, problem

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
SCHEMAS: dict[str, dict[str, Any]] = OPENAPI["components"]["schemas"]


def references(node: object) -> set[str]:
    """Names of all components that a part of the document refers to."""
    if isinstance(node, dict):
        own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*(references(inner) for inner in node.values()))
    if isinstance(node, list):
        return set().union(*(references(inner) for inner in node))
    return set()


def reachable(name: str) -> set[str]:
    """A component and all it refers to, however deep."""
    found, left = set(), {name}
    while left:
        one = left.pop()
        found.add(one)
        left |= (references(SCHEMAS[one]) & SCHEMAS.keys()) - found
    return found


def test_the_committed_document_is_up_to_date(served: Served) -> None:
    body = document_bytes(CALLS, tuple(RULESETS.values()))
    assert COMMITTED.read_bytes() == body, "run 'make openapi'"
    assert httpx.get(f"{served.url}/openapi.json").content == body


def test_the_document_is_valid_openapi() -> None:
    validate(OPENAPI)


REQUESTS = [
    "CreateRequest",
    "ActRequest",
    "PreviewRequest",
    "CreateSeatRequest",
    "ChangeSeatRequest",
    "JoinRequest",
    "AuditRequest",
]


def test_routes_and_document_name_the_same_calls() -> None:
    documented = {
        (method.upper(), path) for path, methods in OPENAPI["paths"].items() for method in methods
    }
    routed = set()
    for handler in ROUTES:
        assert isinstance(handler, HTTPRouteHandler)
        call = handler.opt[CALL_OPTION]
        assert handler.paths == {call.path}
        routed |= {(str(method), call.published_path) for method in handler.http_methods}
    assert documented == routed
    assert {call.id for call in CALLS} == set(ACCESS)


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_allow_no_unknown_fields_and_bound_every_number_and_text(name: str) -> None:
    for each in sorted(reachable(name)):
        schema = SCHEMAS[each]
        if "properties" not in schema:
            continue
        assert schema.get("additionalProperties") is False, each
        for field, inner in schema["properties"].items():
            assert_bounded(f"{each}.{field}", inner)


def assert_bounded(where: str, schema: dict[str, Any]) -> None:
    match schema.get("type"):
        case "integer":
            assert isinstance(schema["minimum"], int), where
            assert isinstance(schema["maximum"], int), where
        case "string":
            assert "maxLength" in schema or "enum" in schema or "const" in schema, where
        case "array":
            assert "maxItems" in schema, where
            assert_bounded(f"{where}[]", schema["items"])
        case _:
            pass


def test_unions_of_tagged_types_have_their_discriminator() -> None:
    for name, schema in SCHEMAS.items():
        for inner in [schema, *schema.get("properties", {}).values()]:
            if "discriminator" in inner:
                mapped = set(inner["discriminator"]["mapping"].values())
                assert mapped == {each["$ref"] for each in inner["oneOf"]}, name
    action = SCHEMAS["CrossfireD6Action"]
    assert action["discriminator"]["propertyName"] == "type"
    assert "ranged_attack" in action["discriminator"]["mapping"]


def test_every_refusal_is_documented_as_a_problem() -> None:
    for response in OPENAPI["components"]["responses"].values():
        assert set(response["content"]) == {"application/problem+json"}
        assert "Content-Language" in response["headers"]
    assert "additionalProperties" not in SCHEMAS["Problem"]


def test_components_have_names_that_generators_like_and_are_all_used() -> None:
    used = references(OPENAPI["paths"]).union(*(references(each) for each in SCHEMAS.values()))
    used |= references(OPENAPI["components"]["responses"])
    assert [name for name in SCHEMAS if not name.isalnum() or name not in used] == []


def nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every object in a part of the document."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from nodes(inner)
    elif isinstance(node, list | tuple):
        for inner in node:
            yield from nodes(inner)


def test_no_two_components_are_the_same_and_none_has_a_second_name() -> None:
    named: dict[str, list[str]] = {}
    for name, schema in SCHEMAS.items():
        named.setdefault(json.dumps(schema, sort_keys=True), []).append(name)
    assert [names for names in named.values() if len(names) > 1] == []
    # A `title` is a second name, and generators prefer it.
    properties = {id(inner) for each in nodes(SCHEMAS) for inner in [each.get("properties")]}
    assert [each for each in nodes(SCHEMAS) if "title" in each and id(each) not in properties] == []
    assert [each for each in nodes(SCHEMAS) if each.get("items") is False] == []


def test_what_every_ruleset_has_is_named_after_none() -> None:
    common = SCHEMAS["CommonAction"]["discriminator"]["mapping"]
    assert set(common) >= {"start_encounter", "end_encounter", "note", "add_seat", "rewind"}
    prefixes = {camel(slug) for slug, _ in RULESETS}
    for prefix in prefixes:
        own = SCHEMAS[f"{prefix}Action"]["discriminator"]["mapping"]
        assert {word: own[word] for word in common} == common
        named = [target.rpartition("/")[2] for target in own.values()]
        others = tuple(prefixes - {prefix})
        assert [name for name in named if name.startswith(others)] == []


ENVELOPES = [
    "EncounterView",
    "CreatedAnswer",
    "EventRecord",
    "EventPage",
    "ActionsAnswer",
    "PreviewAnswer",
    "LegalAnswer",
    "MyBattle",
    "CreateRequest",
]


@pytest.mark.parametrize("name", ENVELOPES)
def test_an_envelope_is_told_apart_by_its_ruleset(name: str) -> None:
    union = SCHEMAS[name]["discriminator"]
    assert union["propertyName"] == "ruleset"
    assert set(union["mapping"]) == {slug for slug, _ in RULESETS}
    for slug, target in union["mapping"].items():
        others = tuple(camel(other) for other, _ in RULESETS if other != slug)
        for component in versions_at(target):
            envelope = SCHEMAS[component]
            named = envelope["properties"]["ruleset"]
            assert named == {"description": named["description"], "type": "string", "const": slug}
            assert "ruleset" in envelope["required"]
            assert [each for each in reachable(component) if each.startswith(others)] == []


def versions_at(target: str) -> list[str]:
    """The components of a ruleset's versions behind a reference; one where they are all alike."""
    component = target.rpartition("/")[2]
    versions = SCHEMAS[component].get("anyOf", [{"$ref": target}])
    return [each["$ref"].rpartition("/")[2] for each in versions]


def test_a_version_with_the_same_types_has_no_names_of_its_own() -> None:
    both = (*RULESETS.values(), replace(crossfire_d6.RULESET, version="9"))
    assert document(CALLS, both)["components"]["schemas"] == SCHEMAS


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the ninth version shows before."""

    omen: str
    """What the birds say."""


@pytest.mark.soak
def test_a_version_has_names_of_its_own_where_its_types_differ_and_there_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Facts, "__module__", crossfire_d6.__name__)
    both = (*RULESETS.values(), replace(crossfire_d6.RULESET, version="9", facts=Facts))
    built = document(CALLS, both)
    validate(json.loads(msgspec.json.encode(built)))
    schemas = built["components"]["schemas"]
    told = ("Facts", "PreviewAnswer")
    either = "CrossfireD6AnyPreviewAnswer"
    assert schemas.keys() - SCHEMAS.keys() == {either, *(f"CrossfireD6V9{each}" for each in told)}
    assert {name for name in SCHEMAS if schemas[name] != SCHEMAS[name]} == {"PreviewAnswer"}
    assert schemas["PreviewAnswer"]["discriminator"]["mapping"] == {
        slug: f"#/components/schemas/{camel(slug)}PreviewAnswer" for slug, _ in RULESETS
    } | {"crossfire-d6": f"#/components/schemas/{either}"}
    assert schemas[either] == {
        "anyOf": [
            {"$ref": f"#/components/schemas/CrossfireD6{version}PreviewAnswer"}
            for version in ("", "V9")
        ]
    }
    told_now = schemas["CrossfireD6V9PreviewAnswer"]["properties"]["facts"]["$ref"]
    assert told_now == "#/components/schemas/CrossfireD6V9Facts"


def test_fields_with_a_default_are_optional_where_taken_and_there_where_told() -> None:
    taken, told = SCHEMAS["Seat"], SCHEMAS["SeatSeen"]
    assert taken["required"] == ["id", "role"]
    assert told["required"] == ["id", "role", "sides", "combatants"]
    assert taken["properties"]["sides"]["default"] == []
    for name in reachable("EncounterView"):
        stated = SCHEMAS[name].get("properties", {}).values()
        assert [each for each in stated if "default" in each] == [], name


def test_every_example_works_as_it_stands(caller: Caller) -> None:
    bodies = [
        example
        for methods in OPENAPI["paths"].values()
        for operation in methods.values()
        for content in operation.get("requestBody", {}).get("content", {}).values()
        for example in content.get("examples", {}).values()
    ]
    assert len(bodies) == sum(len(examples) for examples in EXAMPLES.values())
    for created in EXAMPLES["create_encounter"]:
        encounter = caller.create(created.value)
        actions = [each for each in EXAMPLES["act"] if each.of == created.name]
        for index, example in enumerate(actions):
            answer = caller.post(f"{encounter}/actions", example.value)
            assert answer.status_code == 201, answer.text
            assert "stopped" not in answer.json(), answer.text
            for foreseen in EXAMPLES["preview"] if index == 0 else ():
                if foreseen.of == created.name:
                    preview = caller.post(f"{encounter}/preview", foreseen.value)
                    assert preview.status_code == 200, preview.text
                    assert preview.json()["legal"], foreseen.name
        if created.name == EXAMPLES["create_seat"][0].of:
            try_seats(caller, encounter)
    creations = {each.name for each in EXAMPLES["create_encounter"]}
    assert {each.of for name in ("act", "preview") for each in EXAMPLES[name]} <= creations


def try_seats(caller: Caller, encounter: str) -> None:
    for given in EXAMPLES["create_seat"]:
        answer = caller.post(f"{encounter}/seats", given.value)
        assert answer.status_code == 201, answer.text
        seat = f"{encounter}/seats/{given.value['seat']['id']}"
        for change in EXAMPLES["change_seat"]:
            assert patch(caller, seat, change.value).status_code == 200
    for example in EXAMPLES["join"]:
        assert problem(join(caller.url, **example.value))["code"] == "unknown_invitation"


def test_the_document_of_one_rulebook_has_every_call_and_no_other_rulebook(served: Served) -> None:
    whole = httpx.get(f"{served.url}/openapi.json").json()
    one = httpx.get(f"{served.url}/docs/crossfire-d6.openapi.json").json()
    assert {path: list(calls) for path, calls in one["paths"].items()} == {
        path: list(calls) for path, calls in whole["paths"].items()
    }
    others = {camel(slug) for slug, _ in RULESETS} - {"CrossfireD6"}
    assert [name for name in one["components"]["schemas"] if name.startswith(tuple(others))] == []
    missing = httpx.get(f"{served.url}/docs/crossfire-d7.openapi.json")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
