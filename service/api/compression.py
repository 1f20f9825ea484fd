"""Answers made smaller, where the client takes that and their length gives nothing away.

How this works. What everybody is shown alike (rulesets, schemas, documents, pages, figures) does
not change while the service runs: each is compressed once and kept, under a separate tag where it
has one.

What only some may know is compressed for each answer, fast, where it is JSON, long, and without a
tag: legal actions and pages of events, which a phone waits for before it may act. The length of
such an answer says whether two things in it are alike, so that somebody who sees lengths and has
words of their own in it (a note, a name) might guess at a secret next to them. Here they cannot ask
for it: callers name themselves by a token in a header, which no other page can send; no answer
holds words of its request; every guess is an event that all see. What is left is blurred: up to
`_BLUR` bytes are put into the head of each, as many as the body says under a key of this process,
so that asking again reveals nothing new. Secrets themselves (tokens, codes) are in answers that may
not be stored, which are not compressed. Neither are tagged ones: their bytes would be others under
the same tag, and clients send the tag of a battle back as its head.
"""

import asyncio
import secrets
import struct
import zlib
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from litestar.status_codes import HTTP_200_OK, HTTP_304_NOT_MODIFIED
from litestar.types import HTTPResponseStartEvent, Message, Send

from service.api.call import JSON
from service.api.headers import Headers, Pair
from service.api.response import PRIVATE, PUBLIC, compressed_tag

LEAST_BYTES: Final = 1_024
"""Smaller answers go in one packet anyhow."""

LEAST_OWN_BYTES: Final = 2_048
"""The same of answers that are compressed again each time: with less it costs more than it saves.
"""

_KEPT: Final = 256
_LEVEL: Final = 6
_OWN_LEVEL: Final = 1
_LONG_BYTES: Final = 65_536
"""Compressing more would keep others waiting: it is done next to them."""

_WITH_BODY: Final = frozenset({HTTP_200_OK, HTTP_304_NOT_MODIFIED})
"""Statuses of answers whose body hangs on what the client takes, and of those that spare it."""

_BLUR: Final = 32
_KEY: Final = secrets.token_bytes(32)
_HEAD: Final = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"
"""RFC 1952: deflated, a file's name follows, no time, no system."""

_JSON: Final[Pair] = (b"content-type", JSON.encode())
_PUBLIC: Final[Pair] = (b"cache-control", PUBLIC["Cache-Control"].encode())
_PRIVATE: Final[Pair] = (b"cache-control", PRIVATE["Cache-Control"].encode())
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
    """Passes one answer on; compressed, if that is for it and the client takes that."""

    def __init__(self, send: Send, headers: Headers) -> None:
        self._send = send
        self._headers = headers
        self._start: HTTPResponseStartEvent | None = None
        self._is_public = False

    async def send(self, message: Message) -> None:
        """Send a message, or keep it until it is known whether the answer is whole."""
        if message["type"] == "http.response.start" and message["status"] in _WITH_BODY:
            self._is_public = _PUBLIC in message["headers"]
            if self._is_public or _is_own(message):
                message["headers"] = [*message["headers"], _BY_ENCODING]
                if message["status"] == HTTP_200_OK and takes_gzip(self._headers):
                    self._start = message
                    return
        elif message["type"] == "http.response.body" and self._start is not None:
            start, self._start = self._start, None
            small = None if message["more_body"] else await self._compressed(message["body"])
            if small is not None:
                message["body"] = small
                start["headers"] = [*map(_retagged, _without_length(start)), *_lengths(small)]
            await self._send(start)
        await self._send(message)

    async def _compressed(self, body: bytes) -> bytes | None:
        """The body in gzip's form; None if it is too short for that."""
        if self._is_public:
            return compressed(body) if len(body) >= LEAST_BYTES else None
        if len(body) < LEAST_OWN_BYTES:
            return None
        if len(body) < _LONG_BYTES:
            return blurred(body)
        return await asyncio.to_thread(blurred, body)


@lru_cache(maxsize=_KEPT)
def compressed(body: bytes) -> bytes:
    """The bytes in gzip's form, the same for the same bytes."""
    return zlib.compress(body, _LEVEL, wbits=zlib.MAX_WBITS | 16)


def blurred(body: bytes) -> bytes:
    """The bytes in gzip's form, longer by as much as only this process can tell."""
    tail = struct.pack("<II", zlib.crc32(body), len(body) & 0xFFFFFFFF)
    digest = blake2b(body, key=_KEY, digest_size=1).digest()
    name = b"-" * (digest[0] % _BLUR) + b"\0"
    return b"".join((_HEAD, name, zlib.compress(body, _OWN_LEVEL, wbits=-zlib.MAX_WBITS), tail))


def _is_own(start: HTTPResponseStartEvent) -> bool:
    headers = start["headers"]
    return (
        _PRIVATE in headers and _JSON in headers and not any(name == b"etag" for name, _ in headers)
    )


def _without_length(start: HTTPResponseStartEvent) -> list[Pair]:
    return [pair for pair in start["headers"] if pair[0] != b"content-length"]


def _retagged(pair: Pair) -> Pair:
    """The same header; a tag of bytes that are compressed now is another one."""
    name, value = pair
    return (name, compressed_tag(value.decode()).encode()) if name == b"etag" else pair


def _lengths(body: bytes) -> tuple[Pair, Pair]:
    return (b"content-encoding", b"gzip"), (b"content-length", str(len(body)).encode())
