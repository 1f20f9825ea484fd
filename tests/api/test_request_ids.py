"""One id for a request: in its answer, in a problem, in the log, whoever gave it."""

import re
from typing import Any

import httpx
import pytest
import structlog
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.api.serving import Caller, Served
from tests.api.streaming import eventually, wire_to
from tests.patience import PATIENCE_SECONDS

NEW = re.compile("[0-9a-f]{32}")
TRACE = "0af7651916cd43dd8448eb211c80319c"
NOWHERE = "/v1/encounters/01939f5e-7c00-7abc-8def-000000000000"


def test_every_answer_has_an_id_of_its_own(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    paths = ("/", "/v1", "/health/live", "/nowhere", "/v1/me", encounter, f"{encounter}/actions")
    key = {"Authorization": f"Bearer {caller.token}"}
    ids = [
        httpx.request(method, f"{served.url}{path}", headers=key).headers["Warlog-Request-Id"]
        for path in paths
        for method in ("GET", "HEAD", "OPTIONS", "POST")
    ]
    assert all(NEW.fullmatch(each) for each in ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("brought", "used"),
    [
        ({"X-Request-Id": "table-7.turn_3"}, "table-7.turn_3"),
        ({"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, TRACE),
        ({"X-Request-Id": "a", "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, "a"),
        ({"X-Request-Id": "a b", "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, TRACE),
        ({"X-Request-Id": "x" * 129}, None),
        ({"X-Request-Id": 'a"b'}, None),
        ({"traceparent": f"00-{'0' * 32}-b7ad6b7169203331-01"}, None),
        ({"traceparent": f"00-{TRACE.upper()}-b7ad6b7169203331-01"}, None),
        ({"traceparent": "01"}, None),
    ],
)
@pytest.mark.parametrize("call", ["GET", "ACT"])
def test_an_id_that_came_along_is_used_if_it_is_one(
    caller: Caller, brought: dict[str, str], used: str | None, call: str
) -> None:
    del caller.http.headers["X-Request-Id"]
    if call == "GET":
        answer = caller.http.get(NOWHERE, headers=brought)
    else:
        answer = caller.http.post(f"{NOWHERE}/actions", headers=brought, content=b"{")
    request = answer.headers["Warlog-Request-Id"]
    assert request == used if used is not None else NEW.fullmatch(request)
    assert answer.json()["request"] == request


def test_what_is_no_request_has_an_id_too(served: Served) -> None:
    with wire_to(served.url) as wire:
        wire.sendall(b"what?\r\n\r\n")
        answer = b""
        while piece := wire.recv(65_536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    found = re.search(rb"warlog-request-id: ([0-9a-f]{32})\r\n", head + b"\r\n")
    assert found is not None
    assert b'"request":"' + found[1] + b'"' in body


def test_a_socket_is_told_its_id(served: Served, caller: Caller) -> None:
    address = f"{served.url.replace('http', 'ws')}{NOWHERE}/socket"
    headers = {"X-Request-Id": "socket-1", "Authorization": f"Bearer {caller.token}"}
    with connect(address, additional_headers=headers, open_timeout=PATIENCE_SECONDS) as socket_:
        assert socket_.response is not None
        assert socket_.response.headers["Warlog-Request-Id"] == "socket-1"
        assert '"request":"socket-1"' in str(socket_.recv())


def lines_of(request: str, entries: list[Any]) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry.get("request") == request]


def test_the_log_says_who_asked_about_which_encounter(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    structlog.reset_defaults()
    with capture_logs() as entries:
        for call in ("read", "act"):
            headers = {"X-Request-Id": f"log-{call}", "Idempotency-Key": call}
            note = {"action": {"type": "note", "text": "secret words"}}
            if call == "read":
                caller.http.get(encounter, headers=headers)
            else:
                caller.http.post(f"{encounter}/actions", headers=headers, json=note)
        httpx.get(f"{served.url}{encounter}", headers={"X-Request-Id": "log-stranger"})
        # A client has its answer a moment before that is logged.
        eventually(lambda: bool(lines_of("log-stranger", entries)), "it is not logged")
    id_ = encounter.rpartition("/")[2]
    [read] = lines_of("log-read", entries)
    [acted] = lines_of("log-act", entries)
    [stranger] = lines_of("log-stranger", entries)
    assert read["tenant"] == acted["tenant"]
    told = [(line["encounter"], line["client"], line["status"]) for line in (read, acted, stranger)]
    assert told == [(id_, "127.0.0.1", 200), (id_, "127.0.0.1", 201), (id_, "127.0.0.1", 401)]
    assert "tenant" not in stranger
    assert "secret words" not in str(entries)


def test_the_log_names_no_address(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    query = f"after=2-0a1b2c3d&ticket=wt_{'0a1b2c3d' * 20}"
    hello = f"{served.url.replace('http', 'ws')}{encounter}/socket?{query}"
    structlog.reset_defaults()
    with capture_logs() as entries:
        statuses = []
        for what in ("events", "stream", "nothing"):
            headers = {"X-Request-Id": f"query-{what}"}
            answer = httpx.get(f"{served.url}{encounter}/{what}?{query}", headers=headers)
            statuses.append(answer.status_code)
        with pytest.raises(InvalidStatus), connect(hello):
            pass
        served.edge.tell_refused_handshakes()
        eventually(lambda: bool(lines_of("query-nothing", entries)), "it is not logged")
    assert statuses == [401, 401, 404]
    assert [len(lines_of(f"query-{what}", entries)) for what in ("events", "stream")] == [1, 1]
    assert "handshakes refused" in [entry["event"] for entry in entries]
    assert "0a1b2c3d" not in str(entries)
