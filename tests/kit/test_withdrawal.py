"""What a player may not take back: what may ask or roll for somebody whom he does not see."""

from typing import get_args

import pytest

from service.engine.vocabulary.actions import EngineAction
from tests.kit.rig import Rig, Tree
from tests.kit.rigs import RIGS

ACTIONS = [
    pytest.param(rig, action, binds, id=f"{rig}-{action['type']}")
    for rig in RIGS
    for actions, binds in ((rig.withdrawal.binding, True), (rig.withdrawal.free, False))
    for action in actions
]


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_every_action_of_players_binds_or_not(rig: Rig) -> None:
    # What the engine decides never reaches the ruleset, nor does what the game master may ask.
    own = set(get_args(rig.ruleset.action)) - set(get_args(EngineAction))
    kinds = [str(kind.__struct_config__.tag) for kind in own if kind.WHO == "player"]
    listed = (*rig.withdrawal.binding, *rig.withdrawal.free)
    assert sorted(action["type"] for action in listed) == sorted(kinds)


@pytest.mark.parametrize(("rig", "action", "binds"), ACTIONS)
def test_only_what_may_ask_or_roll_for_somebody_unseen_binds(
    rig: Rig, action: Tree, binds: bool
) -> None:
    table = rig.withdrawal.battle()
    for by in ("gm", "ann", "bob"):
        viewer = table.viewer(by)
        assert rig.ruleset.binds(table.state, viewer, table.read(action)) is binds
