"""Which of their actions players may take back, and which stay whatever came of them."""

from typing import assert_never, cast

from service.engine.battle.state import State
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.state import BattleState


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may ask or roll for somebody whom its declarer does not see.

    Walks and shots offer opportunities to enemies nearby, attacks at cells and areas roll for
    whoever is there, and the dice of an attack are for those who know of attacker and target.
    """
    match cast("ask.Deed | ask.Answer", action):
        case ask.Move() | ask.Attack() | ask.AttackCell() | ask.AreaAttack():
            return True
        case ask.DropProne() | ask.StandUp() | ask.RightSelf() | do.EndTurn() | ask.Answer():
            return False
        case unknown:
            assert_never(unknown)
