"""The service in a separate process that says what it holds, and whose clock can be moved.

How this works. A process is forked from one that has imported everything already, so that it is
up at once however often it is killed. On SIGUSR1 it writes what it holds to a file; on SIGUSR2 it
reads from another one by how much its clock is wrong from now on.
"""

import asyncio
import gc
import json
import multiprocessing
import os
import secrets
import signal
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

from msgspec import Struct

from service.app import build
from service.encounters.clock_and_ids import Sources
from service.server.http_server import HttpServer
from service.server.log_lines import configure_logging
from service.settings import Settings, from_environment

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, "tests.durability.preloaded"])
_BYTES_PER_PAGE = os.sysconf("SC_PAGE_SIZE")


class Place(Struct, frozen=True, kw_only=True):
    """Where a service gets its settings and its orders from, and where it writes."""

    environment: Mapping[str, str]
    gauges: Path
    clock: Path
    log: Path


def start(place: Place) -> BaseProcess:
    """A service, starting."""
    process = _FORKS.Process(target=_serve, args=(place,), daemon=True)
    process.start()
    return process


def _serve(place: Place) -> None:
    """Serve until asked to stop; what is said goes to the log."""
    with place.log.open("ab") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
    # The server raises the signal that ended it once more, when all is done.
    signal.signal(signal.SIGTERM, lambda *_: None)
    settings = from_environment(place.environment)
    configure_logging(settings.log_level)
    _Watched(settings, place).run()
    # Tasks whose errors nobody asked for complain when they are collected.
    gc.collect()


class _Watched(HttpServer):
    """The server with an ear for two signals."""

    def __init__(self, settings: Settings, place: Place) -> None:
        self._place = place
        self._wrong = timedelta()
        clock = Sources(now=self._now, random=secrets.token_bytes)
        super().__init__(build(settings, clock), settings)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._step()
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self._tell)
        loop.add_signal_handler(signal.SIGUSR2, self._step)

    def _now(self) -> datetime:
        return datetime.now(UTC) + self._wrong

    def _step(self) -> None:
        self._wrong = timedelta(seconds=int(self._place.clock.read_text()))

    def _tell(self) -> None:
        gc.collect()
        handles, connections = _open_files(self.config.port)
        held = {
            "tasks": sum(not task.done() for task in asyncio.all_tasks()),
            "handles": handles,
            "connections": connections,
            "blocks": sys.getallocatedblocks(),
            "resident": _resident_bytes(),
        }
        scratch = self._place.gauges.with_suffix(".new")
        scratch.write_text(json.dumps(held))
        scratch.replace(self._place.gauges)


def _open_files(port: int) -> tuple[int, int]:
    """How many files this process has open, connections it made apart: those to the database."""
    made = set()
    for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]:
        columns = line.split()
        if int(columns[1].split(":")[1], 16) != port:
            made.add(f"socket:[{columns[9]}]")
    counts = [0, 0]
    for entry in os.scandir("/proc/self/fd"):
        try:
            counts[os.readlink(entry.path) in made] += 1
        except OSError:
            continue
    return counts[0], counts[1]


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _BYTES_PER_PAGE
