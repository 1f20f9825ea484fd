"""Several processes on one port: real ones, killed, stopped and asked to end."""

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self
from uuid import UUID

import asyncpg
import httpx
import pytest

from service.cli import run
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.embedded.postmaster import running_pid
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.exits import Exit
from service.server import supervisor
from service.server.listening_sockets import bound_to
from service.server.supervisor import Workers
from service.settings import from_environment
from tests.api.serving import CREATION, Caller, new_key
from tests.api.streaming import Plain
from tests.conftest import user_of
from tests.limits import PLENTY
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

SERVE = [sys.executable, "-m", "service", "serve", "--port", "0"]
WORKERS = 2
WRITERS = 4
KILLS = 2


class Crew:
    """`warlog serve` with several workers, as its user starts it."""

    def __init__(self, folder: Path, environ: Mapping[str, str], count: int = WORKERS) -> None:
        self._said = folder / "said"
        clean = {name: value for name, value in os.environ.items() if "WARLOG_" not in name}
        with self._said.open("wb") as file, (folder / "logged").open("wb") as log:
            self.parent = subprocess.Popen(
                [*SERVE, "--workers", str(count)],
                env={**clean, **environ},
                stdout=file,
                stderr=log,
            )
        self._log = folder / "logged"
        self.url = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        left = self.workers()
        if self.parent.poll() is None:
            self.parent.kill()
            self.parent.wait(PATIENCE_SECONDS)
        for pid in left:
            kill(pid, signal.SIGKILL)

    @property
    def said(self) -> str:
        return self._said.read_text()

    @property
    def logged(self) -> str:
        return self._log.read_text()

    def up(self, count: int = WORKERS) -> Self:
        """Wait until so many workers serve."""
        wait_for(lambda: "serving on " in self.said or self.parent.poll() is not None)
        found = re.search(r"serving on (http\S+),", self.said)
        assert found, self.logged
        self.url = found[1]
        wait_for(lambda: len(self.serving()) == count)
        return self

    def serving(self, seconds: float = PATIENCE_SECONDS) -> set[str]:
        """The numbers of the workers that tell their figures in so many seconds."""
        return numbers_in(httpx.get(f"{self.url}/metrics", timeout=seconds).text)

    def figures(self) -> str:
        """The figures of all workers: one that takes long to tell them is left out."""
        told = [""]

        def are_complete() -> bool:
            told[0] = httpx.get(f"{self.url}/metrics").text
            return len(numbers_in(told[0])) == WORKERS

        wait_for(are_complete)
        return told[0]

    def workers(self) -> list[int]:
        """The processes that were started by the parent to serve."""
        return [pid for pid in processes() if parent_of(pid) == self.parent.pid and works(pid)]

    def ends(self) -> int:
        """Wait until all are gone; the exit code."""
        code = self.parent.wait(PATIENCE_SECONDS)
        assert self.workers() == []
        return code


def numbers_in(figures: str) -> set[str]:
    """The numbers of the workers whose figures these are."""
    return set(re.findall(r'warlog_http_requests_total{.*worker="(\d+)"', figures)) | set(
        re.findall(r'process_start_time_seconds{worker="(\d+)"}', figures)
    )


def processes() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def parent_of(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    state, parent = stat.rpartition(")")[2].split()[:2]
    return 0 if state == "Z" else int(parent)


def works(pid: int) -> bool:
    try:
        return b"service.server.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def kill(pid: int, order: signal.Signals) -> None:
    try:
        os.kill(pid, order)
    except ProcessLookupError:
        return


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.02)


def addresses(dsns: Dsns) -> dict[str, str]:
    return {"WARLOG_DATABASE_URL": dsns.app, "WARLOG_ERASE_URL": dsns.eraser}


@pytest.fixture(scope="module")
def crew(database: Dsns, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    """Two workers for the tests that leave two behind."""
    with Crew(tmp_path_factory.mktemp("crew"), {**addresses(database), **PLENTY}) as started:
        yield started.up()


@pytest.fixture
async def token(database: Dsns) -> AsyncIterator[str]:
    """A key of a new tenant."""
    store = await EventStore.open(database.app, pool_size=1)
    tenant = await store.access.create_tenant(
        UUID(bytes=secrets.token_bytes(16)), secrets.token_hex(8)
    )
    yield await new_key(store, tenant.id, SCOPES)
    await store.close()


class Writer(threading.Thread):
    """Writes notes one after another, each until it is shown that it is written."""

    def __init__(self, url: str, token: str, encounter: str, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._url, self._token, self._encounter = url, token, encounter
        self.enough = threading.Event()
        self.told: list[tuple[int, str]] = []
        self.wrong: list[str] = []
        self.lost = 0

    def run(self) -> None:
        while not self.enough.is_set():
            text = f"{self.name} {len(self.told)}"
            seq = self._written(text)
            if seq is None:
                return
            self.told.append((seq, text))

    def _written(self, text: str) -> int | None:
        key, answer = secrets.token_hex(8), None
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                # A separate connection each time: any worker may answer.
                answer = httpx.post(
                    f"{self._url}{self._encounter}/actions",
                    json={"action": {"type": "note", "text": text}},
                    headers={"Authorization": f"Bearer {self._token}", "Idempotency-Key": key},
                    timeout=PATIENCE_SECONDS,
                )
            except httpx.TransportError:
                self.lost += 1
                continue
            if answer.status_code == 201:
                event = answer.json()["events"][0]
                return int(event["seq"])
            if answer.status_code != 503 and answer.json()["code"] != "in_progress":
                break
            time.sleep(0.05)
        self.wrong.append("nothing" if answer is None else answer.text)
        return None


def is_killed(crew: Crew, number: int) -> None:
    doomed = crew.workers()[number]
    kill(doomed, signal.SIGKILL)
    wait_for(lambda: doomed not in crew.workers())


def more_is_written(writers: list[Writer]) -> None:
    enough = sum(len(writer.told) for writer in writers) + 10
    wait_for(lambda: sum(len(writer.told) for writer in writers) >= enough)


def test_one_that_is_killed_is_started_again_and_nobody_is_answered_wrongly(
    crew: Crew, token: str
) -> None:
    with Caller(crew.url, token) as caller:
        encounter = caller.create(CREATION)
        writers = [Writer(crew.url, token, encounter, f"w{n}") for n in range(WRITERS)]
        for writer in writers:
            writer.start()
        for number in range(KILLS):
            wait_for(lambda: len(crew.workers()) == WORKERS)
            more_is_written(writers)
            is_killed(crew, number % WORKERS)
            more_is_written(writers)
        for writer in writers:
            writer.enough.set()
        for writer in writers:
            writer.join(PATIENCE_SECONDS)
            assert writer.wrong == []
        crew.up()
        stored, after = {}, "0"
        while page := caller.get(f"{encounter}/events?after={after}&limit=500").json():
            if not page["events"]:
                break
            for event in page["events"]:
                stored[event["seq"]] = event
            after = page["next"]
    told = [(seq, text) for writer in writers for seq, text in writer.told]
    assert sorted(seq for seq, _ in told) == list(range(2, len(stored) + 1))
    for seq, text in told:
        assert text in str(stored[seq])
    for writer in writers:
        assert writer.told == sorted(writer.told)
    assert crew.parent.poll() is None
    assert token not in crew.logged


def test_figures_are_those_of_all_whoever_is_asked(crew: Crew) -> None:
    count = 12
    name = 'warlog_http_requests_total{call="live",method="GET",status="200",worker='

    def alive() -> float:
        figures = crew.figures()
        lines = [line for line in figures.splitlines() if line.startswith(name)]
        assert figures.count("# TYPE warlog_http_requests_total ") == 1
        return sum(float(line.split()[-1]) for line in lines)

    before = alive()
    for _ in range(count):
        assert httpx.get(f"{crew.url}/health/live").status_code == 200
    for _ in range(6):
        assert alive() == before + count
    assert numbers_in(crew.figures()) == {"1", "2"}


def test_one_that_does_not_answer_keeps_nobody_from_the_figures(crew: Crew) -> None:
    stopped = crew.up().workers()[0]
    kill(stopped, signal.SIGSTOP)
    try:
        # A connection that the stopped one had taken waits for it; the others are answered.
        wait_for(lambda: len(serving_now(crew)) == 1)
    finally:
        kill(stopped, signal.SIGCONT)
    crew.up()


def serving_now(crew: Crew) -> set[str]:
    try:
        return crew.serving(seconds=10.0)
    except httpx.TransportError:
        return set()


def test_workers_whose_parent_is_killed_end_by_themselves(crew: Crew) -> None:
    """The last that uses this crew."""
    left = crew.up().workers()
    crew.parent.kill()
    crew.parent.wait(PATIENCE_SECONDS)
    wait_for(lambda: not any(works(pid) and parent_of(pid) for pid in left))
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{crew.url}/health/live")
    assert "Traceback" not in crew.logged


def test_told_to_end_twice_all_end_in_order_and_the_private_database_last(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Crew(tmp_path, {"WARLOG_DATA_DIR": str(data)}) as crew, ExitStack() as opened:
        crew.up()
        token = (data / "owner-key").read_text().strip()
        assert crew.said.count("serving on ") == 1
        assert "WARLOG_REDIS_URL is not set" in crew.logged
        assert all(token.encode() not in cmdline(pid) for pid in crew.workers())
        assert all(b"postgresql" not in cmdline(pid) for pid in crew.workers())
        with Caller(crew.url, token) as caller:
            encounter = caller.create(CREATION)
        waiting, streaming = (opened.enter_context(Plain(crew.url)) for _ in range(2))
        key = f"Authorization: Bearer {token}"
        waiting.ask(f"GET {encounter}/events?after=1&wait=30 HTTP/1.1", "Host: x", key)
        streaming.ask(f"GET {encounter}/stream HTTP/1.1", "Host: x", key)
        streaming.until(b"event: hello")
        wait_for(lambda: waiting.is_read)
        postmaster = running_pid(data / "postgres" / "cluster")
        assert postmaster is not None
        for order in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT):
            crew.parent.send_signal(order)
            time.sleep(0.02)
        began = time.monotonic()
        while crew.parent.poll() is None:
            assert time.monotonic() - began < PATIENCE_SECONDS
            if parent_of(postmaster) == 0:
                assert crew.workers() == []
            kill(crew.parent.pid, signal.SIGTERM)
            time.sleep(0.05)
        assert crew.ends() == Exit.OK
        head, _, body = waiting.rest().partition(b"\r\n\r\n")
        assert (head.startswith(b"HTTP/1.1 200 "), json.loads(body)["events"]) == (True, [])
        assert b'"reason":"shutdown"' in streaming.rest().rpartition(b"event: bye")[2]
        assert running_pid(data / "postgres" / "cluster") is None
        assert "Traceback" not in crew.logged


@pytest.fixture
def handlers() -> Iterator[None]:
    """What this process does when it is asked to end, put back afterwards."""
    before = {order: signal.getsignal(order) for order in (signal.SIGTERM, signal.SIGINT)}
    yield
    for order, handler in before.items():
        signal.signal(order, handler)


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_told_to_end_before_they_have_begun_they_end(database: Dsns, tmp_path: Path) -> None:
    with Crew(tmp_path, addresses(database)) as crew:
        wait_for(lambda: len(crew.workers()) == WORKERS)
        crew.parent.send_signal(signal.SIGINT)
        assert crew.ends() == Exit.OK
        assert "Traceback" not in crew.logged


@pytest.mark.parametrize("program", ["this", "no.such.program"])
def test_workers_that_only_die_end_the_parent_with_a_word(
    program: str,
    handlers: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(supervisor, "PROGRAM", program)
    settings = from_environment({"WARLOG_DATABASE_URL": "postgresql://x/x", "WARLOG_WORKERS": "2"})
    sockets = bound_to("127.0.0.1", 0)
    assert Workers(settings, sockets, 1.0).run() == Exit.UNAVAILABLE
    told = capsys.readouterr()
    assert "every worker ended as soon as it had begun, 3 times in a row" in told.err
    assert f"exit code {0 if program == 'this' else 1})" in told.err
    assert "serving on" not in told.out
    assert [bound.fileno() for bound in sockets] == [-1]


def test_what_lies_where_the_service_was_started_is_not_run(
    handlers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "stray.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(supervisor, "PROGRAM", "stray")
    settings = from_environment({"WARLOG_DATABASE_URL": "postgresql://x/x", "WARLOG_WORKERS": "2"})
    assert Workers(settings, bound_to("127.0.0.1", 0), 1.0).run() == Exit.UNAVAILABLE
    assert not (tmp_path / "ran").exists()


STUBBORN = """
import os, pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(__file__).with_suffix(f".{os.getpid()}").touch()
time.sleep(600)
"""


def test_whoever_does_not_end_in_time_is_killed(
    handlers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(supervisor, "PROGRAM", "stubborn")
    monkeypatch.setattr(supervisor, "LAST_SECONDS", 0.2)

    def stubborn() -> list[int]:
        return [int(each.suffix[1:]) for each in tmp_path.glob("stubborn.[0-9]*")]

    def tell() -> None:
        wait_for(lambda: len(stubborn()) == WORKERS)
        os.kill(os.getpid(), signal.SIGTERM)

    settings = from_environment({"WARLOG_DATABASE_URL": "postgresql://x/x", "WARLOG_WORKERS": "2"})
    crew = Workers(settings, bound_to("127.0.0.1", 0), 0.1)
    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    assert crew.run() == Exit.OK
    telling.join(PATIENCE_SECONDS)
    assert [pid for pid in stubborn() if parent_of(pid) == os.getpid()] == []


def test_told_to_end_first_none_is_started(handlers: None) -> None:
    settings = from_environment({"WARLOG_DATABASE_URL": "postgresql://x/x", "WARLOG_WORKERS": "2"})
    crew = Workers(settings, bound_to("127.0.0.1", 0), 1.0)
    crew.end()
    assert crew.run() == Exit.OK
    crew.end()


@pytest.mark.soak
async def test_workers_that_cannot_read_the_database_end_the_parent_with_a_word(
    empty_database: Dsns, tmp_path: Path
) -> None:
    dsns = empty_database
    await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
    owner = await asyncpg.connect(dsns.owner)
    await owner.execute(f"REVOKE ALL ON signing_key FROM {user_of(dsns.app)}")
    await owner.close()
    with Crew(tmp_path, addresses(dsns)) as crew:
        assert crew.ends() == Exit.UNAVAILABLE
        assert "every worker ended as soon as it had begun" in crew.logged
        assert "serving on" not in crew.said


def test_one_worker_is_the_process_itself(database: Dsns, tmp_path: Path) -> None:
    with Crew(tmp_path, addresses(database), count=1) as crew:
        wait_for(lambda: "serving on " in crew.said)
        assert crew.workers() == []
        assert "WARLOG_REDIS_URL" not in crew.logged
        url = re.findall(r"serving on (http\S+),", crew.said)[0]
        assert "worker=" not in httpx.get(f"{url}/metrics").text
        for order in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
            crew.parent.send_signal(order)
        assert crew.ends() == Exit.OK
        assert "Traceback" not in crew.logged


def test_a_port_that_is_taken_is_told(
    database: Dsns, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in os.environ if name.startswith("WARLOG_")]:
        monkeypatch.delenv(name)
    for name, value in addresses(database).items():
        monkeypatch.setenv(name, value)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--workers", "2", "--port", port]) == Exit.UNAVAILABLE
    assert f"cannot listen on 127.0.0.1, port {port}" in capsys.readouterr().err


def test_all_addresses_of_a_host_get_one_port() -> None:
    sockets = bound_to("localhost", 0)
    try:
        ports = {bound.getsockname()[1] for bound in sockets}
        assert len(ports) == 1
        assert 0 not in ports
        with pytest.raises(OSError, match=r"in use"):
            bound_to("localhost", ports.pop())
    finally:
        for bound in sockets:
            bound.close()
    with pytest.raises(OSError, match=r"256|not known|not supported|resolution|resolve"):
        bound_to("256.1.1.1", 0)
