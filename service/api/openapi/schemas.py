"""JSON Schema of our types: what the decoder accepts, as OpenAPI 3.1 wants it told.

How this works. `msgspec` says what its decoder does; three things are told better for readers and
generators: a tagged union is `oneOf` with its discriminator, a tag is a `const`, an enumeration
has a type. What a viewer sees may lack any field that this viewer may not know, so a schema of
something *seen* requires nothing but the tag and leaves room for fields to come.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

Schema = dict[str, Any]
Rename = Callable[[str], str]

PREFIX: Final = "#/components/schemas/"


def components(
    kinds: Sequence[Any], rename: Rename, *, seen: bool = False, at: str = PREFIX
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Schemas of these types, and the components they refer to under their new names.

    `seen`: as some viewer sees them; else as they are decoded.
    """
    found, named = msgspec.json.schema_components(
        kinds, schema_hook=_anything, ref_template=at + "{name}"
    )

    def published(name: str) -> str:
        return rename(_plain_name(name))

    told = {published(name): _told(schema, published, seen, at) for name, schema in named.items()}
    if len(told) < len(named):
        raise ValueError("two types of one name stand in modules of one name")
    return tuple(_told(schema, published, seen, at) for schema in found), told


def _plain_name(name: str) -> str:
    """The name of a type; where two share it, with the module's before it.

    `service.rulesets.seeker_d100.effects.Answer` -> `EffectsAnswer`.
    """
    *modules, own = name.split(".")
    return f"{modules[-1].capitalize()}{own}" if modules else own


def reference(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": PREFIX + name}


def any_of(names: Sequence[str]) -> Schema:
    """One of several components, by no discriminator."""
    return {"anyOf": [reference(name) for name in names]}


def tags_of(union: Any) -> tuple[str, ...]:
    """The tags of a union of tagged Structs, in its order."""
    kinds: tuple[type[Struct], ...] = getattr(union, "__args__", (union,))
    return tuple(str(kind.__struct_config__.tag) for kind in kinds)


def _anything(_: type) -> Schema:
    """The schema of `object`: any JSON value."""
    return {"description": "Any JSON value."}


_METADATA: Final[Schema] = {
    "type": "object",
    "description": "Any JSON object of up to 4 KiB: its sender's own, read by no rule.",
    "examples": [{"foundry_id": "8hRvDPnXGd0Q4ZkM"}],
}


def _told(schema: Mapping[str, Any], rename: Rename, seen: bool, at: str) -> Schema:
    if "x-metadata" in schema:
        return _METADATA
    told: Schema = {}
    for key, value in schema.items():
        told[key] = _value(key, value, rename, seen, at)
    if "discriminator" in told:
        told["oneOf"] = told.pop("anyOf")
    if "enum" in told and all(isinstance(word, str) for word in told["enum"]):
        told = {"type": "string", **told}
    if "description" in told:
        told["description"] = " ".join(told["description"].split())
    if "properties" in told:
        _tell_object(told, seen)
    return told


def _value(key: str, value: Any, rename: Rename, seen: bool, at: str) -> Any:
    if key == "$ref":
        return at + rename(value.removeprefix(at))
    if key == "mapping":
        return {tag: at + rename(ref.removeprefix(at)) for tag, ref in value.items()}
    if key == "properties":
        return {name: _told(inner, rename, seen, at) for name, inner in value.items()}
    if key in {"default", "const", "enum", "examples", "required"}:
        return value
    if isinstance(value, Mapping):
        return _told(value, rename, seen, at)
    if isinstance(value, list):
        return [_told(each, rename, seen, at) for each in value if isinstance(each, Mapping)]
    return value


def _tell_object(told: Schema, seen: bool) -> None:
    """Mark the tag, and ask of something seen for nothing that may be withheld."""
    tags = [name for name, inner in told["properties"].items() if len(inner.get("enum", ())) == 1]
    for name in tags:
        [word] = told["properties"][name].pop("enum")
        told["properties"][name]["const"] = word
    if seen:
        told.pop("additionalProperties", None)
        told["required"] = [name for name in told.get("required", ()) if name in tags]
    if not told.get("required"):
        told.pop("required", None)
