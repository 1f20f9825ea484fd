"""Several services in processes of their own, those who act on them, and those who follow."""

import asyncio
import itertools
import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx

from service.eventstore.embedded import Dsns
from tests.limits import PLENTY
from tests.patience import PATIENCE_SECONDS

PAUSE_SECONDS = 0.05
PAGE = 500
COMPLAINT = re.compile(r"Traceback|\"error\"|never (retrieved|awaited)")


class Process:
    """`warlog serve`, as an operator starts it."""

    def __init__(self, dsns: Dsns, folder: Path, **more: str) -> None:
        self._log = folder / f"{secrets.token_hex(4)}.log"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "WARLOG_DATABASE_URL": dsns.app,
            "WARLOG_ERASE_URL": dsns.eraser,
            "WARLOG_POOL_SIZE": "4",
            **PLENTY,
            **more,
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service", "serve", "--port", "0"],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self.url = ""

    def wait_until_up(self) -> None:
        """Wait until it says where it is."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if match := re.search(rb"serving on (http://\S+?),", line):
                self.url = match[1].decode()
                return
        raise AssertionError(self._log.read_text()[-2000:])

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._end()

    def stop(self) -> list[str]:
        """Tell it to end; what it said that nobody foresaw."""
        self._process.terminate()
        self._end()
        lines = self._log.read_text().splitlines()
        return [
            line for line in lines if re.search(r"Traceback|\"error\"|never (retr|await)", line)
        ]

    def _end(self) -> None:
        try:
            self._process.wait(PATIENCE_SECONDS)
        finally:
            self._process.kill()
            if self._process.stdout is not None:
                self._process.stdout.close()


def started(*processes: Process) -> tuple[Process, ...]:
    """These, when all are up."""
    for process in processes:
        process.wait_until_up()
    return processes


class Client:
    """A key, for a seat if one is named, on any of several processes."""

    def __init__(self, urls: Iterable[str], token: str, seat: str | None = None) -> None:
        self._urls = itertools.cycle(urls)
        headers = {"Authorization": f"Bearer {token}"}
        if seat is not None:
            headers["Warlog-Seat"] = seat
        self._http = httpx.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS)
        self.url = next(self._urls)
        self.lines: list[str] = []
        self.cursor = ""
        self.reconnects = 0

    async def post(self, path: str, tree: object) -> httpx.Response:
        """POST under a key; on another process, and again, when one is gone or busy."""
        key = secrets.token_hex(8)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    answer = await self._http.post(
                        self.url + path, json=tree, headers={"Idempotency-Key": key}
                    )
                except httpx.TransportError:
                    self.url = next(self._urls)
                    continue
                if answer.status_code not in (409, 503):
                    return answer
                await asyncio.sleep(PAUSE_SECONDS)

    async def events(self, address: str, after: int) -> list[dict[str, Any]]:
        """All events behind a seq, as the log says them to this caller."""
        events: list[dict[str, Any]] = []
        while True:
            last = events[-1]["seq"] if events else after
            answer = await self._http.get(
                f"{self.url}{address}/events", params={"after": last, "limit": PAGE}
            )
            assert answer.status_code == 200, answer.text
            page = answer.json()["events"]
            if not page:
                return events
            events += page

    async def follow(self, address: str) -> None:
        """Follow an encounter until cancelled; where it broke off, from there on elsewhere."""
        while True:
            headers = {"Last-Event-ID": self.cursor} if self.cursor else {}
            try:
                async with self._http.stream(
                    "GET", f"{self.url}{address}/stream", headers=headers
                ) as answer:
                    assert answer.status_code == 200, await answer.aread()
                    async for line in answer.aiter_lines():
                        self._read(line)
            except httpx.TransportError:
                pass
            self.reconnects += 1
            self.url = next(self._urls)
            await asyncio.sleep(PAUSE_SECONDS)

    def _read(self, line: str) -> None:
        name, _, value = line.partition(": ")
        if name == "id":
            self.cursor = value
        elif name == "data":
            self.lines.append(value)

    @property
    def hello(self) -> bool:
        """Whether it is followed."""
        return bool(self.lines)

    @property
    def streamed(self) -> list[dict[str, Any]]:
        """The events that came, in the order they came."""
        records = map(json.loads, self.lines)
        return [record for record in records if record["type"] == "event"]

    async def close(self) -> None:
        """Hang up."""
        await self._http.aclose()
