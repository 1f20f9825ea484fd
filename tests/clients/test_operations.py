"""Both clients offer every operation of the service, with every parameter, and send the same."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.clients.node_client import LIBRARY
from tests.clients.operations import (
    BUNDLE,
    ENCOUNTER,
    OFFERS,
    OTHER_FORMS,
    PARAMETER_REASONS,
    REASONS,
    Method,
    Offer,
    documented,
)
from tests.clients.tools import HERE, NODE, succeeded
from warlog import Problem, Warlog

SCRIPT: Final = HERE / "client_requests.mjs"
OPERATIONS: Final = documented()
CALLS: Final = (*OFFERS.items(), *OTHER_FORMS)
HEADERS: Final = (
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "warlog-seat",
)
ALWAYS: Final = frozenset({"accept", "authorization", "content-type"})
"""Headers that the document has in other places than among the parameters."""

Sent = dict[str, Any]


def sent(method: str, url: str, headers: dict[str, str], body: str | None) -> Sent:
    """A request in the form that is compared; keys that the client makes are all the same."""
    address = urlsplit(url)
    named = {name.lower(): value for name, value in headers.items() if name.lower() in HEADERS}
    key = named.get("idempotency-key")
    if key not in (None, "k"):
        assert re.fullmatch("[A-Za-z0-9_-]{24,}", key or "")
        named["idempotency-key"] = "made"
    return {
        "method": method,
        "path": address.path,
        "query": parse_qs(address.query, strict_parsing=bool(address.query)),
        "headers": named,
        "body": body if body in (None, BUNDLE) else json.loads(body or ""),
    }


def by_python(method: Method) -> Sent:
    """What the Python client sends."""
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(500)

    with (
        httpx.Client(transport=httpx.MockTransport(answer)) as http,
        Warlog("http://table", "ws_x", language="ru", http=http) as service,
        contextlib.suppress(Problem),
    ):
        things = {
            "service": service,
            "battle": service.battle(ENCOUNTER, seat="anna", view="ben"),
            "bare": service.battle(ENCOUNTER),
        }
        args = [each.encode() if each == BUNDLE else each for each in method.args]
        value = getattr(things[method.on], method.name)(*args, **method.options)
        with contextlib.closing(value) as told:
            next(told)
    [request] = requests
    body = request.content.decode() or None
    return sent(request.method, str(request.url), dict(request.headers), body)


@pytest.fixture(scope="module")
def by_javascript(tmp_path_factory: pytest.TempPathFactory) -> list[Sent]:
    """What the JavaScript client sends, by the places of `CALLS`."""
    lines = "".join(json.dumps(wire(offer.javascript)) + "\n" for _, offer in CALLS)
    folder: Path = tmp_path_factory.mktemp("requests")
    said = succeeded(NODE, SCRIPT, LIBRARY, ENCOUNTER, cwd=folder, stdin=lines)
    return [sent(**json.loads(line)) for line in said.splitlines()]


def wire(method: Method) -> dict[str, Any]:
    """A call as the script takes it."""
    return {**method._asdict(), "options": dict(method.options)}


def test_every_operation_is_offered_or_has_a_reason() -> None:
    assert OFFERS.keys() & REASONS.keys() == set()
    assert OFFERS.keys() | REASONS.keys() == OPERATIONS.keys()


@pytest.mark.parametrize(
    ("place", "operation", "offer"),
    [(place, *call) for place, call in enumerate(CALLS)],
    ids=[offer.python.name for _, offer in CALLS],
)
def test_both_send_the_same(
    by_javascript: list[Sent], place: int, operation: str, offer: Offer
) -> None:
    request = by_python(offer.python)
    assert by_javascript[place] == request
    method, path, _ = OPERATIONS[operation]
    assert (request["method"], matches(request["path"], path)) == (method, True)


@pytest.mark.parametrize("operation", OFFERS)
def test_every_parameter_can_be_sent(operation: str) -> None:
    request = by_python(OFFERS[operation].python)
    wanted = {name.lower() for name in OPERATIONS[operation].parameters}
    missing = {name.lower() for name in PARAMETER_REASONS}
    names = {*request["query"], *request["headers"]} - ALWAYS
    if "accept-language" not in wanted:
        names -= {"accept-language"}
    assert names - missing == wanted - missing


def matches(path: str, template: str) -> bool:
    """Whether a path is one of a template's."""
    return re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)), path) is not None
