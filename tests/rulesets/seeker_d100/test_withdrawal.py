"""What a player may not take back: what may ask or roll for somebody whom he does not see."""

from typing import Any, get_args

import pytest

from service.engine.vocabulary.actions import EngineAction
from service.rulesets.seeker_d100.actions import AnyAction
from tests.rulesets.seeker_d100.table import RULESET, Table, battle_of, do, fighter, strike

Tree = dict[str, Any]

BINDING: list[Tree] = [
    strike(),
    do("called_shot", weapon="w_unarmed", target="t", part="head"),
    do("disarm", target="t", item="torch"),
    do("grapple", target="t"),
    do("break_free"),
]
DEEDS: list[Tree] = [
    do("aim"),
    do("dodge"),
    do("resist", weapon="w_unarmed"),
    do("release"),
    do("move", gait="jog", path=[{"x": 0, "y": 1}]),
    do("end_turn"),
]
FREE: list[Tree] = [
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
    {"type": "configure"},
    {"type": "add_combatant", "combatant": fighter("n", "red", 9, 9)},
    {"type": "remove_combatant", "combatant": "t"},
    {"type": "start_encounter"},
    {"type": "set_terrain", "changes": [{"feature": "wall", "removed": True}]},
    {"type": "adjust", "changes": [{"type": "hide", "combatant": "t"}]},
    {"type": "force_pass", "decision_id": "d1.1"},
]


def battle(t: Tree | None = None, u: Tree | None = None, **options: object) -> Table:
    """Red a has the turn; blue t and u come after."""
    people = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 1, 0, **(t or {})),
        fighter("u", "blue", 2, 0, **(u or {})),
    ]
    setup = {"combatants": people, "battle": battle_of(*people), "options": options}
    table = Table(setup)
    table.ask({"type": "start_encounter"})
    return table


def binds(table: Table, asked: Tree, by: str) -> bool:
    return RULESET.binds(table.state, table.viewer(by), table.read(asked))


def test_every_action_is_one_or_the_other() -> None:
    # What the engine decides never comes to the ruleset.
    own = set(get_args(AnyAction)) - set(get_args(EngineAction))
    kinds = [str(kind.__struct_config__.tag) for kind in own]
    assert sorted(each["type"] for each in (*BINDING, *DEEDS, *FREE)) == sorted(kinds)


@pytest.mark.parametrize("asked", [*BINDING, *DEEDS, *FREE], ids=lambda asked: str(asked["type"]))
def test_only_what_may_ask_or_roll_for_somebody_unseen_binds(asked: Tree) -> None:
    table = battle()
    for by in ("gm", "ann", "bob"):
        assert binds(table, asked, by) is (asked in BINDING)
    created = table.events[0].action
    assert RULESET.binds(table.state, table.viewer("gm"), created) is False


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
