"""Web pages of other origins: who may ask, who may read the answer, and who finds nothing out."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api import cors
from service.api.cors import AllowedOrigins, origin_of
from service.api.headers import Headers
from service.encounters.principal import SCOPES
from service.errors import DatabaseAway, Unauthenticated, Unstorable
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import SHOT, START, Caller, Served, new_key, settings_for
from tests.api.streaming import eventually, services_behind, wire_to
from tests.patience import PATIENCE_SECONDS

OURS = "https://app.example"
ALSO_OURS = "capacitor://localhost"
THEIRS = "http://other.example:8000"
NOBODYS = "https://evil.example"
ALLOW = "Access-Control-Allow-Origin"
CORS = "access-control-"
NOWHERE = "/v1/encounters/0190a5f0-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Two:
    """Two tenants with an origin each, on one service."""

    served: Served
    ours: str
    theirs: str

    def ask(
        self, method: str, path: str, origin: str | None, token: str | None = None, **more: str
    ) -> httpx.Response:
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        if origin is not None:
            headers["Origin"] = origin
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return httpx.request(method, self.served.url + path, headers=headers)

    def preflight(self, path: str, origin: str | None, method: str = "POST") -> httpx.Response:
        return self.ask(
            "OPTIONS",
            path,
            origin,
            access_control_request_method=method,
            access_control_request_headers="authorization,content-type,idempotency-key",
        )


async def new_tenant(store: EventStore, *listed: str) -> tuple[UUID, str]:
    """A tenant that lists these origins, and a key of it."""
    made = await store.access.create_tenant(
        UUID(bytes=secrets.token_bytes(16)), secrets.token_hex(8)
    )
    for origin in listed:
        assert await store.origins.add(made.id, origin, 10)
    return made.id, await new_key(store, made.id, SCOPES)


@pytest.fixture(scope="module")
async def two(database: Dsns, store: EventStore) -> AsyncIterator[Two]:
    """A service that answers one request at a time, begun after the tenants were made."""
    _, ours = await new_tenant(store, OURS, ALSO_OURS)
    _, theirs = await new_tenant(store, THEIRS)
    with Served(settings_for(database, WARLOG_REQUESTS_AT_ONCE="1")) as served:
        both = Two(served, ours, theirs)
        # A first look that takes long is not waited for: whoever asked is informed of no list.
        for origin in (OURS, ALSO_OURS, THEIRS):
            eventually(partial(has_allowed, both, origin), f"nobody knows of {origin}")
        yield both


def has_allowed(two: Two, origin: str) -> bool:
    """Whether a page of this origin may ask."""
    return ALLOW in two.preflight("/v1/encounters", origin).headers


def cors_of(answer: httpx.Response) -> dict[str, str]:
    """What the answer says to browsers."""
    return {name: value for name, value in answer.headers.items() if name.startswith(CORS)}


def varies_by_origin(answer: httpx.Response) -> bool:
    return "Origin" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize("origin", [OURS, ALSO_OURS, THEIRS])
@pytest.mark.parametrize(
    "path", ["/v1/encounters", f"{NOWHERE}/actions", "/v1/nothing", "/.well-known/warlog-keys.json"]
)
def test_a_page_that_some_tenant_lists_may_ask(two: Two, origin: str, path: str) -> None:
    answer = two.preflight(path, origin)
    assert (answer.status_code, answer.content) == (204, b"")
    told = cors_of(answer)
    assert told[f"{CORS}allow-origin"] == origin
    assert {"GET", "POST", "DELETE"} <= set(told[f"{CORS}allow-methods"].split(", "))
    allowed = {name.lower() for name in told[f"{CORS}allow-headers"].split(", ")}
    assert {
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "accept-language",
        "last-event-id",
        "warlog-seat",
    } <= allowed
    assert f"{CORS}allow-credentials" not in told
    assert "*" not in "".join(told.values())
    assert varies_by_origin(answer)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "origin",
    [
        NOBODYS,
        "null",
        "*",
        "",
        f"{OURS}/",
        f"{OURS}:443",
        OURS.upper(),
        f"{OURS}.evil.example",
        f"{OURS}, {THEIRS}",
        "http://app.example",
        "x" * 5_000,
        "\xe9",
        None,
    ],
)
def test_any_other_page_may_not(two: Two, origin: str | None) -> None:
    given = {} if origin is None else {b"Origin": origin.encode("latin-1")}
    asks = {**given, b"Access-Control-Request-Method": b"POST"}
    answer = httpx.request("OPTIONS", f"{two.served.url}/v1/encounters", headers=asks)
    assert answer.status_code == 204
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert cors_of(answer) == {}
    assert varies_by_origin(answer)
    answer = httpx.get(
        f"{two.served.url}/v1/encounters", headers={**given, b"Authorization": two.ours.encode()}
    )
    assert answer.status_code == 401
    assert cors_of(answer) == {}


def test_the_question_is_answered_in_front_of_the_interface_only(two: Two) -> None:
    for path in ("/health/live", "/metrics", "/docs", "/openapi.json", "/v1", "/"):
        assert cors_of(two.preflight(path, OURS)) == {}, path
    # OPTIONS without the question is what it was.
    answer = two.ask("OPTIONS", "/v1/encounters", OURS)
    assert (answer.status_code, answer.headers["Allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    assert f"{CORS}allow-methods" not in cors_of(answer)


def bundle(two: Two, caller: Caller, encounter: str, origin: str) -> httpx.Response:
    """The bundle, once the service is done with it: the client has all of it a moment before."""
    answer = caller.get(f"{encounter}/bundle", origin=origin)
    crowd = services_behind(two.served).concurrency
    eventually(lambda: crowd.under_way == 0, "the bundle is still being sent")
    return answer


def test_the_answer_is_for_the_pages_of_the_callers_own_tenant(two: Two) -> None:
    with Caller(two.served.url, two.ours) as caller:
        encounter = caller.started()
        body = {"action": SHOT}
        for origin, may_read in (
            (OURS, True),
            (ALSO_OURS, True),
            (THEIRS, False),
            (NOBODYS, False),
        ):
            for answer in (
                caller.get("/v1/encounters", origin=origin),
                caller.get(encounter, origin=origin),
                caller.get(f"{encounter}/events", origin=origin),
                bundle(two, caller, encounter, origin),
                caller.get(NOWHERE, origin=origin),
                caller.post(f"{encounter}/actions", {}, origin=origin),
                caller.post(f"{NOWHERE}/actions", body, origin=origin),
                caller.post(f"{encounter}/preview", body, origin=origin),
                caller.post(
                    f"{encounter}/actions", {"action": {"type": "end_turn"}}, origin=origin
                ),
            ):
                told = cors_of(answer)
                assert varies_by_origin(answer)
                if not may_read:
                    assert told == {}
                    continue
                assert told[f"{CORS}allow-origin"] == origin
                exposed = set(told[f"{CORS}expose-headers"].split(", "))
                assert {"ETag", "Location", "Retry-After", "Idempotency-Replayed"} <= exposed
                assert {"Warlog-Next", "Warlog-Head", "RateLimit-Remaining"} <= exposed
                assert len(told) == 2
        acted = caller.post(f"{encounter}/actions", body, origin=OURS)
        assert acted.status_code == 201
        assert acted.headers[ALLOW] == OURS
        same = caller.get(encounter, origin=OURS, if_none_match=acted.headers["ETag"])
        assert (same.status_code, same.headers[ALLOW]) == (304, OURS)
        for origin, may_read in ((OURS, True), (THEIRS, False)):
            headers = {"Origin": origin}
            with caller.http.stream("GET", f"{encounter}/stream", headers=headers) as stream:
                assert stream.status_code == 200
                assert stream.headers.get(ALLOW) == (origin if may_read else None)
                assert varies_by_origin(stream)
        head = caller.http.head(encounter, headers={"Origin": OURS})
        assert (head.status_code, head.headers[ALLOW]) == (200, OURS)
    with Caller(two.served.url, two.theirs) as other:
        answer = other.get(encounter, origin=OURS)
        assert (answer.status_code, cors_of(answer)) == (404, {})
        assert other.get(encounter, origin=THEIRS).headers[ALLOW] == THEIRS


def test_what_is_told_before_the_caller_is_known_any_listed_page_may_read(two: Two) -> None:
    for origin in (OURS, THEIRS):
        for answer in (
            two.ask("GET", "/v1/encounters", origin),
            two.ask("GET", "/v1/encounters", origin, f"wk_{'A' * 43}"),
            two.ask("POST", f"{NOWHERE}/actions", origin),
            two.ask("GET", "/v1/rulesets", origin),
            two.ask("GET", "/v1/nothing", origin, two.ours),
            two.ask("PUT", "/v1/encounters", origin),
            two.ask("GET", "/.well-known/warlog-keys.json", origin),
        ):
            assert answer.status_code in {200, 401, 404, 405}
            assert answer.headers[ALLOW] == origin
            assert varies_by_origin(answer)
        for path in ("/health/live", "/metrics", "/docs", "/openapi.json"):
            assert cors_of(two.ask("GET", path, origin)) == {}


def test_a_page_learns_that_there_is_too_much_to_do_and_may_ask_even_then(two: Two) -> None:
    with Caller(two.served.url, two.ours) as caller:
        encounter = caller.create()
        with wire_to(two.served.url) as wire:
            body = b'{"action":{"type":"start_encounter"}}'
            wire.sendall(
                f"POST {encounter}/actions HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\n"
                f"Authorization: Bearer {two.ours}\r\nContent-Type: application/json\r\n"
                f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            )
            assert wire.recv(65_536).startswith(b"HTTP/1.1 100 ")
            for answer in (
                caller.get(encounter, origin=THEIRS),
                caller.post(f"{encounter}/actions", {"action": START}, origin=THEIRS),
            ):
                assert (answer.status_code, answer.headers[ALLOW]) == (503, THEIRS)
                assert answer.headers["Retry-After"] == "1"
            assert two.preflight(encounter, OURS).headers[ALLOW] == OURS
            wire.sendall(body)
            assert wire.recv(65_536).startswith(b"HTTP/1.1 201 ")


def test_a_page_learns_what_was_wrong_with_what_never_became_a_request(two: Two) -> None:
    two.preflight("/v1/encounters", OURS)
    for origin, is_told in ((OURS, True), (NOBODYS, False)):
        told = b""
        with wire_to(two.served.url) as wire:
            head = f"GET /v1/x HTTP/1.1\r\nOrigin: {origin}\r\nHost: x\r\nno header\r\n\r\n"
            wire.sendall(head.encode())
            while piece := wire.recv(65_536):
                told += piece
        assert told.startswith(b"HTTP/1.1 400 ")
        assert (f"access-control-allow-origin: {origin}\r\n".encode() in told) == is_told


def test_questions_of_browsers_are_counted_by_themselves(two: Two) -> None:
    two.preflight("/v1/encounters", OURS)
    figures = httpx.get(f"{two.served.url}/metrics").text
    name = 'warlog_http_requests_total{call="preflight",method="OPTIONS",status="204"}'
    assert name in figures


async def test_a_change_is_known_within_seconds_and_a_deleted_tenant_lists_nothing(
    served: Served, store: EventStore
) -> None:
    tenant, token = await new_tenant(store)
    origin = f"https://{secrets.token_hex(4)}.example"
    with Caller(served.url, token) as caller:
        assert cors_of(caller.get("/v1/encounters", origin=origin)) == {}
        assert await store.origins.add(tenant, origin, 10)
        eventually(
            lambda: bool(cors_of(caller.get("/v1/encounters", origin=origin))), "it is not known"
        )
    assert await store.origins.of_tenant(tenant) == (origin,)
    await store.retirer.retire(tenant)
    assert await store.origins.of_tenant(tenant) == ()
    assert tenant not in await store.origins.listed()
    with pytest.raises(Unauthenticated):
        await store.origins.add(tenant, origin, 10)


async def test_a_tenant_lists_so_many_and_each_once(store: EventStore) -> None:
    tenant, _ = await new_tenant(store)
    assert [await store.origins.add(tenant, f"a://h{n}", 2) for n in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert await store.origins.add(tenant, "a://h1", 2)
    assert not await store.origins.remove(tenant, "a://h3")
    assert await store.origins.remove(tenant, "a://h0")
    assert await store.origins.add(tenant, "a://h3", 2)
    assert await store.origins.of_tenant(tenant) == ("a://h1", "a://h3")
    for wrong in ("*", "null", "a://b/c", "https://a b", "a://" + "b" * 300):
        with pytest.raises(Unstorable):
            await store.origins.add(tenant, wrong, 10)


class Lists:
    """Lists to look up, and a clock: how often they were asked for, and whether they can be."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked = 0
        self.is_away = False
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.lists: Mapping[UUID, frozenset[str]] = {UUID(int=1): frozenset({OURS})}
        self.origins = AllowedOrigins(self.look_up, lambda: self.now)

    async def look_up(self) -> Mapping[UUID, frozenset[str]]:
        self.asked += 1
        await self.may_answer.wait()
        if self.is_away:
            raise DatabaseAway()
        return self.lists

    async def may_read(self, origin: str, tenant: int | None = 1) -> bool:
        told = await self.origins.shared(
            origin.encode(), "/v1/x", None if tenant is None else UUID(int=tenant)
        )
        return bool(told)


async def test_the_lists_are_read_once_for_all_and_remembered_for_seconds() -> None:
    lists = Lists()
    lists.may_answer.clear()
    asked = [asyncio.create_task(lists.may_read(OURS)) for _ in range(20)]
    await asyncio.sleep(0)
    asked.pop().cancel()
    lists.may_answer.set()
    assert await asyncio.gather(*asked) == [True] * 19
    lists.lists = {UUID(int=2): frozenset({THEIRS})}
    lists.now += 4.9
    assert await lists.may_read(OURS)
    assert lists.asked == 1
    lists.now += 0.1
    assert not await lists.may_read(OURS)
    assert await lists.may_read(THEIRS, None)
    assert not await lists.may_read(THEIRS, 1)
    assert await lists.may_read(THEIRS, 2)
    assert lists.asked == 2


async def test_without_the_database_the_last_lists_go_on_being_good() -> None:
    lists = Lists()
    assert await lists.may_read(OURS)
    lists.is_away = True
    lists.now += 60.0
    assert await lists.may_read(OURS)
    assert await lists.may_read(OURS, None)
    assert lists.asked == 2
    lists.now += 1.0
    assert await lists.may_read(OURS)
    assert lists.asked == 3
    lists.is_away = False
    lists.lists = {}
    lists.now += 1.0
    assert not await lists.may_read(OURS)
    empty = Lists()
    empty.is_away = True
    assert not await empty.may_read(OURS, None)


async def test_a_database_that_does_not_answer_keeps_nobody_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cors, "LONGEST_WAIT_SECONDS", 0.01)
    lists = Lists()
    assert await lists.may_read(OURS)
    lists.may_answer.clear()
    lists.now += 60.0
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await lists.may_read(OURS)
        lists.now += 60.0
        assert await lists.may_read(OURS)
    assert lists.asked == 2
    lists.lists = {}
    lists.may_answer.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    lists.now += 60.0
    assert not await lists.may_read(OURS)


async def test_a_socket_is_for_listed_pages_our_own_and_what_is_no_page() -> None:
    lists = Lists()

    async def may(*headers: tuple[bytes, bytes], tenant: int = 1) -> bool:
        return await lists.origins.may_connect(Headers(headers), UUID(int=tenant))

    host = (b"host", b"127.0.0.1:8080")
    assert await may(host)
    assert await may()
    assert await may(host, (b"origin", b"http://127.0.0.1:8080"))
    assert await may(host, (b"origin", OURS.encode()))
    assert not await may(host, (b"origin", OURS.encode()), tenant=2)
    for origin in (b"http://127.0.0.1:80801", b"http://127.0.0.1", b"null", b"", NOBODYS.encode()):
        assert not await may(host, (b"origin", origin)), origin
    assert not await may((b"origin", b"null"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://app.example", "https://app.example"),
        (" HTTPS://App.Example:443 ", "https://app.example"),
        ("http://app.example:80", "http://app.example"),
        ("http://app.example:443", "http://app.example:443"),
        ("http://localhost:5173", "http://localhost:5173"),
        ("http://127.0.0.1:0080", "http://127.0.0.1"),
        ("http://[::1]:5173", "http://[::1]:5173"),
        ("capacitor://localhost", "capacitor://localhost"),
        ("chrome-extension://abcdefghijklmnop", "chrome-extension://abcdefghijklmnop"),
        ("https://xn--80ak6aa92e.example", "https://xn--80ak6aa92e.example"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(given: str, kept: str) -> None:
    assert origin_of(given) == kept


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "*",
        "null",
        "app.example",
        "https://",
        "https://*.example",
        "https://app.example/",
        "https://app.example/path",
        "https://app.example?x",
        "https://user@app.example",
        "https://app.example:0",
        "https://app.example:65536",
        "https://app.example:x",
        "https://приложение.example",
        "https://app.example,https://b.example",
        "https://app.example\r\nx: y",
        "https://" + "a" * 300,
    ],
)
def test_what_no_browser_writes_is_no_origin(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"origin|port"):
        origin_of(wrong)


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[a-z]{1,9}://[ -~]{1,30}", fullmatch=True)))
def test_whatever_is_kept_is_kept_as_it_stands_and_stands_in_a_header(text: str) -> None:
    with contextlib.suppress(ValueError):
        kept = origin_of(text)
        assert origin_of(kept) == kept
        assert kept.isascii()
        assert kept.isprintable()
        assert not set(kept) & set(" ,*/?#@") - set("/")
        assert kept.count("/") == 2
