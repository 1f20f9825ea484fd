"""Sinks: where the hub puts a stream's records, one kind for each kind of stream."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from service.api.streaming.framing import (
    COMMENT,
    RETRY_MILLISECONDS,
    event_chunk,
    opening_chunk,
    place_in,
    place_of,
    socket_frame,
    vector_chunk,
)
from service.api.streaming.transport import ChunkedLine, HeldLine, StreamTransport
from service.live.records import Outgoing, Record

NORMAL: Final = 1000
GOING_AWAY: Final = 1001
INTERNAL_ERROR: Final = 1011
TRY_AGAIN: Final = 1013

_CODES: Final[Mapping[str, int]] = {
    "shutdown": GOING_AWAY,
    "failed": INTERNAL_ERROR,
    "revoked": 4401,
    "deleted": 4404,
}
"""Why a stream is over, and the close code that says so; `NORMAL` for any other reason."""


class EventSink:
    """A stream of events (SSE) of one encounter."""

    __slots__ = ("_has_begun", "line")
    framing = staticmethod(event_chunk)

    def __init__(self) -> None:
        self.line: StreamTransport = HeldLine()
        self._has_begun = False

    def write(self, record: Outgoing) -> None:
        """Send one record or several; the first of the stream has the time to reconnect."""
        if self._has_begun:
            self.line.write(record.framed(event_chunk))
            return
        self._has_begun = True
        first, *rest = record.records
        self.line.write(b"".join([opening_chunk(first), *map(event_chunk, rest)]))

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""
        return self.line.waiting

    def keep_alive(self) -> None:
        """Send a comment, unless the client has not taken all."""
        if not self.line.waiting:
            self.line.write(COMMENT)

    def close(self) -> None:
        """End the stream behind what was written."""
        self.line.close(NORMAL)

    def open(self, line: ChunkedLine) -> None:
        """The head of the answer is out."""
        self.line = _opened(self.line, line)


class VectorSink:
    """A stream of events (SSE) of several encounters.

    `cursors` are those the client came with: its place in each stays in the vector until something
    came of that encounter, so that a stream that breaks off before then loses none.
    """

    __slots__ = ("_places", "_retry", "line")
    framing = None

    def __init__(self, cursors: Mapping[UUID, str | None]) -> None:
        self.line: StreamTransport = HeldLine()
        self._retry: int | None = RETRY_MILLISECONDS
        self._places: dict[UUID, bytes] = {
            encounter: place_in(encounter, cursor)
            for encounter, cursor in cursors.items()
            if cursor is not None
        }

    def write(self, record: Outgoing) -> None:
        """Send one record or several, each with the cursors of all encounters behind it."""
        self.line.write(b"".join([self._framed(each) for each in record.records]))

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""
        return self.line.waiting

    def keep_alive(self) -> None:
        """Send a comment, unless the client has not taken all."""
        if not self.line.waiting:
            self.line.write(COMMENT)

    def close(self) -> None:
        """End the stream behind what was written."""
        self.line.close(NORMAL)

    def open(self, line: ChunkedLine) -> None:
        """The head of the answer is out."""
        self.line = _opened(self.line, line)

    def _framed(self, record: Record) -> bytes:
        retry, self._retry = self._retry, None
        if not record.hash8:
            return vector_chunk(record, b"", retry)
        self._places[record.encounter] = place_of(record)
        return vector_chunk(record, b"".join(self._places.values()), retry)


class SocketSink:
    """A socket, which is open already."""

    __slots__ = ("_code", "line")
    framing = staticmethod(socket_frame)

    def __init__(self, line: StreamTransport) -> None:
        self.line = line
        self._code = NORMAL

    def write(self, record: Outgoing) -> None:
        """Send one record or several; the last one decides the close code."""
        if not record.hash8:
            self._code = code_behind(record.records[-1])
        self.line.write(record.framed(socket_frame))

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet."""
        return self.line.waiting

    def keep_alive(self) -> None:
        """Send nothing: clients of sockets have pings."""

    def close(self) -> None:
        """End the stream behind what was written."""
        self.line.close(self._code)


class _Reason(Struct, frozen=True):
    reason: str


_REASON: Final = msgspec.json.Decoder(_Reason)


def code_behind(record: Record) -> int:
    """The close code of a socket whose last record this is."""
    if record.kind == "resync":
        return TRY_AGAIN
    if record.kind == "bye":
        return _CODES.get(_REASON.decode(record.body).reason, NORMAL)
    return NORMAL


def _opened(held: StreamTransport, line: ChunkedLine) -> StreamTransport:
    line.expect_life()
    if isinstance(held, HeldLine):
        held.pass_to(line)
    return line
