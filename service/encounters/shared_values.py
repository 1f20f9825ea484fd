"""Equal values of one state in memory: one object for all of them, and one for a string anywhere.

How this works. A decoded state has an object of its own for each rifle, each side and each number.
Values are rebuilt from the inside out, so that equal ones have the very same parts and are found by
these: nothing is compared that only looks equal, such as 1 and True. Strings are interned, which
lasts as long as somebody uses them; the table of all else lasts as long as the call.
"""

import sys
from operator import is_
from typing import Any, TypeVar, cast

from msgspec import Struct, UnsetType
from msgspec.structs import astuple, replace

V = TypeVar("V")

_PLAIN = frozenset((bool, type(None), UnsetType))


def shared(value: V) -> V:
    """An equal value without two equal objects in it."""
    return cast(V, _shared(value, {}))


def _shared(value: Any, known: dict[tuple[object, ...], Any]) -> Any:
    kind = type(value)
    if kind is str:
        return sys.intern(value)
    if kind is int:
        return known.setdefault((kind, value), value)
    if kind is not tuple and not isinstance(value, Struct):
        return value
    before = value if kind is tuple else astuple(value)
    parts = tuple([part if type(part) in _PLAIN else _shared(part, known) for part in before])
    key = (kind, *map(id, parts))
    same = known.get(key)
    if same is None:
        same = known[key] = _rebuilt(value, before, parts)
    return same


def _rebuilt(value: Any, before: tuple[object, ...], parts: tuple[object, ...]) -> Any:
    if all(map(is_, parts, before)):
        return value
    if not isinstance(value, Struct):
        return parts
    return replace(value, **dict(zip(value.__struct_fields__, parts, strict=True)))
