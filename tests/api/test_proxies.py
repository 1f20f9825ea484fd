"""Behind Debian's proxies, set up by the files in `deploy/proxies`: nothing is late or cut."""

import asyncio
import json
import logging
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from websockets.sync.client import connect

from tests.api.serving import START, Caller
from tests.api.test_commands import Serving, owner_key, serving
from tests.patience import PATIENCE_SECONDS, until
from tests.ports import free_port

FILES: Final = Path(__file__).parents[2] / "deploy" / "proxies"
MARK: Final = "#~ "
"""Begins a line that switches compression on."""

EVENTS: Final = 20
LATE_SECONDS: Final = 0.1
"""The proxies set up otherwise hold each event back for at least twice as long."""

_log = logging.getLogger(__name__)

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]


def nginx(text: str, folder: Path, port: int) -> list[str]:
    """Its file is included in the http block, as the distribution's own does."""
    site = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    site = site.replace("/var/log/nginx", str(folder))
    folders = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}\ndaemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\n{folders}{site}\n}}\n"
    )
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def haproxy(text: str, folder: Path, port: int) -> list[str]:
    """Its file as it is."""
    (folder / "haproxy.cfg").write_text(text.replace("bind :80\n", f"bind 127.0.0.1:{port}\n"))
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(text: str, folder: Path, port: int) -> list[str]:
    """Its file without the certificate, and without the port of its administration."""
    site = text.replace("warlog.example {", f"http://127.0.0.1:{port} {{")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES: Final[dict[str, tuple[str, Callable[[str, Path, int], list[str]]]]] = {
    "nginx": ("nginx.conf", nginx),
    "haproxy": ("haproxy.cfg", haproxy),
    "caddy": ("Caddyfile", caddy),
}


@contextmanager
def behind(name: str, service: str, folder: Path, *, compressing: bool) -> Iterator[str]:
    """The address of a proxy in front of a service."""
    file, made = PROXIES[name]
    text = (FILES / file).read_text(encoding="utf-8").replace("127.0.0.1:8080", service[7:])
    assert MARK in text
    folder.mkdir()
    port = free_port()
    command = made(text.replace(MARK, "") if compressing else text, folder, port)
    program = shutil.which(command[0], path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip(f"{command[0]} is not installed")
    environment = {**os.environ, "HOME": str(folder)}
    with (
        (folder / "said").open("wb") as said,
        subprocess.Popen(
            [program, *command[1:]], stdout=said, stderr=said, env=environment
        ) as process,
    ):
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_up(f"{url}/health/ready", process, folder / "said")
            yield url
        finally:
            process.terminate()


def wait_until_up(url: str, process: subprocess.Popen[bytes], said: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, said.read_text()
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(said.read_text())


class Follower:
    """A stream; `seen` has the moment in which each event came, by its seq."""

    def __init__(self, url: str, token: str, encounter: str) -> None:
        self.seen: dict[int, float] = {}
        self._url = f"{url}{encounter}/stream?after=0&state=patch"
        self._headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "gzip"}
        self.encoding = ""

    async def follow(self) -> None:
        """Read until cancelled."""
        async with (
            httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client,
            client.stream("GET", self._url, headers=self._headers) as answer,
        ):
            assert answer.status_code == 200
            self.encoding = answer.headers.get("Content-Encoding", "")
            kind = ""
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    kind = value
                elif name == "data" and kind in ("event", "hello"):
                    data: dict[str, Any] = json.loads(value)
                    seq = data.get("seq", 0) if kind == "event" else 0
                    self.seen.setdefault(seq, time.perf_counter())


def is_seen(followers: Sequence[Follower], seq: int) -> bool:
    """Whether all of them have an event."""
    return all(seq in each.seen for each in followers)


async def latencies(direct: str, through: str, token: str, encounter: str) -> list[float]:
    """By how much each event comes later through the proxy, in seconds."""
    followers = [Follower(url, token, encounter) for url in (direct, through)]
    following = [asyncio.create_task(each.follow()) for each in followers]
    await until(partial(is_seen, followers, 0), lambda: following)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=direct, headers=headers) as client:
        for number in range(EVENTS):
            answer = await client.post(
                f"{encounter}/actions",
                json={"action": {"type": "note", "text": "n"}},
                headers={"Idempotency-Key": f"note-{number}"},
            )
            assert answer.status_code == 201
            seq = answer.json()["events"][-1]["seq"]
            await until(partial(is_seen, followers, seq))
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    first, second = (each.seen for each in followers)
    return [second[seq] - first[seq] for seq in sorted(first)[-EVENTS:]]


@pytest.mark.parametrize("compressing", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", PROXIES)
def test_streams_sockets_and_long_polls_pass_a_proxy(
    environ: dict[str, str], tmp_path: Path, name: str, compressing: bool
) -> None:
    environ["WARLOG_TRUSTED_PROXIES"] = "127.0.0.1"
    with serving(environ) as service:
        token = owner_key(environ)
        with (
            behind(name, service.url, tmp_path / name, compressing=compressing) as url,
            Caller(url, token) as caller,
        ):
            encounter = caller.create()
            caller.act(encounter, START)
            late = asyncio.run(latencies(service.url, url, token, encounter))
            _log.warning(
                "%s, %s: %.1f ms later at the median, %.1f ms at most",
                name,
                "gzip" if compressing else "plain",
                1e3 * statistics.median(late),
                1e3 * max(late),
            )
            assert statistics.median(late) < LATE_SECONDS
            socket_works(url, token, encounter)
            view = caller.http.get(encounter, headers={"Accept-Encoding": "gzip"})
            assert (view.headers.get("Content-Encoding") == "gzip") is compressing
            poll = caller.get(f"{encounter}/events?after={2 + EVENTS}&wait=30")
            assert (poll.status_code, poll.json()["events"]) == (200, [])
            senders = asked_from(url, service)
    assert senders == ["127.0.0.2", "127.0.0.3"]


def socket_works(url: str, token: str, encounter: str) -> None:
    """A socket is opened through the proxy, and brings the first record."""
    address = f"ws{url[4:]}{encounter}/socket"
    headers = {"Authorization": f"Bearer {token}"}
    with connect(address, additional_headers=headers, open_timeout=PATIENCE_SECONDS) as socket:
        assert json.loads(socket.recv(PATIENCE_SECONDS))["type"] == "hello"


def asked_from(url: str, service: Serving) -> list[str]:
    """The addresses that the service's log has of two senders; the second names another one."""
    for number, forged in ((2, {}), (3, {"X-Forwarded-For": "203.0.113.9"})):
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}")
        with httpx.Client(transport=transport) as client:
            client.get(f"{url}/v1/me", headers={"X-Request-Id": f"from-{number}", **forged})
    _, logged = service.stop()
    lines = [json.loads(line) for line in logged.splitlines()]
    return [line["client"] for line in lines if str(line.get("request", "")).startswith("from-")]
