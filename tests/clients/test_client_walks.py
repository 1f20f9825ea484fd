"""Battles of all rulesets played through the JavaScript client's tree of legal actions alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import Caller
from tests.clients.bodies import creations_shown
from tests.clients.node_client import LIBRARY
from tests.clients.tools import HERE, NODE, succeeded
from tests.encounters.random_actions import RULESETS, battle

pytestmark = pytest.mark.slow

FORMS = {"cells", "disc", "int_range", "one_of", "path", "some_of"}


def walks(caller: Caller, folder: Path, creations: list[Any], steps: int, seed: int) -> list[Any]:
    """What came of each battle; all that was walked to was accepted."""
    assert caller.token is not None
    arguments = (HERE / "client_walks.mjs", LIBRARY, caller.url, caller.token, steps, seed)
    sown = [{**each, "dice": "sealed", "seed": f"{seed:064x}"} for each in creations]
    said = succeeded(NODE, *map(str, arguments), cwd=folder, stdin=json.dumps(sown))
    played = [json.loads(line) for line in said.splitlines()]
    assert [each["ruleset"] for each in played] == [each["ruleset"] for each in creations]
    assert [each["refused"] for each in played] == [[] for _ in creations]
    assert [each["unlike"] for each in played] == [[] for _ in creations]
    return played


def test_whatever_is_walked_to_is_accepted(caller: Caller, tmp_path: Path) -> None:
    for each in walks(caller, tmp_path, creations_shown(), 12, 7):
        assert sum(each["accepted"].values()) > 3
        assert each["head"] == 2 + sum(each["accepted"].values())


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_walks_meet_every_form_of_parameter(caller: Caller, tmp_path: Path, seed: int) -> None:
    brawls = [battle(ruleset, "sealed") for ruleset in RULESETS]
    played = walks(caller, tmp_path, [*creations_shown(), *brawls], 150, seed)
    assert {form for each in played for form in each["forms"]} >= FORMS
