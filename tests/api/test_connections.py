"""What comes over a connection before anything of it can be called a request."""

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.api.streaming import wire_to
from tests.patience import PATIENCE_SECONDS

MEBIBYTE = 1 << 20
GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"POST /v1/encounters HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST = b"Connection: close\r\n\r\n"


def answer_to(served: Served, *sent: bytes) -> bytes:
    """All that comes back until the service closes the connection."""
    told = b""
    with wire_to(served.url) as wire:
        try:
            for piece in sent:
                wire.sendall(piece)
            while piece := wire.recv(65_536):
                told += piece
        except (BrokenPipeError, ConnectionResetError):
            pass
    return told


@pytest.mark.parametrize(
    "endless",
    [
        GET + b"X: " + b"a" * 16 * MEBIBYTE,
        b"GET /" + b"a" * 16 * MEBIBYTE,
        GET + b"X: a\r\n" * 4 * MEBIBYTE,
        CHUNKED + b"1;" + b"a" * 16 * MEBIBYTE,
        CHUNKED + b"0\r\nX: " + b"a" * 16 * MEBIBYTE,
    ],
    ids=["header", "address", "headers", "chunk", "trailer"],
)
def test_what_never_becomes_a_request_is_given_up(served: Served, endless: bytes) -> None:
    answer_to(served, endless)
    assert answer_to(served, GET + LAST).startswith(b"HTTP/1.1 200 ")


def test_a_large_head_and_a_long_body_are_read(served: Served) -> None:
    head = b"X: " + b"a" * 30_000 + b"\r\n"
    assert answer_to(served, GET, head, LAST).startswith(b"HTTP/1.1 200 ")
    post = b"POST /v1/encounters HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n"
    told = answer_to(served, post, *[b" " * 90_000] * 10, GET, LAST)
    assert told.startswith(b"HTTP/1.1 401 ")
    assert b"HTTP/1.1 200 " in told


POST = b"POST /v1/encounters HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
RUSSIAN = b"Accept-Language: ru\r\n"


@pytest.fixture(scope="module")
def hasty(database: Dsns) -> Iterator[Served]:
    """A service that waits for a request for a second only."""
    with Served(settings_for(database, WARLOG_REQUEST_SECONDS="1")) as running:
        yield running


@pytest.fixture
async def known(store: EventStore, tenant: UUID) -> bytes:
    """A header with a key."""
    return f"Authorization: Bearer {await new_key(store, tenant, SCOPES)}\r\n".encode()


def told(answer: bytes, status: int) -> dict[str, Any]:
    """The problem that is the last answer on a connection."""
    head, _, body = answer.rpartition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    for line in (
        b"content-type: application/problem+json",
        b"x-content-type-options: nosniff",
        b"connection: close",
        b"content-length: %d" % len(body),
    ):
        assert line in head.split(b"\r\n")
    problem: dict[str, Any] = json.loads(body)
    assert problem["status"] == status
    return problem


@pytest.mark.parametrize("half", [b"G", GET, POST + b"X: "], ids=["word", "head", "header"])
def test_half_a_head_is_waited_for_only_so_long(hasty: Served, half: bytes) -> None:
    problem = told(answer_to(hasty, half), 408)
    assert (problem["code"], problem["params"]) == ("request_timeout", {"seconds": 1})


def test_who_never_says_anything_is_hung_up_on(hasty: Served) -> None:
    assert answer_to(hasty) == b""


@pytest.mark.parametrize(
    "half",
    [b"Content-Length: 10\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"],
    ids=["length", "chunk"],
)
@pytest.mark.parametrize("path", [b"", b"/0190a5f0-0000-7000-8000-000000000000/actions"])
def test_half_a_body_is_waited_for_only_so_long(
    hasty: Served, known: bytes, half: bytes, path: bytes
) -> None:
    head = POST.replace(b"encounters", b"encounters" + path) + known + b"Idempotency-Key: k\r\n"
    problem = told(answer_to(hasty, head + RUSSIAN, half), 408)
    assert problem["code"] == "request_timeout"
    assert problem["detail"].startswith("Запрос не пришёл целиком")


def test_a_trickle_is_no_progress(hasty: Served) -> None:
    with wire_to(hasty.url) as wire:
        answer = b""
        wire.settimeout(0.1)
        deadline = time.monotonic() + PATIENCE_SECONDS
        wire.sendall(GET)
        while not answer:
            assert time.monotonic() < deadline
            wire.sendall(b"X: y\r\n")
            with contextlib.suppress(TimeoutError):
                answer = wire.recv(65_536)
    assert told(answer, 408)["code"] == "request_timeout"


def test_a_refused_request_whose_body_never_comes_is_hung_up_on(hasty: Served) -> None:
    answer = answer_to(hasty, POST, b"Content-Length: 10\r\n\r\n{")
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_who_waits_for_news_or_reads_slowly_is_not_hurried(hasty: Served, caller: Caller) -> None:
    encounter = caller.create()
    with Caller(hasty.url, caller.token) as one:
        waited = one.get(f"{encounter}/events?after=1&wait=3")
        assert (waited.status_code, waited.json()["events"]) == (200, [])
    with wire_to(hasty.url) as wire:
        count = 40
        wire.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * count + GET + LAST)
        time.sleep(3)
        answers = bytearray()
        while piece := wire.recv(65_536):
            answers += piece
    assert answers.count(b"HTTP/1.1 200 ") == count + 1


def test_a_connection_is_kept_for_the_next_request(hasty: Served) -> None:
    with wire_to(hasty.url) as wire:
        for _ in range(3):
            wire.sendall(GET + b"\r\n")
            assert wire.recv(65_536).startswith(b"HTTP/1.1 200 ")
            time.sleep(1.5)
        wire.sendall(GET)
        answer = b""
        while piece := wire.recv(65_536):
            answer += piece
    assert told(answer, 408)["code"] == "request_timeout"


@pytest.mark.parametrize(
    "noise",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_what_is_not_http_is_told_so(served: Served, noise: bytes) -> None:
    problem = told(answer_to(served, noise), 400)
    assert (problem["code"], problem["params"]) == ("malformed", {"path": "$", "why": "protocol"})


def test_a_head_without_end_is_told_so(served: Served) -> None:
    problem = told(answer_to(served, GET, *[b"X: " + b"a" * 30_000 + b"\r\n"] * 3), 400)
    assert problem["params"] == {"path": "$", "why": "head_too_large", "limit": 65_536}


def test_chunks_that_cannot_be_read_are_told_so(served: Served, known: bytes) -> None:
    head = POST + known + b"Idempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n"
    problem = told(answer_to(served, head + b"5\r\n{", b"    xx\r\n"), 400)
    assert problem["params"]["why"] == "protocol"


def test_noise_behind_a_request_does_not_spoil_its_answer(served: Served, caller: Caller) -> None:
    encounter = caller.create()
    target = f"{encounter}/events?after=1&wait=1".encode()
    poll = (
        b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n"
        b"Authorization: Bearer " + str(caller.token).encode() + b"\r\n\r\n"
    )
    answer = answer_to(served, poll + b"noise\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close\r\n" in answer


def test_what_never_became_a_request_is_counted(served: Served) -> None:
    told(answer_to(served, b"hello\r\n\r\n"), 400)
    with Caller(served.url, None) as anybody:
        figures = anybody.get("/metrics").text
    assert 'warlog_http_requests_total{call="none",method="other",status="400"}' in figures
