"""Request headers that mean something here, read strictly."""

import re
from collections.abc import Iterable
from typing import Final

from service.engine.vocabulary.client_ids import ID_FORM
from service.errors import Malformed, PreconditionRequired

Pair = tuple[bytes, bytes]
RawHeaders = Iterable[Pair]

KEY_FORM: Final = "[!-~]{1,200}"
TAG_FORM: Final = '"seq-hash8"'

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
_SEAT: Final = re.compile(ID_FORM)
_IF_MATCH: Final = re.compile(r'"([1-9][0-9]{0,9}-[0-9a-f]{8})(?:;[\x21\x23-\x7e]*)?"')
_TAG: Final = re.compile(r'(?:W/)?("[\x21\x23-\x7e]*")')
_LISTS: Final = frozenset({"accept", "accept-language", "if-none-match"})
_SHOWN: Final = 40


class Headers(list[Pair]):
    """The headers of one request in their order, gone through once and then found by name."""

    __slots__ = ("_found", "_is_repeating")

    def __init__(self, pairs: RawHeaders) -> None:
        super().__init__(pairs)
        self._found = dict(self)
        self._is_repeating = len(self._found) < len(self)

    def value(self, name: str) -> str | None:
        """See `header`."""
        wanted = name.encode()
        if self._is_repeating:
            return self._joined(wanted, name)
        value = self._found.get(wanted)
        return None if value is None else value.decode("latin-1").strip()

    def plain(self, name: bytes) -> bytes | None:
        """See the function `plain`."""
        return self._found.get(name)

    def _joined(self, wanted: bytes, name: str) -> str | None:
        values = [value.decode("latin-1").strip() for key, value in self if key == wanted]
        if len(values) > 1 and name not in _LISTS:
            raise Malformed(path=f"header.{name}", why="repeated_parameter")
        return ",".join(values) if values else None


def header(headers: RawHeaders, name: str) -> str | None:
    """The value of a header, None without it; `name` in lower case.

    Lists may be spread over several lines; anything else that comes twice is Malformed.
    """
    return (headers if isinstance(headers, Headers) else Headers(headers)).value(name)


def plain(headers: RawHeaders, name: bytes) -> bytes | None:
    """A header's value as it came, the last of several; `name` in lower case."""
    return (headers if isinstance(headers, Headers) else Headers(headers)).plain(name)


def require_one_host(headers: RawHeaders) -> None:
    """A request names one host (RFC 9112, section 3.2), or none. Raises Malformed."""
    if sum(1 for name, _ in headers if name == b"host") > 1:
        raise Malformed(path="header.host", why="repeated_parameter")


def idempotency_key(headers: RawHeaders) -> str | None:
    """The key under which a request is applied once. Raises Malformed."""
    return _matching(headers, "idempotency-key", _KEY, KEY_FORM)


def required_idempotency_key(headers: RawHeaders) -> str:
    """The same where there has to be one. Raises PreconditionRequired, Malformed."""
    key = idempotency_key(headers)
    if key is None:
        raise PreconditionRequired("idempotency_key_required", allowed=["Idempotency-Key"])
    return key


def seat(headers: RawHeaders) -> str | None:
    """The seat a key acts for. Raises Malformed."""
    return _matching(headers, "warlog-seat", _SEAT, ID_FORM)


def if_match(headers: RawHeaders) -> str | None:
    """The head a write expects, as `seq-hash8`; what follows a `;` in the tag does not count.

    One strong tag and nothing else: a list, `*` or a weak tag could not name one head.
    Raises Malformed.
    """
    value = header(headers, "if-match")
    if value is None:
        return None
    found = _IF_MATCH.fullmatch(value)
    if found is None:
        raise _wrong_form("if-match", value, TAG_FORM)
    return found[1]


def last_event_id(headers: RawHeaders, pattern: str, form: str) -> str | None:
    """Where a client was when its stream broke off; nothing is as if there were none.

    Raises Malformed.
    """
    value = header(headers, "last-event-id")
    if value and not re.fullmatch(pattern, value):
        raise _wrong_form("last-event-id", value, form)
    return value or None


def versions_known(headers: RawHeaders) -> tuple[str, ...]:
    """The versions that `If-None-Match` lists, `seq-hash8` each; other tags are left out."""
    value = header(headers, "if-none-match")
    return () if value is None else tuple(_IF_MATCH.findall(value))


def is_known_to_client(headers: RawHeaders, tag: str) -> bool:
    """Whether `If-None-Match` lists this tag, compared weakly; `tag` has its quotes."""
    value = header(headers, "if-none-match")
    return value is not None and (value == "*" or tag in _TAG.findall(value))


def _matching(headers: RawHeaders, name: str, pattern: re.Pattern[str], form: str) -> str | None:
    value = header(headers, name)
    if value is not None and not pattern.fullmatch(value):
        raise _wrong_form(name, value, form)
    return value


def _wrong_form(name: str, value: str, form: str) -> Malformed:
    return Malformed(path=f"header.{name}", why="wrong_form", value=value[:_SHOWN], allowed=form)
