"""Nodes of legal actions, and the domains of their parameters."""

import pytest
from msgspec import UNSET, UnsetType

from service.engine.battle.open_decisions import Decision
from service.engine.kit.targets import require_one
from service.engine.ruleset.legal_nodes import (
    DOMAINS,
    VALUES,
    Domain,
    DomainValue,
    answers,
    int_range,
    is_allowed,
    list_of,
    node,
    object_of,
    one_of,
    one_of_points,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import Place
from service.errors import Malformed, Refused
from tests.kit.table import tree_of
from tests.toy.model import Throw, ToyAnswer


def test_a_node_states_its_type_its_parameters_and_a_whole_action() -> None:
    params = {"seq": int_range(1, 9)}
    assert tree_of(node(params, do.EndTurn(combatant="ann"))) == {
        "type": "end_turn",
        "params": {"seq": {"int_range": {"min": 1, "max": 9}}},
        "example": {"type": "end_turn", "combatant": "ann"},
    }


def test_domains_are_optional_only_where_that_is_said() -> None:
    assert tree_of(one_of("ab")) == {"one_of": ["a", "b"]}
    assert tree_of(one_of(())) == {"one_of": []}
    assert tree_of(one_of("a", optional=True)) == {"one_of": ["a"], "optional": True}
    assert tree_of(int_range(0, 0)) == {"int_range": {"min": 0, "max": 0}}
    assert tree_of(int_range(-2, 3, optional=True)) == {
        "int_range": {"min": -2, "max": 3},
        "optional": True,
    }
    assert tree_of(object_of({})) == {"params": {}}
    assert tree_of(object_of({}, optional=True)) == {"params": {}, "optional": True}


def test_points_are_listed_in_their_unit() -> None:
    points = [{"x": 1, "y": -2}]
    assert tree_of(one_of_points([(1, -2)], "cell")) == {"one_of": points, "unit": "cell"}
    assert tree_of(one_of_points([(1, -2)], "cell", optional=True, beyond_ft=30)) == {
        "one_of": points,
        "unit": "cell",
        "beyond_ft": 30,
        "optional": True,
    }


@pytest.mark.parametrize("context", [UNSET, Place(x=0, y=0)])
def test_answers_are_listed_with_their_question(context: Place | UnsetType) -> None:
    options = ("dare", "pass")
    decision = Decision(id="3.1", kind="dare", opened_by=3, options=options, default="pass")
    example = ToyAnswer(decision_id="3.1", choice=PassChoice())
    question = {"id": "3.1", "kind": "dare", "options": [*options], "default": "pass"}
    assert tree_of(answers(["pass"], example, decision, context)) == {
        "type": "answer",
        "params": {
            "decision_id": {"one_of": ["3.1"]},
            "choice": {"params": {"type": {"one_of": ["pass"]}}},
        },
        "example": tree_of(example),
        "decision": question if context is UNSET else {**question, "context": {"x": 0, "y": 0}},
    }


def test_every_form_of_a_domain_is_among_those_that_are_documented() -> None:
    assert set(DOMAINS) == set(Domain.__subclasses__())
    assert set(VALUES) == set(DomainValue.__subclasses__())


def test_a_member_brings_its_parameters_or_stands_alone() -> None:
    assert with_params("knife", {}) == "knife"
    assert tree_of(with_params("knife", {"target": one_of("a")})) == {
        "value": "knife",
        "params": {"target": {"one_of": ["a"]}},
    }


def test_a_list_states_its_values_and_its_length() -> None:
    assert tree_of(list_of(one_of("ab"), 4)) == {"list_of": {"one_of": ["a", "b"]}, "length": 4}


def test_allowed_is_what_is_not_refused() -> None:
    def refuse() -> None:
        raise Refused("not_your_turn")

    def fail() -> None:
        raise Malformed(path="$", allowed="something else")

    assert is_allowed(lambda: None)
    assert is_allowed(lambda: False)
    assert not is_allowed(refuse)
    with pytest.raises(Malformed):
        is_allowed(fail)


@pytest.mark.parametrize(
    "throw", [Throw(combatant="ann"), Throw(combatant="ann", target="ben", cell=Place(x=0, y=0))]
)
def test_an_action_is_aimed_at_one_thing(throw: Throw) -> None:
    require_one(Throw(combatant="ann", target="ben"), "target", "cell")
    require_one(Throw(combatant="ann", cell=Place(x=0, y=0)), "target", "cell")
    with pytest.raises(Malformed) as caught:
        require_one(throw, "target", "cell")
    assert caught.value.params == {"path": "$.target", "allowed": "either target or cell"}
