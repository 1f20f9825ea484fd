"""The commands that run the service and hand out keys, as a person or a script calls them."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.cli import run
from service.eventstore.embedded import Dsns
from tests.api.serving import CREATION, Caller
from tests.api.streaming import Plain, eventually
from tests.patience import PATIENCE_SECONDS

TOKEN = re.compile(r"wk_[A-Za-z0-9_-]{43}")
PROJECT = Path(__file__).parents[2]


class Shell:
    """Runs commands in this process, as their `main` would, in a separate environment."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        environ: dict[str, str],
    ) -> None:
        self._capsys = capsys
        for name in [name for name in os.environ if name.startswith("WARLOG_")]:
            monkeypatch.delenv(name)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        self._capsys.readouterr()
        code = run(list(arguments))
        told = self._capsys.readouterr()
        return code, told.out, told.err


class Serving:
    """`warlog serve` in a separate process; `told` is what it printed before it served."""

    def __init__(self, process: subprocess.Popen[str], url: str, told: str) -> None:
        self.process = process
        self.url = url
        self.told = told

    def stop(self) -> tuple[int, str]:
        """Ask it to stop; its exit code and everything it logged."""
        self.process.send_signal(signal.SIGTERM)
        _, logged = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, logged


@contextmanager
def serving(environ: dict[str, str]) -> Iterator[Serving]:
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "serve"],
        cwd=PROJECT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = ""
        for line in process.stdout:
            found = re.search(r"serving on (http://\S+?),", line)
            if found:
                yield Serving(process, found[1], told)
                break
            told += line
        else:
            pytest.fail(process.communicate()[1])
    finally:
        process.kill()
        process.communicate()


def owner_key(environ: dict[str, str]) -> str:
    """The key that the first start without a terminal wrote into the data directory."""
    return (Path(environ["WARLOG_DATA_DIR"]) / "owner-key").read_text().strip()


@pytest.mark.slow
def test_the_first_start_writes_one_key_once_and_to_no_log(environ: dict[str, str]) -> None:
    with serving(environ) as first:
        token = owner_key(environ)
        assert TOKEN.fullmatch(token)
        assert TOKEN.search(first.told) is None
        with Caller(first.url, token) as owner:
            owner.create(CREATION)
        code, logged = first.stop()
    assert code == 0
    assert TOKEN.search(logged) is None
    assert [json.loads(line)["level"] for line in logged.splitlines()]
    with serving(environ) as second:
        assert second.told == ""
        assert owner_key(environ) == token
        with Caller(second.url, token) as owner:
            assert len(owner.get("/v1/encounters").json()["encounters"]) == 1
        assert second.stop()[0] == 0


@pytest.mark.slow
def test_a_stop_answers_those_who_wait(environ: dict[str, str]) -> None:
    with serving(environ) as service:
        token = owner_key(environ)
        with Caller(service.url, token) as owner:
            encounter = owner.create(CREATION)
        with Plain(service.url) as waiting:
            poll = f"GET {encounter}/events?after=1&wait=30 HTTP/1.1"
            waiting.ask(poll, "Host: x", f"Authorization: Bearer {token}")
            eventually(lambda: waiting.is_read, "the request is not read")
            assert not waiting.wait(0.0)
            # Nobody who waits longer than the service does at its end would get an answer.
            assert service.stop()[0] == 0
            head, _, body = waiting.rest().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert json.loads(body)["events"] == []


def test_keys_and_tenants_are_made_listed_and_revoked(
    environ: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    warlog = Shell(monkeypatch, capsys, environ)
    lion = ("--tenant", "Red Lion")
    assert warlog("tenants", "create", "Red Lion")[0] == 0
    code, _, told = warlog("tenants", "create", "Red Lion")
    assert (code, "name_taken" in told) == (1, True)
    assert json.loads(warlog("tenants", "list", "--json")[1])["name"] == "Red Lion"

    _, token, _ = warlog("keys", "create", "vtt", *lion, "--scope", "read", "--scope", "play")
    assert TOKEN.fullmatch(token.strip())
    _, line, _ = warlog("keys", "list", *lion, "--json")
    listed = json.loads(line)
    assert (listed["name"], listed["scopes"]) == ("vtt", ["read", "play"])
    assert token.strip() not in line
    assert warlog("keys", "revoke", listed["id"], *lion) == (0, f"revoked {listed['id']}\n", "")
    assert warlog("keys", "revoke", listed["id"], *lion)[0] == 1
    assert "vtt" in warlog("keys", "list", *lion)[1]

    code, _, told = warlog("keys", "list", "--tenant", "Nobody")
    assert (code, "Red Lion" in told) == (2, True)
    code, _, told = warlog("keys", "create", "x", *lion, "--scope", "fly")
    assert (code, "act_as" in told) == (2, True)


def test_the_contract_is_written_and_compared_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warlog = Shell(monkeypatch, capsys, {"HOME": str(tmp_path)})
    folder = tmp_path / "contract"
    given = ("--folder", str(folder))
    code, _, told = warlog("openapi", "--check", *given)
    assert (code, told.count("out of date")) == (1, 4)
    assert warlog("openapi", *given)[0] == 0
    assert warlog("openapi", "--check", *given)[0] == 0
    assert json.loads((folder / "openapi.json").read_bytes())["openapi"] == "3.1.0"
    (folder / "asyncapi.json").write_text("{}")
    code, _, told = warlog("openapi", "--check", *given)
    assert (code, "asyncapi.json" in told) == (1, True)


def test_a_database_that_is_not_migrated_is_told_on_one_line(
    empty_database: Dsns, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warlog = Shell(monkeypatch, capsys, {"WARLOG_DATABASE_URL": empty_database.admin})
    code, _, told = warlog("tenants", "list")
    assert (code, told.count("\n"), "schema_mismatch" in told) == (3, 1, True)
