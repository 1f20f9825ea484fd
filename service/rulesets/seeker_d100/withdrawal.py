"""Which actions of players bind them, and which may be taken back."""

from typing import assert_never, cast

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.state import BattleState, is_out


def is_binding(state: State[BattleState], viewer: Viewer, action: do.Action) -> bool:
    """Whether an action may ask, or roll for, a combatant that its player does not see.

    Attacks ask all whom they threaten, and in the dark that may be anybody; breaking free makes the
    holder roll. Where rounds have cards of their own, any action that may end the round draws cards
    for everybody.
    """
    match cast("ask.Deed | ask.Answer", action):
        case ask.Attack() | ask.CalledShot() | ask.Disarm() | ask.Grapple() | ask.BreakFree():
            return True
        case (
            ask.TakeAim() | ask.Dodge() | ask.Resist() | ask.Release() | ask.Move() | ask.EndTurn()
        ) as deed:
            return _may_draw_cards(state, viewer, deed.combatant)
        case ask.Answer():
            return False
        case unknown:
            assert_never(unknown)


def _may_draw_cards(state: State[BattleState], viewer: Viewer, combatant: str) -> bool:
    """Whether, as far as the viewer knows, nobody else takes a turn before new cards are drawn."""
    if not state.rule.options.redraw_each_round:
        return False
    view = perceive(state, viewer).rule
    after = view.order[view.order.index(combatant) + 1 :] if combatant in view.order else ()
    later = (combatant_of(view, id_) for id_ in after)
    return not any(
        other is not None and other.actions_left and not is_out(other) for other in later
    )
