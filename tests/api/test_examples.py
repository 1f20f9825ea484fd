"""The catalogues' worked examples once more, over HTTP, from the same data.

A case runs if it is the first of its version with a type of action or choice and its outcome: done,
or the code of the refusal. All others run in the soak; `tests/kit` plays every case in process. Of
a later version only the cases are taken that differ from the version before.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from tests.api.serving import START, Caller, problem
from tests.kit.examples import Case, RefusalData
from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG

Tree = dict[str, Any]
Outcome = tuple[str, str]
"""The type of an action or choice, and what comes of it."""


def outcomes_of(case: Case) -> set[Outcome]:
    """What the steps of a case ask for and lead to."""
    asked = [step.action if step.answer is None else step.answer[1] for step in case.steps]
    refusals = [step.expect.refused for step in case.steps]
    return {
        (str(action["type"]), "done" if refused is None else refused.code)
        for action, refused in zip(asked, refusals, strict=True)
    }


def cases() -> Iterator[Any]:
    """Each case of each version, marked with its rules and, unless it adds an outcome, as soak."""
    for rig in EVERY_RIG:
        covered: set[Outcome] = set()
        for case in rig.examples.own_cases:
            marks = [pytest.mark.rule(rule) for rule in case.rules]
            if outcomes_of(case) <= covered:
                marks.append(pytest.mark.soak)
            covered |= outcomes_of(case)
            yield pytest.param(rig, case, id=f"{rig} {case.id}", marks=marks)


def begun(caller: Caller, rig: Rig, stated: Tree) -> str:
    """A new encounter, running if it is prepared; its address."""
    named = {"ruleset": rig.ruleset.slug, "version": rig.ruleset.version}
    encounter = caller.create({**named, **stated})
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
    by: str,
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


@pytest.mark.parametrize(("rig", "case"), list(cases()))
def test_a_worked_example_comes_out_over_http_as_the_catalogue_says(
    caller: Caller, rig: Rig, case: Case
) -> None:
    examples = rig.examples
    encounter = begun(caller, rig, examples.creation(case.setup))
    for step in case.steps:
        action = step.action_in(caller.get(encounter).json()["state"])
        effects, problem, state = told(caller, encounter, action, step.dice, step.by)
        refusal = None
        if problem:
            params = params_of(problem)
            refusal = RefusalData(code=problem["code"], rule=problem.get("rule"), params=params)
        outcome = examples.seen(step.expect, effects, refusal, state)
        assert outcome == examples.written_out(step.expect)
    require_clean(caller, encounter)
