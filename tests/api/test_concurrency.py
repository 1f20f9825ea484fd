"""More requests at once than the service works on: the rest hears so at once."""

import socket
from concurrent.futures import ThreadPoolExecutor

import httpx

from service.eventstore.embedded import Dsns
from tests.api.serving import START, Caller, Served, problem, settings_for
from tests.api.streaming import eventually, is_waited_for, wire_to


def begun(service: Served, caller: Caller, encounter: str, body: bytes) -> socket.socket:
    """A connection with an action on it whose body is still to come."""
    wire = wire_to(service.url)
    wire.sendall(
        f"POST {encounter}/actions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {caller.token}\r\n"
        f"Content-Type: application/json\r\nIdempotency-Key: k\r\nExpect: 100-continue\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
    )
    # The service asks for the body once it waits for it.
    assert wire.recv(65_536).startswith(b"HTTP/1.1 100 ")
    return wire


def test_who_comes_on_top_is_refused_at_once(database: Dsns, caller: Caller) -> None:
    encounter = caller.create()
    body = b'{"action":{"type":"start_encounter"}}'
    settings = settings_for(database, WARLOG_REQUESTS_AT_ONCE="1")
    with Served(settings) as busy, Caller(busy.url, caller.token) as one:
        with begun(busy, caller, encounter, body) as wire:
            for language, answer in [
                ("en", one.post(f"{encounter}/actions", {"action": START})),
                ("ru", one.get(encounter, accept_language="ru")),
                ("en", one.get("/v1/rulesets")),
                ("en", httpx.get(f"{busy.url}/v1/nothing")),
            ]:
                told = problem(answer)
                assert (answer.status_code, told["code"]) == (503, "overloaded")
                assert answer.headers["Retry-After"] == "1"
                assert answer.headers["Content-Language"] == language
            assert one.http.head(encounter).status_code == 503
            assert one.get("/health/ready").status_code == 200
            assert 'status="503"' in one.get("/metrics").text
            wire.sendall(body)
            assert wire.recv(65_536).startswith(b"HTTP/1.1 201 ")
        assert one.get(f"{encounter}/events").json()["head"] == 2


def test_who_waits_for_news_takes_nobodys_place(database: Dsns, caller: Caller) -> None:
    encounter = caller.create()
    settings = settings_for(database, WARLOG_REQUESTS_AT_ONCE="1", WARLOG_WAIT_SECONDS="300")
    with (
        Served(settings) as busy,
        Caller(busy.url, caller.token) as one,
        Caller(busy.url, caller.token) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        poll = pool.submit(one.get, f"{encounter}/events?after=1&wait=300")
        eventually(lambda: is_waited_for(busy, encounter), "nobody waits")
        assert other.get(encounter).status_code == 200
        assert not poll.done()
        other.act(encounter, START)
        assert len(poll.result().json()["events"]) == 1
