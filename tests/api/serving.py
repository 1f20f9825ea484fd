"""Runs the service in this process and talks to it as any client would."""

import contextlib
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import httpx
from litestar.handlers import HTTPRouteHandler
from msgspec.structs import replace

from service.api.authentication import hash_of, token_of
from service.api.middleware import Middleware
from service.app import build
from service.eventstore.embedded import Dsns
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from service.server.http_server import HttpServer
from service.settings import Settings, from_environment
from tests.api.examples import EXAMPLES
from tests.limits import PLENTY
from tests.patience import PATIENCE_SECONDS, PATIENT

CREATION = EXAMPLES["create_encounter"][0].value
START = {"type": "start_encounter"}
SHOT = EXAMPLES["act"][1].value["action"]
SUPPLIED = {**CREATION, "dice": "supplied"}


def settings_for(dsns: Dsns, **more: str) -> Settings:
    """Settings as the environment would give them, for a database that exists; limits far away."""
    environ = {
        "WARLOG_DATABASE_URL": dsns.app,
        "WARLOG_ERASE_URL": dsns.eraser,
        "WARLOG_PORT": "0",
        "WARLOG_POOL_SIZE": "4",
        "HOME": "/nonexistent",
        **PLENTY,
        **more,
    }
    return from_environment(environ)


async def new_key(store: EventStore, tenant: UUID, scopes: tuple[str, ...]) -> str:
    """A new key of a tenant, as its holder sends it."""
    token = token_of(secrets.token_bytes(32))
    await store.access.create_api_key(
        NewApiKey(
            id=UUID(bytes=secrets.token_bytes(16)),
            tenant=tenant,
            name="test",
            secret_hash=hash_of(token),
            scopes=scopes,
        )
    )
    return token


class Begun(HttpServer):
    """A server that knows whether it has begun: that it listens everywhere, and has said where."""

    has_begun = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.has_begun = True


class Served:
    """The service in a separate thread, on a port the system chose."""

    def __init__(
        self,
        settings: Settings,
        *more: HTTPRouteHandler,
        edge: Middleware | None = None,
        patience: Patience = PATIENT,
    ) -> None:
        self.edge = edge = edge or build(settings, patience=patience)
        for handler in more:
            edge.application.register(handler)
        self._server = Begun(edge, replace(settings, port=0))
        # A client that was slow to come back does not find that it was hung up on.
        self._server.config.timeout_keep_alive = 2 * int(PATIENCE_SECONDS)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._server.has_begun:
            assert self._thread.is_alive(), "the service did not start"
            assert time.monotonic() < deadline, "the service does not start"
            time.sleep(0.01)
        host, port = self._server.servers[0].sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_SECONDS)

    def _run(self) -> None:
        with contextlib.suppress(SystemExit):
            self._server.run()


class Caller:
    """A client with a key."""

    def __init__(self, url: str, token: str | None, *, seat: str | None = None) -> None:
        self.url = url
        self.token = token
        # One id for all, so that problems can be compared whole.
        headers = {"X-Request-Id": "test"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if seat is not None:
            headers["Warlog-Seat"] = seat
        self.http = httpx.Client(base_url=url, headers=headers, timeout=PATIENCE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.http.close()

    def seated(self, seat: str) -> "Caller":
        """The same key, for a seat."""
        return Caller(self.url, self.token, seat=seat)

    def get(self, path: str, **headers: str) -> httpx.Response:
        """GET with headers (`_` for `-`)."""
        return self.http.get(path, headers=_names(headers))

    def post(self, path: str, tree: object, **headers: str) -> httpx.Response:
        """POST JSON under a fresh key, unless the headers say otherwise."""
        given = {"idempotency_key": secrets.token_hex(8), **headers}
        kept = {name: value for name, value in given.items() if value}
        return self.http.post(path, json=tree, headers=_names(kept))

    def create(self, tree: Mapping[str, Any] | None = None) -> str:
        """A new encounter; its address."""
        answer = self.post("/v1/encounters", tree or CREATION)
        assert answer.status_code == 201, answer.text
        return answer.headers["Location"]

    def started(self) -> str:
        """A new encounter that runs; its address."""
        encounter = self.create()
        self.act(encounter, START)
        return encounter

    def act(self, encounter: str, action: Mapping[str, Any]) -> dict[str, Any]:
        """Do something that works; the answer."""
        answer = self.post(f"{encounter}/actions", {"action": action})
        assert answer.status_code == 201, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def head(self, encounter: str) -> tuple[str, int]:
        """Where the log is: the tag of the state, the number of events."""
        state = self.get(encounter)
        return state.headers["ETag"], len(self.get(f"{encounter}/events").json()["events"])


def problem(answer: httpx.Response) -> dict[str, Any]:
    """The problem of an answer, after what every problem must be."""
    told: dict[str, Any] = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert told["status"] == answer.status_code
    assert told["type"] == f"/docs/problems#{told['code']}"
    assert told["title"]
    assert told["detail"] not in {"", told["code"]}
    assert "?" not in told["detail"]
    assert told["instance"] == answer.request.url.path
    return told


def _names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
