"""Answers made smaller, where the client takes that and nothing can be learned from their length.

How this works. The length of a compressed answer tells whether two things in it are alike. Where
somebody can see lengths and put words of their own beside a secret (a name, a note, in a state with
hidden combatants), they could guess it letter by letter. So only answers that everybody is told
alike are compressed: rulesets, schemas, documents, pages, figures. They are few and do not change
while the service runs, so each is compressed once and kept.
"""

import gzip
from functools import lru_cache
from typing import Final

from litestar.types import HTTPResponseStartEvent, Message, Send

from service.api.headers import Headers, Pair
from service.api.response import PUBLIC

LEAST_BYTES: Final = 1_024
"""Smaller answers go in one packet anyhow."""

_KEPT: Final = 64
_LEVEL: Final = 6
_PUBLIC: Final[Pair] = (b"cache-control", PUBLIC["Cache-Control"].encode())
_BY_ENCODING: Final[Pair] = (b"vary", b"Accept-Encoding")


def takes_gzip(headers: Headers) -> bool:
    """Whether `Accept-Encoding` lists gzip or `*` with a weight above zero."""
    text = headers.value("accept-encoding")
    if text is None:
        return False
    weights = {}
    for each in text.lower().split(","):
        name, _, parameters = each.strip().partition(";")
        weights[name.strip()] = not parameters.replace(" ", "").startswith("q=0") or any(
            digit in "123456789" for digit in parameters
        )
    return weights.get("gzip", weights.get("*", False))


class Compressor:
    """Passes one answer on; a public one compressed, if the client takes that."""

    def __init__(self, send: Send, headers: Headers) -> None:
        self._send = send
        self._headers = headers
        self._start: HTTPResponseStartEvent | None = None

    async def send(self, message: Message) -> None:
        """Send a message, or keep it until it is known whether the answer is whole."""
        if message["type"] == "http.response.start" and _is_public(message):
            message["headers"] = [*message["headers"], _BY_ENCODING]
            if takes_gzip(self._headers):
                self._start = message
                return
        elif message["type"] == "http.response.body" and self._start is not None:
            start, self._start = self._start, None
            body = message["body"]
            if not message["more_body"] and len(body) >= LEAST_BYTES:
                message["body"] = body = compressed(body)
                start["headers"] = [*_without_length(start), *_lengths(body)]
            await self._send(start)
        await self._send(message)


@lru_cache(maxsize=_KEPT)
def compressed(body: bytes) -> bytes:
    """The bytes in gzip's form, the same for the same bytes."""
    return gzip.compress(body, _LEVEL, mtime=0)


def _is_public(start: HTTPResponseStartEvent) -> bool:
    return start["status"] == 200 and _PUBLIC in start["headers"]


def _without_length(start: HTTPResponseStartEvent) -> list[Pair]:
    return [pair for pair in start["headers"] if pair[0] != b"content-length"]


def _lengths(body: bytes) -> tuple[Pair, Pair]:
    return (b"content-encoding", b"gzip"), (b"content-length", str(len(body)).encode())
