"""Clients of streams: a reader of events, and bytes off a plain connection."""

import json
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest

from service.api.limits.rate import Rate
from service.api.request import services_of
from service.api.services import Services
from tests.api.serving import Caller, Served
from tests.patience import PATIENCE_SECONDS


class Event(NamedTuple):
    """One event of a stream; `id` is empty where there is none."""

    id: str
    kind: str
    data: dict[str, Any]


class Reader:
    """Reads the events of an open stream, as a browser does."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def next(self) -> Event:
        """The next event. Raises StopIteration at the end of the stream."""
        fields: dict[str, str] = {}
        while True:
            line = next(self._lines)
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields:
                return Event(fields.get("id", ""), fields["event"], json.loads(fields["data"]))
            else:
                fields = {}

    def until(self, kind: str) -> Event:
        """The next event of a kind, whatever comes before."""
        while True:
            event = self.next()
            if event.kind == kind:
                return event

    def seqs(self, count: int) -> list[int]:
        """The seqs of the next events of the log."""
        return [self.until("event").data["seq"] for _ in range(count)]

    def rest(self) -> list[Event]:
        """Everything up to the end of the stream but heartbeats, which come when time passes."""
        found = []
        try:
            while True:
                event = self.next()
                if event.kind != "heartbeat":
                    found.append(event)
        except StopIteration:
            return found


@contextmanager
def following(caller: Caller, address: str, **headers: str) -> Iterator[Reader]:
    """An open stream; `address` may have a query, headers are written with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with (
        httpx.Client(
            base_url=caller.url, headers=caller.http.headers, timeout=PATIENCE_SECONDS
        ) as client,
        client.stream("GET", address, headers=named) as answer,
    ):
        if answer.status_code != 200:
            answer.read()
        assert answer.status_code == 200, answer.text
        yield Reader(answer)


def wire_to(url: str) -> socket.socket:
    """A connection of one's own to the service at an address."""
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname, parts.port or 0), timeout=PATIENCE_SECONDS)


class Plain:
    """A connection without a library: what is sent and what comes, byte for byte."""

    def __init__(self, url: str, *, receive_bytes: int | None = None) -> None:
        parts = urlsplit(url)
        self._socket = socket.socket()
        if receive_bytes is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self._socket.settimeout(PATIENCE_SECONDS)
        self._socket.connect((parts.hostname, parts.port))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, *lines: str) -> None:
        """Send the head of a request."""
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self._socket.sendall(data)

    def wait(self, seconds: float) -> bool:
        """Whether something comes, or the connection ends, within so many seconds."""
        readable, _, _ = select.select([self._socket], [], [], seconds)
        return bool(readable)

    @property
    def is_read(self) -> bool:
        """Whether the other side, on this machine, has read all that was sent."""
        own = _in_table(*self._socket.getsockname())
        waiting = [
            queues
            for local, remote, queues in _connections()
            if (local == own and queues[0]) or (remote == own and queues[1])
        ]
        return not waiting

    def until(self, ending: bytes) -> bytes:
        """What comes, up to this."""
        found = b""
        while ending not in found:
            piece = self._socket.recv(65_536)
            assert piece, f"the connection ended behind {found!r}"
            found += piece
        return found

    def rest(self) -> bytes:
        """What comes up to the end of the connection, even if that is cut off."""
        found = b""
        try:
            while piece := self._socket.recv(65_536):
                found += piece
        except ConnectionResetError:
            pass
        return found


def _connections() -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Both ends of all connections by TCP over IPv4, and the bytes unsent and unread there."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        unsent, _, unread = queues.partition(":")
        yield local, remote, (int(unsent, 16), int(unread, 16))


def _in_table(host: str, port: int) -> str:
    """An address as Linux lists it."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def services_behind(served: Served) -> Services:
    """What the service in this process works with."""
    return services_of(served.edge.application)


def is_waited_for(served: Served, encounter: str) -> bool:
    """Whether somebody waits for the next event of the encounter at this address."""
    return UUID(encounter.rpartition("/")[2]) in services_behind(served).encounters.hub.waiters


def stop_clock(monkeypatch: pytest.MonkeyPatch, *rates: Rate) -> None:
    """What these count is not forgotten, however long a test takes."""
    for rate in rates:
        now = rate._clock()
        monkeypatch.setattr(rate, "_clock", lambda now=now: now)


def eventually(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
