"""Which role may ask for which action, for whom: one pure rule, the same for live play and audit.

Checked before everything else. Whatever the caller may not see does not exist here either.
"""

from service.engine.actions import Action, CombatantAction
from service.engine.state import RuleState, State, combatant_of, controls, scope_of, viewer_of
from service.engine.vocabulary import By
from service.errors import Forbidden, Refused


def require_role(action: Action, by: By) -> None:
    """Observers only read; what is the GM's only the GM may do.

    Raises Forbidden("observer_cannot_act") or Forbidden("gm_only").
    """
    name = action.__struct_config__.tag
    if by.role == "observer":
        raise Forbidden("observer_cannot_act", action=name)
    if action.WHO == "gm" and by.role != "gm":
        raise Forbidden("gm_only", action=name)


def require_control(state: State[RuleState], action: Action, by: By) -> None:
    """The acting combatant exists for the caller, and the caller acts for it.

    Raises Refused("unknown_combatant") or Forbidden("not_your_combatant").
    """
    if not isinstance(action, CombatantAction):
        return
    combatant = combatant_of(state.rule, action.combatant)
    viewer = viewer_of(by, state.rule, state.linear)
    if combatant is None or not viewer.may_know(scope_of(state.rule).subject(combatant.id)):
        raise Refused("unknown_combatant", combatant=action.combatant)
    if not controls(by, state.linear, combatant):
        raise Forbidden("not_your_combatant", combatant=action.combatant)
