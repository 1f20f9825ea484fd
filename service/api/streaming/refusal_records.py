"""Refusals of streams as a record, for pages: a browser's EventSource shows them nothing else.

How this works. With `refusals=record` whatever refuses a stream - the edge, the guard, the route,
the stream itself - answers as ever, and the refusal is changed on its way out: 200, one record
`problem` with the whole problem, and the end of the stream. The layers before count and log the
status that it has. The record shows a client that reads at most the protocol to come back
late, so that a page that ignores it does not hammer.
"""

import re
from typing import Final
from urllib.parse import parse_qsl

from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_406_NOT_ACCEPTABLE
from litestar.types import HTTPResponseStartEvent, Message, Send
from litestar.types.asgi_types import HTTPScope

from service.api.headers import Pair
from service.api.query_parameters import Text
from service.api.streaming.framing import event_text, problem_record

REFUSALS: Final = Text(
    name="refusals",
    says=(
        "`record`: a refusal is answered with 200 and one record `problem`, and the stream ends."
        " For pages: a browser tells them nothing of a refused stream. 406 stays as it is."
    ),
    pattern="record",
    form="record",
)

LATER_SECONDS: Final = 60
"""After which a client comes back that reads no more than `retry`, unless `Retry-After` says."""

_STREAM: Final = re.compile(r"/v1/(encounters/[^/]+/)?stream")
_METHODS: Final = frozenset({"GET", "HEAD"})
_HEAD: Final[tuple[Pair, ...]] = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"private, no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
)
_REPLACED: Final = frozenset(
    {b"content-type", b"cache-control", b"content-length", b"www-authenticate"}
)
_ASKED: Final = (REFUSALS.name, REFUSALS.pattern)


def asks_for_records(scope: HTTPScope) -> bool:
    """Whether this is a request for a stream whose refusal is to be a record."""
    query: bytes = scope["query_string"]
    if REFUSALS.name.encode() not in query or scope["method"] not in _METHODS:
        return False
    if _STREAM.fullmatch(scope["path"]) is None:
        return False
    return _ASKED in parse_qsl(query.decode("latin-1"))


class RefusalRecord:
    """Passes an answer on; a refusal as a stream of one record."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._refusal: HTTPResponseStartEvent | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Send a message, or keep it until the refusal is whole."""
        if message["type"] == "http.response.start" and _is_recorded(message["status"]):
            self._refusal = message
        elif message["type"] == "http.response.body" and self._refusal is not None:
            self._body += message["body"]
            if not message["more_body"]:
                await self._send_record(self._refusal)
        else:
            await self._send(message)

    async def _send_record(self, refusal: HTTPResponseStartEvent) -> None:
        # The answer to HEAD has no body.
        body = _record(refusal, self._body) if self._body else b""
        kept = [pair for pair in refusal["headers"] if pair[0].lower() not in _REPLACED]
        length = (b"content-length", str(len(body)).encode())
        headers = [*kept, *_HEAD, *([length] if body else [])]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def _is_recorded(status: int) -> bool:
    return status >= HTTP_400_BAD_REQUEST and status != HTTP_406_NOT_ACCEPTABLE


def _record(refusal: HTTPResponseStartEvent, problem: bytes) -> bytes:
    """The record of a problem as an event of SSE."""
    after = next((value for name, value in refusal["headers"] if name == b"retry-after"), b"")
    seconds = int(after) if after.isdigit() else LATER_SECONDS
    body = problem_record(problem, refusal["status"])
    return event_text("problem", body, retry=1_000 * seconds)
