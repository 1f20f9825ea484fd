"""Requests that never become whole: they hold little memory and keep no process from ending."""

import asyncio
import json
import selectors
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.eventstore.embedded import Dsns
from service.server.http_server import GRACE_SECONDS
from tests.api.serving import Caller
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS

BODY_BYTES = 900_000
BUDGET_BYTES = 8 << 20
ROOM_BYTES = 32 << 20
"""What connections and their buffers take next to the bodies."""


@contextmanager
def half_sent(
    url: str, path: str, token: str | None, sent: int, length: int, more: str = ""
) -> Iterator[socket.socket]:
    """A request of which so many bytes of its body have been sent; `more` are header lines."""
    parts = urlsplit(url)
    key = "" if token is None else f"Authorization: Bearer {token}\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{key}{more}Content-Type: application/json\r\n"
        f"Idempotency-Key: k\r\nContent-Length: {length}\r\n\r\n"
    )
    address = parts.hostname, parts.port or 0
    with socket.create_connection(address, timeout=PATIENCE_SECONDS) as line:
        line.sendall(head.encode() + b" " * sent)
        yield line


@contextmanager
def half_read(url: str, path: str, token: str | None) -> Iterator[socket.socket]:
    """A request whose body the service has begun to read: it asked for it; a third was sent."""
    with half_sent(url, path, token, 0, 30, "Expect: 100-continue\r\n") as line:
        asked = b""
        while not asked.endswith(b"\r\n\r\n"):
            piece = line.recv(1)
            assert piece, asked
            asked += piece
        assert asked.startswith(b"HTTP/1.1 100 ")
        line.sendall(b" " * 10)
        yield line


def answer_of(line: socket.socket) -> tuple[int, str]:
    """The status and the code of the problem that comes."""
    answer = b""
    while not answer.endswith(b"}"):
        piece = line.recv(65_536)
        assert piece, answer
        answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    told = json.loads(body)
    assert head.startswith(b"HTTP/1.1 %d " % told["status"])
    return told["status"], told["code"]


def first_answers(lines: Sequence[socket.socket], count: int) -> set[tuple[int, str]]:
    """What so many of them are answered, whichever they are."""
    answers: list[tuple[int, str]] = []
    with selectors.DefaultSelector() as selector:
        for line in lines:
            selector.register(line, selectors.EVENT_READ)
        while len(answers) < count:
            for key, _ in selector.select():
                assert isinstance(key.fileobj, socket.socket)
                selector.unregister(key.fileobj)
                answers.append(answer_of(key.fileobj))
    return set(answers)


async def see_unfinished_bodies(folder: Path, dsns: Dsns, caller: Caller, count: int) -> None:
    """So many bodies of one key that never end; what the process holds afterwards."""
    encounter = caller.create()
    service = ServiceProcess(folder, dsns, WARLOG_UNFINISHED_BYTES=str(4 * BUDGET_BYTES))
    await service.start()
    try:
        with Caller(service.url, caller.token) as same:
            assert same.get(encounter).status_code == 200
            before = (await service.gauges()).resident
            with ExitStack() as stack:
                lines = [
                    stack.enter_context(
                        half_sent(
                            service.url,
                            f"{encounter}/actions",
                            caller.token,
                            BODY_BYTES,
                            BODY_BYTES + 1,
                        )
                    )
                    for _ in range(count)
                ]
                least = count - BUDGET_BYTES // BODY_BYTES
                refused = await asyncio.to_thread(first_answers, lines, least)
                grown = (await service.gauges()).resident - before
                assert same.get(encounter).status_code == 200
                same.act(encounter, {"type": "note", "text": "small bodies pass"})
            assert refused == {(429, "too_many_bytes")}
            figures = f"{count} unfinished bodies: {grown >> 20} MiB more"
            assert grown < BUDGET_BYTES + ROOM_BYTES, figures
            sys.stdout.write(figures)
    finally:
        await asyncio.to_thread(service.stop)
    assert service.complaints() == []


async def test_unfinished_bodies_of_one_key_hold_little(
    database: Dsns, tmp_path: Path, caller: Caller
) -> None:
    await see_unfinished_bodies(tmp_path, database, caller, 100)


@pytest.mark.soak
async def test_hundreds_of_unfinished_bodies_hold_no_more(
    database: Dsns, tmp_path: Path, caller: Caller
) -> None:
    await see_unfinished_bodies(tmp_path, database, caller, 800)


async def test_half_sent_requests_do_not_keep_a_process_from_ending(
    database: Dsns, tmp_path: Path, caller: Caller
) -> None:
    seconds = []
    for count in (0, 20):
        service = ServiceProcess(tmp_path, database)
        await service.start()
        with ExitStack() as stack:
            lines = [
                stack.enter_context(half_read(service.url, path, token))
                for path, token in (("/v1/join", None), ("/v1/encounters", caller.token))
                for _ in range(count)
            ]
            began = time.perf_counter()
            await asyncio.to_thread(service.stop)
            seconds.append(time.perf_counter() - began)
            answers = {answer_of(line) for line in lines}
        assert answers == ({(503, "stopping")} if count else set())
        assert service.complaints() == []
    assert seconds[1] < seconds[0] + GRACE_SECONDS / 2, seconds
