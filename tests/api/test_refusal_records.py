"""Refusals of streams as records: what a page can read of them, and what stays as it was."""

import json
from typing import Any
from uuid import UUID

import httpx
import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, problem, settings_for
from tests.api.streaming import following, services_behind

NOBODY = "/v1/encounters/00000000-0000-7000-8000-000000000000"
LATER = 60_000


@pytest.fixture
def encounter(caller: Caller) -> str:
    """The address of a battle that runs; its log ends at 2."""
    return caller.started()


def record(answer: httpx.Response) -> tuple[int, dict[str, Any]]:
    """The only record of a stream: after how many milliseconds to come back, and its JSON."""
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "private, no-cache, no-transform"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert "www-authenticate" not in answer.headers
    retry, kind, data, *end = answer.text.split("\n")
    assert (kind, end) == ("event: problem", ["", ""])
    return int(retry.removeprefix("retry: ")), json.loads(data.removeprefix("data: "))


def recorded(address: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}refusals=record"


def answered(served: Served, call: str) -> dict[int, int]:
    """How often each status was counted for a call."""
    found: dict[int, int] = {}
    text = httpx.get(f"{served.url}/metrics").text
    for line in text.splitlines():
        if line.startswith("warlog_http_requests_total{") and f'call="{call}"' in line:
            status = int(line.partition('status="')[2].partition('"')[0])
            found[status] = int(float(line.rpartition(" ")[2]))
    return found


def test_a_refusal_is_a_record_with_the_problem_that_is_answered_otherwise(
    served: Served, caller: Caller, stranger: Caller, encounter: str
) -> None:
    own = encounter.rpartition("/")[2]
    asked: dict[str, tuple[Caller, int]] = {
        f"{NOBODY}/stream": (caller, 404),
        "/v1/encounters/x/stream": (caller, 404),
        f"{encounter}/stream": (stranger, 404),
        f"{encounter}/stream?after=1-00000000": (caller, 409),
        f"{encounter}/stream?after=x": (caller, 400),
        f"{encounter}/stream?affter=1": (caller, 400),
        f"/v1/stream?encounters={own}x": (caller, 400),
        f"/v1/stream?encounters={NOBODY.rpartition('/')[2]}": (caller, 404),
    }
    before = answered(served, "stream")
    for address, (who, status) in asked.items():
        plain = who.get(address)
        retry, told = record(who.get(recorded(address)))
        expected = {"type": "problem", "problem": problem(plain), "retry": False}
        assert (plain.status_code, retry, told) == (status, LATER, expected), address
    counted = {
        status: count - before.get(status, 0)
        for status, count in answered(served, "stream").items()
        if count != before.get(status, 0)
    }
    assert counted == {404: 6, 409: 2, 400: 4}


def test_a_stranger_is_told_in_the_language_asked_for(served: Served, encounter: str) -> None:
    address = f"{served.url}{encounter}/stream"
    for language in ("en", "ru"):
        asked = {"Accept-Language": language, "X-Request-Id": "test"}
        answer = httpx.get(recorded(address), headers=asked)
        _, told = record(answer)
        assert told["problem"] == problem(httpx.get(address, headers=asked))
        assert (told["problem"]["status"], told["retry"]) == (401, False)
        assert answer.headers["Content-Language"] == language
        assert answer.headers["Warlog-Request-Id"] == "test"


async def test_what_passes_says_when_to_come_back(
    database: Dsns, store: EventStore, tenant: UUID, caller: Caller, encounter: str
) -> None:
    other = await new_key(store, tenant, SCOPES)
    limits = {"WARLOG_STREAMS_AT_ONCE": "2", "WARLOG_STREAMS_PER_CALLER": "1"}
    address = recorded(f"{encounter}/stream")
    with (
        Served(settings_for(database, **limits)) as served,
        Caller(served.url, caller.token) as one,
        Caller(served.url, other) as two,
        following(one, address),
    ):
        told = {429: record(one.get(address))}
        with following(two, address):
            told[503] = record(two.get(address))
            concurrency = services_behind(served).concurrency
            concurrency.under_way += concurrency.most
            told[1] = record(two.get(address))
            concurrency.under_way -= concurrency.most
    found = {
        name: (retry, each["problem"]["status"], each["problem"]["code"], each["retry"])
        for name, (retry, each) in told.items()
    }
    assert found == {
        429: (5_000, 429, "too_many_streams", True),
        503: (5_000, 503, "streams_full", True),
        1: (1_000, 503, "overloaded", True),
    }


def test_only_a_stream_is_refused_by_a_record_and_only_where_that_is_asked_for(
    caller: Caller, encounter: str
) -> None:
    other = caller.get(f"{NOBODY}/stream?refusals=problem")
    assert problem(other)["params"] == {
        "path": "query.refusals",
        "why": "wrong_form",
        "value": "problem",
    }
    assert caller.get(f"{NOBODY}/events?refusals=record").status_code == 400
    assert caller.http.post(recorded(f"{NOBODY}/stream")).status_code == 405
    unacceptable = caller.get(recorded(f"{encounter}/stream"), accept="application/json")
    assert problem(unacceptable)["status"] == 406
    head = caller.http.head(recorded(f"{NOBODY}/stream"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Type"] == "text/event-stream"


def test_a_stream_that_is_not_refused_is_as_ever(caller: Caller, encounter: str) -> None:
    own = encounter.rpartition("/")[2]
    addresses = (f"{encounter}/stream?after=0", f"/v1/stream?encounters={own}")
    for address in addresses:
        with following(caller, recorded(address)) as reader:
            assert reader.next().kind == "hello"


def test_a_bye_says_what_to_do_next(caller: Caller) -> None:
    address = caller.started()
    with following(caller, f"{address}/stream") as reader:
        reader.until("hello")
        assert caller.http.delete(address).status_code == 200
        [bye] = reader.rest()
    own = address.rpartition("/")[2]
    assert bye.data == {"type": "bye", "encounter": own, "reason": "deleted", "retry": False}
