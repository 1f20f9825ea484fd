"""Which of their actions players may take back, and which stay whatever came of them."""

from typing import assert_never, cast

from service.engine.battle.state import State
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100.state import BattleState


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may roll for somebody whom its declarer does not see, or tell a secret.

    Steps and doors let watchers test, attacks and blasts roll for those who know of both ends, and
    what lies about is the game master's until it is picked up.
    """
    match cast("ask.Deed | ask.Answer", action):
        case ask.Move() | ask.ToggleDoor() | ask.PickUp():
            return True
        case (
            ask.AimedShot()
            | ask.SnapShots()
            | ask.Burst()
            | ask.Suppress()
            | ask.ThrowGrenade()
            | ask.MeleeAttack()
        ):
            return True
        case (
            ask.Kneel()
            | ask.Stand()
            | ask.Sprint()
            | ask.EndMovement()
            | ask.Reload()
            | do.EndTurn()
            | ask.Answer()
        ):
            return False
        case unknown:
            assert_never(unknown)
