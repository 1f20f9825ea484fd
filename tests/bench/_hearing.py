"""Subscribers that look at no more of what they hear than the number of each event.

How this works. A stream's bytes are searched for what is before an id, a socket's are walked
frame by frame. Behind the id comes the kind of the record, of which the first letter will do. All
subscribers of one audience tell the same `Room` what they heard.
"""

import asyncio
import base64
import os
import time
from collections.abc import Callable
from typing import Final, cast
from urllib.parse import urlsplit

from _attending import Flaws, Stand

_MARK: Final = b"\nid: "
_KIND_BEHIND_DASH: Final = 17
"""In `\\nid: 7-0123abcd\\nevent: event`: what distinguishes an event from a greeting."""

_FRAME_MARK: Final = b'{"id":"'
_FRAME_KIND_BEHIND_DASH: Final = 19
"""In `{"id":"7-0123abcd","type":"event"`."""
_FRAME_START_BYTES: Final = 60
"""So much of a frame must be there; no record is shorter."""

_EVENT: Final = ord("e")
_TEXT: Final = 1
_STATUS: Final = slice(9, 12)
_PUT_OFF: Final = frozenset((b"429", b"503"))


class Room:
    """What all subscribers of an audience have heard together.

    `refusal` is the last answer after which one asked again, `failure` one that is the end of it.
    `arrivals` are (stand, seq, when), kept while there is a list. `finish` is called with each
    subscriber that has come to event `until`, and the moment.
    """

    def __init__(self) -> None:
        self.greeted = 0
        self.heard = 0
        self.octets = 0
        self.put_off = 0
        self.flaws = Flaws()
        self.refusal = ""
        self.failure: str | None = None
        self.arrivals: list[tuple[int, int, float]] | None = None
        self.is_leaving = False
        self.until: int | None = None
        self.finish: Callable[[Subscriber, float], None] | None = None
        self._wanted = 0
        self._all_heard = asyncio.Event()

    async def hears(self, deliveries: int, seconds: float) -> None:
        """Wait until so many were heard in all, at most so long."""
        self._all_heard.clear()
        self._wanted = deliveries
        if self.heard < deliveries:
            try:
                async with asyncio.timeout(seconds):
                    await self._all_heard.wait()
            except TimeoutError:
                return

    def took(self, subscriber: "Subscriber", before: int, heard: int) -> None:
        """A subscriber has heard so many events, and stood at `before`."""
        self.heard += heard
        if self.heard >= self._wanted:
            self._all_heard.set()
        if self.arrivals is not None:
            now = time.perf_counter()
            stand = subscriber.stand
            self.arrivals += [(stand, seq, now) for seq in range(before + 1, subscriber.at + 1)]
        if self.until is not None and before < self.until <= subscriber.at and self.finish:
            self.finish(subscriber, time.perf_counter())


class Subscriber(asyncio.Protocol):
    """One stream of events; `at` is the last event it has heard, or its cursor."""

    def __init__(self, room: Room, stand: int, request: bytes, greets: bool) -> None:
        self.room = room
        self.stand = stand
        self.at = -1
        self._request = request
        self._is_greeted = not greets
        self._is_open = False
        self._tail = b""
        self._missing: set[int] = set()
        self.again: Callable[[Subscriber, float], None] | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def connection_lost(self, _: Exception | None) -> None:
        """Nobody is to end it but the audience."""
        if self._is_open and not self.room.is_leaving:
            self.room.flaws.ended += 1

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self._is_open:
            self.room.octets += len(data)
            self.read(data)
        else:
            self._open(self._tail + data)

    @property
    def missing(self) -> int:
        """Events that came before others and never came."""
        return len(self._missing)

    def read(self, data: bytes) -> None:
        """What comes behind the head."""
        if self._tail:
            data = self._tail + data
        before, heard = self.at, 0
        at = data.find(_MARK)
        while at >= 0:
            dash = data.find(b"-", at + 5, at + 20)
            if dash < 0 or len(data) <= dash + _KIND_BEHIND_DASH:
                break
            seq = int(data[at + 5 : dash])
            if data[dash + _KIND_BEHIND_DASH] != _EVENT:
                if self.greet(seq):
                    before = seq
            elif seq == self.at + 1:
                self.at = seq
                heard += 1
            else:
                heard += self.stumble(seq)
            at = data.find(_MARK, dash)
        self._tail = data[at:] if at >= 0 else data[-4:]
        if heard:
            self.room.took(self, before, heard)

    def greet(self, seq: int) -> bool:
        """A heartbeat, or the first hello, which says from where on it is told: whether it is."""
        if self._is_greeted:
            return False
        self._is_greeted = True
        self.at = seq
        self.room.greeted += 1
        return True

    def stumble(self, seq: int) -> int:
        """Another event than the next one: 1 if it is new."""
        if seq > self.at + 1:
            self._missing.update(range(self.at + 1, seq))
            self.at = seq
            return 1
        if seq in self._missing:
            self._missing.discard(seq)
            self.room.flaws.reordered += 1
            return 1
        self.room.flaws.doubled += 1
        return 0

    def _open(self, answer: bytes) -> None:
        end = answer.find(b"\r\n\r\n")
        if end < 0:
            self._tail = answer
            return
        status = answer[_STATUS]
        if status in (b"200", b"101"):
            self._is_open, self._tail = True, b""
            if self._is_greeted:
                self.at = 0
                self.room.greeted += 1
            # The line end before the first id may be that of the head.
            self.read(answer[end + 2 :] if status == b"200" else answer[end + 4 :])
        elif status in _PUT_OFF and self.again is not None:
            self.room.put_off += 1
            self.room.refusal = answer.decode(errors="replace")
            found = answer.lower().find(b"retry-after: ")
            pause = float(answer[found + 13 : answer.find(b"\r\n", found)]) if found >= 0 else 1.0
            self._tail = b""
            self.transport.abort()
            self.again(self, pause)
        else:
            self.room.failure = answer.decode(errors="replace")
            self.transport.abort()


class SocketSubscriber(Subscriber):
    """One socket."""

    _skip = 0
    """Bytes of the last frame that are still to come."""

    def read(self, data: bytes) -> None:
        """What comes behind the handshake."""
        if self._tail:
            data = self._tail + data
        before, heard = self.at, 0
        at, end = self._skip, len(data)
        while at + _FRAME_START_BYTES <= end:
            body, size = _frame(data, at)
            if data[at] & 15 == _TEXT and data.startswith(_FRAME_MARK, body):
                dash = data.find(b"-", body + 7, body + 20)
                seq = int(data[body + 7 : dash])
                if data[dash + _FRAME_KIND_BEHIND_DASH] != _EVENT:
                    if self.greet(seq):
                        before = seq
                elif seq == self.at + 1:
                    self.at = seq
                    heard += 1
                else:
                    heard += self.stumble(seq)
            at = body + size
        self._tail = data[at:]
        self._skip = max(0, at - end)
        if heard:
            self.room.took(self, before, heard)


def _frame(data: bytes, at: int) -> tuple[int, int]:
    """Where the payload of a frame begins, and its length."""
    size = data[at + 1]
    if size == 126:
        return at + 4, int.from_bytes(data[at + 2 : at + 4])
    if size == 127:
        return at + 10, int.from_bytes(data[at + 2 : at + 10])
    return at + 2, size


def address_of(url: str) -> tuple[str, int]:
    """Host and port of `http://host:port`."""
    address = urlsplit(url)
    return address.hostname or "", address.port or 80


def request_of(stand: Stand, key: str) -> bytes:
    """What a subscriber asks with."""
    path = stand.path if stand.after is None else f"{stand.path}?after={stand.after}"
    lines = [f"GET {path} HTTP/1.1", f"Host: {urlsplit(stand.url).netloc}"]
    lines += [f"Authorization: Bearer {key}"] if key else []
    lines += [f"Warlog-Seat: {stand.seat}"] if stand.seat else []
    if stand.is_socket:
        secret = base64.b64encode(os.urandom(16)).decode()
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += [f"Sec-WebSocket-Key: {secret}"]
    else:
        lines += ["Accept: text/event-stream"]
    return "\r\n".join([*lines, "", ""]).encode()
