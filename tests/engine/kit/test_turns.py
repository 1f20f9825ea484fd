"""Whose turn is next: in order, round by round, past those who cannot act."""

from collections.abc import Collection

import pytest
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.kit.turns import entries_of, newcomers_to, next_in_order, next_turn, placed
from service.engine.vocabulary import effects as fx
from tests.engine.kit.battle import battle, effects_on, somebody

ORDER = ("ann", "ben", "cal")


class PlaceInOrder(Struct, frozen=True, kw_only=True):
    """A place as a rulebook keeps it."""

    combatant: str
    score: int | UnsetType = UNSET


@pytest.mark.parametrize(
    ("after", "expected"), [(None, "ann"), ("ann", "ben"), ("ben", "cal"), ("cal", None)]
)
def test_behind_each_comes_the_next_and_behind_the_last_nobody(
    after: str | None, expected: str | None
) -> None:
    assert next_in_order(ORDER, after) == expected


def test_in_an_empty_order_nobody_is_first() -> None:
    assert next_in_order((), None) is None


def turn_after(
    after: str | None, able: Collection[str], order: tuple[str, ...] = ORDER
) -> tuple[str | None, int, list[str]]:
    """Whose turn is next, how many rounds began meanwhile, and who was asked for a turn."""
    effects = effects_on(battle(order=order))
    asked: list[str] = []

    def takes_turn(combatant: str) -> bool:
        asked.append(combatant)
        return combatant in able

    def begin_round() -> None:
        effects.emit(fx.RoundBegan(round=effects.rule.round + 1))

    turn = next_turn(
        effects,
        after,
        following=next_in_order,
        is_anybody_able=bool(able),
        takes_turn=takes_turn,
        begin_round=begin_round,
    )
    return turn, effects.rule.round, asked


@pytest.mark.parametrize(
    ("after", "able", "expected"),
    [
        (None, ORDER, ("ann", 0, ["ann"])),
        ("ann", ORDER, ("ben", 0, ["ben"])),
        ("ann", ("cal",), ("cal", 0, ["ben", "cal"])),
        ("cal", ORDER, ("ann", 1, ["ann"])),
        ("ben", ("ben",), ("ben", 1, ["cal", "ann", "ben"])),
        ("ann", (), (None, 0, [])),
        ("ann", ("somebody without a place",), (None, 1, ["ben", "cal", *ORDER])),
    ],
)
def test_the_turn_goes_to_the_first_who_takes_it_and_at_most_into_the_next_round(
    after: str | None, able: tuple[str, ...], expected: object
) -> None:
    assert turn_after(after, able) == expected


def test_a_round_that_changes_the_order_is_played_in_the_new_one() -> None:
    effects = effects_on(battle(order=ORDER))

    def begin_round() -> None:
        effects.rule = replace(effects.rule, order=("cal", "ann", "ben"))

    turn = next_turn(
        effects,
        "cal",
        following=next_in_order,
        is_anybody_able=True,
        takes_turn=lambda _: True,
        begin_round=begin_round,
    )
    assert turn == "cal"


@pytest.mark.parametrize(
    ("newcomer", "order"),
    [(9, (9, 7, 5, 5)), (7, (7, 7, 5, 5)), (6, (7, 6, 5, 5)), (1, (7, 5, 5, 1))],
)
def test_a_newcomer_stands_before_the_first_it_beats(newcomer: int, order: tuple[int, ...]) -> None:
    assert placed((7, 5, 5), newcomer, lambda other: newcomer >= other) == order


@pytest.mark.parametrize(
    ("order", "expected"),
    [((), ["cal", "ann", "ben"]), (("ann",), ["cal", "ben"]), (ORDER, [])],
)
def test_newcomers_are_those_without_a_place_as_they_came_in(
    order: tuple[str, ...], expected: list[str]
) -> None:
    combatants = (somebody("cal"), somebody("ann"), somebody("ben"))
    assert [each.id for each in newcomers_to(order, combatants)] == expected


def test_an_order_is_stated_with_the_scores_that_it_has() -> None:
    places = (PlaceInOrder(combatant="ben", score=0), PlaceInOrder(combatant="ann"))
    assert entries_of(places) == (
        fx.OrderEntry(combatant="ben", score=0),
        fx.OrderEntry(combatant="ann"),
    )
