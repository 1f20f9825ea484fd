"""A newcomer who follows the README: its commands in a shell, in order, and the answers it shows.

The test starts the service with the README's own command. It replaces the port and the program's
path, and nothing else. Shown answers are a part of the real ones; see `guide_steps`.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from tests.api.guide_steps import unlike
from tests.conftest import user_of
from tests.house.tree import ROOT
from tests.patience import PATIENCE_SECONDS

README: Final = ROOT / "README.md"
BLOCK: Final = re.compile(r"^```(sh|json)\n(.*?)^```", re.DOTALL | re.MULTILINE)
FUNCTION: Final = re.compile(r"^\w+\(\) \{")
SERVE: Final = re.compile(r"^\.venv/bin/warlog serve\b")
MAKE: Final = re.compile(r"^make (\w+)")
ADDRESS: Final = "http://127.0.0.1:8080"
LINK: Final = re.compile(r"\]\(([^)#]+)(?:#([\w-]+))?\)")
COMMENT: Final = re.compile(r" +#.*\n")
LONGEST: Final = 180
"""Lines of the README."""
DIFFERS: Final = frozenset({"code", "encounter", "face", "link", "outcome"})
"""Members whose value is another one in each battle."""
STRICT: Final = 'set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
PROGRAM: Final = (".venv/bin/warlog", f"{sys.executable} -m service")


class Block(NamedTuple):
    """A block of the README: its language and its text."""

    language: str
    text: str


def blocks() -> list[Block]:
    return [Block(*each) for each in BLOCK.findall(README.read_text(encoding="utf-8"))]


def commands(block: Block) -> list[str]:
    """The commands of a block, each with its continued lines."""
    found: list[str] = []
    command = ""
    for line in block.text.splitlines():
        command += f"{line}\n"
        if command.count("'") % 2 == 0 and not line.endswith("\\"):
            found.append(command)
            command = ""
    assert command == ""
    return found


class Shell:
    """Runs commands one after another; what one exports the next ones have."""

    def __init__(self, folder: Path, **names: str) -> None:
        self._folder = folder
        self._names = {**os.environ, "PYTHONPATH": str(ROOT), **names}
        self._functions = STRICT

    def run(self, command: str) -> str:
        """The output of a command, which has to succeed."""
        if FUNCTION.match(command):
            self._functions += command
            return ""
        done = subprocess.run(
            ["bash", "-c", f"{self._functions}{command.replace(*PROGRAM)}\nenv -0 >env"],
            cwd=self._folder,
            env=self._names,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        kept = (self._folder / "env").read_text().rstrip("\0").split("\0")
        self._names |= dict(each.split("=", 1) for each in kept)
        return done.stdout

    @contextmanager
    def running(self, command: str, url: str) -> Iterator[None]:
        """A command that serves; Ctrl-C has to stop it."""
        line = COMMENT.sub("\n", command).replace(*PROGRAM)
        with subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=self._folder,
            env=self._names,
            stdout=subprocess.DEVNULL,
        ) as process:
            try:
                wait_until_ready(process, url)
                yield
            finally:
                process.send_signal(signal.SIGINT)
            assert process.wait() == 0


def wait_until_ready(process: subprocess.Popen[bytes], url: str) -> None:
    """Wait for a service that a command started."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/health/ready").is_success:
                return
        time.sleep(0.05)
    pytest.fail(f"nothing serves at {url}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def without_what_differs(shown: Any) -> Any:
    """A shown answer without the values that differ from battle to battle."""
    match shown:
        case dict():
            return {
                name: without_what_differs(value)
                for name, value in shown.items()
                if name not in DIFFERS
            }
        case list():
            return [without_what_differs(each) for each in shown]
        case _:
            return shown


def members(shown: Any) -> Iterator[str]:
    """The names of all members in a shown answer."""
    if isinstance(shown, dict):
        yield from shown
    if isinstance(shown, dict | list):
        for each in shown.values() if isinstance(shown, dict) else shown:
            yield from members(each)


@pytest.fixture
async def shell(empty_database: Dsns, tmp_path: Path) -> tuple[Shell, str]:
    """A shell in a folder that has what the commands read, and the address of its service."""
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    (tmp_path / "openapi").symlink_to(ROOT / "openapi")
    port = free_port()
    return (
        Shell(
            tmp_path,
            WARLOG_DATABASE_URL=empty_database.app,
            WARLOG_ERASE_URL=empty_database.eraser,
            WARLOG_DATA_DIR=str(tmp_path / "warlog"),
            WARLOG_PORT=str(port),
            XDG_CONFIG_HOME=str(tmp_path),
        ),
        f"http://127.0.0.1:{port}",
    )


@pytest.mark.slow
def test_every_command_works_and_the_answers_are_those_shown(shell: tuple[Shell, str]) -> None:
    """It costs several CPU seconds: four commands of `warlog` start, as the reader starts them."""
    bash, url = shell
    made, served, *rest = blocks()
    assert [MAKE.match(each) is not None for each in commands(made)] == [True, True]
    [serve] = commands(served)
    assert SERVE.match(serve)
    printed, compared = "", 0
    with bash.running(serve, url):
        for block in rest:
            if block.language == "sh":
                outputs = [bash.run(each.replace(ADDRESS, url)) for each in commands(block)]
                printed = "".join(outputs)
                continue
            shown, answer = json.loads(block.text), json.loads(printed)
            assert list(unlike(answer, without_what_differs(shown), {})) == [], printed
            assert set(members(shown)) <= set(members(answer))
            compared += 1
        check_links(url)
    assert compared == 7
    assert "\nclean\n" in printed, "the last command audits the exported file"


def check_links(url: str) -> None:
    """Every link to the service leads to a page that has the section named."""
    found = [
        (address.removeprefix(ADDRESS), anchor)
        for address, anchor in LINK.findall(README.read_text(encoding="utf-8"))
        if address.startswith(ADDRESS)
    ]
    pages = {address: httpx.get(f"{url}{address}") for address, _ in found}
    assert [address for address, page in pages.items() if page.status_code != 200] == []
    assert [
        (address, anchor)
        for address, anchor in found
        if anchor and f'id="{anchor}"' not in pages[address].text
    ] == []
    assert len(found) > 15


def test_every_link_into_the_project_leads_to_a_file() -> None:
    found = [address for address, _ in LINK.findall(README.read_text(encoding="utf-8"))]
    inside = [each for each in found if not each.startswith("http")]
    assert [each for each in inside if not (ROOT / each).is_file()] == []
    assert len(inside) > 15


def test_no_command_is_outside_the_blocks_that_run() -> None:
    text = README.read_text(encoding="utf-8")
    outside = BLOCK.sub("", text)
    assert "```" not in outside
    assert re.findall(r"\bcurl\b", outside) == []
    assert len(text.splitlines()) <= LONGEST
    used = {name for each in blocks() for name in re.findall(r"post \S+ (\w+)", each.text)}
    assert used == {each.stem for each in (ROOT / "openapi" / "examples").iterdir()}
