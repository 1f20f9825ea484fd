"""Which of their actions players may take back, and which stay whatever came of them."""

from typing import assert_never, cast

from service.engine.battle.state import State
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.melody_d6 import actions as ask
from service.rulesets.melody_d6.state import BattleState


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may ask or roll for somebody whom its declarer does not see.

    Guards may be asked about whoever moves, masks or appears, and about the end of a turn, singers
    about a song; detection, shots, fights and songs roll for whoever is there.
    """
    match cast("ask.Deed | ask.Answer", action):
        case (
            ask.Move()
            | ask.Charge()
            | ask.Mask()
            | ask.Unmask()
            | ask.EndMovement()
            | ask.Shoot()
            | ask.Fight()
            | ask.Sing()
            | ask.GuardShoot()
            | ask.DampenLasting()
            | do.EndSideTurn()
            | ask.Answer()
        ):
            return True
        case ask.Activate() | ask.Guard() | ask.EndActivation() | ask.StopMelody():
            return False
        case unknown:
            assert_never(unknown)
