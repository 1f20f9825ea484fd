"""What openapi-python-client makes of the document."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.api.serving import Caller
from tests.clients import tools
from tests.clients.bodies import creations_shown
from tests.clients.tools import succeeded

pytestmark = [pytest.mark.slow, pytest.mark.soak]


MYPY = """
[mypy]
disallow_untyped_defs = True
disallow_incomplete_defs = True
warn_unreachable = True

[mypy-warlog_client.client]
ignore_errors = True
"""
"""`client.py` is the same for every document, and what mypy finds in it is the generator's."""


def test_the_generated_client_and_its_use_pass_the_type_checker(
    python: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "mypy.ini"
    settings.write_text(MYPY)
    succeeded(
        *(sys.executable, "-m", "mypy", "--config-file", settings),
        f"--cache-dir={os.devnull}",
        *("-p", "warlog_client", "-m", "battle"),
        cwd=python,
        MYPYPATH=os.pathsep.join(map(str, (python, tools.HERE))),
    )


def test_every_call_of_the_document_is_in_the_client(python: Path) -> None:
    document = json.loads(tools.DOCUMENT.read_bytes())
    called = {path.stem for path in (python / "warlog_client" / "api").glob("*/*.py")}
    # The generator knows neither streams nor bodies of lines.
    streamed = {"stream", "stream_many", "socket", "audit_bundle"}
    named = {
        operation["operationId"]
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    assert named - streamed <= called


def test_a_battle_of_each_ruleset_is_played_with_it(
    python: Path, caller: Caller, tmp_path: Path
) -> None:
    assert caller.token is not None
    (tmp_path / "creations.json").write_text(json.dumps(creations_shown()), encoding="utf-8")
    said = succeeded(
        *(sys.executable, tools.HERE / "battle.py", caller.url, caller.token),
        tmp_path / "creations.json",
        cwd=python,
        PYTHONPATH=str(python),
    )
    played = [json.loads(line) for line in said.splitlines()]
    assert [each["ruleset"] for each in played] == [each["ruleset"] for each in creations_shown()]
    for each in played:
        assert {verdict for verdict, many in each["counts"].items() if many} == {"match"}
        assert each["counts"]["match"] > 5


def test_an_effect_of_a_later_release_makes_it_refuse_the_event(python: Path) -> None:
    """`openapi/README.md`, "A client from the document", says so and what to do about it."""
    event = {
        "seq": 2,
        "base": 1,
        "encounter": "0192f0c1-7a5e-7000-8000-000000000001",
        "at": "2026-11-30T10:00:00.000Z",
        "by": {"kind": "key", "id": "key-1", "role": "gm"},
        "draws": [],
        "effects": [{"type": "transmuted"}],
        "sealed": [],
        "prev": "0" * 64,
    }
    reading = (
        "import json, sys\n"
        "from warlog_client.models.squad_d100_event import SquadD100Event\n"
        "try:\n"
        "    print(SquadD100Event.from_dict(json.loads(sys.argv[1])))\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    said = succeeded(sys.executable, "-c", reading, json.dumps(event), cwd=python)
    assert re.fullmatch(r"type must match const '[a-z_]+', got 'transmuted'\n", said), said
