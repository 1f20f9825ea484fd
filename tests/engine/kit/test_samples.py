"""What is picked from a domain lies in it."""

from hashlib import sha256
from math import isqrt
from typing import Any

import pytest

from service.engine.kit.samples import draw_actions, pick_action
from service.engine.ruleset.legal_nodes import FARTHEST

DIGEST = sha256(b"the same view").hexdigest()


def drawn_values(domain: dict[str, Any], count: int = 300) -> list[Any]:
    """Values of one parameter, None where it was left out."""
    node = {"type": "act", "params": {"it": domain}, "example": {"combatant": "a"}}
    actions = draw_actions((node,), DIGEST, count)
    assert all(action["type"] == "act" and action["combatant"] == "a" for action in actions)
    return [action.get("it") for action in actions]


def test_nothing_is_picked_of_nothing() -> None:
    assert pick_action((), lambda n: 0) is None
    assert draw_actions((), DIGEST, 5) == ()


def test_the_same_digest_picks_the_same_actions() -> None:
    node = {"type": "act", "params": {"n": {"int_range": {"min": 0, "max": 999}}}, "example": {}}
    first = draw_actions((node,), DIGEST, 20)
    assert draw_actions((node,), DIGEST, 20) == first
    assert draw_actions((node,), "00" * 32, 20) != first


def test_an_action_names_its_combatant_if_its_example_does() -> None:
    assert pick_action(({"type": "answer", "params": {}, "example": {}},), lambda n: 0) == {
        "type": "answer"
    }


def test_whole_numbers_come_from_the_whole_range() -> None:
    assert set(drawn_values({"int_range": {"min": -2, "max": 3}})) == set(range(-2, 4))


def test_an_optional_parameter_is_left_out_now_and_then() -> None:
    assert set(drawn_values({"one_of": [1, 2], "optional": True})) == {None, 1, 2}


def test_a_member_brings_its_parameters_beside_it() -> None:
    more = {"value": "gun", "params": {"shots": {"one_of": [3]}}}
    node = {"type": "act", "params": {"weapon": {"one_of": [more, "knife"]}}, "example": {}}
    actions = [dict(each) for each in draw_actions((node,), DIGEST, 50)]
    assert {"type": "act", "weapon": "gun", "shots": 3} in actions
    assert {"type": "act", "weapon": "knife"} in actions
    assert len({str(sorted(each.items(), key=str)) for each in actions}) == 2


def test_an_object_of_parameters_is_filled_in() -> None:
    inner = {"params": {"to": {"one_of": [{"x": 1, "y": 2}]}, "when": {"one_of": ["after"]}}}
    assert drawn_values(inner, 1) == [{"to": {"x": 1, "y": 2}, "when": "after"}]


def test_a_list_has_its_length_and_each_value_is_picked_freely() -> None:
    domain = {"list_of": {"one_of": [{"target": "a"}, {"target": "b"}]}, "length": 2}
    lists = drawn_values(domain, 50)
    a, b = {"target": "a"}, {"target": "b"}
    assert {str(each) for each in lists} == {str(each) for each in ([a, a], [a, b], [b, a], [b, b])}


@pytest.mark.parametrize("x", [0, 199_999, -200_000])
def test_points_lie_in_their_disc_and_on_the_ground(x: int) -> None:
    points = drawn_values({"disc": {"x": x, "y": 7, "radius": 3}})
    assert all((each["x"] - x) ** 2 + (each["y"] - 7) ** 2 <= 9 for each in points)
    assert max(abs(each["x"]) for each in points) <= FARTHEST
    assert len({(each["x"], each["y"]) for each in points}) > 10


def test_points_anywhere_are_points() -> None:
    points = drawn_values({"disc": {"x": 0, "y": 0}})
    assert len({(each["x"], each["y"]) for each in points}) > 100


def test_paths_keep_to_their_budget() -> None:
    path = {"x": 5, "y": 5, "budget": 10, "longest": 100, "metric": "legs_rounded_up"}
    for way in drawn_values({"path": path}):
        here, left = (5, 5), 10
        for point in way:
            squared = (point["x"] - here[0]) ** 2 + (point["y"] - here[1]) ** 2
            left -= isqrt(squared - 1) + 1 if squared else 0
            here = (point["x"], point["y"])
        assert left >= 0


def test_several_are_picked_once_each_and_in_their_order_as_many_as_allowed() -> None:
    picked = drawn_values({"some_of": ["a", "b", "c", "d"], "min": 2, "max": 3})
    assert {len(each) for each in picked} == {2, 3}
    assert all(each == sorted(set(each)) for each in picked)
    assert {name for each in picked for name in each} == {"a", "b", "c", "d"}
    assert drawn_values({"some_of": ["a"], "min": 1, "max": 1}, 3) == [["a"]] * 3


@pytest.mark.parametrize("form", ["disc", "path"])
def test_where_accepted_values_are_listed_no_other_is_picked(form: str) -> None:
    bounds = {"x": 0, "y": 0, "radius": 9, "budget": 9, "longest": 2}
    accepted = [{"x": 3, "y": 0}, {"x": 0, "y": 3}]
    picked = drawn_values({form: bounds, "accepted": accepted})
    assert {(each["x"], each["y"]) for each in picked} == {(3, 0), (0, 3)}


@pytest.mark.parametrize("whose", ["combatant", "unit", "side"])
def test_whose_action_it_is_stands_in_the_example(whose: str) -> None:
    node = {"type": "act", "params": {}, "example": {"type": "act", whose: "a", "more": 1}}
    assert draw_actions((node,), DIGEST, 1) == ({"type": "act", whose: "a"},)
    chosen = {"type": "act", "params": {whose: {"one_of": ["b"]}}, "example": {whose: "a"}}
    assert draw_actions((chosen,), DIGEST, 1) == ({"type": "act", whose: "b"},)
