"""Which role may ask for which action, for whom: one pure rule, the same for live play and audit.

Checked before everything else. Whatever the caller may not see does not exist here either.
"""

from msgspec import UNSET

from service.engine.battle.state import (
    Combatant,
    RuleState,
    State,
    UnitMember,
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
    JointAction,
    PassChoice,
    SideAction,
    UnitAction,
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
    if action.ENDS_TURN:
        return True
    return (
        isinstance(action, Answer)
        and isinstance(action.choice, PassChoice)
        and action.choice.reason == "timeout"
    )


def require_timed(state: State[RuleState], action: Action, by: By) -> None:
    """The service ends a turn only where turns have a limit. Raises Forbidden("gm_only")."""
    is_limited = state.rule.options.turn_seconds is not UNSET
    if by.kind == "system" and action.ENDS_TURN and not is_limited:
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
    """The caller acts for each combatant that acts, for the side or for the unit.

    As far as there is one for him at all. Raises Forbidden("not_your_combatant"),
    ("not_your_side") or ("not_your_unit").
    """
    match action:
        case CombatantAction():
            _require_controlled(state, action.combatant, by)
        case JointAction():
            for combatant in action.combatants:
                _require_controlled(state, combatant, by)
        case SideAction():
            _require_side(state, action.side, by)
        case UnitAction():
            members = _members(state, action.unit, by)
            if members and not any(controls(by, state.linear, each) for each in members):
                raise Forbidden("not_your_unit", unit=action.unit)
        case _:
            pass


def _require_controlled(state: State[RuleState], combatant: str, by: By) -> None:
    known = _known(state, combatant, by)
    if known is not None and not controls(by, state.linear, known):
        raise Forbidden("not_your_combatant", combatant=combatant)


def _require_side(state: State[RuleState], side: str, by: By) -> None:
    """Whoever controls a side, or any combatant of it, acts for it."""
    own = seat_of(state.linear, by.seat) if by.seat is not UNSET else None
    is_own = by.role == "gm" or (own is not None and side in own.sides)
    known = any(each.id == side for each in state.rule.sides)
    if is_own or not known:
        return
    fighters = (each for each in state.rule.combatants if each.side == side)
    if not any(controls(by, state.linear, each) for each in fighters):
        raise Forbidden("not_your_side", side=side)


def require_known(state: State[RuleState], action: Action, by: By) -> None:
    """Whoever acts exists for the caller.

    Raises Refused("unknown_combatant"), ("unknown_side") or ("unknown_unit").
    """
    match action:
        case CombatantAction():
            named: tuple[str, ...] = (action.combatant,)
        case JointAction():
            named = action.combatants
        case SideAction():
            sides = [side.id for side in state.rule.sides]
            if action.side not in sides:
                raise Refused("unknown_side", side=action.side, allowed=sides)
            return
        case UnitAction():
            if not _members(state, action.unit, by):
                raise Refused("unknown_unit", unit=action.unit)
            return
        case _:
            return
    for combatant in named:
        if _known(state, combatant, by) is None:
            raise Refused("unknown_combatant", combatant=combatant)


def _members(state: State[RuleState], unit: str, by: By) -> list[Combatant]:
    """The members of a unit that exist for the caller."""
    members = [
        each for each in state.rule.combatants if isinstance(each, UnitMember) and each.unit == unit
    ]
    return [each for each in members if _known(state, each.id, by) is not None]


def _known(state: State[RuleState], combatant: str, by: By) -> Combatant | None:
    found = combatant_of(state.rule, combatant)
    if found is None or not found.hidden or by.role == "gm":
        return found
    viewer = viewer_of(by, state.rule, state.linear)
    return found if viewer.may_know(scope_of(state.rule).subject(combatant)) else None
