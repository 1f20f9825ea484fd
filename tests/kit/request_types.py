"""The types of what clients send to a ruleset: creations and actions with all that is in them."""

from collections.abc import Iterator
from typing import Any

from msgspec import NODEFAULT, UNSET, Struct, inspect

from service.engine.ruleset.definition import Ruleset
from tests.kit.table import tree_of


def structs_of(ruleset: Ruleset[Any]) -> tuple[inspect.StructType, ...]:
    """Every Struct that a creation or an action may hold, each once."""
    known: set[type[Struct]] = set()
    asked = (ruleset.setup, ruleset.action)
    return tuple(kind for each in asked for kind in _structs_in(inspect.type_info(each), known))


def _structs_in(kind: object, known: set[type[Struct]]) -> Iterator[inspect.StructType]:
    if isinstance(kind, inspect.StructType):
        if kind.cls in known:
            return
        known.add(kind.cls)
        yield kind
        inner: tuple[object, ...] = tuple(field.type for field in kind.fields)
    else:
        several = [getattr(kind, name, ()) for name in ("types", "item_types")]
        names = ("type", "item_type", "key_type", "value_type")
        single = [getattr(kind, name, None) for name in names]
        inner = tuple(each for each in (*several[0], *several[1], *single) if each is not None)
    for each in inner:
        yield from _structs_in(each, known)


def defaults_of(ruleset: Ruleset[Any]) -> dict[str, dict[str, object]]:
    """What represents a field that is left out, by type and field; not where it stays absent."""
    found = {kind.cls.__name__: _defaults(kind) for kind in structs_of(ruleset)}
    return {name: defaults for name, defaults in sorted(found.items()) if defaults}


def _defaults(kind: inspect.StructType) -> dict[str, object]:
    stated: dict[str, object] = {}
    for field in kind.fields:
        value = field.default
        if field.default_factory is not NODEFAULT:
            value = field.default_factory()
        if value not in (NODEFAULT, UNSET):
            is_struct = isinstance(value, Struct)
            stated[field.encode_name] = type(value).__name__ if is_struct else tree_of(value)
    return stated
