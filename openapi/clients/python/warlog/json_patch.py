"""JSON Patch (RFC 6902), applied without changing what it is applied to.

How this works. Only what lies on the way to a change is copied; the rest is shared. So whoever kept
the state of an earlier event still has that state, and a patch costs what it changes and not what
the document weighs.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field

Json: TypeAlias = Any
"""A value as JSON knows it: dict, list, str, int, float, bool or None."""

Change: TypeAlias = Callable[[Json, str], Json]
"""What becomes of a container at one of its members."""


class PatchFailed(ValueError):
    """A patch that does not fit the document that it is applied to."""


class PatchStep(Struct, frozen=True, kw_only=True):
    """One step of a patch. `source` is called `from` in JSON."""

    op: str
    path: str
    value: Json = None
    source: str = field(default="", name="from")


def patched(document: Json, steps: Sequence[PatchStep]) -> Json:
    """The document behind all steps, in order; `document` itself stays as it is.

    Raises PatchFailed: then nothing was applied.
    """
    for step in steps:
        document = _applied(document, step)
    return document


def _applied(document: Json, step: PatchStep) -> Json:
    match step.op:
        case "add":
            return _added(document, step.path, step.value)
        case "replace":
            _read(document, step.path)
            return _put(document, step.path, step.value)
        case "remove":
            return _changed(document, _keys(step.path), _without)
        case "move":
            if step.path.startswith(step.source + "/"):
                raise PatchFailed(f"{step.source} cannot be moved into itself")
            value = _read(document, step.source)
            return _added(_changed(document, _keys(step.source), _without), step.path, value)
        case "copy":
            return _added(document, step.path, _read(document, step.source))
        case "test":
            if not _is_same(_read(document, step.path), step.value):
                raise PatchFailed(f"{step.path} is not what it should be")
            return document
        case _:
            raise PatchFailed(f"{step.op} is no operation of RFC 6902")


def _keys(pointer: str) -> list[str]:
    """The parts of a JSON Pointer (RFC 6901)."""
    if pointer and not pointer.startswith("/"):
        raise PatchFailed(f"{pointer} is no JSON Pointer")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _read(document: Json, pointer: str) -> Json:
    for key in _keys(pointer):
        document = _member(document, key)
    return document


def _member(container: Json, key: str) -> Json:
    if isinstance(container, dict) and key in container:
        return container[key]
    if isinstance(container, list):
        return container[_index(key, len(container) - 1)]
    raise PatchFailed(f"there is no member {key}")


def _index(key: str, most: int) -> int:
    if key.isascii() and key.isdigit() and str(int(key)) == key and int(key) <= most:
        return int(key)
    raise PatchFailed(f"{key} is no index of this array")


def _added(document: Json, pointer: str, value: Json) -> Json:
    def change(container: Json, key: str) -> Json:
        if isinstance(container, list):
            at = len(container) if key == "-" else _index(key, len(container))
            return [*container[:at], value, *container[at:]]
        return _with(container, key, value)

    keys = _keys(pointer)
    return _changed(document, keys, change) if keys else value


def _put(document: Json, pointer: str, value: Json) -> Json:
    keys = _keys(pointer)
    return _changed(document, keys, lambda at, key: _with(at, key, value)) if keys else value


def _changed(document: Json, keys: Sequence[str], change: Change) -> Json:
    """A copy in which the last key's container is what `change` makes of it."""
    if not keys:
        raise PatchFailed("the whole document cannot be removed")
    if len(keys) == 1:
        return change(document, keys[0])
    key = keys[0]
    return _with(document, key, _changed(_member(document, key), keys[1:], change))


def _with(container: Json, key: str, value: Json) -> Json:
    if isinstance(container, dict):
        return {**container, key: value}
    if isinstance(container, list):
        at = _index(key, len(container) - 1)
        return [*container[:at], value, *container[at + 1 :]]
    raise PatchFailed(f"what should have a member {key} is no container")


def _without(container: Json, key: str) -> Json:
    _member(container, key)
    if isinstance(container, dict):
        return {name: each for name, each in container.items() if name != key}
    at = int(key)
    return [*container[:at], *container[at + 1 :]]


def _is_same(one: Json, other: Json) -> bool:
    """Whether two values are equal as JSON: true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)
