"""What openapi-typescript and openapi-fetch make of the document."""

import json
from pathlib import Path

import pytest

from tests.api.serving import Caller
from tests.clients import tools
from tests.clients.bodies import creations_shown
from tests.clients.tools import succeeded, tool

pytestmark = pytest.mark.slow


def test_everything_documented_compiles_and_what_is_wrong_does_not(typescript: Path) -> None:
    succeeded(*tool("typescript", "bin/tsc"), "-p", typescript, cwd=typescript)


def test_a_battle_of_each_ruleset_is_played_with_it(typescript: Path, caller: Caller) -> None:
    assert caller.token is not None
    said = succeeded(
        tools.NODE, "battle.ts", caller.url, caller.token, cwd=typescript, NODE_NO_WARNINGS="1"
    )
    played = [json.loads(line) for line in said.splitlines()]
    assert [each["ruleset"] for each in played] == [each["ruleset"] for each in creations_shown()]
    for each in played:
        assert {verdict for verdict, many in each["counts"].items() if many} == {"match"}
        assert each["counts"]["match"] > 5
