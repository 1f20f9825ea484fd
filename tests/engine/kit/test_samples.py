"""What is picked from a domain lies in it."""

from hashlib import sha256
from math import isqrt
from typing import Any, Final

import pytest
from msgspec import UNSET, UnsetType

from service.engine.kit.samples import draw_actions, pick_action
from service.engine.ruleset.legal_nodes import (
    FARTHEST,
    CellsDomain,
    DiscBounds,
    DiscDomain,
    Domain,
    DomainCell,
    DomainPoint,
    DomainTarget,
    PathBounds,
    PathDomain,
    PricedCell,
    PricedCellsDomain,
    TriedObjectDomain,
    int_range,
    list_of,
    node,
    object_of,
    one_of,
    one_of_points,
    points,
    some_of,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from tests.toy.model import ToyAnswer
from tests.toy.sides import Activate

END_TURN: Final = do.EndTurn(combatant="a")
DIGEST = sha256(b"the same view").hexdigest()


def drawn_values(domain: Domain, count: int = 300) -> list[Any]:
    """Values of one parameter, None where it was left out."""
    actions = draw_actions((node({"it": domain}, END_TURN),), DIGEST, count)
    assert all(each["type"] == "end_turn" and each["combatant"] == "a" for each in actions)
    return [action.get("it") for action in actions]


def test_nothing_is_picked_of_nothing() -> None:
    assert pick_action((), lambda n: 0) is None
    assert draw_actions((), DIGEST, 5) == ()


def test_the_same_digest_picks_the_same_actions() -> None:
    listed = node({"n": int_range(0, 999)}, END_TURN)
    first = draw_actions((listed,), DIGEST, 20)
    assert draw_actions((listed,), DIGEST, 20) == first
    assert draw_actions((listed,), "00" * 32, 20) != first


def test_an_action_names_its_combatant_if_its_example_does() -> None:
    example = ToyAnswer(decision_id="3.1", choice=PassChoice())
    assert pick_action((node({}, example),), lambda n: 0) == {"type": "answer"}


def test_whole_numbers_come_from_the_whole_range() -> None:
    assert set(drawn_values(int_range(-2, 3))) == set(range(-2, 4))


def test_an_optional_parameter_is_left_out_now_and_then() -> None:
    assert set(drawn_values(one_of(["1", "2"], optional=True))) == {None, "1", "2"}


def test_a_member_brings_its_parameters_beside_it() -> None:
    more = with_params("gun", {"shots": int_range(3, 3)})
    listed = node({"weapon": one_of([more, "knife"])}, END_TURN)
    actions = [dict(each) for each in draw_actions((listed,), DIGEST, 50)]
    mine = {"type": "end_turn", "combatant": "a"}
    assert {**mine, "weapon": "gun", "shots": 3} in actions
    assert {**mine, "weapon": "knife"} in actions
    assert len({str(sorted(each.items(), key=str)) for each in actions}) == 2


def test_an_object_of_parameters_is_filled_in() -> None:
    inner = object_of({"to": one_of_points([(1, 2)], "cell"), "when": one_of(["after"])})
    assert drawn_values(inner, 1) == [{"to": {"x": 1, "y": 2}, "when": "after"}]


def test_a_list_has_its_length_and_each_value_is_picked_freely() -> None:
    a, b = DomainTarget(target="a"), DomainTarget(cell=DomainPoint(1, 2))
    lists = drawn_values(list_of(one_of([a, b]), 2), 50)
    first, second = {"target": "a"}, {"cell": {"x": 1, "y": 2}}
    pairs = ([first, first], [first, second], [second, first], [second, second])
    assert {str(each) for each in lists} == {str(each) for each in pairs}


def test_a_listed_pair_is_picked_whole() -> None:
    assert drawn_values(one_of([("gun", "knife")]), 1) == [["gun", "knife"]]
    assert drawn_values(one_of([True]), 1) == [True]


def test_a_path_is_that_of_its_cell_with_the_parameters_beside_it() -> None:
    walk = points([(1, 0), (2, 0)])
    posed = {"posture": one_of(["open"])}
    cell = DomainCell(x=2, y=0, cost_ft=10, path=walk, params=posed)
    cells = CellsDomain(cells=(cell,), unit="cell", budget_ft=10, metric="equal")
    priced = PricedCellsDomain(
        cells=(PricedCell(x=2, y=0, cost_mp=8, path=walk),), unit="cell", budget_mp=8
    )
    way = {"type": "end_turn", "combatant": "a", "path": [{"x": 1, "y": 0}, {"x": 2, "y": 0}]}
    assert draw_actions((node({"path": cells}, END_TURN),), DIGEST, 1) == (
        {**way, "posture": "open"},
    )
    assert draw_actions((node({"path": priced}, END_TURN),), DIGEST, 1) == (way,)


def disc(x: int, y: int, radius: int | UnsetType = UNSET) -> DiscBounds:
    """Where a point may be."""
    return DiscBounds(x=x, y=y, unit="metre", radius=radius)


def way(budget: int) -> PathBounds:
    """A path from one place."""
    return PathBounds(x=5, y=5, unit="metre", budget=budget, longest=100, metric="legs_rounded_up")


@pytest.mark.parametrize("x", [0, 199_999, -200_000])
def test_points_lie_in_their_disc_and_on_the_ground(x: int) -> None:
    found = drawn_values(DiscDomain(disc=disc(x, 7, 3)))
    assert all((each["x"] - x) ** 2 + (each["y"] - 7) ** 2 <= 9 for each in found)
    assert max(abs(each["x"]) for each in found) <= FARTHEST
    assert len({(each["x"], each["y"]) for each in found}) > 10


def test_points_anywhere_are_points() -> None:
    found = drawn_values(DiscDomain(disc=disc(0, 0)))
    assert len({(each["x"], each["y"]) for each in found}) > 100


def test_paths_keep_to_their_budget() -> None:
    for path in drawn_values(PathDomain(path=way(10))):
        here, left = (5, 5), 10
        for point in path:
            squared = (point["x"] - here[0]) ** 2 + (point["y"] - here[1]) ** 2
            left -= isqrt(squared - 1) + 1 if squared else 0
            here = (point["x"], point["y"])
        assert left >= 0


def test_several_are_picked_once_each_and_in_their_order_as_many_as_allowed() -> None:
    picked = drawn_values(some_of("abcd", 2, 3))
    assert {len(each) for each in picked} == {2, 3}
    assert all(each == sorted(set(each)) for each in picked)
    assert {name for each in picked for name in each} == {"a", "b", "c", "d"}
    assert drawn_values(some_of("a", 1, 1), 3) == [["a"]] * 3


def test_where_accepted_values_are_listed_no_other_is_picked() -> None:
    accepted = points([(3, 0), (0, 3)])
    spots, ways = [{"x": 3, "y": 0}, {"x": 0, "y": 3}], tuple((each,) for each in accepted)
    picked = [
        drawn_values(DiscDomain(disc=disc(0, 0, 9), accepted=accepted)),
        drawn_values(TriedObjectDomain(params={"x": int_range(0, 9)}, accepted=accepted)),
        [each for [each] in drawn_values(PathDomain(path=way(9), accepted=ways))],
    ]
    assert all(each in spots for values in picked for each in values)
    assert all(spot in values for values in picked for spot in spots)


@pytest.mark.parametrize(
    ("whose", "example"),
    [
        ("combatant", END_TURN),
        ("unit", Activate(unit="a")),
        ("side", do.EndSideTurn(side="a")),
    ],
)
def test_whose_action_it_is_stands_in_the_example(whose: str, example: do.Action) -> None:
    kind = str(example.__struct_config__.tag)
    assert draw_actions((node({}, example),), DIGEST, 1) == ({"type": kind, whose: "a"},)
    chosen = node({whose: one_of("b")}, example)
    assert draw_actions((chosen,), DIGEST, 1) == ({"type": kind, whose: "b"},)
