"""What a player may not take back: actions that may roll for somebody whom he does not see."""

from typing import Any, get_args

import pytest

from service.engine.vocabulary.actions import EngineAction
from service.rulesets.crossfire_d6.actions import AnyAction
from tests.rulesets.crossfire_d6.table import RULESET, Table, fighter

Tree = dict[str, Any]


def do(kind: str, **more: object) -> Tree:
    return {"type": kind, "combatant": "a", **more}


BINDING: list[Tree] = [
    do("ranged_attack", weapon="rifle", target="t"),
    do("melee_attack", weapon="blade", target="t"),
    do("hide", against="t"),
]
FREE: list[Tree] = [
    do("move", path=[{"x": 1, "y": 0}]),
    do("change_posture", posture="open"),
    do("set_facing", facing="N"),
    do("go_prone"),
    do("stand_up"),
    do("end_turn"),
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
    {"type": "configure"},
    {"type": "add_combatant", "combatant": fighter("n", "red", 9, 9)},
    {"type": "remove_combatant", "combatant": "t"},
    {"type": "start_encounter"},
    {"type": "set_terrain"},
    {"type": "adjust", "changes": [{"type": "hide", "combatant": "t"}]},
    {"type": "force_pass", "decision_id": "d1.1"},
]


def test_every_action_is_one_or_the_other() -> None:
    # What the engine decides never comes to the ruleset.
    own = set(get_args(AnyAction)) - set(get_args(EngineAction))
    kinds = [str(kind.__struct_config__.tag) for kind in own]
    assert sorted(each["type"] for each in (*BINDING, *FREE)) == sorted(kinds)


@pytest.mark.parametrize("asked", [*BINDING, *FREE], ids=lambda asked: str(asked["type"]))
def test_only_what_may_roll_for_somebody_unseen_binds(asked: Tree) -> None:
    table = Table({"combatants": [fighter("a", "red", 0, 0), fighter("t", "blue", 5, 0)]})
    for by in ("gm", "ann", "bob"):
        binds = RULESET.binds(table.state, table.viewer(by), table.read(asked))
        assert binds is (asked in BINDING)
    created = table.events[0].action
    assert RULESET.binds(table.state, table.viewer("gm"), created) is False
