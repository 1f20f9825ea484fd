"""The short way of an action and the router's own route answer alike, byte for byte.

Two services share one database: one as it is, one whose router answers actions too.
"""

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import pytest
from litestar.types import Receive, Send
from litestar.types.asgi_types import HTTPScope

from service.api.headers import Headers
from service.api.middleware import Middleware, acted_upon
from service.app import build
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import SHOT, START, Caller, Served, new_key, settings_for
from tests.api.streaming import Plain, eventually, wire_to
from tests.patience import PATIENT

NOWHERE = "0190a5f0-0000-7000-8000-000000000000"


class Routed(Middleware):
    """An edge that leaves everything to the router."""

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send, began: float) -> None:
        await self._route(scope, receive, send, began)


@pytest.fixture(scope="module")
def twin(database: Dsns) -> Iterator[Served]:
    """The service whose router answers actions."""
    settings = settings_for(database)
    with Served(settings, edge=Routed(build(settings, patience=PATIENT).application)) as running:
        yield running


@dataclass(frozen=True)
class Both:
    """The same raw request to both services."""

    served: Served
    twin: Served
    token: str
    encounter: str

    def told(self, raw: bytes) -> tuple[bytes, bytes]:
        """What both answer, without the date; the connection is closed after the last answer."""
        return told_by(self.served, raw), told_by(self.twin, raw)

    def request(self, body: bytes, *lines: str, target: str = "", method: str = "POST") -> bytes:
        """A request with a key and JSON, unless `lines` (`Name: value`, `Name` for none) differ."""
        given = {
            "Host": "example.org",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        for line in lines:
            name, found, value = line.partition(": ")
            given.pop(name, None)
            if found:
                given[f"{name}\0{len(given)}"] = value
        target = target or f"{self.encounter}/actions"
        head = "".join(f"{name.partition(chr(0))[0]}: {value}\r\n" for name, value in given.items())
        return f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode() + body


@pytest.fixture
def both(served: Served, twin: Served, caller: Caller) -> Both:
    """A running battle of this test alone."""
    return Both(served, twin, str(caller.token), caller.started())


def told_by(service: Served, raw: bytes) -> bytes:
    told = b""
    with wire_to(service.url) as wire:
        wire.sendall(raw)
        while piece := wire.recv(65_536):
            told += piece
    told = re.sub(rb"\r\ndate: [^\r]+", b"", told)
    return re.sub(rb"(warlog-request-id: |\"request\":\")[0-9a-f]{32}", rb"\1new", told)


def acting(action: Any, **more: Any) -> bytes:
    return json.dumps({"action": action, **more}).encode()


END = {"type": "end_turn", "combatant": "ghost"}
REFUSED = acting({**SHOT, "target": "nobody"})
KEY = "Idempotency-Key: k"
UNLIKE = re.compile(rb"[0-9a-f-]{36}|[0-9a-f]{8,}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
LANGUAGES = ("en", "ru", "de", "ru;q=0.5, en;q=0.4", "*", "ru, en", ";;;", "RU-ru")
ACCEPTS = ("*/*", "application/*", "application/json", "text/html", "application/json;q=0", "?")

BODIES: dict[str, tuple[bytes, int]] = {
    "refused": (REFUSED, 422),
    "list": (json.dumps({"actions": [{"action": END}] * 2}).encode(), 422),
    "too many": (json.dumps({"actions": [{"action": END}] * 33}).encode(), 400),
    "none": (b'{"actions":[]}', 400),
    "empty": (b"", 400),
    "blank": (b" \n", 400),
    "array": (b"[]", 400),
    "text": (b'"x"', 400),
    "broken": (b'{"action":', 400),
    "duplicate": (b'{"action":{"type":"end_turn","type":"hide"}}', 400),
    "fraction": (b'{"action":{"type":"end_turn","combatant":1.5}}', 400),
    "large number": (b'{"action":{"x":9007199254740992}}', 400),
    "nul": (b'{"action":{"x":"\\u0000"}}', 400),
    "surrogate": (b'{"action":{"x":"\\ud800"}}', 400),
    "latin-1": (b'{"action":{"x":"\xe9"}}', 400),
    "deep": (b'{"action":' + b'{"a":' * 70 + b"1" + b"}" * 71, 400),
    "unknown type": (acting({"type": "dance"}), 400),
    "unknown field": (acting(END, colour="red"), 400),
    "no action": (b"{}", 400),
    "faces": (acting(SHOT, dice=[6] * 3), 422),
}

LINES: dict[str, tuple[list[str], int]] = {
    "no key": (["Idempotency-Key"], 428),
    "stranger": ([KEY, "Authorization"], 401),
    "wrong scheme": ([KEY, "Authorization: Basic eDp5"], 401),
    "unknown key": ([KEY, f"Authorization: Bearer wk_{'A' * 43}"], 401),
    "two authorizations": ([KEY, "authorization: x"], 400),
    "long key": ([f"Idempotency-Key: {'x' * 201}"], 400),
    "empty key": (["Idempotency-Key: "], 400),
    "two keys": ([KEY, "idempotency-key: j"], 400),
    "foreign head": (['If-Match: "1-00000000"'], 409),
    "any head": (["If-Match: *"], 400),
    "unknown seat": ([KEY, "Warlog-Seat: nobody"], 404),
    "bad seat": ([KEY, "Warlog-Seat: A B"], 400),
    "seat": ([KEY, "Warlog-Seat: ann"], 404),
    "no type": ([KEY, "Content-Type"], 415),
    "other type": ([KEY, "Content-Type: text/plain"], 415),
    "two types": ([KEY, "content-type: text/plain"], 400),
    "utf-8": ([KEY, "Content-Type: Application/JSON; charset=UTF-8"], 422),
    "utf-16": ([KEY, "Content-Type: application/json; charset=utf-16"], 415),
    "gzip": ([KEY, "Content-Encoding: gzip"], 415),
    "identity": ([KEY, "Content-Encoding: identity"], 422),
    "no host": ([KEY, "Host"], 422),
    "odd host": ([KEY, "Host: a!b"], 422),
    "bad host": ([KEY, "Host: a/b"], 400),
    "forwarded": ([KEY, "X-Forwarded-For: 1.2.3.4", "Forwarded: for=x"], 422),
    "override": ([KEY, "X-HTTP-Method-Override: GET"], 422),
    "cookie": ([KEY, "Cookie: a=b", "cookie: c=d"], 422),
    "page": ([KEY, "Origin: https://unlisted.example"], 422),
    "no page": ([KEY, "Origin: null"], 422),
    "two pages": ([KEY, "Origin: null", "origin: https://unlisted.example"], 422),
    "page without key": ([KEY, "Origin: https://unlisted.example", "Authorization"], 401),
}

TARGETS: dict[str, tuple[str, int]] = {
    "trailing slash": ("{encounter}/actions/", 422),
    "two slashes": ("/v1//encounters/{id}/actions", 422),
    "escaped letter": ("{encounter}/%61ctions", 422),
    "escaped slash": ("/v1/encounters%2F{id}/actions", 422),
    "escaped space": ("/v1/encounters/%20{id}/actions", 404),
    "escaped line": ("/v1/encounters/{id}%0A/actions", 404),
    "no utf-8": ("/v1/encounters/%ff/actions", 404),
    "upper case": ("/v1/encounters/{ID}/actions", 422),
    "shouted": ("/V1/ENCOUNTERS/{id}/ACTIONS", 404),
    "unknown": (f"/v1/encounters/{NOWHERE}/actions", 404),
    "no id": ("/v1/encounters/dragon/actions", 404),
    "long id": (f"/v1/encounters/{'x' * 900}/actions", 404),
    "two ids": ("/v1/encounters/{id}/{id}/actions", 404),
    "nothing": ("/v1/encounters//actions", 405),
    "deeper": ("{encounter}/actions/1", 404),
    "matrix": ("{encounter}/actions;v=1", 404),
    "query": ("{encounter}/actions?", 422),
    "parameter": ("{encounter}/actions?at=1", 400),
    "bad parameter": ("{encounter}/actions?%ff", 400),
    "dots": ("/v1/encounters/../encounters/{id}/actions", 404),
    "absolute": ("http://example.org{encounter}/actions", 422),
}


def scope_of(method: str, path: str, host: bytes) -> HTTPScope:
    return cast(HTTPScope, {"method": method, "path": path, "headers": Headers([(b"host", host)])})


@pytest.mark.parametrize(
    ("method", "path", "host", "encounter"),
    [
        ("POST", f"/v1/encounters/{NOWHERE}/actions", b"[::1]:80", NOWHERE),
        ("POST", "/v1/encounters/dragon/actions", b"example.org", "dragon"),
        ("POST", f"/v1/encounters/{NOWHERE}/actions", b"a/b", None),
        ("POST", f"/v1/encounters/{NOWHERE}/actions/", b"example.org", None),
        ("POST", f"/v1/encounters/{NOWHERE}/preview", b"example.org", None),
        ("POST", "/v1/encounters/a/b/actions", b"example.org", None),
        ("GET", f"/v1/encounters/{NOWHERE}/actions", b"example.org", None),
    ],
)
def test_a_plain_action_goes_the_short_way(
    method: str, path: str, host: bytes, encounter: str | None
) -> None:
    assert acted_upon(scope_of(method, path, host)) == encounter


def alike(both: Both, raw: bytes, status: int) -> None:
    short, long = both.told(raw)
    assert short == long
    assert short.startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_any_body_is_answered_alike(both: Both, name: str, language: str) -> None:
    body, status = BODIES[name]
    alike(both, both.request(body, KEY, f"Accept-Language: {language}"), status)


@pytest.mark.parametrize("name", LINES)
def test_any_headers_are_answered_alike(both: Both, name: str) -> None:
    lines, status = LINES[name]
    alike(both, both.request(REFUSED, *lines), status)


@pytest.mark.parametrize("name", TARGETS)
def test_any_address_is_answered_alike(both: Both, name: str) -> None:
    target, status = TARGETS[name]
    number = both.encounter.rpartition("/")[2]
    target = target.format(encounter=both.encounter, id=number, ID=number.upper())
    alike(both, both.request(REFUSED, KEY, target=target), status)


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_language_is_answered_alike(both: Both, language: str) -> None:
    alike(both, both.request(REFUSED, KEY, f"Accept-Language: {language}"), 422)


@pytest.mark.parametrize("accept", ACCEPTS)
def test_any_media_type_is_answered_alike(both: Both, accept: str) -> None:
    status = 406 if accept in {"text/html", "application/json;q=0"} else 422
    status = 406 if accept == "?" else status
    alike(both, both.request(REFUSED, KEY, f"Accept: {accept}"), status)


@pytest.mark.parametrize(
    ("method", "status"),
    [
        ("GET", 405),
        ("HEAD", 405),
        ("PUT", 405),
        ("DELETE", 405),
        ("PATCH", 405),
        ("OPTIONS", 204),
        ("TRACE", 405),
        ("PROPFIND", 405),
    ],
)
def test_any_method_is_answered_alike(both: Both, method: str, status: int) -> None:
    alike(both, both.request(b"", KEY, method=method), status)


def test_chunks_and_lengths_are_answered_alike(both: Both) -> None:
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (REFUSED[:7], REFUSED[7:]))
    chunked = both.request(b"", KEY, "Content-Length", "Transfer-Encoding: chunked")
    alike(both, chunked + chunks + b"0\r\n\r\n", 422)
    alike(both, chunked + b"0\r\n\r\n", 400)
    alike(both, both.request(b"", KEY, "Content-Length", "Connection", "Connection: close"), 400)
    alike(both, both.request(b"", KEY, "Content-Length: 2000000"), 413)
    huge = b"%x\r\n" % (1 << 21) + b" " * 65_536
    assert [told[:13] for told in both.told(chunked + huge + b" " * (1 << 20))] == [
        b"HTTP/1.1 413 "
    ] * 2
    alike(both, both.request(REFUSED, KEY, "Expect: 100-continue"), 100)


def test_requests_that_follow_one_another_are_answered_alike(both: Both) -> None:
    first = both.request(REFUSED, KEY, "Connection")
    alike(both, first + first + both.request(b"", KEY), 422)


def test_what_happened_is_told_alike_when_it_is_asked_again(both: Both) -> None:
    key = f"Idempotency-Key: {secrets.token_hex(8)}"
    # A list begins with what always goes through, whomever the shot before it felled.
    several = [{"action": {"type": "note", "text": "x"}}, *[{"action": SHOT}] * 8]
    for body in (acting(SHOT), json.dumps({"actions": several}).encode()):
        name = f"{key}{len(body)}"
        first = told_by(both.served, both.request(body, name))
        assert first.startswith(b"HTTP/1.1 201 ")
        assert b"idempotency-replayed" not in first
        short, long = both.told(both.request(body, name))
        assert short == long
        assert b"idempotency-replayed: true\r\n" in short
        alike(both, both.request(REFUSED, name), 409)


def test_what_happens_is_told_in_the_same_form(both: Both, caller: Caller) -> None:
    """Two battles that differ in ids and hashes only."""
    told = []
    for service in (both.served, both.twin):
        one = Both(service, service, both.token, caller.create())
        note = {"action": {"type": "note", "text": "x"}}
        for name, tree in (
            ("start", {"action": START}),
            ("notes", {"actions": [note] * 2}),
            ("stopped", {"actions": [note, {"action": END}]}),
        ):
            body = json.dumps(tree).encode()
            answer = told_by(service, one.request(body, f"Idempotency-Key: {name}"))
            assert answer.startswith(b"HTTP/1.1 201 "), answer
            told.append(UNLIKE.sub(b"#", answer))
    assert told[:3] == told[3:]
    assert b'"stopped":{"index":1,"reason":"refused","problem":{' in told[2]


def test_who_goes_away_is_counted_alike(both: Both) -> None:
    for service in (both.served, both.twin):
        require_departure_counted(both, service)


def require_departure_counted(both: Both, service: Served) -> None:
    before = _counted(service, 400)
    with Plain(service.url) as line:
        line.send(both.request(REFUSED, KEY, "Content-Length: 5000"))
        eventually(lambda: line.is_read, "the request is not read")
    eventually(
        lambda: _counted(service, 400) == before + 1, "a client that went away is not counted"
    )


def _counted(service: Served, status: int) -> float:
    with Caller(service.url, None) as anybody:
        figures = anybody.get("/metrics").text
    name = f'warlog_http_requests_total{{call="act",method="POST",status="{status}"}} '
    return next(
        (float(line.removeprefix(name)) for line in figures.splitlines() if line.startswith(name)),
        0.0,
    )


async def test_a_page_that_is_listed_is_answered_alike(
    both: Both, store: EventStore, tenant: UUID
) -> None:
    origin = f"https://{secrets.token_hex(4)}.example"
    await store.origins.add(tenant, origin, 10)
    raw = both.request(REFUSED, KEY, f"Origin: {origin}")
    eventually(
        lambda: all(b"access-control" in told for told in both.told(raw)), "the list is not known"
    )
    for lines, status in (
        ([KEY], 422),
        ([KEY, "Authorization"], 401),
        ([KEY, "Warlog-Seat: nobody"], 404),
        ([KEY, "Accept: text/html"], 406),
        ([KEY, "Content-Type: text/plain"], 415),
        (["Idempotency-Key"], 428),
    ):
        raw = both.request(REFUSED, *lines, f"Origin: {origin}")
        alike(both, raw, status)
        assert f"access-control-allow-origin: {origin}\r\n".encode() in both.told(raw)[0]
    first = told_by(both.served, both.request(acting(SHOT), KEY, f"Origin: {origin}"))
    assert first.startswith(b"HTTP/1.1 201 ")
    alike(both, both.request(acting(SHOT), KEY, f"Origin: {origin}"), 201)


@pytest.mark.parametrize("scopes", [("read",), ("play",)])
async def test_a_key_that_may_not_is_answered_alike(
    both: Both, store: EventStore, tenant: UUID, scopes: tuple[str, ...]
) -> None:
    token = await new_key(store, tenant, scopes)
    lines = [KEY, "Warlog-Seat: ann", f"Authorization: Bearer {token}"]
    alike(both, both.request(REFUSED, *lines), 403)
