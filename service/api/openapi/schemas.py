"""JSON Schema of our types: what the decoder accepts, in the dialect of OpenAPI 3.1.

How this works. `msgspec` says what its decoder does; some things are shown better for readers and
generators: a tagged union is `oneOf` with its discriminator, a tag is a `const`, an enumeration
has a type, an array of a fixed length has one schema for its items. What is `taken` requires what
has no default and allows nothing unknown. What is `told` requires whatever is always there, fields
with a default included, states no default and leaves room for fields to come.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.audience_plan import AudiencePlan, plan_of
from service.engine.vocabulary.patterns import published as ending_plainly

Schema = dict[str, Any]
Rename = Callable[[str], str]
Direction = Literal["taken", "told"]

PREFIX: Final = "#/components/schemas/"

_AS_THEY_ARE: Final = frozenset({"default", "const", "enum", "examples", "required"})
_MARKED_ROOMS: Final = ("service.engine.", "service.rulesets.")
"""Where types say of each field who may know it."""


def reference(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": PREFIX + name}


def any_of(schemas: Sequence[Schema]) -> Schema:
    """One of several, by no discriminator; the only one if there is but one."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def one_of(property_name: str, mapping: Mapping[str, Schema]) -> Schema:
    """One of several, distinguished by the word that one of their properties holds."""
    return {
        "oneOf": list(mapping.values()),
        "discriminator": {
            "propertyName": property_name,
            "mapping": {word: schema["$ref"] for word, schema in mapping.items()},
        },
    }


def schemas_of(kinds: Sequence[Any], at: str) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """What `msgspec` says of these types, and of the Structs they refer to by their own names."""
    return msgspec.json.schema_components(kinds, schema_hook=_anything, ref_template=at + "{name}")


def _anything(_: type) -> Schema:
    """The schema of `object`: any JSON value."""
    return {"description": "Any JSON value."}


_METADATA: Final[Schema] = {
    "type": "object",
    "description": "Any JSON object of up to 4 KiB: its sender's own, read by no rule.",
    "examples": [{"foundry_id": "8hRvDPnXGd0Q4ZkM"}],
}


def published(schema: Mapping[str, Any], direction: Direction, rename: Rename) -> Schema:
    """A schema of `msgspec` as it is published; `rename` gives each reference its new target."""
    if "x-metadata" in schema:
        return {**_METADATA}
    shown: Schema = {
        key: _value(key, value, direction, rename)
        for key, value in schema.items()
        if key != "title" and not (key == "default" and direction == "told")
    }
    if "discriminator" in shown:
        shown["oneOf"] = shown.pop("anyOf")
    if "enum" in shown and all(isinstance(word, str) for word in shown["enum"]):
        shown = {"type": "string", **shown}
    if "description" in shown:
        shown["description"] = " ".join(shown["description"].split())
    if "prefixItems" in shown:
        shown = _of_fixed_length(shown)
    if "properties" in shown:
        _state_tags(shown)
    return shown


def _value(key: str, value: Any, direction: Direction, rename: Rename) -> Any:
    if key == "$ref":
        return rename(value)
    if key == "pattern":
        return ending_plainly(value)
    if key == "mapping":
        return {tag: rename(target) for tag, target in value.items()}
    if key == "properties":
        return {name: published(inner, direction, rename) for name, inner in value.items()}
    if key in _AS_THEY_ARE:
        return value
    if isinstance(value, Mapping):
        return published(value, direction, rename)
    if isinstance(value, list):
        return [published(each, direction, rename) for each in value if isinstance(each, Mapping)]
    return value


def _of_fixed_length(schema: Schema) -> Schema:
    """An array whose length says it all: generators stumble over `items: false`."""
    items = schema.pop("prefixItems")
    return {**schema, "items": _any_item(items)}


def _any_item(items: Sequence[Schema]) -> Schema:
    """What any of several is; of several arrays, an array of whatever is in any."""
    if len(items) > 1 and all(each.get("type") == "array" for each in items):
        return {"type": "array", "items": _any_item([each["items"] for each in items])}
    flat = [inner for item in items for inner in item.get("anyOf", (item,))]
    return any_of([each for index, each in enumerate(flat) if each not in flat[:index]])


def _state_tags(shown: Schema) -> None:
    """A word of which there is but one is a constant."""
    for inner in shown["properties"].values():
        if len(inner.get("enum", ())) == 1:
            [word] = inner.pop("enum")
            inner["const"] = word
    if not shown.get("required"):
        shown.pop("required", None)


def told_of(kind: type[Struct], schema: Schema) -> Schema:
    """The schema of a Struct in answers: it requires what every reader gets."""
    shown = {key: value for key, value in schema.items() if key != "additionalProperties"}
    required = list(always_told(kind))
    if required:
        shown["required"] = required
    else:
        shown.pop("required", None)
    return shown


def always_told(kind: type[Struct]) -> tuple[str, ...]:
    """The names of the fields of a Struct that every reader of it gets.

    The types of the rules say of each field who may know it; of others nothing is withheld.
    """
    config = kind.__struct_config__
    tag = (str(config.tag_field),) if config.tag is not None else ()
    hints = _hints_by_name(kind)
    plan = plan_of(kind) if _is_marked(kind) else None
    return tag + tuple(
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.default is not UNSET
        and not _may_be(UnsetType, hints[field.name])
        and (plan is None or _is_everyones(field.name, hints[field.name], plan))
    )


def _is_marked(kind: type[Struct]) -> bool:
    """Whether a type says of its fields who may know them."""
    if not kind.__module__.startswith(_MARKED_ROOMS):
        return False
    plan = plan_of(kind)
    return plan.base != EVERYONE_WORD or any(
        "audience" in (meta.extra or {}) for hint in _hints(kind) for meta in _metas(hint)
    )


@cache
def _hints(kind: type[Struct]) -> tuple[object, ...]:
    hints = _hints_by_name(kind)
    return tuple(hints[field.name] for field in msgspec.structs.fields(kind))


@cache
def _hints_by_name(kind: type[Struct]) -> Mapping[str, object]:
    """Resolved once for each type: a document asks for them many times, and types stay."""
    return get_type_hints(kind, include_extras=True)


def _metas(hint: object) -> list[msgspec.Meta]:
    """The marks of a field, inner ones included."""
    own = [meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]
    return own + [meta for inner in get_args(hint) for meta in _metas(inner)]


def _is_everyones(name: str, hint: object, plan: AudiencePlan) -> bool:
    """Whether every reader of an object may read this field of it, free text apart."""
    [field] = [each for each in plan.fields if each.attribute == name]
    is_array = _may_be(tuple, hint)
    return (
        field.mark == EVERYONE_WORD
        and not field.is_text
        and (is_array or (field.names != "mention" and not _may_be_narrower(hint)))
    )


def _may_be_narrower(hint: object) -> bool:
    """Whether a value may be an object that fewer may know than its holder."""
    return any(
        plan.base != EVERYONE_WORD or bool(plan.named) or plan.is_narrowed
        for plan in map(plan_of, _structs_of(hint))
    )


def structs_in(hints: Sequence[object]) -> set[type[Struct]]:
    """Every Struct that values of these types may be or hold, at any depth."""
    structs: set[type[Struct]] = set()
    waiting = [kind for hint in hints for kind in _structs_of(hint)]
    while waiting:
        kind = waiting.pop()
        if kind not in structs:
            structs.add(kind)
            waiting += [inner for hint in _hints(kind) for inner in _structs_of(hint)]
    return structs


def _structs_of(hint: object) -> list[type[Struct]]:
    """The Structs that an annotation names."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [kind for inner in get_args(hint) for kind in _structs_of(inner)]


def _may_be(kind: type, hint: object) -> bool:
    """Whether a value of an annotation may be one of this type: itself, not what is in it."""
    origin = get_origin(hint)
    if origin in {Annotated, Union, UnionType}:
        return any(_may_be(kind, inner) for inner in get_args(hint))
    return kind in {hint, origin}
