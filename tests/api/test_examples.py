"""The catalogues' worked examples once more, over HTTP, from the same data."""

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from service.rulesets import crossfire_d6, seeker_d100
from tests.api.serving import START, Caller, problem
from tests.rulesets.crossfire_d6 import examples as crossfire
from tests.rulesets.seeker_d100 import examples as seeker

Tree = dict[str, Any]
CROSSFIRE = [
    pytest.param(case, id=case.id, marks=[pytest.mark.rule(rule) for rule in case.rules])
    for case in crossfire.cases()
]
SEEKER = [
    pytest.param(case, id=case.id, marks=[pytest.mark.rule(rule) for rule in case.rules])
    for case in seeker.cases()
]


def begun(caller: Caller, ruleset: str, stated: Tree) -> str:
    """A new encounter, running if it is prepared; its address."""
    encounter = caller.create({"ruleset": ruleset, **stated})
    if "battle" in stated["setup"]:
        started = caller.act(encounter, START)
        assert started["events"][0]["event"]["draws"] == [], "a prepared battle starts without dice"
    return encounter


def posted(
    caller: Caller, encounter: str, action: Mapping[str, object], dice: tuple[int, ...], by: str
) -> httpx.Response:
    """The answer to an action by the game master (`gm`) or a seat."""
    body = {"action": action} | ({"dice": dice} if dice else {})
    if by == "gm":
        return caller.post(f"{encounter}/actions", body)
    with caller.seated(by) as seat:
        return seat.post(f"{encounter}/actions", body)


def told(
    caller: Caller,
    encounter: str,
    action: Mapping[str, object],
    dice: tuple[int, ...],
    by: str = "gm",
) -> tuple[list[Tree], Tree, Tree]:
    """Effects, problem (one of them empty) and state after it; a refused one leaves no trace.

    The effects are all that whoever asked may know of the event, parts included.
    """
    before = caller.head(encounter)
    answer = posted(caller, encounter, action, dice, by)
    state = caller.get(encounter).json()["state"]
    if answer.status_code == 201:
        [record] = answer.json()["events"]
        return record.get("seen", record["event"])["effects"], {}, state
    assert caller.head(encounter) == before
    return [], problem(answer), state


def params_of(refusal: Tree) -> Tree:
    """The facts of a refusal as the rules raise them: its place is within the action."""
    allowed = {"allowed": refusal["allowed"]} if "allowed" in refusal else {}
    params: Tree = refusal["params"] | allowed
    if "path" not in params:
        return params
    assert params["path"].startswith("$.action.")
    return params | {"path": params["path"].replace("$.action", "$", 1)}


def require_clean(caller: Caller, encounter: str) -> None:
    """Every event was decided by the rules, and overruled by nobody."""
    audited = caller.get(f"{encounter}/audit").json()
    assert audited["clean"]
    assert set(audited["counts"]) <= {"match", "override"}
    assert sum(audited["counts"].values()) == audited["head"]


@pytest.mark.parametrize("case", CROSSFIRE)
def test_a_worked_example_of_crossfire_comes_out_over_http_as_the_catalogue_says(
    caller: Caller, case: crossfire.Case
) -> None:
    encounter = begun(caller, crossfire_d6.RULESET.slug, crossfire.creation(case.setup))
    for step in case.steps:
        effects, refusal, state = told(caller, encounter, step.action, step.dice, step.by)
        refused = None
        if refusal:
            refused = crossfire.Refusal(
                code=refusal["code"], rule=refusal.get("rule"), params=params_of(refusal)
            )
        outcome = crossfire.seen(step.expect, effects=effects, refused=refused, state=state)
        assert outcome == step.expect
    require_clean(caller, encounter)


@pytest.mark.parametrize("case", SEEKER)
def test_a_worked_example_of_seeker_comes_out_over_http_as_the_catalogue_says(
    caller: Caller, case: seeker.Case
) -> None:
    encounter = begun(caller, seeker_d100.RULESET.slug, seeker.creation(case.setup))
    for step in case.steps:
        action = seeker.action_of(step, caller.get(encounter).json()["state"])
        effects, refusal, state = told(caller, encounter, action, step.dice)
        refused = None
        if refusal:
            refused = seeker.Refusal(
                code=refusal["code"], rule=refusal.get("rule"), params=params_of(refusal)
            )
        outcome = seeker.seen(step.expect, effects=effects, refused=refused, state=state)
        assert outcome == seeker.expected(step.expect)
    require_clean(caller, encounter)
