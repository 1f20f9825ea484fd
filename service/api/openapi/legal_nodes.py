"""What `legal-actions` lists: a node for each type of action, and domains of its parameters.

How this works. The schemas are those of the types in `ruleset.legal_nodes`, with the types behind a
base where a field names the base. Bounds have no component: they are described in their domain.
Documents are compared byte by byte, so members keep the order in which they were first published.
"""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from msgspec import Struct

from service.api.openapi.components import ComponentKey, ComponentKind
from service.api.openapi.field_texts import described, texts_of
from service.api.openapi.rulesets import edition_of
from service.api.openapi.schemas import Schema, one_of, published, schemas_of, told_of
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.engine.ruleset.legal_nodes import (
    DOMAINS,
    VALUES,
    DiscBounds,
    Domain,
    DomainCell,
    DomainValue,
    LegalDecision,
    LegalNode,
    PathBounds,
    PricedCell,
    RangeBounds,
)
from service.engine.vocabulary.actions import (
    Answer,
    CombatantAction,
    JointAction,
    SideAction,
    UnitAction,
)

NODE: Final = "LegalNode"

_NAMING_WHO: Final = CombatantAction | JointAction | SideAction | UnitAction | Answer
"""Actions that say who acts, or who is asked."""

_NAMED: Final[tuple[ComponentKind, ...]] = (
    *DOMAINS,
    *VALUES,
    DomainCell,
    PricedCell,
    LegalDecision,
)
_BOUNDS: Final[tuple[ComponentKind, ...]] = (RangeBounds, DiscBounds, PathBounds)
"""What is described in the domain that holds it."""

_OF_ALL: Final = Domain.__struct_fields__
"""Fields of every domain: they are published behind its own."""


def domains() -> dict[ComponentKey, Schema]:
    """The domains of parameters, distinguished by the property that is there, and what is
    in them.
    """
    kinds = (*_NAMED, *_BOUNDS)
    _, found = schemas_of(kinds, "")
    schemas = {kind: _schema_of(kind, found[kind.__name__]) for kind in kinds}
    held: dict[str, Schema] = {
        **{kind.__name__: _place(kind).reference for kind in _NAMED},
        **{kind.__name__: schemas[kind] for kind in _BOUNDS},
        Domain.__name__: _any_of(DOMAINS),
        DomainValue.__name__: _any_of(VALUES),
        Struct.__name__: {"type": "object"},
    }
    return {_place(kind): _filled_in(schemas[kind], held) for kind in _NAMED}


def _place(kind: ComponentKind) -> ComponentKey:
    return ComponentKey(kind.__name__, "told")


def _any_of(kinds: Sequence[ComponentKind]) -> Schema:
    return {"anyOf": [_place(kind).reference for kind in kinds]}


def _schema_of(kind: ComponentKind, schema: Schema) -> Schema:
    """The schema of a type in answers; references hold the names of types."""
    shown = told_of(kind, described(kind, published(schema, "told", lambda name: name)))
    return {**shown, "required": shown.get("required", [])}


def _filled_in(schema: Schema, held: Mapping[str, Schema]) -> Schema:
    """The schema of a type with what its properties refer to."""
    properties = {name: _resolved(each, held) for name, each in schema["properties"].items()}
    optional = {name: properties.pop(name) for name in _OF_ALL if name in properties}
    return {**schema, "properties": properties | optional}


def _resolved(schema: Schema, held: Mapping[str, Schema]) -> Schema:
    """A schema with what it refers to; its type and its meaning come first, arrays last."""
    shown: Schema = {}
    for key, value in schema.items():
        match key:
            case "$ref":
                shown = {**held[value], **shown}
            case "items" | "additionalProperties":
                shown[key] = _resolved(value, held)
            case "anyOf":
                each_of = [_resolved(each, held) for each in value]
                flat = [inner for each in each_of for inner in each.get("anyOf", (each,))]
                shown[key] = sorted(flat, key=lambda each: each.get("type") == "array")
            case _:
                shown[key] = value
    first = () if "properties" in shown else ("type", "description")
    return {key: shown[key] for key in first if key in shown} | shown


def nodes(ruleset: Ruleset[RuleState]) -> dict[ComponentKey, Schema]:
    """The nodes of a ruleset by the type of their action, and their union."""
    edition = edition_of(ruleset)
    texts = texts_of(LegalNode)
    found: dict[ComponentKey, Schema] = {}
    tagged: dict[str, Schema] = {}
    for kind in get_args(ruleset.action):
        if not issubclass(kind, _NAMING_WHO):
            continue
        tag = str(kind.__struct_config__.tag)
        place = ComponentKey(f"{kind.__name__}Node", "told", edition)
        example = ComponentKey(kind, "taken", edition).reference
        properties: Schema = {
            "type": {"type": "string", "const": tag, "description": texts["type"]},
            "params": {
                "type": "object",
                "description": texts["params"],
                "additionalProperties": _any_of(DOMAINS),
            },
            "example": {"description": texts["example"], **example},
        }
        required = list(properties)
        if issubclass(kind, Answer):
            decision = _place(LegalDecision).reference
            properties["decision"] = {"description": texts["decision"], **decision}
        found[place] = {
            "description": f"An action of `{ruleset.slug}` that may be taken now, its parameters, "
            "and one example.",
            "type": "object",
            "properties": properties,
            "required": required,
        }
        tagged[tag] = place.reference
    return {**found, ComponentKey(NODE, "told", edition): one_of("type", tagged)}
