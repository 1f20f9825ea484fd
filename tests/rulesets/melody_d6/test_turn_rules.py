"""Initiative, rounds, activations and what each warrior may do once; the end of a battle."""

import pytest

from service.errors import Refused
from service.rulesets.melody_d6.rules.points import points_at_turn_start
from service.rulesets.melody_d6.rules.turns import (
    Spending,
    following_side,
    higher_of,
    require_fresh,
    require_unspent,
)
from service.rulesets.melody_d6.rules.victory import BattleEnd, Strength, battle_end, is_last_turn


@pytest.mark.rule("ML-TURN-1")
@pytest.mark.parametrize(
    ("first", "second", "place"), [(4, 4, None), (2, 5, 1), (5, 2, 0), (5, 4, 0), (4, 5, 1)]
)
def test_the_higher_die_goes_first_and_a_tie_is_rolled_again(
    first: int, second: int, place: int | None
) -> None:
    assert higher_of(first, second) == place


@pytest.mark.rule("ML-TURN-2")
@pytest.mark.parametrize(
    ("order", "side", "following"),
    [
        (("a", "b"), "a", ("b", False)),
        (("a", "b"), "b", ("a", True)),
        (("b", "a"), "a", ("b", True)),
        (("b", "a"), "b", ("a", False)),
    ],
)
def test_a_round_is_one_turn_of_each_side_in_the_order_of_initiative(
    order: tuple[str, ...], side: str, following: tuple[str, bool]
) -> None:
    assert following_side(order, side) == following


@pytest.mark.rule("ML-TURN-3")
def test_a_unit_is_activated_once_in_a_turn() -> None:
    require_fresh("a1", ())
    require_fresh("a1", ("a2",))
    with pytest.raises(Refused) as refused:
        require_fresh("a1", ("a2", "a1"))
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "unit_already_activated",
        "ML-TURN-3",
        {"unit": "a1"},
    )


@pytest.mark.rule("ML-TURN-4")
@pytest.mark.parametrize(
    ("spending", "code"), [("movement", "already_moved"), ("action", "action_spent")]
)
def test_a_warrior_moves_once_and_acts_once(spending: Spending, code: str) -> None:
    require_unspent("w", spending, is_spent=False)
    with pytest.raises(Refused) as refused:
        require_unspent("w", spending, is_spent=True)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        code,
        "ML-TURN-4",
        {"combatant": "w"},
    )


@pytest.mark.rule("ML-FP-1")
@pytest.mark.parametrize("each_turn", [0, 3, 20])
def test_points_do_not_add_up(each_turn: int) -> None:
    assert points_at_turn_start(each_turn) == each_turn


DRAW = BattleEnd(winner=None)


@pytest.mark.rule("ML-TURN-6")
@pytest.mark.parametrize(
    ("a", "b", "is_over", "end"),
    [
        ((1, 0), (1, 1), False, None),
        ((1, 1), (0, 0), False, BattleEnd(winner="a")),
        ((0, 0), (3, 0), False, BattleEnd(winner="b")),
        ((0, 0), (0, 0), False, DRAW),
        ((3, 3), (3, 2), True, BattleEnd(winner="a")),
        ((3, 2), (2, 2), True, DRAW),
        ((3, 3), (3, 3), True, DRAW),
        ((5, 1), (2, 2), True, BattleEnd(winner="b")),
        ((5, 0), (2, 0), True, DRAW),
        ((1, 0), (0, 0), True, BattleEnd(winner="a")),
    ],
)
def test_a_battle_ends_with_a_side_or_with_the_last_turn(
    a: tuple[int, int], b: tuple[int, int], is_over: bool, end: BattleEnd | None
) -> None:
    strengths = {"a": Strength(*a), "b": Strength(*b)}
    assert battle_end(strengths, is_last_turn_over=is_over) == end


@pytest.mark.parametrize(
    ("turn_round", "limit", "is_last_of_round", "is_last"),
    [
        (1, 1, True, True),
        (1, 1, False, False),
        (1, 2, True, False),
        (2, 2, True, True),
        (3, 2, True, True),
        (9, None, True, False),
    ],
)
def test_the_last_turn_is_the_second_one_of_the_last_round(
    turn_round: int, limit: int | None, is_last_of_round: bool, is_last: bool
) -> None:
    assert is_last_turn(turn_round, limit, is_last_of_round=is_last_of_round) == is_last
