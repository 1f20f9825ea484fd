"""The answers that a preview takes as given: judged as they would be, refused in both languages."""

from typing import Any

import pytest

from tests.api.examples import EXAMPLES
from tests.api.serving import Caller, problem

SHOT = {"type": "attack", "combatant": "seeker", "weapon": "w_revolver", "target": "cultist"}
BEHIND = {"type": "take_cover", "cover": "crate", "to": {"x": 8, "y": -2}}


@pytest.fixture
def cellar(caller: Caller) -> str:
    """The battle of the published example, begun."""
    [created] = [e for e in EXAMPLES["create_encounter"] if e.name == "seeker_d100"]
    encounter = caller.create(created.value)
    caller.act(encounter, {"type": "start_encounter"})
    return encounter


def foreseen(caller: Caller, encounter: str, *answers: Any, **headers: str) -> Any:
    body = {"action": SHOT, "answers": list(answers)}
    return caller.post(f"{encounter}/preview", body, **headers)


def given(combatant: str, choice: Any) -> dict[str, Any]:
    return {"combatant": combatant, "choice": choice}


def test_an_answer_is_taken_as_given(caller: Caller, cellar: str) -> None:
    declined, dived = foreseen(caller, cellar), foreseen(caller, cellar, given("cultist", BEHIND))
    assert (declined.status_code, dived.status_code) == (200, 200)
    assert declined.json()["opens"] == dived.json()["opens"] == ["reaction"]
    kinds = [each.json()["facts"]["victims"][0]["answer"]["kind"] for each in (declined, dived)]
    assert kinds == ["pass", "take_cover"]


@pytest.mark.parametrize(
    ("answers", "where"),
    [
        ([given("cultist", BEHIND), given("cultist", BEHIND)], "$.answers[1].combatant"),
        ([given("cultist", {"type": "hide"})], "$.answers[0].choice.type"),
        ([given("cultist", {**BEHIND, "to": {"x": 8}})], "$.answers[0].choice.to"),
        ([given("cult ist", BEHIND)], "$.answers[0].combatant"),
        ([{"combatant": "cultist"}], "$.answers[0]"),
        ({}, "$.answers"),
    ],
)
def test_malformed_answers_are_told_by_their_place(
    caller: Caller, cellar: str, answers: Any, where: str
) -> None:
    answer = caller.post(f"{cellar}/preview", {"action": SHOT, "answers": answers})
    assert answer.status_code == 400
    assert problem(answer)["params"]["path"] == where


def test_whoever_is_not_asked_has_no_answer(caller: Caller, cellar: str) -> None:
    answer = foreseen(caller, cellar, given("seeker", {"type": "dodge"}))
    told = problem(answer)
    assert (answer.status_code, told["code"]) == (422, "not_asked")
    assert told["detail"] == "This action would ask nothing of The seeker."
    assert told["allowed"] == ["cultist"]
    russian = foreseen(
        caller, cellar, given("seeker", {"type": "dodge"}), **{"Accept-Language": "ru"}
    )
    assert problem(russian)["detail"].startswith("При этом действии бойца The seeker ")


def test_an_impossible_answer_is_refused_by_its_rule(caller: Caller, cellar: str) -> None:
    told = problem(foreseen(caller, cellar, given("cultist", {"type": "dodge"})))
    assert (told["code"], told["rule"]) == ("reaction_not_possible", "SK-DODGE-3")


def test_nobody_is_asked_where_the_rules_ask_nobody(caller: Caller) -> None:
    encounter = caller.started()
    action = {"type": "end_turn", "combatant": "hunter"}
    answers = [given("hunter", {"type": "pass"})]
    answer = caller.post(f"{encounter}/preview", {"action": action, "answers": answers})
    assert problem(answer)["code"] == "not_asked"
