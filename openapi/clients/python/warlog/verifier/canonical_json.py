"""Canonical JSON: RFC 8785, restricted to what the specification allows.

How this works. A line is read and written at once, its keys sorted, and what came of it is searched
for anything that may be amiss: null, fractions, long numbers, odd keys, U+0000, many brackets. Such
a thing may also stand within a string, so only then the value is walked, which decides. What nests
more deeply than Python's stack is high is walked and written with a separate stack.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from warlog.verifier.details import Detail, said
from warlog.verifier.findings import Difference, shown
from warlog.verifier.json_reader import GREATEST, parsed

DEEPEST: Final = 256
"""Levels of a line, the line itself being the first; deeper values are refused."""

_KEY: Final = re.compile(r"[a-z0-9_]+")
_LONG: Final = (re.compile(rb'":-?[0-9]{16}'), re.compile(rb"[,\[]-?[0-9]{16}"))
_ODD: Final = (b":null", b",null", b"[null", b"\\u0000")
_NAME: Final = re.compile(rb'[{,]"[a-z0-9_]+":')
_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def _refuse(text: str) -> float:
    raise ValueError(f"{text} is a fraction")


_DECODER: Final = msgspec.json.Decoder(float_hook=_refuse)


class NotCanonical(Exception):
    """A value that canonical JSON cannot hold; `step` leads from it to the member at fault."""

    def __init__(self, reason: Detail, *, is_unreadable: bool = False) -> None:
        super().__init__(reason.told("en"))
        self.reason = reason
        self.step: str | int | None = None
        self.is_unreadable = is_unreadable


def canonical_bytes(value: Any) -> bytes:
    """The canonical bytes of a value. Raises NotCanonical for a value that has none."""
    _require_canonical(value)
    return written(value)


def flaw_of(value: Any) -> NotCanonical | None:
    """What in a value canonical JSON cannot hold, if anything."""
    try:
        _require_canonical(value)
    except NotCanonical as flaw:
        return flaw
    return None


def is_readable(value: Any, depth: int = 0) -> bool:
    """Whether a value has no half of a surrogate pair and no more levels than a line may have."""
    if isinstance(value, str):
        return _HALF_PAIR.search(value) is None
    if not isinstance(value, list | dict):
        return True
    inner = [*value, *value.values()] if isinstance(value, dict) else value
    return depth < DEEPEST and all(is_readable(each, depth + 1) for each in inner)


def written(value: Any) -> bytes:
    """The canonical bytes of a value that is known to have some."""
    try:
        return _ENCODER.encode(value)
    except RecursionError:
        return _written(value)


def line_of(
    line: bytes, require_form: Callable[[Any], object], *, is_first: bool = False
) -> tuple[Any, NotCanonical | None]:
    """The value of a line, and why there are no canonical bytes of it, if there are none.

    Raises a Difference for what is no JSON or not the canonical bytes of its value, and for a first
    line of another format; `require_form` raises one for what is no line.
    """
    try:
        value = _DECODER.decode(line)
        is_read = not is_first and isinstance(value, dict)
        if is_read and _ENCODER.encode(value) == line and _is_plain(line):
            return value, None
    except (RecursionError, ValueError, msgspec.MsgspecError):
        pass  # what is wrong with it is found below
    value = _parsed(line)
    if is_first:
        _require_format(value)
    try:
        canonical = canonical_bytes(value)
    except NotCanonical as flaw:
        return value, flaw
    if canonical != line:
        require_form(value)
        raise Difference("not_canonical", said("its canonical bytes are others"))
    return value, None


def _require_format(value: Any) -> None:
    """Raises a Difference for a first line that names another format than the one read here."""
    found = value.get("format", 1) if isinstance(value, dict) else 1
    if (type(found) is not int or found != 1) and is_readable(found):
        detail = said("a bundle of format {}; allowed is {}", shown(found), 1)
        raise Difference("unknown_format", detail)


def _parsed(line: bytes) -> Any:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Difference("unreadable", said("it is not UTF-8")) from None
    try:
        return parsed(text)
    except ValueError:
        raise Difference("unreadable", said("it is no JSON")) from None


def _is_plain(text: bytes) -> bool:
    """Whether nothing in an object that holds no fraction is worth a closer look."""
    return (
        not any(each in text for each in _ODD)
        and not any(each.search(text) for each in _LONG)
        and text.count(b'":') == len(_NAME.findall(text))
        and text.count(b"[") + text.count(b"{") <= DEEPEST
    )


def _require_canonical(value: Any) -> None:
    """Raises NotCanonical for the first fault, in the order of the text."""
    _require_scalar(value)
    for step, each in _members(value):
        try:
            _require_within(each)
        except NotCanonical as flaw:
            flaw.step = step
            raise


def _require_within(value: Any) -> None:
    _require_scalar(value)
    open_members = [_members(value)]
    while open_members:
        for _, each in open_members[-1]:
            _require_scalar(each)
            if isinstance(each, list | dict):
                if len(open_members) + 1 >= DEEPEST:
                    raise NotCanonical(said("nested deeper than {}", DEEPEST), is_unreadable=True)
                open_members.append(_members(each))
                break
        else:
            open_members.pop()


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """What a container holds, its keys checked one by one; nothing of a scalar."""
    if isinstance(value, list):
        yield from enumerate(value)
    elif isinstance(value, dict):
        for key, each in value.items():
            _require_well_formed(key)
            if _KEY.fullmatch(key) is None:
                raise NotCanonical(said("a key with other characters than a-z0-9_"))
            yield key, each


def _require_well_formed(text: str) -> None:
    if _HALF_PAIR.search(text):
        raise NotCanonical(said("half of a surrogate pair"), is_unreadable=True)


def _require_scalar(value: Any) -> None:
    if value is None:
        raise NotCanonical(said("null"))
    if isinstance(value, str):
        _require_well_formed(value)
        if "\0" in value:
            raise NotCanonical(said("a string with U+0000"))
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) > GREATEST):
        raise NotCanonical(said("a number that is no safe integer"))


def _written(value: Any) -> bytes:
    """The bytes of a checked value, however deeply it nests."""
    pieces: list[bytes] = []
    waiting: list[Any] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, bytes):
            pieces.append(each)
        elif isinstance(each, list):
            inner = [piece for member in each for piece in (b",", member)][1:]
            waiting += [b"]", *reversed(inner), b"["]
        elif isinstance(each, dict):
            named = [
                piece
                for name in sorted(each)
                for piece in (b',"' + name.encode() + b'":', each[name])
            ]
            named[:1] = [first[1:] for first in named[:1]]
            waiting += [b"}", *reversed(named), b"{"]
        else:
            pieces.append(_ENCODER.encode(each))
    return b"".join(pieces)
