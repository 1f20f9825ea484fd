"""Whether the moment allows an action: the status of the encounter, and the seed."""

from msgspec import UNSET

from service.engine.battle.state import RuleState, State
from service.engine.vocabulary.action_life import NOT_RUNNING
from service.engine.vocabulary.actions import Action, CreateEncounter
from service.errors import Refused


def require_moment(state: State[RuleState], action: Action, seq: int) -> None:
    """The action is taken in this status, as event `seq`.

    Raises Refused with the code that the `LIFE` of the action names, or ("seed_revealed").
    """
    life = action.LIFE
    status = state.rule.status
    name = str(action.__struct_config__.tag)
    if life.is_until_seed and state.linear.seed is not UNSET:
        raise Refused("seed_revealed", action=name)
    code = life.refusal(status)
    if isinstance(action, CreateEncounter):
        code = None if seq == 1 else "already_created"
    if code is None:
        return
    if code == NOT_RUNNING:
        raise Refused(code, status=status, action=name)
    if code == "rewind_before_start":
        raise Refused(code)
    raise Refused(code, action=name)
