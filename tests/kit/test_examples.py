"""The catalogues' worked examples, one by one, on the rules themselves."""

import pytest
from msgspec import Struct

from tests.kit.examples import Case, RefusalData, Step
from tests.kit.given_when_then import Given, Refusal, given, opened
from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG
from tests.kit.table import tree_of

CASES = [
    pytest.param(
        rig, case, id=f"{rig} {case.id}", marks=[pytest.mark.rule(rule) for rule in case.rules]
    )
    for rig in EVERY_RIG
    for case in rig.examples.cases
]
EACH = pytest.mark.parametrize("rig", EVERY_RIG, ids=repr)


def taken(rig: Rig, battle: Given, step: Step) -> Struct:
    """One step, and what is seen of it; its preview must have said the same."""
    action = step.action_in(tree_of(battle.table.state.rule))
    foreseen = battle.foretold(action, by=step.by)
    outcome = battle.when(action, by=step.by, dice=step.dice).outcome
    state = tree_of(battle.table.state.rule)
    if isinstance(outcome, Refusal):
        if outcome.code != "impossible_face":
            assert foreseen == outcome
        refusal = RefusalData(code=outcome.code, rule=outcome.rule, params=outcome.params)
        return rig.examples.seen(step.expect, [], refusal, state)
    rig.require_foreseen(foreseen, action, outcome)
    return rig.examples.seen(step.expect, outcome, None, state)


@pytest.mark.parametrize(("rig", "case"), CASES)
def test_a_worked_example_comes_out_as_the_catalogue_says(rig: Rig, case: Case) -> None:
    creation = rig.examples.creation(case.setup)
    is_running = case.is_prepared
    battle = given(rig.ruleset, creation) if is_running else Given(opened(rig.ruleset, creation))
    assert battle.table.events[-1].draws == (), "a prepared battle starts without dice"
    for step in case.steps:
        assert taken(rig, battle, step) == rig.examples.written_out(step.expect)


@EACH
def test_all_examples_are_here_and_name_rules_of_the_catalogue(rig: Rig) -> None:
    rules = {rule.id for rule in rig.ruleset.catalogue.rules}
    examples = rig.examples.book.examples
    assert tuple(example.id for example in examples) == rig.examples.ids
    assert sorted({rule for example in examples for rule in example.rules} - rules) == []


@EACH
def test_every_case_has_an_id_of_its_own_and_expects_something(rig: Rig) -> None:
    names = [case.id for case in rig.examples.cases]
    assert len(set(names)) == len(names)
    nothing = rig.examples.expect()
    silent = [
        case.id for case in rig.examples.cases if all(step.expect == nothing for step in case.steps)
    ]
    assert silent == []
