"""Whether an action may be asked for: by this role, for this combatant, in this moment.

One pure rule, the same for live play and audit, checked before the rulebook. A combatant, side or
unit that the caller may not see does not exist here either: a refusal never tells of it.
"""

from typing import TypeVar

from msgspec import UNSET

from service.engine.battle.decisions import addressee
from service.engine.battle.linear import seat_of
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import (
    Combatant,
    RuleState,
    State,
    UnitMember,
    controls,
    scope_of,
    viewer_of,
)
from service.engine.visibility.scope import audience_of
from service.engine.vocabulary.action_life import NOT_RUNNING, ActionLife
from service.engine.vocabulary.actions import (
    Action,
    Answer,
    CombatantAction,
    CreateEncounter,
    FormedAction,
    JointAction,
    SideAction,
    UnitAction,
)
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By, Status
from service.errors import Forbidden, Refused

R = TypeVar("R", bound=RuleState)

_Actors = tuple[tuple[str, Combatant | None], ...]
"""Acting combatants by id; None for one that is not there, or that the caller may not see."""


def require_askable(state: State[R], action: Action, by: By, seq: int) -> None:
    """Role, control, the moment and open decisions allow the action; the rules come after.

    Raises Malformed, then Forbidden, the Refused of the moment and Refused("unknown_combatant").
    """
    if isinstance(action, FormedAction):
        action.require_form()
    require_role(action, by)
    _require_seated(state, action, by)
    _require_timed(state, action, by)
    actors = _actors(state, action, by)
    _require_control(state, action, by, actors)
    _require_moment(state, action, seq)
    _require_nothing_pending(state, action, by)
    _require_known(state, action, by, actors)


def require_role(action: Action, by: By) -> None:
    """Observers only read; what is the GM's only the GM may do, and of that the service little.

    Raises Forbidden("observer_cannot_act") or Forbidden("gm_only").
    """
    name = action.__struct_config__.tag
    if by.kind == "system" and not action.BY_SERVICE and not _is_timeout(action):
        raise Forbidden("gm_only", action=name)
    if by.role == "observer":
        raise Forbidden("observer_cannot_act", action=name)
    if by.role == "gm":
        return
    if action.WHO == "gm":
        raise Forbidden("gm_only", action=name)
    for field in action.GM_FIELDS:
        if getattr(action, field) is not UNSET:
            raise Forbidden("gm_only", action=name, field=field)


def _is_timeout(action: Action) -> bool:
    """Whether the service may ask for it when a time limit is over.

    A pass for the seat that is asked, or the end of the turn; the rules refuse one out of turn.
    """
    if action.ENDS_TURN:
        return True
    return (
        isinstance(action, Answer)
        and isinstance(action.choice, PassChoice)
        and action.choice.reason == "timeout"
    )


def _require_timed(state: State[RuleState], action: Action, by: By) -> None:
    """The service ends a turn only where turns have a limit. Raises Forbidden("gm_only")."""
    is_limited = state.rule.options.turn_seconds is not UNSET
    if by.kind == "system" and action.ENDS_TURN and not is_limited:
        raise Forbidden("gm_only", action=str(action.__struct_config__.tag))


def _require_seated(state: State[RuleState], action: Action, by: By) -> None:
    """The seat of the caller exists and has the caller's role; event 1 comes before all seats.

    Raises Forbidden("not_seated").
    """
    if by.seat is UNSET or isinstance(action, CreateEncounter):
        return
    seat = seat_of(state.linear, by.seat)
    if seat is None or seat.role != by.role:
        raise Forbidden("not_seated", seat=by.seat, role=by.role)


def _actors(state: State[RuleState], action: Action, by: By) -> _Actors:
    """The combatants that an action names as acting, as far as the caller may see."""
    match action:
        case CombatantAction():
            return ((action.combatant, _visible_combatant(state, action.combatant, by)),)
        case JointAction():
            return tuple((each, _visible_combatant(state, each, by)) for each in action.combatants)
        case _:
            return ()


def _require_control(state: State[RuleState], action: Action, by: By, actors: _Actors) -> None:
    """The caller controls each acting combatant that it may see, the side or the unit.

    The game master controls them all.
    Raises Forbidden("not_your_combatant"), ("not_your_side") or ("not_your_unit").
    """
    if by.role == "gm":
        return
    for combatant_id, actor in actors:
        if actor is not None and not controls(by, state.linear, actor):
            raise Forbidden("not_your_combatant", combatant=combatant_id)
    match action:
        case SideAction():
            _require_side(state, action.side, by)
        case UnitAction():
            members = _visible_members(state, action.unit, by)
            if members and not any(controls(by, state.linear, member) for member in members):
                raise Forbidden("not_your_unit", unit=action.unit)
        case _:
            pass


def _require_side(state: State[RuleState], side: str, by: By) -> None:
    """The seat controls the side or any combatant of it; a side that does not exist passes."""
    seat = seat_of(state.linear, by.seat) if by.seat is not UNSET else None
    is_controlled = seat is not None and side in seat.sides
    is_side = any(existing.id == side for existing in state.rule.sides)
    if is_controlled or not is_side:
        return
    members = (combatant for combatant in state.rule.combatants if combatant.side == side)
    if not any(controls(by, state.linear, member) for member in members):
        raise Forbidden("not_your_side", side=side)


def _require_known(state: State[RuleState], action: Action, by: By, actors: _Actors) -> None:
    """Every acting combatant, the side or the unit exists, as far as the caller may see.

    Raises Refused("unknown_combatant"), ("unknown_side") or ("unknown_unit").
    """
    for combatant_id, actor in actors:
        if actor is None:
            raise Refused("unknown_combatant", combatant=combatant_id)
    match action:
        case SideAction():
            sides = [side.id for side in state.rule.sides]
            if action.side not in sides:
                raise Refused("unknown_side", side=action.side, allowed=sides)
        case UnitAction():
            if not _visible_members(state, action.unit, by):
                raise Refused("unknown_unit", unit=action.unit)
        case _:
            pass


def _visible_members(state: State[RuleState], unit: str, by: By) -> list[Combatant]:
    members = [
        combatant
        for combatant in state.rule.combatants
        if isinstance(combatant, UnitMember) and combatant.unit == unit
    ]
    return [member for member in members if _visible_combatant(state, member.id, by) is not None]


def _visible_combatant(state: State[RuleState], combatant_id: str, by: By) -> Combatant | None:
    """The combatant of that id; None if there is none or the caller may not know of it."""
    combatant = combatant_of(state.rule, combatant_id)
    if combatant is None or not combatant.hidden or by.role == "gm":
        return combatant
    viewer = viewer_of(by, state.rule, state.linear)
    return combatant if viewer.may_know(scope_of(state.rule).subject(combatant_id)) else None


def is_to_resume(state: State[RuleState]) -> bool:
    """Whether it is a fork of a running battle that has not gone on yet."""
    fork_of = state.linear.fork_of
    if fork_of is UNSET or state.rule.status != "setup":
        return False
    return fork_of.status == "running"


def _require_moment(state: State[RuleState], action: Action, seq: int) -> None:
    """The status of the encounter, and the seed, allow the action as event `seq`.

    Raises Refused with the code that the `LIFE` of the action names, or ("seed_revealed").
    """
    life = action.LIFE
    status = state.rule.status
    name = str(action.__struct_config__.tag)
    if life.is_until_seed and state.linear.seed is not UNSET:
        raise Refused("seed_revealed", action=name)
    code = _refusal_in(status, life)
    if code is None and is_to_resume(state):
        code = life.forked
    if isinstance(action, CreateEncounter):
        code = None if seq == 1 else "already_created"
    if code is None:
        return
    if code == NOT_RUNNING:
        raise Refused(code, status=status, action=name)
    if code == "rewind_before_start":
        raise Refused(code)
    raise Refused(code, action=name)


def _refusal_in(status: Status, life: ActionLife) -> str | None:
    """The code that an action of this life is refused with; None where it is taken."""
    match status:
        case "setup":
            return life.setup
        case "running":
            return life.running
        case "ended":
            return life.ended


def _require_nothing_pending(state: State[RuleState], action: Action, by: By) -> None:
    """No decision is open that the action has to wait for, as its `LIFE` says.

    Raises Refused("decision_pending") with the decisions that the caller may see.
    """
    if not state.rule.pending or not action.LIFE.waits or is_to_resume(state):
        return
    viewer = viewer_of(by, state.rule, state.linear)
    scope = scope_of(state.rule)
    top = state.rule.pending[-1]
    visible = [d for d in top.decisions if viewer.may_know(audience_of(d, scope))]
    raise Refused(
        "decision_pending", decisions=[{"id": d.id, "who": addressee(d)} for d in visible]
    )
