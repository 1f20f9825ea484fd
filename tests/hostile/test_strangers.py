"""Strangers who ask for sockets all at once: whoever else asks hardly notices."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.eventstore.embedded import Dsns
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS

BUSY_SECONDS = 0.25
"""How long the process may take to say that it lives while strangers flood it."""
TIMES_IDLE = 25
"""The same, in times that it takes when nothing else happens: for slow machines."""
IDLE_ASKS = 200


@pytest.fixture
async def service(database: Dsns, tmp_path: Path) -> AsyncIterator[ServiceProcess]:
    """A service of this test alone."""
    running = ServiceProcess(tmp_path, database, WARLOG_HANDSHAKES_PER_MINUTE="300")
    await running.start()
    try:
        yield running
        assert running.complaints() == []
    finally:
        await asyncio.to_thread(running.stop)


class Line:
    """A connection on which one asks whether the process lives."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        address = parts.hostname, parts.port or 0
        self._socket = socket.create_connection(address, timeout=PATIENCE_SECONDS)

    def ask(self) -> None:
        self._socket.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b'{"status":"live"}'):
            piece = self._socket.recv(65_536)
            assert piece, answer
            answer += piece

    def close(self) -> None:
        self._socket.close()


def asked(url: str, kept: Line | None) -> float:
    """The seconds until the process says that it lives, on a new connection or an open one."""
    began = time.perf_counter()
    line = kept or Line(url)
    line.ask()
    seconds = time.perf_counter() - began
    if kept is None:
        line.close()
    return seconds


class Watch:
    """Asks again and again how the process is; `worst` and `count` of the answers."""

    def __init__(self, url: str, *, is_new: bool) -> None:
        self._url = url
        self._kept = None if is_new else Line(url)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.seconds: list[float] = []

    def _run(self) -> None:
        while not self._is_over.wait(0.005):
            self.seconds.append(asked(self._url, self._kept))

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        if self._kept is not None:
            self._kept.close()


@contextmanager
def flooding(url: str, count: int) -> Iterator[subprocess.Popen[str]]:
    """A process that floods as soon as it is asked to."""
    command = [sys.executable, "-m", "tests.hostile.flood", url, str(count)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process


def see_that_others_hardly_notice(url: str, count: int) -> None:
    """So many handshakes at once; both a new client and an old one are answered meanwhile."""
    with flooding(url, count) as process:
        idle = [asked(url, None) for _ in range(IDLE_ASKS)]
        with Watch(url, is_new=True) as new, Watch(url, is_new=False) as old:
            began = time.perf_counter()
            told, _ = process.communicate("go\n")
            flooded = time.perf_counter() - began
    answers = json.loads(told)
    assert set(answers) == {"HTTP/1.1 401 Unauthorized", "HTTP/1.1 429 Too Many Requests"}
    assert sum(answers.values()) == count
    assert 300 <= answers["HTTP/1.1 401 Unauthorized"] < count
    # Who had to wait for the strangers would wait for most of the flood, on any machine.
    limit = max(BUSY_SECONDS, TIMES_IDLE * max(idle), flooded / 4)
    worst = {"new": max(new.seconds), "old": max(old.seconds)}
    figures = (
        f"{count} handshakes in {flooded:.3f}: idle {max(idle):.3f}, new {worst['new']:.3f} of "
    )
    figures += f"{len(new.seconds)}, old {worst['old']:.3f} of {len(old.seconds)} seconds"
    sys.stdout.write(figures)
    assert max(worst.values()) < limit, figures


def test_handshakes_of_strangers_keep_nobody_waiting(service: ServiceProcess) -> None:
    see_that_others_hardly_notice(service.url, 1_500)


@pytest.mark.soak
@pytest.mark.parametrize("turn", range(5))
def test_thousands_of_handshakes_keep_nobody_waiting(service: ServiceProcess, turn: int) -> None:
    see_that_others_hardly_notice(service.url, 5_000)
