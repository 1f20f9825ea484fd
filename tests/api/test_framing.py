"""How records are written for the wire, and what is held of them until there is a line."""

import json
import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from service.api.limits.streams import StreamPlaces
from service.api.streaming.framing import (
    event_chunk,
    place_of,
    problem_frame,
    read_vector,
    socket_frame,
)
from service.api.streaming.transport import HeldLine
from service.api.streaming.writers import EventSink, SocketSink, VectorSink, code_behind
from service.errors import Malformed, TooMany, Unavailable
from service.live.hub import MOST_ENCOUNTERS
from service.live.records import Page, Record, Resync, farewell, unplaced

ONE = UUID(int=1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=50)
PLACES = st.tuples(st.integers(0, 2**31 - 1), st.from_regex("[0-9a-f]{8}", fullmatch=True))


def event(seq: int, text: str = "", encounter: UUID = ONE, hash8: str = "0123abcd") -> Record:
    body = json.dumps({"type": "event", "seq": seq, "text": text}, ensure_ascii=False)
    return Record("event", encounter, seq, hash8, body.encode())


def unchunked(data: bytes) -> Iterator[bytes]:
    while data:
        size, _, rest = data.partition(b"\r\n")
        length = int(size, 16)
        yield rest[:length]
        assert rest[length : length + 2] == b"\r\n"
        data = rest[length + 2 :]


def id_of(chunk: bytes) -> str:
    """The id of an event, which is its last line."""
    *_, id_, blank, end = chunk.decode().split("\n")
    assert (blank, end) == ("", "")
    return id_.removeprefix("id: ")


def frames(data: bytes) -> Iterator[Frame]:
    """Whole frames as a client reads them."""
    reader = StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    while True:
        ended = reader.at_eof()
        try:
            next(ended)
        except StopIteration as end:
            if end.value:
                return
        parsing = Frame.parse(reader.read_exact, mask=False)
        try:
            next(parsing)
        except StopIteration as done:
            yield done.value


def test_no_character_that_ends_a_line_for_some_clients_is_sent_bare() -> None:
    """`str.splitlines` of Python ends a line there; `httpx.Response.iter_lines` reads so."""
    text = "a\u0085b\u2028c\u2029d \u2014 \u00e9"
    [sent] = unchunked(event_chunk(event(7, text)))
    shown = (
        'event: event\ndata: {"type": "event", "seq": 7,'
        ' "text": "a\\u0085b\\u2028c\\u2029d \u2014 \u00e9"}\nid: 7-0123abcd\n\n'
    )
    assert sent.decode() == shown
    _, body, *_ = sent.decode().splitlines()
    assert json.loads(body.removeprefix("data: "))["text"] == text


class Kept:
    """A line that keeps what it is given."""

    def __init__(self) -> None:
        self.data = b""
        self.code: int | None = None
        self.waiting = 0

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self, code: int) -> None:
        self.code = code


@given(TEXTS, st.integers(0, 2**31 - 1))
def test_an_event_is_one_chunk_and_its_data_one_line(text: str, seq: int) -> None:
    [chunk] = unchunked(event_chunk(event(seq, text)))
    kind, data, id_, *rest = chunk.decode().split("\n")
    assert (kind, id_, rest) == ("event: event", f"id: {seq}-0123abcd", ["", ""])
    assert json.loads(data.removeprefix("data: "))["text"] == text


def test_what_moves_nobody_has_no_id() -> None:
    bye = unplaced(ONE, farewell(str(ONE), "shutdown"))
    [chunk] = unchunked(event_chunk(bye))
    assert re.fullmatch(rb"event: bye\ndata: {.*}\n\n", chunk)
    [frame] = frames(socket_frame(bye))
    assert "id" not in json.loads(bytes(frame.data))


@pytest.mark.parametrize("length", [0, 40, 80, 65_400, 65_500, 65_600, 200_000])
def test_a_frame_of_any_length_is_one_frame(length: int) -> None:
    [frame] = frames(socket_frame(event(7, "x" * length)))
    assert (frame.opcode, frame.fin) == (Opcode.TEXT, True)
    told = json.loads(bytes(frame.data))
    assert list(told) == ["id", "type", "seq", "text"]
    assert (told["id"], len(told["text"])) == ("7-0123abcd", length)


def test_a_problem_is_told_whole() -> None:
    body = b'{"type":"/docs/problems#x","status":404}'
    told = [
        json.loads(bytes(frame.data))
        for status in (404, 503)
        for frame in frames(problem_frame(body, status))
    ]
    whole = {"type": "problem", "problem": {"type": "/docs/problems#x", "status": 404}}
    assert told == [{**whole, "retry": False}, {**whole, "retry": True}]


@given(st.dictionaries(st.uuids(), PLACES, min_size=1, max_size=MOST_ENCOUNTERS))
def test_a_vector_names_the_place_in_each_encounter(places: dict[UUID, tuple[int, str]]) -> None:
    records = [event(seq, encounter=each, hash8=hash8) for each, (seq, hash8) in places.items()]
    vector = b"".join(place_of(record) for record in records).decode()
    expected = {each: f"{seq}-{hash8}" for each, (seq, hash8) in places.items()}
    assert read_vector(vector, "after") == expected


@pytest.mark.parametrize("text", ["", "A" * 31, "A" * 33, "A" * 31 + "=", "A" * 32 * 101, "é" * 32])
def test_what_is_no_vector_is_refused(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_vector(text, "after")
    assert refused.value.params["path"] == "after"


@given(st.lists(st.tuples(st.sampled_from([UUID(int=n) for n in range(4)]), PLACES), min_size=1))
def test_the_id_of_a_stream_of_several_is_where_it_stands_in_all(
    told: list[tuple[UUID, tuple[int, str]]],
) -> None:
    sink, kept = VectorSink({}), Kept()
    sink.line = kept
    stands: dict[UUID, str] = {}
    ids = []
    for encounter, (seq, hash8) in told:
        sink.write(Page((event(seq, encounter=encounter, hash8=hash8),)))
        stands[encounter] = f"{seq}-{hash8}"
        ids.append(dict(stands))
    found = [id_of(chunk) for chunk in unchunked(kept.data)]
    assert [read_vector(id_, "after") for id_ in found] == ids


def test_the_first_id_of_a_stream_that_is_resumed_forgets_no_encounter() -> None:
    one, two, new = (UUID(int=n) for n in (1, 2, 3))
    sink, kept = VectorSink({one: "4-0123abcd", two: "7-89abcdef", new: None}), Kept()
    sink.line = kept
    sink.write(event(5, encounter=one, hash8="00000001"))
    [chunk] = unchunked(kept.data)
    assert read_vector(id_of(chunk), "after") == {one: "5-00000001", two: "7-89abcdef"}


@pytest.mark.parametrize("sink", [EventSink(), VectorSink({})], ids=["one", "several"])
def test_only_the_first_record_of_a_stream_has_the_time_to_reconnect(
    sink: EventSink | VectorSink,
) -> None:
    sink.line = kept = Kept()
    sink.write(event(1))
    sink.write(Page((event(2), event(3))))
    told = [chunk.split(b"\n") for chunk in unchunked(kept.data)]
    fields = [[line.partition(b": ")[0].decode() for line in lines] for lines in told]
    ordinary = ["event", "data", "id", "", ""]
    assert fields == [["retry", *ordinary], ordinary, ordinary]
    assert told[0][0] == b"retry: 2000"


def test_several_records_that_a_stream_begins_with_are_framed_as_alone() -> None:
    sink, kept = EventSink(), Kept()
    sink.line = kept
    sink.write(Page((event(1), event(2))))
    opening, second = unchunked(kept.data)
    assert (opening.startswith(b"retry: 2000\nevent: event\n"), id_of(opening)) == (
        True,
        "1-0123abcd",
    )
    assert [second] == list(unchunked(event_chunk(event(2))))


def test_several_records_are_one_write_and_every_one_has_its_id() -> None:
    page = Page((event(1), event(2), event(3)))
    sink = SocketSink(kept := Kept())
    sink.write(page)
    assert [json.loads(bytes(each.data))["id"] for each in frames(kept.data)] == [
        "1-0123abcd",
        "2-0123abcd",
        "3-0123abcd",
    ]
    assert page.framed(socket_frame) is page.framed(socket_frame)


def test_the_last_record_of_a_socket_says_with_which_code_it_closes() -> None:
    codes = {"shutdown": 1001, "failed": 1011, "revoked": 4401, "deleted": 4404}
    found = {}
    for reason in ("shutdown", "failed", "revoked", "deleted"):
        sink = SocketSink(kept := Kept())
        sink.write(event(1))
        sink.write(unplaced(ONE, farewell(str(ONE), reason)))
        sink.close()
        found[reason] = kept.code
    assert found == codes
    resync = unplaced(ONE, Resync(encounter=str(ONE), reason="too_slow"))
    assert code_behind(resync) == 1013


def test_what_is_held_comes_first_and_is_counted() -> None:
    held, kept = HeldLine(), Kept()
    held.write(b"one")
    held.write(b"two")
    assert held.waiting == 6
    held.close(1001)
    held.write(b"three")
    held.pass_to(kept)
    assert (kept.data, kept.code) == (b"onetwo", 1001)


def test_places_are_counted_for_all_and_for_each() -> None:
    places = StreamPlaces(at_once=3, per_caller=2)
    with places.place("a"), places.place("a"):
        with pytest.raises(TooMany), places.place("a"):
            pass
        with places.place("b"), pytest.raises(Unavailable), places.place("c"):
            pass
        assert places.open == 2
    assert places.open == 0
    with places.place("a"), places.place("a"):
        pass
