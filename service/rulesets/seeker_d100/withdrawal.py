"""Which actions their declarer may take back, and which stay whatever came of them."""

from typing import assert_never, cast

from service.engine.battle.state import State, combatant_of
from service.engine.kit.perception import perceive
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.state import BattleState, is_out


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may ask or roll for somebody whom its declarer does not see.

    Attacks ask everybody they threaten, and in the dark that may be anybody; who breaks free rolls
    against whoever holds him. Where cards are drawn anew each round, whatever may end the round
    draws those of everybody.
    """
    match cast("ask.DecidedAction | ask.CreateBattle", action):
        case ask.Attack() | ask.CalledShot() | ask.Disarm() | ask.Grapple() | ask.BreakFree():
            return True
        case (
            ask.TakeAim() | ask.Dodge() | ask.Resist() | ask.Release() | ask.Move() | ask.EndTurn()
        ) as deed:
            return _may_draw_cards(state, viewer, deed.combatant)
        case ask.Answer():
            return False
        case (
            ask.CreateBattle()
            | ask.Configure()
            | ask.AddCombatant()
            | do.RemoveCombatant()
            | do.StartEncounter()
            | ask.SetTerrain()
            | ask.Adjust()
            | do.ForcePass()
        ):
            # The game master goes back over anything.
            return False
        case unknown:
            assert_never(unknown)


def _may_draw_cards(state: State[BattleState], viewer: Viewer, combatant: str) -> bool:
    """Whether, as far as the viewer knows, nobody else takes a turn before new cards are drawn."""
    if not state.rule.options.redraw_each_round:
        return False
    seen = perceive(state, viewer).rule
    after = seen.order[seen.order.index(combatant) + 1 :] if combatant in seen.order else ()
    later = (combatant_of(seen, each) for each in after)
    return not any(each is not None and each.actions_left and not is_out(each) for each in later)
