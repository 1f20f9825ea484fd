"""Canonical bytes: RFC 8785 restricted, so that what is hashed is what is stored and sent.

Object keys are field names `[a-z0-9_]+`; no null, no float, |integer| < 2**53, no U+0000, no
lone surrogates, no Unicode normalisation. Absent optionals are omitted, defaults are written.
"""

import re
from functools import lru_cache
from typing import Any, Final

import msgspec

MAX_INTEGER: Final = 2**53 - 1
"""The largest magnitude of an integer in canonical bytes."""

_KEY: Final = re.compile(r"[a-z0-9_]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):
    """The value has no canonical bytes; `path` says where."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def encode(value: object) -> bytes:
    """Canonical bytes of a Struct or of JSON values that are known to be well formed.

    Raises NotCanonical for text that cannot be encoded (a lone surrogate).
    """
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("$", "text holds a lone surrogate") from error


def check(value: object, path: str = "$") -> None:
    """Refuse, with its path, whatever canonical bytes cannot hold.

    Raises NotCanonical. Used for everything that comes from outside.
    """
    if not _is_sound(value):
        _refuse(value, path)


def _is_sound(value: object) -> bool:
    """Whether canonical bytes can hold a value made of what JSON is read as; else False."""
    waiting: list[Any] = [value]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is str:
            if "\x00" in node or not (node.isascii() or _SURROGATE.search(node) is None):
                return False
        elif kind is dict:
            if not all(map(_is_key, node)):
                return False
            waiting += node.values()
        elif kind is list:
            waiting += node
        elif kind is int:
            if not -MAX_INTEGER <= node <= MAX_INTEGER:
                return False
        elif kind is not bool:
            return False
    return True


def _refuse(value: object, path: str) -> None:
    """Raise NotCanonical for the first thing that canonical bytes cannot hold."""
    if isinstance(value, str):
        check_text(value, path)
    elif isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str) or not _is_key(key):
                raise NotCanonical(path, f"key {key!r} is not a field name")
            _refuse(member, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, element in enumerate(value):
            _refuse(element, f"{path}[{index}]")
    else:
        _check_scalar(value, path)


@lru_cache(maxsize=1024)
def _is_key(key: str) -> bool:
    return _KEY.fullmatch(key) is not None


def _check_scalar(value: object, path: str) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise NotCanonical(path, "integer beyond 2^53 - 1")
    else:
        raise NotCanonical(path, f"{type(value).__name__} has no canonical form")


def check_text(value: str, path: str = "$") -> None:
    """Refuse U+0000 and lone surrogates. Raises NotCanonical."""
    if "\x00" in value:
        raise NotCanonical(path, "text holds U+0000")
    if not value.isascii() and _SURROGATE.search(value):
        raise NotCanonical(path, "text holds a lone surrogate")
