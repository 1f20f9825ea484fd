"""The catalogue's worked examples, one by one, on the rules themselves."""

from typing import Any

import pytest

from service.rulesets.seeker_d100 import RULESET
from tests.rulesets.seeker_d100 import examples
from tests.rulesets.seeker_d100.examples import (
    Case,
    Expect,
    Step,
    action_of,
    book,
    cases,
    creation,
    expected,
    seen,
)
from tests.rulesets.table import Given, Refusal, given, opened, tree_of

CASES = [
    pytest.param(case, id=case.id, marks=[pytest.mark.rule(rule) for rule in case.rules])
    for case in cases()
]


FORETOLD = ("mode", "base", "breakdown", "pool")


def require_foretold(told: dict[str, Any], effects: list[dict[str, Any]]) -> None:
    """Whoever is asked and what the attack is made of were foretold exactly."""
    asked = [each["decision"] for each in effects if each["type"] == "decision_opened"]
    named = [(each["combatant"], each["options"]) for each in asked]
    assert [(each["combatant"], each["options"]) for each in told.get("asks", [])] == named
    resolved = [each for each in effects if each["type"] in ("attack_resolved", "area_resolved")]
    for effect in resolved[:1]:
        facts = {name: effect["detail"][name] for name in FORETOLD}
        assert {name: told[name] for name in FORETOLD} == facts


def taken(battle: Given, step: Step) -> Expect:
    """One step, and what is seen of it; its preview must have said the same."""
    action = action_of(step, tree_of(battle.table.state.rule))
    foretold = battle.foretold(action)
    outcome = battle.when(action, dice=step.dice).outcome
    state = tree_of(battle.table.state.rule)
    if isinstance(outcome, Refusal):
        if outcome.code != "impossible_face":
            assert foretold == outcome
        refused = examples.Refusal(code=outcome.code, rule=outcome.rule, params=outcome.params)
        return seen(step.expect, refused=refused, state=state)
    require_foretold(foretold["facts"], outcome)
    return seen(step.expect, effects=outcome, state=state)


@pytest.mark.parametrize("case", CASES)
def test_a_worked_example_comes_out_as_the_catalogue_says(case: Case) -> None:
    stated = creation(case.setup)
    is_prepared = "battle" in case.setup
    battle = given(RULESET, stated) if is_prepared else Given(opened(RULESET, stated))
    assert battle.table.events[-1].draws == (), "a prepared battle starts without dice"
    for step in case.steps:
        assert taken(battle, step) == expected(step.expect)


def test_all_examples_are_here_and_name_rules_of_the_catalogue() -> None:
    rules = {rule.id for rule in RULESET.catalogue.rules}
    named = {rule for example in book().examples for rule in example.rules}
    assert [example.id for example in book().examples] == [
        f"SK-EX-{number:02}" for number in range(1, 41)
    ]
    assert sorted(named - rules) == []


def test_every_case_has_an_id_of_its_own_and_expects_something() -> None:
    names = [case.id for case in cases()]
    assert len(set(names)) == len(names)
    silent = [case.id for case in cases() if all(step.expect == Expect() for step in case.steps)]
    assert silent == []
