"""Nodes of legal actions, and the domains of their parameters."""

import pytest

from service.engine.kit.targets import require_one
from service.engine.ruleset.legal_nodes import (
    int_range,
    is_allowed,
    list_of,
    node,
    one_of,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import Place
from service.errors import Malformed, Refused
from tests.toy.model import Throw


def test_a_node_states_its_type_its_parameters_and_a_whole_action() -> None:
    params = {"seq": int_range(1, 9)}
    assert node(params, do.EndTurn(combatant="ann")) == {
        "type": "end_turn",
        "params": {"seq": {"int_range": {"min": 1, "max": 9}}},
        "example": {"type": "end_turn", "combatant": "ann"},
    }


def test_domains_are_optional_only_where_that_is_said() -> None:
    assert one_of("ab") == {"one_of": ["a", "b"]}
    assert one_of(()) == {"one_of": []}
    assert one_of("a", optional=True) == {"one_of": ["a"], "optional": True}
    assert int_range(0, 0) == {"int_range": {"min": 0, "max": 0}}
    assert int_range(-2, 3, optional=True) == {"int_range": {"min": -2, "max": 3}, "optional": True}


def test_a_member_brings_its_parameters_or_stands_alone() -> None:
    assert with_params("knife", {}) == "knife"
    assert with_params("knife", {"target": one_of("a")}) == {
        "value": "knife",
        "params": {"target": {"one_of": ["a"]}},
    }


def test_a_list_states_its_values_and_its_length() -> None:
    assert list_of(one_of("ab"), 4) == {"list_of": {"one_of": ["a", "b"]}, "length": 4}


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
