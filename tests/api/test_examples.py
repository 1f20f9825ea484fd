"""The catalogue's worked examples once more, over HTTP, from the same data."""

from typing import Any

import httpx
import pytest

from service.rulesets.crossfire_d6 import RULESET
from tests.api.serving import START, Caller
from tests.rulesets.crossfire_d6.examples import (
    Case,
    Expect,
    Step,
    cases,
    creation,
    refusal_seen,
    seen,
)

CASES = [
    pytest.param(case, id=case.id, marks=[pytest.mark.rule(rule) for rule in case.rules])
    for case in cases()
]


def posted(caller: Caller, encounter: str, step: Step) -> httpx.Response:
    """The answer to a step's action."""
    body = {"action": step.action} | ({"dice": step.dice} if step.dice else {})
    if step.by == "gm":
        return caller.post(f"{encounter}/actions", body)
    with caller.seated(step.by) as seat:
        return seat.post(f"{encounter}/actions", body)


def taken(caller: Caller, encounter: str, step: Step) -> Expect:
    """One step, and what is seen of it in the answers; a refused one must leave no trace."""
    before = caller.head(encounter)
    answer = posted(caller, encounter, step)
    state = caller.get(encounter).json()["state"]
    told: dict[str, Any] = answer.json()
    if answer.status_code == 201:
        return seen(step.expect, effects=told["events"][0]["event"]["effects"], state=state)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert caller.head(encounter) == before
    params = told["params"] | ({"allowed": told["allowed"]} if "allowed" in told else {})
    refused = refusal_seen(step.expect, told["code"], told.get("rule"), params)
    return seen(step.expect, refused=refused, state=state)


@pytest.mark.parametrize("case", CASES)
def test_a_worked_example_comes_out_over_http_as_the_catalogue_says(
    caller: Caller, case: Case
) -> None:
    encounter = caller.create({"ruleset": RULESET.slug, **creation(case.setup)})
    started = caller.act(encounter, START)
    assert started["events"][0]["event"]["draws"] == [], "a prepared battle starts without dice"
    for step in case.steps:
        assert taken(caller, encounter, step) == step.expect
    audited = caller.get(f"{encounter}/audit").json()
    assert (audited["clean"], audited["counts"]) == (True, {"match": audited["head"]})
