"""CF-PIN: suppression over the turns."""

import pytest
from msgspec import UNSET

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.points import Cell
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.suppression import (
    MOST_TURNS,
    AfterTurn,
    PinOptions,
    Streak,
    after_resistance,
    displacement_ft,
    hidden_from,
    is_hidden,
    live_suppression,
    require_suppression,
    returned_streak,
    suppression_after_turn,
    suppression_modifier,
)

DEFAULTS = PinOptions()
HOME: Cell = (0, 0)


def streak(count: int, origin: Cell = HOME) -> Streak:
    return Streak(origin=origin, count=count)


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
def test_each_turn_counted_gives_every_enemy_a_die_without_a_cap(count: int) -> None:
    dice = live_suppression(streak(count), HOME, 0, 0, DEFAULTS)
    assert dice == count


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.parametrize(
    ("count", "hidden", "resistance", "cap", "dice", "facts"),
    [
        (0, 0, 0, None, 0, {}),
        (6, 0, 0, None, 6, {"count": 6}),
        (6, 3, 0, None, 3, {"count": 6, "offset": 3}),
        (6, 0, 1, None, 5, {"count": 6, "resistance": 1}),
        (6, 3, 1, None, 2, {"count": 6, "offset": 3, "resistance": 1}),
        (6, 3, 1, 2, 2, {"count": 6, "offset": 3, "resistance": 1}),
        (6, 3, 1, 1, 1, {"count": 6, "offset": 3, "resistance": 1, "cap": 1}),
        (6, 0, 0, 4, 4, {"count": 6, "cap": 4}),
        (6, 4, 2, None, 0, {}),
        (6, 0, 0, 0, 0, {}),
    ],
)
def test_the_line_says_what_took_dice_away(
    count: int, hidden: int, resistance: int, cap: int | None, dice: int, facts: dict[str, int]
) -> None:
    options = PinOptions(cap=cap)
    named = {"offset": "CF-PIN-6", "resistance": "CF-PIN-5"}
    rules = tuple(rule for fact, rule in named.items() if fact in facts) or UNSET
    line = Modifier(rule="CF-PIN-1", amount=dice, facts=facts, rules=rules) if dice else None
    assert suppression_modifier(streak(count), HOME, hidden, resistance, options) == line
    assert suppression_modifier(streak(count), (2, 0), hidden, resistance, options) is None


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.parametrize(("cap", "dice"), [(None, 5), (6, 5), (5, 5), (4, 4), (0, 0)])
def test_a_cap_limits_the_dice(cap: int | None, dice: int) -> None:
    assert live_suppression(streak(5), HOME, 0, 0, PinOptions(cap=cap)) == dice


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.rule("CF-PIN-3")
@pytest.mark.parametrize(
    ("present", "dice"), [((0, 0), 2), ((1, 0), 2), ((1, 1), 2), ((2, 0), 0), ((0, -3), 0)]
)
def test_the_dice_are_gone_while_one_is_ten_feet_away(present: Cell, dice: int) -> None:
    assert live_suppression(streak(2), present, 0, 0, DEFAULTS) == dice


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.rule("CF-PIN-5")
@pytest.mark.parametrize(
    ("count", "hidden", "resistance", "dice"),
    [(1, 0, 1, 0), (2, 0, 1, 1), (4, 3, 0, 1), (3, 3, 0, 0), (4, 3, 1, 0), (2, 3, 0, 0)],
)
def test_hiding_and_resistance_take_dice_away_but_not_below_none(
    count: int, hidden: int, resistance: int, dice: int
) -> None:
    assert live_suppression(streak(count), HOME, hidden, resistance, DEFAULTS) == dice


@pytest.mark.rule("CF-PIN-5")
@pytest.mark.parametrize(("dice", "left"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_resistance_ignores_the_first_dice(dice: int, left: int) -> None:
    assert after_resistance(dice, 2) == left


@pytest.mark.rule("CF-PIN-2")
def test_five_feet_a_turn_add_up_and_ten_start_anew() -> None:
    first = suppression_after_turn(streak(2), (1, 0), None, DEFAULTS)
    assert first == AfterTurn(streak=streak(3))
    second = suppression_after_turn(first.streak, (2, 0), None, DEFAULTS)
    assert second == AfterTurn(streak=streak(0, (2, 0)), clears_hidden=True)


@pytest.mark.rule("CF-PIN-2")
def test_measured_from_the_last_turn_two_steps_of_five_feet_are_staying() -> None:
    options = PinOptions(measured_from="last_turn")
    first = suppression_after_turn(streak(2), (1, 0), None, options)
    assert first == AfterTurn(streak=streak(3, (1, 0)))
    second = suppression_after_turn(first.streak, (2, 0), None, options)
    assert second == AfterTurn(streak=streak(4, (2, 0)))
    third = suppression_after_turn(second.streak, (4, 0), None, options)
    assert third == AfterTurn(streak=streak(0, (4, 0)), clears_hidden=True)


@pytest.mark.rule("CF-PIN-3")
@pytest.mark.parametrize(
    ("present", "rule", "feet"),
    [
        ((0, 0), "equal", 0),
        ((1, 1), "equal", 5),
        ((-2, 1), "equal", 10),
        ((2, 2), "equal", 10),
        ((1, 1), "alternating", 5),
        ((2, 2), "alternating", 15),
    ],
)
def test_displacement_is_level_between_north_west_cells(
    present: Cell, rule: DiagonalRule, feet: int
) -> None:
    assert displacement_ft(HOME, present, rule) == feet


@pytest.mark.rule("CF-PIN-3")
@pytest.mark.parametrize(("minimum", "dice"), [(5, 0), (9, 0), (10, 0), (11, 2), (15, 2)])
def test_the_minimum_is_inclusive(minimum: int, dice: int) -> None:
    assert live_suppression(streak(2), (2, 0), 0, 0, PinOptions(min_move_ft=minimum)) == dice


@pytest.mark.rule("CF-PIN-4")
def test_out_and_back_within_a_turn_is_staying() -> None:
    assert live_suppression(streak(2), (3, 0), 0, 0, DEFAULTS) == 0
    assert live_suppression(streak(2), HOME, 0, 0, DEFAULTS) == 2
    assert suppression_after_turn(streak(2), HOME, None, DEFAULTS).streak == streak(3)


@pytest.mark.rule("CF-PIN-4")
@pytest.mark.rule("CF-PIN-2")
def test_with_memory_a_streak_goes_on_if_the_very_next_turn_ends_where_it_began() -> None:
    options = PinOptions(return_memory=True)
    away = suppression_after_turn(streak(2), (3, 0), None, options)
    assert away == AfterTurn(streak=streak(0, (3, 0)), previous=streak(2), clears_hidden=True)
    back = suppression_after_turn(away.streak, HOME, away.previous, options)
    assert back == AfterTurn(
        streak=streak(3), previous=streak(0, (3, 0)), clears_hidden=True, is_restored=True
    )
    stayed = suppression_after_turn(away.streak, (3, 0), away.previous, options)
    assert stayed == AfterTurn(streak=streak(1, (3, 0)))
    too_late = suppression_after_turn(stayed.streak, HOME, stayed.previous, options)
    assert too_late.streak == streak(0, HOME)


@pytest.mark.rule("CF-PIN-4")
def test_nothing_is_restored_elsewhere_or_without_the_option() -> None:
    assert returned_streak(streak(2), (1, 0), PinOptions(return_memory=True)) is None
    assert returned_streak(streak(2), HOME, DEFAULTS) is None
    assert returned_streak(None, HOME, PinOptions(return_memory=True)) is None
    assert returned_streak(streak(2), HOME, PinOptions(return_memory=True)) == streak(3)


@pytest.mark.rule("CF-PIN-6")
@pytest.mark.parametrize(
    ("hider", "aggressor", "with_ties", "without"),
    [(11, 12, False, False), (12, 12, True, False), (13, 12, True, True), (0, 0, True, False)],
)
def test_hiding_needs_as_much_as_the_aggressor(
    hider: int, aggressor: int, with_ties: bool, without: bool
) -> None:
    assert is_hidden(hider, aggressor, tie_succeeds=True) == with_ties
    assert is_hidden(hider, aggressor, tie_succeeds=False) == without


@pytest.mark.rule("CF-PIN-6")
def test_one_hides_from_the_aggressor_or_by_option_from_all_enemies() -> None:
    assert hidden_from("a", ("a", "x"), "aggressor") == ("a",)
    assert hidden_from("a", ("a", "x"), "all") == ("a", "x")


@pytest.mark.rule("CF-PIN-6")
def test_there_must_be_suppression_to_hide_from() -> None:
    require_suppression(1)
    with pytest.raises(Refused) as refused:
        require_suppression(0)
    assert (refused.value.code, refused.value.rule) == ("nothing_to_hide", "CF-PIN-6")


@pytest.mark.rule("CF-PIN-2")
@pytest.mark.rule("CF-PIN-4")
@pytest.mark.parametrize(
    ("count", "after"), [(998, 999), (999, MOST_TURNS), (MOST_TURNS, MOST_TURNS)]
)
def test_turns_are_counted_up_to_a_thousand(count: int, after: int) -> None:
    stayed = suppression_after_turn(streak(count), HOME, None, DEFAULTS)
    assert stayed == AfterTurn(streak=streak(after))
    remembering = PinOptions(return_memory=True)
    assert returned_streak(streak(count), HOME, remembering) == streak(after)
