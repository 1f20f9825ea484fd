"""Server-sent events: what a client is sent, in which bytes, and what is left when it goes."""

import asyncio
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from uuid import UUID

import httpx
import pytest

from service.api.streaming import transport as streaming_lines
from service.api.streaming.framing import place_in
from service.api.streaming.transport import SILENCE_SECONDS, ChunkedLine
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.live.followed_encounter import LITTLE_WAITING, MOST_WAITING
from service.live.hub import MOST_ENCOUNTERS
from service.server.http_protocol import BoundedProtocol
from tests.api.serving import Caller, Served, new_key, problem, settings_for
from tests.api.streaming import Plain, eventually, following, services_behind
from tests.patience import PATIENCE_SECONDS

NOTE = {"type": "note", "text": "x" * 2_000}
NOBODY = "/v1/encounters/00000000-0000-7000-8000-000000000000"


@pytest.fixture
def encounter(caller: Caller) -> str:
    """The address of a battle that runs; its log ends at 2."""
    return caller.started()


@pytest.fixture(autouse=True)
def settled(served: Served) -> None:
    """Streams of the test before are over."""
    eventually(lambda: held(served)[:3] == (0, 0, 0), "a stream of another test is still there")


def held(served: Served) -> tuple[int, int, int, int]:
    """What a stream that is over must not leave behind."""
    services = services_behind(served)
    open_files = len(os.listdir("/proc/self/fd"))
    return (
        services.stream_places.open,
        services.encounters.hub.streams_open,
        len(tasks(served)),
        open_files,
    )


def tasks(served: Served) -> set[object]:
    return set(served._server.server_state.tasks)


def bearer(caller: Caller) -> str:
    return f"Authorization: Bearer {caller.token}"


def test_a_stream_greets_and_then_tells_what_happens(caller: Caller, encounter: str) -> None:
    with following(caller, f"{encounter}/stream") as reader:
        told = reader.answer.headers
        assert told["Content-Type"] == "text/event-stream"
        assert told["Cache-Control"] == "private, no-cache, no-transform"
        assert told["X-Accel-Buffering"] == "no"
        assert told["X-Content-Type-Options"] == "nosniff"
        hello = reader.next()
        etag = caller.get(encounter).headers["ETag"].strip('"')
        assert (hello.kind, hello.id, hello.data["seq"]) == ("hello", etag, 2)
        done = caller.act(encounter, NOTE)
        event = reader.until("event")
        [expected] = done["events"]
        assert event.id == f"3-{expected['hash'][:8]}" == done["etag"]
        for name, value in expected.items():
            assert event.data[name] == value
    assert caller.get(f"{encounter}/events/3").json()["hash"] == expected["hash"]


def test_whoever_comes_back_misses_and_doubles_nothing(caller: Caller, encounter: str) -> None:
    with following(caller, f"{encounter}/stream?after=0") as reader:
        seen = [reader.until("event") for _ in range(2)]
    for _ in range(3):
        caller.act(encounter, NOTE)
    with following(caller, f"{encounter}/stream?after=1", last_event_id=seen[-1].id) as reader:
        hello = reader.next()
        assert (hello.kind, hello.id, hello.data["seq"]) == ("hello", seen[-1].id, 5)
        caller.act(encounter, NOTE)
        assert reader.seqs(4) == [3, 4, 5, 6]
    with following(caller, f"{encounter}/stream?after=1", last_event_id="") as reader:
        assert reader.seqs(5) == [2, 3, 4, 5, 6]


def test_a_cursor_in_the_address_may_be_called_last_event_id(
    caller: Caller, encounter: str
) -> None:
    with following(caller, f"{encounter}/stream?after=0") as reader:
        first, second = (reader.until("event").id for _ in range(2))
    caller.act(encounter, NOTE)
    own = encounter.rpartition("/")[2]
    with following(caller, f"/v1/stream?encounters={own}&after={vector_of(own, first)}") as reader:
        place = reader.until("event").id
    asked: dict[str, tuple[dict[str, str], list[int]]] = {
        f"{encounter}/stream?lastEventId={second}": ({}, [3]),
        f"{encounter}/stream?after=0&lastEventId={first}": ({}, [2, 3]),
        f"{encounter}/stream?lastEventId=&after=1": ({}, [2, 3]),
        f"{encounter}/stream?after=1&lastEventId={first}": ({"last_event_id": second}, [3]),
        f"/v1/stream?encounters={own}&after={vector_of(own, first)}&lastEventId={place}": ({}, [3]),
        f"/v1/stream?encounters={own}&lastEventId=&after={place}": ({}, [3]),
    }
    for address, (headers, seqs) in asked.items():
        with following(caller, address, **headers) as reader:
            assert reader.seqs(len(seqs)) == seqs, address
    answers = [
        caller.get(f"{encounter}/stream?lastEventId=x"),
        caller.get(f"{encounter}/stream?lastEventId=1&lastEventId=2"),
        caller.get(f"/v1/stream?encounters={own}&lastEventId=1"),
        caller.get(f"{encounter}/stream?lastEventId=2-00000000"),
    ]
    assert [problem(each)["params"] for each in answers] == [
        {"path": "query.lastEventId", "why": "wrong_form", "value": "x"},
        {"path": "query.lastEventId", "why": "repeated_parameter"},
        {"path": "query.lastEventId", "why": "wrong_form", "value": "1"},
        {"encounter": own, "seq": 2, "given": "2-00000000", "head": 3},
    ]


def vector_of(encounter: str, cursor: str) -> str:
    return place_in(UUID(encounter), cursor).decode()


def test_what_cannot_be_followed_is_refused_as_any_call(
    served: Served, caller: Caller, stranger: Caller, encounter: str
) -> None:
    address = f"{encounter}/stream"
    answers = [httpx.get(f"{served.url}{address}"), stranger.get(address)]
    answers += [stranger.get(f"{NOBODY}/stream"), caller.get(f"{NOBODY}/stream")]
    answers += [caller.get(address, accept="application/json")]
    answers += [
        caller.get(f"{address}?after=1-00000000"),
        caller.get(f"{address}?after=9-12345678"),
    ]
    answers += [caller.get(f"{address}?after=x"), caller.get(address, last_event_id="x")]
    answers += [caller.get(address, warlog_seat="nobody"), caller.get(f"{address}?encounters=x")]
    told = [(answer.status_code, problem(answer)["code"]) for answer in answers]
    assert told == [
        (401, "unauthenticated"),
        (404, "unknown_encounter"),
        (404, "unknown_encounter"),
        (404, "unknown_encounter"),
        (406, "not_acceptable"),
        (409, "history_diverged"),
        (409, "history_diverged"),
        (400, "malformed"),
        (400, "malformed"),
        (404, "unknown_seat"),
        (400, "malformed"),
    ]
    assert problem(answers[8])["params"]["path"] == "header.last-event-id"
    eventually(lambda: services_behind(served).stream_places.open == 0, "a place is taken")


def test_a_head_is_answered_without_a_stream(
    served: Served, caller: Caller, encounter: str
) -> None:
    answer = caller.http.head(f"{encounter}/stream")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert caller.http.head(f"{NOBODY}/stream").status_code == 404
    eventually(lambda: services_behind(served).stream_places.open == 0, "a place is taken")


def test_every_event_comes_in_a_chunk_of_its_own(caller: Caller, encounter: str) -> None:
    with Plain(caller.url) as line:
        line.ask(f"GET {encounter}/stream HTTP/1.1", "Host: x", bearer(caller))
        head, _, body = line.until(b"\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"transfer-encoding: chunked" in head
        assert b"connection: close" in head
        if b"hello" not in body or not body.endswith(b"\n\n\r\n"):
            body += line.until(b"\n\n\r\n")
        caller.act(encounter, NOTE)
        body += line.until(b"event: event")
        body += line.until(b"\n\n\r\n") if not body.endswith(b"\n\n\r\n") else b""
        told = [
            chunk for chunk in chunks(body) if b"event: heartbeat" not in chunk and chunk != b":\n"
        ]
    hello, event = told
    assert re.fullmatch(b"retry: 2000\nevent: hello\ndata: {.*}\nid: 2-.*\n\n", hello)
    assert re.fullmatch(b"event: event\ndata: {.*}\nid: 3-.*\n\n", event)


def chunks(body: bytes) -> Iterator[bytes]:
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        yield rest[:length]
        assert rest[length : length + 2] == b"\r\n"
        body = rest[length + 2 :]


def test_a_stream_is_never_silent_for_five_seconds(
    served: Served, caller: Caller, encounter: str
) -> None:
    own = encounter.rpartition("/")[2]
    hub = services_behind(served).encounters.hub
    with Plain(caller.url) as one, Plain(caller.url) as several:
        one.ask(f"GET {encounter}/stream?state=patch HTTP/1.1", "Host: x", bearer(caller))
        several.ask(f"GET /v1/stream?encounters={own} HTTP/1.1", "Host: x", bearer(caller))
        for line in (one, several):
            line.until(b"event: hello")
        for stream in tuple(hub._streams):
            stream.written_at = 0.0
        for channel in tuple(hub.channels.values()):
            channel.written_at = 0.0
        for line in (one, several):
            line.until(b"\r\n2\r\n:\n\r\n")


def test_curl_shows_events_at_once(caller: Caller, encounter: str) -> None:
    command = ["curl", "-sN", "-H", bearer(caller), f"{caller.url}{encounter}/stream"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as curl:
        assert curl.stdout is not None
        try:
            for expected in (b"event: hello\n", b"event: event\n"):
                while curl.stdout.readline() != expected:
                    assert curl.poll() is None
                caller.act(encounter, NOTE)
        finally:
            curl.kill()


def test_a_hundred_that_come_and_go_leave_nothing(
    served: Served, caller: Caller, encounter: str
) -> None:
    def follow_a_moment() -> None:
        with Plain(caller.url) as line:
            line.ask(f"GET {encounter}/stream HTTP/1.1", "Host: x", bearer(caller))
            line.until(b"event: hello")

    caller.get("/health/live")
    follow_a_moment()
    eventually(lambda: held(served)[:3] == (0, 0, 0), "the first stream is still there")
    before = held(served)
    for _ in range(100):
        follow_a_moment()
    eventually(
        lambda: all(now <= old for now, old in zip(held(served), before, strict=True)),
        f"more is held than {before}",
    )
    eventually(lambda: services_behind(served).concurrency.under_way == 0, "requests are under way")


def test_a_stream_does_not_count_as_a_request_at_work(
    served: Served, caller: Caller, encounter: str
) -> None:
    with following(caller, f"{encounter}/stream") as reader:
        reader.until("hello")
        services = services_behind(served)
        assert services.stream_places.open == 1
        eventually(lambda: services.concurrency.under_way == 0, "it counts as a request")


def test_what_follows_a_stream_on_its_connection_does_not_keep_it(
    served: Served, caller: Caller, encounter: str
) -> None:
    follow = (f"GET {encounter}/stream HTTP/1.1", "Host: x", bearer(caller))
    with Plain(caller.url) as line:
        line.ask(*follow, "", "GET /health/live HTTP/1.1", "Host: x")
        line.until(b"event: hello")
        caller.act(encounter, NOTE)
        assert b"HTTP/1.1" not in line.until(b"event: event")
    eventually(lambda: held(served)[:3] == (0, 0, 0), "the stream is still there")
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    with Plain(caller.url) as line:
        line.ask(*follow)
        line.until(b"event: hello")
        line.ask(f"GET {encounter}/socket HTTP/1.1", "Host: x", *upgrade)
        assert b"HTTP/1.1" not in line.rest()
    eventually(lambda: held(served)[:3] == (0, 0, 0), "the stream is still there")


def test_only_a_body_that_does_not_come_ends_a_stream(database: Dsns, caller: Caller) -> None:
    encounter = caller.started()
    follow = (f"GET {encounter}/stream HTTP/1.1", "Host: x", bearer(caller))
    with (
        Served(settings_for(database, WARLOG_REQUEST_SECONDS="1")) as served,
        Plain(served.url) as whole,
        Plain(served.url) as half,
    ):
        whole.ask(*follow)
        whole.until(b"event: hello")
        half.ask(*follow, "Content-Length: 10")
        half.until(b"event: hello")
        assert half.rest().endswith(b"0\r\n\r\n")
        caller.act(encounter, NOTE)
        whole.until(b"event: event")
        eventually(
            lambda: services_behind(served).stream_places.open == 1, "the half one keeps its place"
        )


def test_a_client_that_vanished_is_noticed_by_the_network(
    served: Served, caller: Caller, encounter: str
) -> None:
    with following(caller, f"{encounter}/stream") as reader:
        reader.until("hello")
        timeouts = [
            connection.transport.get_extra_info("socket").getsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT
            )
            for connection in list(served._server.server_state.connections)
        ]
        assert SILENCE_SECONDS * 1000 in timeouts


def test_streams_have_their_limits(database: Dsns, caller: Caller, encounter: str) -> None:
    limits = {"WARLOG_STREAMS_AT_ONCE": "3", "WARLOG_STREAMS_PER_CALLER": "2"}
    with (
        Served(settings_for(database, **limits)) as served,
        Caller(served.url, caller.token) as one,
    ):
        address = f"{encounter}/stream"
        with following(one, address), following(one, address, warlog_seat="vera"):
            answer = one.get(address)
            told = problem(answer)
            assert (told["status"], told["code"]) == (429, "too_many_streams")
            assert told["params"]["limit"] == 2
            assert int(answer.headers["Retry-After"]) > 0
        eventually(
            lambda: services_behind(served).stream_places.open == 0, "places are not given back"
        )
        with following(one, address):
            pass


async def test_a_process_follows_only_so_much(
    database: Dsns, store: EventStore, tenant: UUID, caller: Caller, encounter: str
) -> None:
    other = await new_key(store, tenant, SCOPES)
    with (
        Served(settings_for(database, WARLOG_STREAMS_AT_ONCE="1")) as served,
        Caller(served.url, caller.token) as one,
        Caller(served.url, other) as two,
        following(one, f"{encounter}/stream"),
    ):
        answer = two.get(f"{encounter}/stream")
        assert (answer.status_code, problem(answer)["code"]) == (503, "streams_full")
        assert int(answer.headers["Retry-After"]) > 0
        assert two.get(encounter).status_code == 200


async def test_a_stream_ends_soon_after_its_key(
    served: Served, store: EventStore, tenant: UUID, encounter: str
) -> None:
    token = await new_key(store, tenant, ("read",))
    [key] = [each for each in await store.access.api_keys(tenant) if each.scopes == ("read",)]
    with (
        Caller(served.url, token) as soon_gone,
        following(soon_gone, f"{encounter}/stream") as reader,
    ):
        reader.until("hello")
        assert await store.access.revoke_api_key(tenant, key.id)
        ending = await asyncio.to_thread(reader.rest)
    assert [(event.kind, event.data.get("reason")) for event in ending] == [("bye", "revoked")]


def test_a_stream_ends_with_its_encounter(caller: Caller, encounter: str) -> None:
    with following(caller, f"{encounter}/stream") as reader:
        reader.until("hello")
        assert caller.http.delete(encounter).status_code == 200
        [bye] = reader.rest()
    assert (bye.kind, bye.id, bye.data["reason"]) == ("bye", "", "deleted")


def test_streams_are_told_when_the_process_ends(database: Dsns, caller: Caller) -> None:
    encounter = caller.started()
    with (
        Served(settings_for(database)) as served,
        Caller(served.url, caller.token) as one,
        following(one, f"{encounter}/stream") as reader,
        Plain(served.url) as stuck,
    ):
        hello = reader.until("hello")
        stuck.ask(f"GET {encounter}/stream HTTP/1.1", "Host: x", bearer(caller))
        stuck.until(b"event: hello")
        served.__exit__(None, None, None)
        assert not served._thread.is_alive()
        [bye] = reader.rest()
        assert (bye.kind, bye.data["reason"]) == ("bye", "shutdown")
        assert b'"shutdown"' in stuck.rest()
    with Served(settings_for(database)) as served, Caller(served.url, caller.token) as one:
        one.act(encounter, NOTE)
        with following(one, f"{encounter}/stream", last_event_id=hello.id) as reader:
            assert reader.seqs(1) == [3]


def test_several_encounters_come_in_one_stream(caller: Caller) -> None:
    first, second = caller.started(), caller.started()
    ids = [address.rpartition("/")[2] for address in (first, second)]
    address = f"/v1/stream?encounters={','.join(ids)}"
    with following(caller, address) as reader:
        greeted = [reader.next() for _ in ids]
        assert [event.kind for event in greeted] == ["hello", "hello"]
        assert sorted(event.data["encounter"] for event in greeted) == sorted(ids)
        caller.act(first, NOTE)
        event = reader.until("event")
        assert (event.data["encounter"], event.data["seq"]) == (ids[0], 3)
        assert re.fullmatch("[A-Za-z0-9_-]{64}", event.id)
    caller.act(second, NOTE)
    caller.act(first, NOTE)
    with following(caller, address, last_event_id=event.id) as reader:
        found = [reader.until("event").data for _ in range(2)]
        assert sorted((each["encounter"], each["seq"]) for each in found) == sorted(
            [(ids[0], 4), (ids[1], 3)]
        )
    with following(caller, f"/v1/stream?encounters={ids[1]}&after={event.id}") as reader:
        assert reader.seqs(1) == [3]


def test_what_several_encounters_cannot_be(
    caller: Caller, stranger: Caller, encounter: str
) -> None:
    own = encounter.rpartition("/")[2]
    foreign = stranger.started().rpartition("/")[2]
    many = ",".join([own] * (MOST_ENCOUNTERS + 1))
    vector = f"{own}-x"
    answers = {
        "": 400,
        "?encounters=": 400,
        f"?encounters={own},": 400,
        f"?encounters={many}": 400,
        f"?encounters={own},{foreign}": 404,
        f"?encounters={own}&after={vector}": 400,
        f"?encounters={own}&after={'A' * 33}": 400,
    }
    told = {query: caller.get(f"/v1/stream{query}") for query in answers}
    assert {query: answer.status_code for query, answer in told.items()} == answers
    assert all(problem(answer) for answer in told.values())
    seated = caller.get(f"/v1/stream?encounters={own}", warlog_seat="vera")
    assert (seated.status_code, problem(seated)["code"]) == (400, "malformed")


def test_a_vector_of_another_history_is_refused(caller: Caller, encounter: str) -> None:
    own = encounter.rpartition("/")[2]
    with following(caller, f"/v1/stream?encounters={own}") as reader:
        id_ = reader.next().id
    broken = id_[:-1] + ("A" if id_[-1] != "A" else "B")
    answer = caller.get(f"/v1/stream?encounters={own}&after={broken}")
    told = problem(answer)
    assert (answer.status_code, told["code"]) == (409, "history_diverged")
    assert told["params"]["encounter"] == own


def test_a_slow_reader_is_let_go_and_costs_little(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = services_behind(served).encounters.hub
    monkeypatch.setattr(hub._catch_ups, "_patience_seconds", 0.5)
    monkeypatch.setattr(streaming_lines, "CLOSE_SECONDS", PATIENCE_SECONDS)
    with Plain(served.url, receive_bytes=4_096) as stuck:
        stuck.ask(f"GET {encounter}/stream?after=0 HTTP/1.1", "Host: x", bearer(caller))
        stuck.until(b"event: hello")
        [line] = lines(served)
        most, resyncs = 0, hub.tally.resyncs
        body = {"actions": [{"action": NOTE} for _ in range(32)]}
        for _ in range(1_000):
            assert caller.post(f"{encounter}/actions", body).status_code == 201
            most = max(most, line.waiting)
            if hub.tally.resyncs > resyncs:
                break
        assert LITTLE_WAITING < most < 3 * MOST_WAITING
        told = stuck.rest()
    assert told.count(b"event: event") > 100
    ending = told[told.rindex(b"event: ") :]
    assert ending.startswith(b"event: resync\ndata: {")
    assert b'"reason":"too_slow"' in ending
    assert ending.endswith(b"}\n\n\r\n0\r\n\r\n")
    eventually(lambda: held(served)[:3] == (0, 0, 0), "the stream is still there")


def test_who_takes_nothing_at_all_is_cut_off(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = services_behind(served).encounters.hub
    monkeypatch.setattr(hub._catch_ups, "_patience_seconds", 0.2)
    monkeypatch.setattr(streaming_lines, "CLOSE_SECONDS", 0.5)
    with Plain(served.url, receive_bytes=4_096) as stuck:
        stuck.ask(f"GET {encounter}/stream?after=0 HTTP/1.1", "Host: x", bearer(caller))
        stuck.until(b"event: hello")
        [line] = lines(served)
        body = {"actions": [{"action": NOTE} for _ in range(32)]}
        while line.waiting < 2 * MOST_WAITING and held(served)[:3] != (0, 0, 0):
            assert caller.post(f"{encounter}/actions", body).status_code == 201
        eventually(lambda: held(served)[:3] == (0, 0, 0), "the stream is still there")
        assert b"event: resync" not in stuck.rest()


def lines(served: Served) -> list[ChunkedLine]:
    """The lines of all streams that are open."""
    found = list(served._server.server_state.connections)
    here = [each for each in found if isinstance(each, BoundedProtocol)]
    return [
        each.line
        for each in here
        if (now := each._answered) is not None and not now.response_complete
    ]
