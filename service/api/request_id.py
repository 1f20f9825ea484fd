"""The id of a request: in its answer, in a problem's body and in the log, so that they meet.

A client, or a proxy on the way, may bring one: `X-Request-Id`, or the trace id of a W3C
`traceparent`. One that has another form than these is not used, and not refused either.
"""

import os
import re
from typing import Final

from litestar.types import Message, Send

from service.api.headers import Headers, Pair

REQUEST_ID: Final = "request_id"
"""In the state of a request: its id."""

HEADER: Final = b"warlog-request-id"

FORM: Final = "[A-Za-z0-9._-]{1,128}"

_BROUGHT: Final = re.compile(FORM.encode())
_TRACE: Final = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_NO_TRACE: Final = b"0" * 32


def request_id_of(headers: Headers) -> str:
    """The id that came with a request, else a new one of 32 hex digits."""
    brought = headers.plain(b"x-request-id")
    if brought is not None and _BROUGHT.fullmatch(brought):
        return brought.decode()
    parent = headers.plain(b"traceparent")
    trace = None if parent is None else _TRACE.fullmatch(parent)
    if trace is not None and trace[1] != _NO_TRACE:
        return trace[1].decode()
    return os.urandom(16).hex()


def pair_of(request_id: str) -> Pair:
    """The header that tells it."""
    return HEADER, request_id.encode()


def telling(send: Send, request_id: str) -> Send:
    """Sends answers that tell the id of their request."""
    pair = pair_of(request_id)

    async def send_with_id(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], pair]
        await send(message)

    return send_with_id
