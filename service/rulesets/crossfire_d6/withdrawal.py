"""Which of their actions players may take back, and which stay whatever came of them."""

from typing import assert_never, cast

from service.engine.battle.state import State
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.state import BattleState


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may roll for somebody whom its declarer does not see.

    An attack's dice are for those who know of attacker and target, those of an aggressor one hides
    from are his side's. Nothing else rolls, and nobody is asked but for the table's dice.
    """
    match cast("ask.Deed | ask.Answer", action):
        case ask.RangedAttack() | ask.MeleeAttack() | ask.Hide():
            return True
        case (
            ask.Move()
            | ask.ChangePosture()
            | ask.SetFacing()
            | ask.GoProne()
            | ask.StandUp()
            | do.EndTurn()
            | ask.Answer()
        ):
            return False
        case unknown:
            assert_never(unknown)
