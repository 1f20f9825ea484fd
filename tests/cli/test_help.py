"""Help, version and health: answered at once, and true."""

import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from service import __version__
from service.cli import Commands, run
from service.cli.health import own_address
from service.cli.lazy_group import LazyCommand
from service.eventstore.embedded import Dsns
from service.exits import Exit
from tests.api.serving import Served, settings_for
from tests.patience import PATIENCE_SECONDS

PROJECT = Path(__file__).parents[2]
PATIENT = ("--seconds", str(min(60.0, PATIENCE_SECONDS)))
HEAVY = ("alembic", "asyncpg", "litestar", "redis", "rich", "sqlalchemy", "uvicorn")
SERVING = {*HEAVY, "asyncio", "service.eventstore", "service.fanout", "service.settings"} - {"rich"}


@pytest.mark.parametrize("entry", Commands.entries, ids=lambda entry: entry.name)
def test_a_command_is_listed_with_its_own_first_sentence(entry: LazyCommand) -> None:
    assert entry.load().help.splitlines()[0] == entry.summary


def test_help_lists_every_command_by_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines if re.match("  [a-z]", line)]
    assert [name for name in names if name in {entry.name for entry in Commands.entries}] == [
        entry.name for entry in Commands.entries
    ]
    assert {f"{entry.section}:" for entry in Commands.entries} <= set(lines)


def test_an_unknown_command_is_told_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["healt"]) == Exit.USAGE
    assert "Did you mean 'health'?" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["health", "--help"]])
def test_what_is_asked_often_imports_nothing_heavy(arguments: list[str]) -> None:
    assert imported_by(arguments).isdisjoint(HEAVY)


def imported_by(arguments: list[str]) -> set[str]:
    """The modules that a command which ends well has imported when it ends."""
    program = (
        "import json, sys; from service.cli import run; code = run(sys.argv[1:]);"
        "print(); print(json.dumps([code, *sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=PROJECT, capture_output=True, check=True
    )
    code, *modules = json.loads(done.stdout.splitlines()[-1])
    assert code in (Exit.OK, Exit.UNVERIFIED)
    return set(modules)


def test_what_serves_imports_nothing_that_migrates() -> None:
    program = (
        "import sys, service.cli.serve, service.server.worker;"
        "print([name for name in ('alembic', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True)
    assert done.stdout == b"[]\n"


def test_an_audit_of_a_file_imports_one_rulebook_and_nothing_of_a_service() -> None:
    imported = imported_by(["audit", "tests/replay/bundles/seeker-d100-sealed.ndjson"])
    assert imported.isdisjoint(SERVING)
    parts = [name.split(".") for name in imported if name.startswith("service.rulesets.")]
    assert {part[2] for part in parts} == {"seeker_d100"}


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == Exit.OK
    assert capsys.readouterr().out == f"warlog {__version__}\n"


@pytest.mark.parametrize("options", [[], ["--live"]])
def test_a_service_at_work_is_healthy(
    database: Dsns, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    with Served(settings_for(database)) as served:
        assert run(["health", served.url, *PATIENT, *options]) == Exit.OK
        path = "/health/live" if options else "/health/ready"
        assert json.loads(answer_in(capsys)) == httpx.get(f"{served.url}{path}").json()


def answer_in(capsys: pytest.CaptureFixture[str]) -> str:
    """What health printed; the service may say where it serves at this very moment."""
    return capsys.readouterr().out.splitlines()[-1]


class Refusing(BaseHTTPRequestHandler):
    """A service that says that it cannot do its work."""

    status = 503

    def do_GET(self) -> None:
        body = self.path.encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing: nobody reads it."""


def test_a_service_that_cannot_work_is_told_from_one_that_is_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/behind"
        assert run(["health", url, *PATIENT]) == Exit.WRONG
        assert capsys.readouterr().out == "/behind/health/ready\n"
        server.shutdown()


class Recovering(Refusing):
    """One that can do its work when it is asked for the third time."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        if self.asked == 3:
            self.path, self.status = "/well", 200
        super().do_GET()


def test_health_asks_again_as_long_as_it_is_told_to_wait(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with HTTPServer(("127.0.0.1", 0), Recovering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        assert run(["health", url, *PATIENT, "--wait", str(PATIENCE_SECONDS)]) == Exit.OK
        assert capsys.readouterr().out == "/well\n"
        server.shutdown()


def test_health_tells_what_is_away_from_what_is_no_address(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["health", "http://127.0.0.1:1"]) == Exit.UNAVAILABLE
    assert "http://127.0.0.1:1 does not answer" in capsys.readouterr().err
    for wrong in ("ftp://x", "nothing", "http://x:port"):
        assert run(["health", wrong]) == Exit.USAGE
        assert f"{wrong} is no address" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        (None, None, "http://127.0.0.1:8080"),
        ("0.0.0.0", "81", "http://127.0.0.1:81"),
        ("::", "", "http://[::1]:8080"),
        ("::1", None, "http://[::1]:8080"),
        ("service.local", "9", "http://service.local:9"),
    ],
)
def test_the_own_address_can_be_connected_to(
    host: str | None, port: str | None, address: str
) -> None:
    assert own_address(host, port) == address
