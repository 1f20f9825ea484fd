"""What ends a round binds whoever declared it, where cards are drawn again."""

import pytest

from tests.kit.table import Table
from tests.rulesets.seeker_d100.setups import RULESET, do
from tests.rulesets.seeker_d100.withdrawal import DEEDS, FREE, Tree, battle


def binds(table: Table, asked: Tree, by: str) -> bool:
    return RULESET.binds(table.state, table.viewer(by), table.read(asked))


SPENT: Tree = {"actions_left": 0}


@pytest.mark.parametrize("asked", DEEDS, ids=lambda asked: str(asked["type"]))
@pytest.mark.parametrize(
    ("t", "u", "binding"),
    [
        ({}, {}, set()),
        (SPENT, {}, set()),
        ({}, SPENT, set()),
        (SPENT, SPENT, {"gm", "ann", "bob"}),
        ({"conditions": ["unconscious"]}, {"conditions": ["dead"]}, {"gm", "ann", "bob"}),
        ({"hidden": True}, SPENT, {"ann"}),
        ({"hidden": True}, {}, set()),
    ],
    ids=["both", "u", "t", "nobody", "nobody up", "t unseen", "t unseen and u"],
)
def test_what_may_end_a_round_binds_where_cards_are_drawn_anew(
    t: Tree, u: Tree, binding: set[str], asked: Tree
) -> None:
    """The round ends with a's turn as far as somebody knows: who comes after it has none."""
    table = battle(t, u, redraw_each_round=True)
    assert {by for by in ("gm", "ann", "bob") if binds(table, asked, by)} == binding
    for free in FREE:
        assert not binds(table, free, "ann")


def test_the_last_of_the_order_ends_the_round() -> None:
    table = battle(redraw_each_round=True)
    assert [binds(table, do("end_turn", each), "bob") for each in "atu"] == [False, False, True]
