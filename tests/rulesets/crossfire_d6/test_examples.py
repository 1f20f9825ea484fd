"""The catalogue's worked examples, one by one, on the rules themselves."""

import pytest

from service.rulesets.crossfire_d6 import RULESET
from tests.rulesets.crossfire_d6 import examples
from tests.rulesets.crossfire_d6.examples import (
    Case,
    Expect,
    Step,
    book,
    cases,
    creation,
    seen,
)
from tests.rulesets.table import Given, Refusal, given, tree_of

CASES = [
    pytest.param(case, id=case.id, marks=[pytest.mark.rule(rule) for rule in case.rules])
    for case in cases()
]


FORETOLD = ("base", "pool", "breakdown", "position", "line", "distance_ft", "attacked_from")


def taken(battle: Given, step: Step) -> Expect:
    """One step, and what is seen of it; its preview must have said the same."""
    foretold = battle.foretold(step.action, by=step.by)
    outcome = battle.when(step.action, by=step.by, dice=step.dice).outcome
    state = tree_of(battle.table.state.rule)
    if isinstance(outcome, Refusal):
        assert foretold == outcome
        refused = examples.Refusal(code=outcome.code, rule=outcome.rule, params=outcome.params)
        return seen(step.expect, refused=refused, state=state)
    if step.expect.attack is not None:
        detail = next(each["detail"] for each in outcome if each["type"] == "attack_resolved")
        told = foretold["facts"]
        assert {n: told[n] for n in FORETOLD if n in told} == {
            n: detail[n] for n in FORETOLD if n in detail
        }
    return seen(step.expect, effects=outcome, state=state)


@pytest.mark.parametrize("case", CASES)
def test_a_worked_example_comes_out_as_the_catalogue_says(case: Case) -> None:
    battle = given(RULESET, creation(case.setup))
    assert battle.table.events[-1].draws == (), "a prepared battle starts without dice"
    for step in case.steps:
        assert taken(battle, step) == step.expect


def test_all_examples_are_here_and_name_rules_of_the_catalogue() -> None:
    rules = {rule.id for rule in RULESET.catalogue.rules}
    named = {rule for example in book().examples for rule in example.rules}
    assert [example.id for example in book().examples] == [
        f"CF-EX-{number:02}" for number in range(1, 36)
    ]
    assert sorted(named - rules) == []


def test_every_case_has_an_id_of_its_own_and_expects_something() -> None:
    names = [case.id for case in cases()]
    assert len(set(names)) == len(names)
    silent = [case.id for case in cases() if all(step.expect == Expect() for step in case.steps)]
    assert silent == []
