"""Headers of a request, read strictly.

The id of a request is in its answer, in a problem's body and in the log, so that they meet. A
client, or a proxy on the way, may bring one: `X-Request-Id`, or the trace id of a W3C
`traceparent`. One that has another form than these is not used, and not refused either.
"""

import os
import re
from collections.abc import Iterable
from typing import Final, cast

from litestar.types import Scope

from service.engine.vocabulary.client_ids import ID_FORM
from service.errors import Malformed, PreconditionRequired, TooLarge, UnsupportedMedia

Pair = tuple[bytes, bytes]

JSON_TYPE: Final = "application/json"
"""The one type of bodies that are read."""

KEY_FORM: Final = "[!-~]{1,200}"
TAG_FORM: Final = '"seq-hash8"'
REQUEST_ID_FORM: Final = "[A-Za-z0-9._-]{1,128}"

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
_SEAT: Final = re.compile(ID_FORM)
_IF_MATCH: Final = re.compile(r'"([1-9][0-9]{0,9}-[0-9a-f]{8})(?:;[\x21\x23-\x7e]*)?"')
_TAG: Final = re.compile(r'(?:W/)?("[\x21\x23-\x7e]*")')
_REQUEST_ID: Final = re.compile(REQUEST_ID_FORM.encode())
_TRACE: Final = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_NO_TRACE: Final = b"0" * 32
_LISTS: Final = frozenset({"accept", "accept-language", "if-none-match"})
_SHOWN: Final = 40
_UTF8_NAMES: Final = frozenset({"utf-8", "utf8"})


class Headers(list[Pair]):
    """The headers of one request in their order, gone through once and then found by name.

    Names are in lower case, as ASGI has them. `by_name` has the value of each as it came, the last
    of several; `is_repeating`: one of them came several times.
    """

    __slots__ = ("by_name", "is_repeating")

    def __init__(self, pairs: Iterable[Pair]) -> None:
        super().__init__(pairs)
        self.by_name = dict(self)
        self.is_repeating = len(self.by_name) < len(self)

    def raw(self, name: bytes) -> bytes | None:
        """A header's value as it came, the last of several."""
        return self.by_name.get(name)

    def value(self, name: str) -> str | None:
        """The value of a header, None without it.

        Lists may be spread over several lines; anything else that comes twice is Malformed.
        """
        if self.is_repeating:
            return self._joined(name)
        value = self.by_name.get(name.encode())
        return None if value is None else value.decode("latin-1").strip()

    def require_one_host(self) -> None:
        """A request names one host (RFC 9112, section 3.2), or none. Raises Malformed."""
        if self.is_repeating:
            self.value("host")

    def request_id(self) -> str:
        """The id that came with the request, else a new one of 32 hex digits."""
        brought = self.by_name.get(b"x-request-id")
        if brought is not None and _REQUEST_ID.fullmatch(brought):
            return brought.decode()
        parent = self.by_name.get(b"traceparent")
        trace = None if parent is None else _TRACE.fullmatch(parent)
        if trace is not None and trace[1] != _NO_TRACE:
            return trace[1].decode()
        return os.urandom(16).hex()

    def idempotency_key(self) -> str | None:
        """The key under which the request is applied once. Raises Malformed."""
        return self._matching("idempotency-key", _KEY, KEY_FORM)

    def required_idempotency_key(self) -> str:
        """The same where there has to be one. Raises PreconditionRequired, Malformed."""
        key = self.idempotency_key()
        if key is None:
            raise PreconditionRequired("idempotency_key_required", allowed=["Idempotency-Key"])
        return key

    def seat(self) -> str | None:
        """The seat a key acts for. Raises Malformed."""
        return self._matching("warlog-seat", _SEAT, ID_FORM)

    def if_match(self) -> str | None:
        """The head a write expects, as `seq-hash8`; what follows a `;` in the tag does not count.

        One strong tag and nothing else: a list, `*` or a weak tag could not name one head.
        Raises Malformed.
        """
        value = self.value("if-match")
        if value is None:
            return None
        match = _IF_MATCH.fullmatch(value)
        if match is None:
            raise _wrong_form("if-match", value, TAG_FORM)
        return match[1]

    def require_length(self, limit: int) -> None:
        """The declared length is within `limit` bytes, so that nothing needs to be read to know.

        Raises TooLarge, Malformed for a length that is no number.
        """
        declared = self.value("content-length")
        if declared is None:
            return
        if not declared.isascii() or not declared.isdigit():
            shown = declared if len(declared) <= _SHOWN else f"{declared[:_SHOWN]}..."
            raise Malformed(path="header.Content-Length", why="not_a_number", number=shown)
        if len(declared) > 18 or int(declared) > limit:
            raise TooLarge(limit=limit)

    def names_json(self) -> bool:
        """Whether the type of the body is named; then it is plain JSON in UTF-8.

        Raises UnsupportedMedia, Malformed.
        """
        return self._is_of_type(JSON_TYPE)

    def require_type(self, media_type: str) -> None:
        """The body is of this type by name, in UTF-8. Raises UnsupportedMedia, Malformed."""
        if not self._is_of_type(media_type):
            raise UnsupportedMedia(header="Content-Type", allowed=media_type)

    def _is_of_type(self, wanted: str) -> bool:
        """Whether a type is named; then it is this one. Raises UnsupportedMedia, Malformed."""
        content_type = self.value("content-type")
        if content_type is None:
            return False
        content_encoding = self.value("content-encoding")
        if content_encoding is not None and content_encoding.lower() != "identity":
            raise UnsupportedMedia(header="Content-Encoding", allowed="identity")
        if content_type != wanted:
            media, _, parameters = content_type.partition(";")
            if media.strip().lower() != wanted or not _is_utf8(parameters):
                raise UnsupportedMedia(header="Content-Type", allowed=wanted)
        return True

    def last_event_id(self, pattern: str, form: str) -> str | None:
        """Where a client was when its stream broke off; an empty one is as if there were none.

        Raises Malformed.
        """
        value = self.value("last-event-id")
        if value and not re.fullmatch(pattern, value):
            raise _wrong_form("last-event-id", value, form)
        return value or None

    def known_versions(self) -> tuple[str, ...]:
        """The versions that `If-None-Match` lists, `seq-hash8` each; other tags are left out."""
        value = self.value("if-none-match")
        return () if value is None else tuple(_IF_MATCH.findall(value))

    def lists_tag(self, tag: str) -> bool:
        """Whether `If-None-Match` lists this tag, compared weakly; `tag` has its quotes."""
        value = self.value("if-none-match")
        return value is not None and (value == "*" or tag in _TAG.findall(value))

    def _joined(self, name: str) -> str | None:
        """The value of a header that may have come several times. Raises Malformed."""
        wanted = name.encode()
        values = [value.decode("latin-1").strip() for key, value in self if key == wanted]
        if len(values) > 1 and name not in _LISTS:
            raise Malformed(path=f"header.{name}", why="repeated_parameter")
        return ",".join(values) if values else None

    def _matching(self, name: str, pattern: re.Pattern[str], form: str) -> str | None:
        value = self.value(name)
        if value is not None and not pattern.fullmatch(value):
            raise _wrong_form(name, value, form)
        return value


def request_id_pair(request_id: str) -> Pair:
    """The header of an answer that has the id of its request."""
    return b"warlog-request-id", request_id.encode()


def headers_of(scope: Scope) -> Headers:
    """The headers that the outermost layer laid into the scope of a request."""
    return cast(Headers, scope["headers"])


def _is_utf8(parameters: str) -> bool:
    """Whether the parameters of a media type leave UTF-8 as its character set."""
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip('"').lower() in _UTF8_NAMES
    return True


def _wrong_form(name: str, value: str, form: str) -> Malformed:
    return Malformed(path=f"header.{name}", why="wrong_form", value=value[:_SHOWN], allowed=form)
