"""Which actions bind their player where rounds have cards of their own."""

from service.engine.battle.roster import combatant_of, is_out
from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.actions import Deed
from service.rulesets.seeker_d100.state import BattleState


def may_draw_cards(state: State[BattleState], viewer: Viewer, action: Deed) -> bool:
    """Whether, as far as the viewer knows, nobody else takes a turn before new cards are drawn."""
    if not state.rule.options.redraw_each_round:
        return False
    view, combatant = perceive(state, viewer).rule, action.combatant
    after = view.order[view.order.index(combatant) + 1 :] if combatant in view.order else ()
    later = (combatant_of(view, id_) for id_ in after)
    return not any(
        other is not None and other.actions_left and not is_out(other) for other in later
    )
