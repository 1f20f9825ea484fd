"""The phases of a turn, and the order of the turns of a round."""

import pytest

from service.errors import Refused
from service.rulesets.squad_d100.rules.turns import (
    Entrant,
    TurnOrder,
    require_movement_phase,
    turns_of_round,
)


def entrant(number: int, side: str, agility: int) -> Entrant:
    return Entrant(id=f"c{number}", number=number, side=side, agility=agility)


FOUR = (
    entrant(3, "squad", 30),
    entrant(1, "aliens", 29),
    entrant(4, "aliens", 31),
    entrant(2, "squad", 30),
)


@pytest.mark.rule("SQ-TURN-1")
def test_movement_belongs_to_the_movement_phase() -> None:
    require_movement_phase("movement", "t")
    with pytest.raises(Refused) as refused:
        require_movement_phase("shooting", "t")
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "wrong_phase",
        "SQ-TURN-1",
        {"combatant": "t", "phase": "shooting"},
    )


@pytest.mark.parametrize(
    ("order", "side_order", "ids"),
    [
        ("agility", (), ["c4", "c2", "c3", "c1"]),
        ("agility", ("squad",), ["c4", "c2", "c3", "c1"]),
        ("sides", (), ["c1", "c4", "c2", "c3"]),
        ("sides", ("squad",), ["c2", "c3", "c1", "c4"]),
        ("sides", ("neutral", "squad", "aliens"), ["c2", "c3", "c1", "c4"]),
    ],
)
def test_the_nimblest_or_one_side_acts_first(
    order: TurnOrder, side_order: tuple[str, ...], ids: list[str]
) -> None:
    assert [each.id for each in turns_of_round(FOUR, order, side_order)] == ids


def test_sides_left_out_follow_as_they_first_appear_by_number() -> None:
    three = (entrant(1, "b", 0), entrant(2, "c", 0), entrant(3, "a", 0))
    order = [each.side for each in turns_of_round(three, "sides", ("a",))]
    assert order == ["a", "b", "c"]
