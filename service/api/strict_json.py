"""Reads what a client sends, strictly: bytes become a JSON tree or a typed refusal with a path.

How this works. Python's scanner does the syntax and plants a `_Wrong` where it meets something
that JSON allows and we do not (a duplicate key, a fraction, an integer past 2^53 - 1). One walk
over the tree then finds the first such place in document order, with its path, together with
what only shows in the values: NUL, lone surrogates, nesting. The shape is not checked here: that
is the business of the types that the tree is converted to. Names that are shown to people are
known by their keys (`DISPLAY_NAMES`): they hold no control characters, line ends and characters
that turn the direction of writing. Types do not say so, since old logs may hold such names.

Most bodies have nothing of all this, and a faster scanner reads them first. It never says no: it
forgets all but the last of duplicate keys, and cannot say where anything is. So what it read only
counts if there were no escapes, no fractions and nowhere as many digits as make a large integer,
and if what it read is written with as many colons as the body, in strings and one for every key:
then no key was forgotten.

Metadata are nobody's business but their sender's: `metadata.py` cuts them out first. They are held
to be one JSON object of so many bytes, without double keys, NUL and halves of surrogates, nested no
deeper than the rest; in the tree stands their text.
"""

import json
import re
from typing import Final

import msgspec

from service.api import metadata
from service.engine.log.canonical import MAX_INTEGER
from service.engine.vocabulary.values import METADATA_BYTES
from service.errors import Malformed

_INTEGER_DIGITS: Final = len(str(MAX_INTEGER))
_SHOWN: Final = 40
_METADATA: Final = b'"metadata"'
_TO_NOUGHT: Final = bytes.maketrans(b"123456789", b"0" * 9)
_LARGE: Final = b"0" * _INTEGER_DIGITS
_PLAIN_KEY: Final = re.compile(r"[A-Za-z0-9_]{1,40}")
_MISLEADING: Final = re.compile(
    "[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_MISLEADING_BYTES: Final = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)

DISPLAY_NAMES: Final = frozenset({"name", "title", "en", "ru"})
"""Keys of every text that is a `NameText`."""


class _Wrong:
    """Stands in the tree where the input is JSON, but none of ours."""

    __slots__ = ("facts", "why")

    def __init__(self, why: str, **facts: object) -> None:
        self.why = why
        self.facts = facts


def read_object(body: bytes, depth: int) -> dict[str, object]:
    """The JSON object that `body` is, nested at most `depth` deep.

    Raises Malformed with `path`, `why` and the facts of it.
    """
    tree = _read_plain(body, depth)
    return _read_strictly(body, depth) if tree is None else tree


def _read_plain(body: bytes, depth: int) -> dict[str, object] | None:
    """What a plain body says; None if it may have anything in it that needs a closer look."""
    if b"\\" in body or _METADATA in body or _LARGE in body.translate(_TO_NOUGHT):
        return None
    if _MISLEADING_BYTES.search(body):
        return None
    try:
        tree = _PLAIN.decode(body)
        is_whole = _ENCODER.encode(tree).count(b":") == body.count(b":")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not is_whole or not isinstance(tree, dict):
        return None
    is_flat = body.count(b"{") + body.count(b"[") <= depth
    return tree if is_flat or _has_room(tree, depth) else None


def _no_fraction(text: str) -> float:
    """No number of ours is read from this. Raises ValueError."""
    raise ValueError(text)


_PLAIN: Final = msgspec.json.Decoder(float_hook=_no_fraction)
_ENCODER: Final = msgspec.json.Encoder()


def _has_room(value: object, room: int) -> bool:
    """Whether at most `room` containers lie in one another, the value itself included."""
    if isinstance(value, dict):
        return room > 0 and all(_has_room(member, room - 1) for member in value.values())
    if isinstance(value, list):
        return room > 0 and all(_has_room(member, room - 1) for member in value)
    return True


def _read_strictly(body: bytes, depth: int) -> dict[str, object]:
    """The same for any body. Raises Malformed."""
    if not body.strip():
        raise Malformed(path="$", why="empty")
    text = _decode(body)
    try:
        apart = metadata.cut(text, _object, _constant)
    except RecursionError:
        raise _too_deep("$", depth) from None
    tree = _scan(apart.text, text, depth)
    _Check(apart, depth).value(tree, "$", 0)
    if not isinstance(tree, dict):
        raise Malformed(path="$", why="not_an_object")
    return tree


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(path="$", why="encoding", byte=error.start) from None


def _scan(text: str, whole: str, depth: int) -> object:
    """The tree of a text; an error names its place in the `whole`."""
    try:
        return _SCANNER.decode(text)
    except json.JSONDecodeError as error:
        if text is not whole:
            return _scan(whole, whole, depth)
        raise Malformed(path="$", why="syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise _too_deep("$", depth) from None


def _object(pairs: list[tuple[str, object]]) -> object:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            return _Wrong("duplicate_key", key=_shown(key))
        keys.add(key)
    return members


def _integer(text: str) -> object:
    """An integer; `-0` is 0."""
    if len(text) <= _INTEGER_DIGITS + 1:
        value = int(text)
        if abs(value) <= MAX_INTEGER:
            return value
    return _Wrong("integer_too_large", number=_shown(text), limit=MAX_INTEGER)


def _fraction(text: str) -> object:
    return _Wrong("not_an_integer", number=_shown(text))


def _constant(text: str) -> object:
    return _Wrong("not_a_number", number=text)


_SCANNER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_fraction,
    parse_constant=_constant,
)


class _Check:
    """Finds the first thing that is none of ours, and lays metadata where they belong."""

    def __init__(self, apart: metadata.Cut | None, limit: int) -> None:
        """`apart` says where metadata stood; None inside of metadata, where no key means any."""
        self._apart = apart
        self._limit = limit

    def value(self, value: object, path: str, depth: int) -> None:
        """Look through a value; `depth` counts the containers around it. Raises Malformed."""
        if isinstance(value, str):
            _check_text(value, path)
        elif isinstance(value, dict | list):
            if depth == self._limit:
                raise _too_deep(path, self._limit)
            self._members(value, path, depth + 1)
        elif isinstance(value, _Wrong):
            raise Malformed(path=path, why=value.why, **value.facts)

    def _members(self, value: dict[str, object] | list[object], path: str, depth: int) -> None:
        """Look through a container; keys are checked on the way."""
        if isinstance(value, list):
            for index, element in enumerate(value):
                self.value(element, f"{path}[{index}]", depth)
            return
        for key, member in value.items():
            inner = f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{_quoted(key)}]"
            _check_text(key, inner)
            if key == metadata.KEY and self._apart is not None:
                value[key] = self._stated(self._apart.find(member), member, inner, depth)
            else:
                self.value(member, inner, depth)
                if key in DISPLAY_NAMES and self._apart is not None:
                    _check_name(member, inner)

    def _stated(self, stated: metadata.Stated | None, member: object, path: str, depth: int) -> str:
        """The text of metadata that are what they should be."""
        if stated is None:
            raise Malformed(path=path, why="wrong_type", expected="object", got=_kind(member))
        size = len(stated.text.encode())
        if size > METADATA_BYTES:
            raise Malformed(path=path, why="too_many_bytes", bytes=size, limit=METADATA_BYTES)
        _Check(None, self._limit).value(stated.tree, path, depth)
        return stated.text


def _kind(value: object) -> str:
    """The type of JSON of a value that is no object."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if value is None:
        return "null"
    if isinstance(value, list):
        return "array"
    return "string" if isinstance(value, str) else "number"


def _check_text(text: str, path: str) -> None:
    if "\x00" in text:
        raise Malformed(path=path, why="nul")
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Malformed(path=path, why="lone_surrogate") from None


def _check_name(member: object, path: str) -> None:
    found = _MISLEADING.search(member) if isinstance(member, str) else None
    if found is not None:
        raise Malformed(path=path, why="misleading_name", character=f"U+{ord(found[0]):04X}")


def _too_deep(path: str, limit: int) -> Malformed:
    return Malformed(path=path, why="too_deep", limit=limit)


def _quoted(key: str) -> str:
    return json.dumps(_shown(key))


def _shown(text: str) -> str:
    """As much of a client's own text as an answer repeats."""
    clean = text.encode("utf-8", "backslashreplace").decode()
    return clean if len(clean) <= _SHOWN else f"{clean[:_SHOWN]}..."
