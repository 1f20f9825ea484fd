"""Which role may ask for which action, for whom: one pure rule, the same for live play and audit.

Checked before everything else. Whatever the caller may not see does not exist here either.
"""

from msgspec import UNSET

from service.engine.battle.state import (
    Combatant,
    RuleState,
    State,
    combatant_of,
    controls,
    scope_of,
    seat_of,
    viewer_of,
)
from service.engine.vocabulary.actions import (
    Action,
    Answer,
    CombatantAction,
    CreateEncounter,
    EndTurn,
    PassChoice,
)
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused


def require_role(action: Action, by: By) -> None:
    """Observers only read; what is the GM's only the GM may do, and of that the service little.

    Raises Forbidden("observer_cannot_act") or Forbidden("gm_only").
    """
    name = action.__struct_config__.tag
    if by.kind == "system" and not action.BY_SERVICE and not _is_timeout(action):
        raise Forbidden("gm_only", action=name)
    if by.role == "observer":
        raise Forbidden("observer_cannot_act", action=name)
    if action.WHO == "gm" and by.role != "gm":
        raise Forbidden("gm_only", action=name)


def _is_timeout(action: Action) -> bool:
    """Whether it ends what somebody's time is over for, which the service may do, too.

    It passes for whoever is asked, and ends the turn of whoever has it: the rules refuse another's.
    """
    if isinstance(action, EndTurn):
        return True
    return (
        isinstance(action, Answer)
        and isinstance(action.choice, PassChoice)
        and action.choice.reason == "timeout"
    )


def require_timed(state: State[RuleState], action: Action, by: By) -> None:
    """The service ends a turn only where turns have a limit. Raises Forbidden("gm_only")."""
    is_limited = state.rule.options.turn_seconds is not UNSET
    if by.kind == "system" and isinstance(action, EndTurn) and not is_limited:
        raise Forbidden("gm_only", action=str(action.__struct_config__.tag))


def require_seated(state: State[RuleState], action: Action, by: By) -> None:
    """Whoever acts for a seat acts as what that seat is now; event 1 is before all seats.

    Raises Forbidden("not_seated").
    """
    if by.seat is UNSET or isinstance(action, CreateEncounter):
        return
    seat = seat_of(state.linear, by.seat)
    if seat is None or seat.role != by.role:
        raise Forbidden("not_seated", seat=by.seat, role=by.role)


def require_control(state: State[RuleState], action: Action, by: By) -> None:
    """The caller acts for the acting combatant, if there is one for him at all.

    Raises Forbidden("not_your_combatant").
    """
    if not isinstance(action, CombatantAction):
        return
    combatant = _known(state, action.combatant, by)
    if combatant is not None and not controls(by, state.linear, combatant):
        raise Forbidden("not_your_combatant", combatant=action.combatant)


def require_known(state: State[RuleState], action: Action, by: By) -> None:
    """The acting combatant exists for the caller. Raises Refused("unknown_combatant")."""
    if isinstance(action, CombatantAction) and _known(state, action.combatant, by) is None:
        raise Refused("unknown_combatant", combatant=action.combatant)


def _known(state: State[RuleState], combatant: str, by: By) -> Combatant | None:
    found = combatant_of(state.rule, combatant)
    if found is None or not found.hidden or by.role == "gm":
        return found
    viewer = viewer_of(by, state.rule, state.linear)
    return found if viewer.may_know(scope_of(state.rule).subject(combatant)) else None
