"""What the encounters in memory share: one object per map or content, and per value of a state.

How this works. A decoded state has a separate object for each rifle, each side and each number.
Values are rebuilt from the inside out, so that equal ones have the very same parts and are found by
these: nothing is compared that only looks equal, such as 1 and True. Strings are interned, which
lasts as long as somebody uses them; the table of all else lasts as long as the call. Maps and
contents are held by digest, however many encounters use them.
"""

import sys
from dataclasses import dataclass
from operator import is_
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct, UnsetType
from msgspec.structs import astuple, replace

V = TypeVar("V")

DECODED_FACTOR = 1.25
"""Bytes in memory for each byte of an encoded blob: 1.18 was measured, on maps of 30 and 120 kB."""

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


@dataclass(slots=True)
class _Shared:
    blob: object
    size: int
    holders: int = 0


class SharedBlobs:
    """What the encounters in memory hold; `size` is what all of it takes, in bytes."""

    def __init__(self) -> None:
        self._shared: dict[tuple[object, str], _Shared] = {}
        self.size = 0

    def find(self, kind: object, digest: str) -> object | None:
        """The blob of this type and digest, if an encounter in memory holds it."""
        shared = self._shared.get((kind, digest))
        return None if shared is None else shared.blob

    def hold(self, kind: object, digest: str, blob: object) -> object:
        """Count one more holder; the object that all of them share."""
        shared = self._shared.get((kind, digest))
        if shared is None:
            size = int(DECODED_FACTOR * len(msgspec.json.encode(blob)))
            shared = self._shared[kind, digest] = _Shared(blob, size)
            self.size += size
        shared.holders += 1
        return shared.blob

    def release(self, kind: object, digest: str) -> None:
        """Count one holder less; the last one takes the blob along."""
        shared = self._shared[kind, digest]
        shared.holders -= 1
        if shared.holders == 0:
            del self._shared[kind, digest]
            self.size -= shared.size
