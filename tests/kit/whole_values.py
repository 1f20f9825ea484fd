"""Values of any type of a ruleset's state, every field stated and otherwise than by default."""

import types
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Raw, Struct, UnsetType

from service.engine.visibility.audience_plan import marks_of, plan_of

UNIONS = (Union, types.UnionType)


def whole(kind: type[Struct], **stated: object) -> Any:
    """An object with every field stated; fields of these names, at any depth, as stated here.

    An id of a combatant is that of `combatant`.
    """
    hints = get_type_hints(kind, include_extras=True)
    values = {}
    for field, plan in zip(msgspec.structs.fields(kind), plan_of(kind).fields, strict=True):
        if field.name in stated:
            values[field.name] = stated[field.name]
        elif plan.names in ("subject", "other", "own", "mention"):
            named = stated["combatant"]
            is_array = _is_array(hints[field.name])
            values[field.name] = (named,) if is_array else named
        else:
            hint = hints[field.name]
            usual = (default_of(field), marks_of(hint).get("unseen", NODEFAULT))
            values[field.name] = _other_than(usual, hint, stated)
    return kind(**values)


def default_of(field: msgspec.structs.FieldInfo) -> object:
    """What a field reads if it is left out; NODEFAULT if it must be stated."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def structs_of(kind: type[Struct]) -> tuple[type[Struct], ...]:
    """A type and all types of objects that its fields hold, at any depth."""
    seen: dict[type[Struct], None] = {}
    waiting = [kind]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen[each] = None
            for hint in get_type_hints(each, include_extras=True).values():
                waiting += _structs_in(hint)
    return tuple(seen)


def _structs_in(hint: Any) -> list[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [kind for each in get_args(hint) for kind in _structs_in(each)]


def _is_array(hint: Any) -> bool:
    if get_origin(hint) is tuple:
        return True
    return get_origin(hint) in (Annotated, *UNIONS) and any(map(_is_array, get_args(hint)))


def _other_than(usual: tuple[object, ...], hint: Any, stated: dict[str, object]) -> object:
    for value in _values(hint, stated):
        if value not in usual:
            return value
    raise AssertionError(f"{hint} has but one value")


def _values(hint: Any, stated: dict[str, object]) -> Iterator[object]:
    """Some values of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from _bounded(hint, stated)
    elif origin in UNIONS:
        for argument in arguments:
            if argument not in (UnsetType, type(None)):
                yield from _values(argument, stated)
    elif origin is Literal:
        yield from arguments
    elif origin is tuple:
        kinds = [argument for argument in arguments if argument is not Ellipsis]
        yield from zip(*(_values(kind, stated) for kind in kinds), strict=False)
    elif origin in (dict, typing.Mapping):
        yield {}
    elif issubclass(hint, Struct):
        yield whole(hint, **stated)
    else:
        yield from {bool: (True, False), int: (1, 2), str: ("one", "two"), Raw: (Raw(b"1"),)}[hint]


def _bounded(hint: Any, stated: dict[str, object]) -> Iterator[object]:
    """Values within the bounds of a type; of text with a pattern, what the decoder takes."""
    inner, *metas = get_args(hint)
    if all(meta == Meta(extra=meta.extra) for meta in metas):
        yield from _values(inner, stated)
        return
    least = [meta.ge for meta in metas if meta.ge is not None]
    bounds = [bound + more for bound in least for more in (0, 1)]
    fewest = max((meta.min_length or 0 for meta in metas), default=0)
    some = (
        value * fewest if isinstance(value, tuple) and fewest > 1 else value
        for value in _values(inner, stated)
    )
    for value in (*some, *bounds, 0, -1, 100, 64 * "0", "d1.1"):
        try:
            msgspec.convert(value, hint)
        except msgspec.ValidationError:
            continue
        yield value
