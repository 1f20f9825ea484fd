"""How records are written for the wire: events of SSE in chunks of HTTP/1.1, frames of RFC 6455.

How this works. A function of this module is handed to `Record.framed`, which remembers what it
made: whoever else gets the same record over the same kind of stream gets the same bytes. The id of
an event is `seq-hash8`, the cursor behind it; a record that moves nobody has none. A stream of
several encounters has a vector for its id, the cursors of all of them: 24 bytes for each, that is
32 characters, in the order they came; so each of its events is framed again, around the same data.

The lines of an event are `event`, `data`, `id`, in this order. Some clients move their cursor when
they read the `id` line: an event that is cut off in transit must be cut before it. The time to
reconnect belongs to the first event, since some clients take a separate block for an event.

Data is JSON, in which U+0085, U+2028 and U+2029 may be bare. Some clients end a line there
(aiosseclient 0.1.8, @server-sent-stream/web 1.0.3, `Response.iter_lines` of httpx 0.28.1), so
the three are sent as escapes: the same JSON value.
"""

import base64
import re
from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct
from websockets.frames import Frame, Opcode

from service.errors import Malformed
from service.live.hub import MOST_ENCOUNTERS
from service.live.records import Record

RETRY_MILLISECONDS: Final = 2_000
"""After which a browser connects again; default, not in the source texts."""

VECTOR_FORM: Final = "the id of an earlier event"
VECTOR_PATTERN: Final = rf"([A-Za-z0-9_-]{{32}}){{1,{MOST_ENCOUNTERS}}}"

_ESCAPES: Final = (
    (b"\xc2\x85", rb"\u0085"),
    (b"\xe2\x80\xa8", rb"\u2028"),
    (b"\xe2\x80\xa9", rb"\u2029"),
)
_VECTOR: Final = re.compile(VECTOR_PATTERN)
_PLACE_CHARACTERS: Final = 32
_ID_BYTES: Final = 16
_SEQ_BYTES: Final = 4
_SHOWN: Final = 40


PASSING: Final = frozenset({408, 429, 500, 503})
"""Statuses of problems after which the same request may succeed later."""


class StreamProblem(Struct, frozen=True, kw_only=True, tag_field="type", tag="problem"):
    """A problem as a record: `problem` is the body that HTTP would have answered.

    `retry`: whether the same request may succeed later.
    """

    problem: Raw
    retry: bool


def chunk(piece: bytes) -> bytes:
    """A chunk of an answer (RFC 9112); `piece` is not empty."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def text_frame(body: bytes) -> bytes:
    """A text frame from the server, which masks nothing."""
    return Frame(Opcode.TEXT, body).serialize(mask=False)


COMMENT: Final = chunk(b":\n")
"""A line that clients pass over. No empty line follows: some clients take it for an empty event."""


def event_chunk(record: Record) -> bytes:
    """A record as one event of SSE."""
    return chunk(event_text(record.kind, record.body, _cursor(record)))


def opening_chunk(record: Record) -> bytes:
    """The first record of a stream as one event of SSE, with the time to reconnect."""
    event = event_text(record.kind, record.body, _cursor(record), RETRY_MILLISECONDS)
    return chunk(event)


def socket_frame(record: Record) -> bytes:
    """A record as a text frame, with its id among its fields."""
    cursor = _cursor(record)
    return text_frame(b'{"id":"%b",%b' % (cursor, record.body[1:]) if cursor else record.body)


def vector_chunk(record: Record, vector: bytes, retry: int | None) -> bytes:
    """A record of several encounters' stream as one event; `vector` is its id, or empty."""
    return chunk(event_text(record.kind, record.body, vector, retry))


def event_text(kind: str, body: bytes, cursor: bytes = b"", retry: int | None = None) -> bytes:
    """One event of SSE. `cursor` is its id, or empty; `retry` is in milliseconds."""
    if not body.isascii():
        for bare, escape in _ESCAPES:
            body = body.replace(bare, escape)
    opening = b"" if retry is None else b"retry: %d\n" % retry
    ending = b"id: %b\n\n" % cursor if cursor else b"\n"
    return b"%bevent: %b\ndata: %b\n%b" % (opening, kind.encode(), body, ending)


def problem_record(body: bytes, status: int) -> bytes:
    """A problem as a record of a stream: its JSON."""
    record = StreamProblem(problem=Raw(body), retry=status in PASSING)
    return msgspec.json.encode(record)


def problem_frame(body: bytes, status: int) -> bytes:
    """A problem as a text frame."""
    return text_frame(problem_record(body, status))


def place_of(record: Record) -> bytes:
    """The part of a vector that a record represents."""
    return _place(record.encounter, record.seq, record.hash8)


def place_in(encounter: UUID, cursor: str) -> bytes:
    """The part of a vector for a cursor that was read from one."""
    seq, _, hash8 = cursor.partition("-")
    return _place(encounter, int(seq), hash8)


def read_vector(text: str, path: str) -> Mapping[UUID, str]:
    """The cursor of every encounter that a vector names. Raises Malformed."""
    if _VECTOR.fullmatch(text) is None:
        raise Malformed(path=path, why="wrong_form", value=text[:_SHOWN], allowed=VECTOR_FORM)
    places = (
        base64.urlsafe_b64decode(text[at : at + _PLACE_CHARACTERS])
        for at in range(0, len(text), _PLACE_CHARACTERS)
    )
    return {UUID(bytes=place[:_ID_BYTES]): _cursor_in(place[_ID_BYTES:]) for place in places}


def _place(encounter: UUID, seq: int, hash8: str) -> bytes:
    stands = seq.to_bytes(_SEQ_BYTES, "big") + bytes.fromhex(hash8)
    return base64.urlsafe_b64encode(encounter.bytes + stands)


def _cursor_in(place: bytes) -> str:
    return f"{int.from_bytes(place[:_SEQ_BYTES], 'big')}-{place[_SEQ_BYTES:].hex()}"


def _cursor(record: Record) -> bytes:
    return b"%d-%b" % (record.seq, record.hash8.encode()) if record.hash8 else b""
