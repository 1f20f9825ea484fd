"""The README's calls, run by a shell in the order in which they stand there.

What a reader fills in (ids, codes, cursors) is filled in from the answers. A stream is read until
it has said hello. The clients made from the document are run by `tests/clients`.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.api.serving import CREATION, Caller

README: Final = Path(__file__).parents[2] / "README.md"
SECTION: Final = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
BLOCK: Final = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
FUNCTION: Final = re.compile(r"^\w+\(\) \{")
ELSEWHERE: Final = re.compile(r"warlog (serve|keys create)|^export URL")
"""What starts the service and makes a key: the test has both."""
BATTLE, PLAYERS = "A battle with curl", "Players, phones and live streams"
STRICT: Final = 'set -o pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
CODE: Final = "XXXXX-XXXXX"
CURSOR: Final = "4-0a1b2c3d"
NOTES: Final = 4


def commands(section: str) -> list[str]:
    """The commands of a section, each with its continued lines."""
    found: list[str] = []
    for block in BLOCK.findall(dict(SECTION.findall(README.read_text(encoding="utf-8")))[section]):
        command = ""
        for line in block.splitlines():
            command += f"{line}\n"
            if command.count("'") % 2 == 0 and not line.endswith("\\"):
                found.append(command)
                command = ""
        assert command == ""
    return [each for each in found if not ELSEWHERE.search(each)]


class Shell:
    """Runs commands one after another; what one exports the next ones have."""

    def __init__(self, folder: Path, **names: str) -> None:
        self._folder = folder
        self._names = names
        self._functions = STRICT

    def run(self, command: str) -> str:
        """What a command says, which has to succeed."""
        if FUNCTION.match(command):
            self._functions += command
            return ""
        done = subprocess.run(
            ["bash", "-c", f"{self._functions}{command}\nstatus=$?; env -0 >env; exit $status"],
            cwd=self._folder,
            env={**os.environ, **self._names},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        kept = (self._folder / "env").read_text().rstrip("\0").split("\0")
        self._names |= dict(each.split("=", 1) for each in kept)
        return done.stdout

    def follow(self, command: str) -> None:
        """Read a stream until it said hello."""
        with subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self._folder,
            env={**os.environ, **self._names},
            stdout=subprocess.PIPE,
        ) as curl:
            assert curl.stdout is not None
            try:
                while line := curl.stdout.readline():
                    if line == b"event: hello\n":
                        return
                pytest.fail(f"no hello for {command}")
            finally:
                curl.kill()


class Reader:
    """Somebody who follows the README, and fills in what it leaves open."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.told: dict[str, str] = {}
        self.given: dict[str, str] = {".venv/bin/warlog": f"{sys.executable} -m service"}

    def follow(self, section: str, *, further: tuple[str, ...] = ()) -> None:
        """Run the commands of a section, `further` ones behind that which names the encounter."""
        for command in commands(section):
            self.run(command)
            if command.startswith("export ENCOUNTER"):
                for each in further:
                    self.run(each)

    def run(self, command: str) -> None:
        """Run one of them."""
        filled = command
        for name, value in self.given.items():
            filled = filled.replace(name, value)
        if " -sSN " in command:
            self.shell.follow(filled)
            self.told[command] = ""
            return
        self.told[command] = told = self.shell.run(filled)
        for found in answers(told):
            self.learn(found)

    def learn(self, answer: dict[str, Any]) -> None:
        """Note what later commands need."""
        if "receipt" in answer and "encounter" in answer:
            self.given["export ENCOUNTER=..."] = f"export ENCOUNTER={answer['encounter']}"
        if "code" in answer.get("invitation", {}):
            self.given[CODE] = answer["invitation"]["code"]
        if "etag" in answer and answer["version"] == int(CURSOR[0]):
            self.given[CURSOR] = answer["etag"]


def answers(told: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in what a command said."""
    decoder = json.JSONDecoder()
    while told.startswith("{"):
        answer, end = decoder.raw_decode(told)
        yield answer
        told = told[end:].lstrip()


@pytest.mark.slow
def test_what_the_readme_shows_works(caller: Caller, tmp_path: Path) -> None:
    marked = caller.create({**CREATION, "metadata": {"foundry_id": "8hRvDPnX"}})
    caller.act(marked, {"type": "start_encounter"})
    reader = Reader(
        Shell(tmp_path, URL=caller.url, KEY=str(caller.token), XDG_CONFIG_HOME=str(tmp_path))
    )
    reader.follow(BATTLE)
    lists = [json.loads(told) for command, told in reader.told.items() if "encounters?" in command]
    assert len(lists) == 2
    for listed in lists:
        assert [each["encounter"] for each in listed["encounters"]] == [marked.rpartition("/")[2]]
    [audited] = [told for command, told in reader.told.items() if "/audit" in command]
    assert json.loads(audited)["clean"] is True

    first = reader.given["export ENCOUNTER=..."]
    notes = [f"""act note-{n} '{{"type": "note", "text": "hm"}}'\n""" for n in range(NOTES)]
    reader.follow(PLAYERS, further=tuple(notes))
    assert reader.given["export ENCOUNTER=..."] != first
    [polled] = [told for command, told in reader.told.items() if "wait=30" in command]
    assert json.loads(polled)["events"][0]["seq"] == int(CURSOR[0]) + 1
    [me] = [told for command, told in reader.told.items() if "/v1/me" in command]
    assert json.loads(me)["seat"]["id"] == "anna"


def test_no_call_of_the_readme_is_left_out() -> None:
    text = "".join(BLOCK.findall(README.read_text(encoding="utf-8")))
    run = "".join(each for section in (BATTLE, PLAYERS) for each in commands(section))
    assert text.count("curl ") == run.count("curl ") > 10
