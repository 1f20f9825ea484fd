"""Sockets: the records of a stream as frames, refusals that can be read, and rude clients."""

import asyncio
import json
import os
import struct
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from service.api.streaming.websocket import MOST_MESSAGES
from service.api.tickets import TICKET_SECONDS
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.server import websocket_protocol
from service.server.http_protocol import BoundedProtocol
from service.server.websocket_protocol import MOST_MESSAGE_BYTES, SocketProtocol
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.api.streaming import Plain, eventually, following, services_behind, stop_clock
from tests.patience import PATIENCE_SECONDS

NOTE = {"type": "note", "text": "x" * 2_000}
UPGRADE = ("Host: x", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
PING, CONTINUED, TEXT, CLOSE = 0x89, 0x00, 0x01, 0x88


@pytest.fixture
def encounter(caller: Caller) -> str:
    """The address of a battle that runs; its log ends at 2."""
    return caller.started()


@pytest.fixture(autouse=True)
def settled(served: Served) -> None:
    """Streams of the test before are over."""
    eventually(lambda: held(served) == (0, 0, 0, 0), "a stream of another test is still there")


def opened(caller: Caller, address: str, **headers: str) -> ClientConnection:
    """A socket; headers are written with `_` for `-`."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    own = {} if caller.token is None else {"Authorization": f"Bearer {caller.token}"}
    url = caller.url.replace("http:", "ws:")
    return connect(
        f"{url}{address}",
        additional_headers={**own, **given},
        open_timeout=PATIENCE_SECONDS,
        close_timeout=PATIENCE_SECONDS,
        ping_timeout=PATIENCE_SECONDS,
    )


def read(socket: ClientConnection) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE_SECONDS))
    return told


def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while (record := read(socket))["type"] != kind:
        pass
    return record


def ending(socket: ClientConnection) -> int:
    """The code of the close frame that comes next."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=PATIENCE_SECONDS)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def refusal(caller: Caller, address: str, **headers: str) -> tuple[int, str]:
    """The close code of a socket that is refused, and the code of its problem."""
    with opened(caller, address, **headers) as socket:
        told = read(socket)
        assert told["type"] == "problem"
        problem = told["problem"]
        assert problem["instance"] == address.partition("?")[0]
        assert problem["detail"] not in {"", problem["code"]}
        code = ending(socket)
        assert code == 4000 + problem["status"]
        return code, problem["code"]


def held(served: Served) -> tuple[int, int, int, int]:
    """What a socket that is over must not leave behind."""
    services = services_behind(served)
    state = served._server.server_state
    left = [each for each in state.connections if isinstance(each, SocketProtocol)]
    return (
        services.stream_places.open,
        services.encounters.hub.streams_open,
        len(left),
        len(state.tasks),
    )


def test_a_socket_tells_what_a_stream_tells(caller: Caller, encounter: str) -> None:
    with (
        opened(caller, f"{encounter}/socket?after=1") as socket,
        following(caller, f"{encounter}/stream?after=1") as reader,
    ):
        caller.act(encounter, NOTE)
        for seq in (2, 3):
            event, record = reader.until("event"), until(socket, "event")
            assert record.pop("id") == event.id
            assert record == event.data
            assert record["seq"] == seq
    with opened(caller, f"{encounter}/socket") as socket:
        hello = read(socket)
        assert (hello["type"], hello["seq"]) == ("hello", 3)
        assert hello["id"] == hello["etag"]
        presence = opened(caller, f"{encounter}/socket", warlog_seat="vera")
        with presence:
            assert "id" not in until(socket, "presence")


def test_a_socket_goes_on_where_another_broke_off(caller: Caller, encounter: str) -> None:
    with opened(caller, f"{encounter}/socket") as socket:
        cursor = read(socket)["id"]
    for _ in range(3):
        caller.act(encounter, NOTE)
    for query in (f"after={cursor}&lastEventId=", f"after=0&lastEventId={cursor}"):
        with opened(caller, f"{encounter}/socket?{query}") as socket:
            assert [until(socket, "event")["seq"] for _ in range(3)] == [3, 4, 5]


def test_what_cannot_be_followed_is_told_on_the_socket(
    caller: Caller, stranger: Caller, encounter: str
) -> None:
    address = f"{encounter}/socket"
    assert refusal(stranger, address) == (4404, "unknown_encounter")
    assert refusal(stranger, "/v1/encounters/x/socket") == (4404, "unknown_encounter")
    assert refusal(caller, f"{address}?after=1-00000000") == (4409, "history_diverged")
    assert refusal(caller, f"{address}?after=x") == (4400, "malformed")
    assert refusal(caller, f"{address}?affter=1") == (4400, "malformed")
    assert refusal(caller, address, warlog_seat="nobody") == (4404, "unknown_seat")
    assert refusal(caller, address, origin="https://elsewhere.example") == (
        4403,
        "origin_not_listed",
    )


def denied(caller: Caller, address: str, **headers: str) -> tuple[int, dict[str, Any]]:
    """The status of a handshake that leads to no socket, and the params of its problem."""
    with pytest.raises(InvalidStatus) as denial, opened(caller, address, **headers):
        pass
    answer = denial.value.response
    told = json.loads(answer.body or b"")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (told["status"], told["instance"]) == (answer.status_code, address.partition("?")[0])
    return answer.status_code, {"code": told["code"], **told["params"]}


@pytest.mark.parametrize("token", [None, "x", "wk_" + "A" * 43, "ws_" + "A" * 43])
def test_a_stranger_gets_no_socket(served: Served, encounter: str, token: str | None) -> None:
    expected = {"code": "unauthenticated", "presented": token is not None}
    with Caller(served.url, token) as nobody:
        assert denied(nobody, f"{encounter}/socket") == (401, expected)
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


@pytest.mark.parametrize("ticket", ["", "x", "wt_" + "A" * 118, "wt_" + "A" * 119])
def test_a_ticket_without_our_seal_is_shown_by_a_stranger(
    served: Served, encounter: str, ticket: str
) -> None:
    expected = {"code": "unauthenticated", "presented": True}
    with Caller(served.url, None) as nobody:
        assert denied(nobody, f"{encounter}/socket?ticket={ticket}") == (401, expected)
        assert denied(nobody, f"{encounter}/socket?after=1&ticket={ticket}") == (401, expected)


def test_what_is_no_address_of_a_socket_is_refused_before(caller: Caller, encounter: str) -> None:
    for address in ("/v1/encounters/socket", f"{encounter}/stream", "/"):
        assert denied(caller, address) == (404, {"code": "not_found"})


def test_a_ticket_that_is_over_is_told_on_the_socket(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = caller.http.post(f"{encounter}/tickets").json()["ticket"]
    later = datetime.now(UTC) + timedelta(seconds=TICKET_SECONDS + 1)
    monkeypatch.setattr(services_behind(served).tickets, "_now", lambda: later)
    with Caller(served.url, None) as browser:
        address = f"{encounter}/socket?ticket={ticket}"
        assert refusal(browser, address) == (4401, "unauthenticated")


def test_a_denial_is_told_in_the_language_asked_for(served: Served, encounter: str) -> None:
    with Caller(served.url, None) as nobody:
        for language in ("ru", "en"):
            with (
                pytest.raises(InvalidStatus) as denial,
                opened(nobody, f"{encounter}/socket", accept_language=language),
            ):
                pass
            answer = denial.value.response
            assert answer.headers["Content-Language"] == language
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="warlog"'


def test_strangers_may_fail_so_often_and_others_come_in_all_the_same(
    database: Dsns, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = caller.started()
    ticket = caller.http.post(f"{encounter}/tickets").json()["ticket"]
    settings = settings_for(
        database, WARLOG_HANDSHAKES_PER_MINUTE="3", WARLOG_TRUSTED_PROXIES="127.0.0.1"
    )
    address = f"{encounter}/socket"
    with Served(settings) as served, Caller(served.url, None) as nobody:
        stop_clock(monkeypatch, services_behind(served).handshakes._rate)
        for sender in ("10.0.0.1", "2001:db8::1"):
            told = [denied(nobody, address, x_forwarded_for=sender) for _ in range(4)]
            assert [status for status, _ in told] == [401, 401, 401, 429]
            assert told[3][1] == {
                "code": "too_many_requests",
                "limit": 3,
                "retry_after": told[3][1]["retry_after"],
            }
        unknown = Caller(served.url, "wk_" + "A" * 43)
        status, _ = denied(unknown, address, x_forwarded_for="2001:db8::2")
        assert status == 429, "the same network"
        unknown.http.close()
        assert denied(nobody, address, x_forwarded_for="10.0.0.2")[0] == 401
        with opened(nobody, f"{address}?ticket={ticket}", x_forwarded_for="10.0.0.1") as socket:
            assert read(socket)["type"] == "hello"
        with Caller(served.url, caller.token) as good:
            for _ in range(5):
                with opened(good, address, x_forwarded_for="10.0.0.3") as socket:
                    assert read(socket)["type"] == "hello"
            assert good.get(encounter).status_code == 200
            with opened(good, address, x_forwarded_for="10.0.0.1") as socket:
                assert read(socket)["type"] == "hello", "a token that was just seen is known"


def test_a_handshake_in_pieces_is_judged_alike(served: Served, encounter: str) -> None:
    head = "\r\n".join([f"GET {encounter}/socket HTTP/1.1", *UPGRADE, KEY, "", ""]).encode()
    for cut in (1, 40, len(head) - 1, len(head)):
        with Plain(served.url) as line:
            line.send(head[:cut])
            if cut < len(head):
                eventually(partial(has_read, served, cut), "the first piece is not read")
                line.send(head[cut:])
            answer, _, body = line.rest().partition(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 401 Unauthorized\r\n")
        assert json.loads(body)["code"] == "unauthenticated"


def has_read(served: Served, count: int) -> bool:
    """Whether so many bytes of something that is not complete came over a connection."""
    found = list(served._server.server_state.connections)
    return any(isinstance(one, BoundedProtocol) and one._unfinished_bytes == count for one in found)


def test_a_handshake_names_one_host(served: Served, caller: Caller, encounter: str) -> None:
    with Plain(served.url) as line:
        key = f"Authorization: Bearer {caller.token}"
        line.ask(f"GET {encounter}/socket HTTP/1.1", *UPGRADE, KEY, key, "Host: y")
        told = json.loads(line.rest().partition(b"\r\n\r\n")[2])
    assert (told["status"], told["code"]) == (400, "malformed")
    assert told["params"] == {"path": "header.host", "why": "repeated_parameter"}


async def test_a_socket_needs_the_scope_to_read(
    served: Served, store: EventStore, tenant: UUID, encounter: str
) -> None:
    with Caller(served.url, await new_key(store, tenant, ("play",))) as player:
        assert refusal(player, f"{encounter}/socket") == (4403, "scope_missing")


async def test_a_page_of_a_listed_origin_may_open_a_socket(
    served: Served, store: EventStore, tenant: UUID, caller: Caller, encounter: str
) -> None:
    own = served.url
    with opened(caller, f"{encounter}/socket", origin=own) as socket:
        assert read(socket)["type"] == "hello"
    await store.origins.add(tenant, "https://table.example", 10)
    # Lists are remembered for some seconds: a service that just began knows the new one.
    services_behind(served).origins._good_until = 0.0

    def comes_in() -> bool:
        with opened(caller, f"{encounter}/socket", origin="https://table.example") as socket:
            return bool(read(socket)["type"] == "hello")

    eventually(comes_in, "the page is refused")


def test_a_refusal_is_told_in_the_language_asked_for(caller: Caller, encounter: str) -> None:
    with opened(caller, f"{encounter}/socket?after=x", accept_language="ru") as socket:
        assert read(socket)["problem"]["title"] == "Запрос нельзя прочесть"


def test_a_socket_asked_for_without_an_upgrade_says_so(
    caller: Caller, stranger: Caller, encounter: str
) -> None:
    answer = caller.get(f"{encounter}/socket")
    assert (answer.status_code, answer.json()["code"]) == (426, "upgrade_required")
    assert answer.headers["Upgrade"] == "websocket"
    assert stranger.get(f"{encounter}/socket").status_code == 404


@pytest.mark.parametrize(
    "lines",
    [
        ("GET {} HTTP/1.1", *UPGRADE),
        ("GET {} HTTP/1.1", *UPGRADE, "Sec-WebSocket-Key: short"),
        ("GET {} HTTP/1.1", *UPGRADE[:3], KEY),
        ("POST {} HTTP/1.1", *UPGRADE, KEY),
        ("GET {} HTTP/1.1", *UPGRADE, KEY, f"X: {'x' * 20_000}"),
        ("GET {} HTTP/1.1", *UPGRADE, KEY, *(f"X-{n}: x" for n in range(200))),
    ],
)
def test_what_is_no_handshake_is_refused_with_a_problem(
    served: Served, caller: Caller, encounter: str, lines: tuple[str, ...]
) -> None:
    assert caller.get(encounter).status_code == 200
    with Plain(served.url) as line:
        key = f"Authorization: Bearer {caller.token}"
        line.ask(*(each.format(f"{encounter}/socket") for each in (*lines, key)))
        head, _, body = line.rest().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"content-type: application/problem+json" in head
    told = json.loads(body)
    assert (told["code"], told["params"]["why"]) == ("malformed", "protocol")
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_what_a_client_says_is_refused_and_at_some_point_too_much(
    caller: Caller, encounter: str
) -> None:
    with opened(caller, f"{encounter}/socket") as socket:
        read(socket)
        messages: list[str | bytes] = ["hello", b"\x00\xff", "{}"]
        for message in [*messages, *["x"] * (MOST_MESSAGES - 3)]:
            socket.send(message)
            problem = until(socket, "problem")["problem"]
            assert (problem["status"], problem["code"]) == (400, "socket_only_tells")
        caller.act(encounter, NOTE)
        assert until(socket, "event")["seq"] == 3
        socket.send("x")
        assert ending(socket) == 1008


def test_a_long_message_closes_the_socket(served: Served, caller: Caller, encounter: str) -> None:
    with opened(caller, f"{encounter}/socket") as socket:
        read(socket)
        socket.send("x" * MOST_MESSAGE_BYTES)
        assert until(socket, "problem")
        socket.send("x" * (MOST_MESSAGE_BYTES + 1))
        assert ending(socket) == 1009
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_pings_are_answered_and_nothing_is_compressed(caller: Caller, encounter: str) -> None:
    with opened(caller, f"{encounter}/socket") as socket:
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert socket.ping("are you there").wait(PATIENCE_SECONDS)


def frame(first: int, payload: bytes = b"") -> bytes:
    """A frame of a client, masked with zeros; `payload` is short."""
    return bytes((first, 0x80 | len(payload))) + bytes(4) + payload


class Rude:
    """A client that speaks frames by itself."""

    def __init__(self, caller: Caller, address: str, **more: int) -> None:
        self.line = Plain(caller.url, **more)
        key = f"Authorization: Bearer {caller.token}"
        self.line.ask(f"GET {address} HTTP/1.1", *UPGRADE, KEY, key)

    def __enter__(self) -> Plain:
        self.line.until(b'"type":"hello"')
        return self.line

    def __exit__(self, *_: object) -> None:
        self.line.__exit__()


def close_code(told: bytes) -> int:
    """The code of the close frame at the end of what was shown."""
    assert told[-4:-2] == bytes((CLOSE, 2)), told[-40:]
    code: int = struct.unpack("!H", told[-2:])[0]
    return code


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (frame(TEXT) + frame(CONTINUED) * 100, 1008),
        (bytes((0x81, 1)) + b"x", 1002),
        (frame(0x83), 1002),
        (frame(0xC1), 1002),
        (frame(0x81, b"\xff"), 1007),
    ],
)
def test_what_is_no_message_closes_the_socket(
    served: Served, caller: Caller, encounter: str, frames: bytes, code: int
) -> None:
    with Rude(caller, f"{encounter}/socket") as line:
        line.send(frames)
        assert bytes((CLOSE,)) in line.until(struct.pack("!H", code))
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_frames_before_the_socket_is_open_do_no_harm(
    served: Served, caller: Caller, encounter: str
) -> None:
    with Plain(served.url) as line:
        head = "\r\n".join([f"GET {encounter}/socket HTTP/1.1", *UPGRADE, KEY, "", ""])
        line.send(head.encode() + frame(0x83) * 10)
        line.until(b"\r\n\r\n")
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_pings_of_one_who_reads_nothing_make_nothing_grow(
    served: Served, caller: Caller, encounter: str
) -> None:
    with Rude(caller, f"{encounter}/socket", receive_bytes=4_096) as line:
        [socket] = protocols(served)
        pings = frame(PING, bytes(125)) * 500
        most = 0
        for _ in range(200):
            line.send(pings)
            most = max(most, socket.line.waiting)
        assert most < 1_000_000
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_a_slow_socket_is_told_to_come_again(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = services_behind(served).encounters.hub
    monkeypatch.setattr(hub._catch_ups, "_patience_seconds", 0.5)
    monkeypatch.setattr(websocket_protocol, "CLOSE_SECONDS", PATIENCE_SECONDS)
    with Rude(caller, f"{encounter}/socket?after=0", receive_bytes=4_096) as line:
        body = {"actions": [{"action": NOTE} for _ in range(32)]}
        resyncs = hub.tally.resyncs
        # A live socket with little unread stays, so events go on until it is let go.
        for _ in range(1_000):
            assert caller.post(f"{encounter}/actions", body).status_code == 201
            if hub.tally.resyncs > resyncs:
                break
        assert hub.tally.resyncs == resyncs + 1, "nobody is let go"
        told = line.until(bytes((CLOSE, 2)) + struct.pack("!H", 1013))
        assert b'{"type":"resync"' in told[-300:]
        line.send(frame(CLOSE, struct.pack("!H", 1013)))
        assert line.rest() == b""
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_who_does_not_say_goodbye_is_cut_off(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_protocol, "CLOSE_SECONDS", 0.3)
    with Rude(caller, f"{encounter}/socket") as line:
        line.send(frame(0x81, b"x") * (MOST_MESSAGES + 1))
        told = line.rest()
    assert struct.pack("!BBH", CLOSE, 2, 1008) in told
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")


def test_a_client_that_answers_no_ping_is_gone(
    served: Served, caller: Caller, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = served._server.config
    monkeypatch.setattr(config, "ws_ping_interval", 0.3)
    monkeypatch.setattr(config, "ws_ping_timeout", PATIENCE_SECONDS)
    with opened(caller, f"{encounter}/socket") as lively:
        read(lively)
        [socket] = protocols(served)
        eventually(lambda: socket.last_ping_rtt > 0, "it is not asked")
        monkeypatch.setattr(config, "ws_ping_timeout", 0.3)
        with Rude(caller, f"{encounter}/socket") as line:
            assert b"keepalive ping timeout" in line.rest()
        caller.act(encounter, NOTE)
        assert until(lively, "event")["seq"] == 3


def protocols(served: Served) -> list[SocketProtocol]:
    """The sockets that are open."""
    found = list(served._server.server_state.connections)
    return [each for each in found if isinstance(each, SocketProtocol)]


def test_a_hundred_that_come_and_go_leave_nothing(
    served: Served, caller: Caller, encounter: str
) -> None:
    def files() -> int:
        return len(os.listdir("/proc/self/fd"))

    def come_and_go(*, politely: bool) -> None:
        if politely:
            with opened(caller, f"{encounter}/socket") as socket:
                read(socket)
        else:
            with Rude(caller, f"{encounter}/socket"):
                pass

    come_and_go(politely=True)
    eventually(lambda: held(served) == (0, 0, 0, 0), "the first is still there")
    before = files()
    for turn in range(100):
        come_and_go(politely=turn % 2 == 0)
    eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")
    eventually(lambda: files() <= before, f"more than {before} files are open")


async def test_a_socket_ends_soon_after_its_key(
    served: Served, store: EventStore, tenant: UUID, encounter: str
) -> None:
    token = await new_key(store, tenant, ("read",))
    [key] = [each for each in await store.access.api_keys(tenant) if each.scopes == ("read",)]
    with (
        Caller(served.url, token) as soon_gone,
        opened(soon_gone, f"{encounter}/socket") as socket,
    ):
        read(socket)
        assert await store.access.revoke_api_key(tenant, key.id)
        bye = await asyncio.to_thread(until, socket, "bye")
        assert bye["reason"] == "revoked"
        assert ending(socket) == 4401


def test_sockets_are_told_when_encounter_or_process_end(
    database: Dsns, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, stays = caller.started(), caller.started()
    with Served(settings_for(database)) as served, Caller(served.url, caller.token) as one:
        with opened(one, f"{gone}/socket") as socket:
            read(socket)
            assert one.http.delete(gone).status_code == 200
            assert until(socket, "bye")["reason"] == "deleted"
            assert ending(socket) == 4404
        with opened(one, f"{stays}/socket") as socket, Rude(one, f"{stays}/socket") as stuck:
            read(socket)
            monkeypatch.setattr(websocket_protocol, "CLOSE_SECONDS", 0.5)
            served.__exit__(None, None, None)
            assert not served._thread.is_alive()
            assert until(socket, "bye")["reason"] == "shutdown"
            assert ending(socket) == 1001
            assert close_code(stuck.rest()) == 1001


def test_a_socket_is_counted_once_and_logged_without_its_ticket(
    served: Served, caller: Caller, encounter: str
) -> None:
    ticket = caller.http.post(f"{encounter}/tickets").json()["ticket"]
    nobody = Caller(caller.url, None)
    with capture_logs() as told:
        with opened(nobody, f"{encounter}/socket?ticket={ticket}") as socket:
            read(socket)
        with following(nobody, f"{encounter}/stream?ticket={ticket}") as reader:
            reader.until("hello")
        nobody.http.close()
        eventually(lambda: held(served) == (0, 0, 0, 0), "something is left")

        def is_logged() -> bool:
            return {"socket", "stream"} <= {each.get("call") for each in [*told]}

        eventually(is_logged, "it is not logged")
    assert ticket not in repr(told)
    figures = caller.get("/metrics").text
    assert 'warlog_http_requests_total{call="socket",method="GET",status="101"}' in figures
    assert ticket not in figures
