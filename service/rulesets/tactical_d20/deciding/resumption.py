"""Actions that wait for what enemies do about them: answers, and how the actions go on.

An answer is sealed while others are open; with the last one the attacks are made and the action
goes on, in the same event.

How versions that judge again do it (`Readings.is_judged_again`). What the action has cost and done
is given back to it, and whether it is allowed is asked of what its asker may know now. So it
continues as if it were asked for now and everybody passed, or says why it goes no further; what it
has done stays.
"""

from msgspec.structs import replace

from service.engine.battle.awaited_dice import stopped_by
from service.engine.battle.decision_groups import close, waiting_action
from service.engine.battle.decision_groups import settle as settle_groups
from service.engine.battle.decisions import require_open
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, is_out
from service.engine.battle.state import State
from service.engine.kit.resolution import perceive_for
from service.engine.vocabulary import actions as do
from service.errors import Refused
from service.rulesets.tactical_d20.actions import Answer, Attack, AttackCell, Move, WaitingAction
from service.rulesets.tactical_d20.deciding import attacks, moves
from service.rulesets.tactical_d20.deciding.opportunities import (
    READERS,
    ResumedAction,
    is_still_asked,
    make_attacks,
    require_choice,
)
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import settle
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.state import BattleState


def answer(resolution: Resolution, action: Answer | do.ForcePass) -> None:
    """The effects of an answer; the last of its group resumes the action.

    Raises Forbidden, Refused.
    """
    decision = require_open(resolution.state, action.decision_id, resolution.by)
    if isinstance(action, Answer):
        require_choice(resolution.view, decision, action.choice)
    effects = resolution.effects
    resumed = close(effects, decision, action, READERS)
    if resumed is not None:
        go_on(resolution, resumed)


def look_again(resolution: Resolution) -> None:
    """After the game master's word: who is gone or out does not act any more.

    Nobody answers who would not be asked now: an enemy who is out, has spent its reaction, or does
    not control the actor's space any more.
    """

    effects = resolution.effects
    waiting = waiting_action(effects.rule, READERS)

    def is_over(action: WaitingAction) -> bool:
        return _is_gone(effects.rule, action.combatant)

    def is_unable(decision: Decision) -> bool:
        return not is_still_asked(effects.state, decision)

    resumed = settle_groups(effects, READERS, is_over=is_over, is_unable=is_unable)
    if resumed is not None:
        go_on(resolution, resumed)
    elif waiting is not None and is_over(waiting.action):
        _may_go_on(resolution, waiting)


def _is_gone(rule: BattleState, combatant: str) -> bool:
    present = combatant_of(rule, combatant)
    return present is None or is_out(present)


def go_on(resolution: Resolution, resumed: ResumedAction) -> None:
    """The attacks that were chosen, then the rest of the action that waited for them."""
    make_attacks(resolution, resumed)
    waiting = resolution.going_on(resumed.action, resumed.by)
    if _may_go_on(waiting, resumed):
        match resumed.action:
            case Move() as walk:
                moves.go_on(waiting, walk, resumed)
            case Attack() | AttackCell() as shot if _judges_again(waiting):
                attacks.make_again(waiting, shot)
            case Attack() | AttackCell() as shot:
                attacks.go_on(waiting, shot)
    settle(resolution.effects)


def _judges_again(resolution: Resolution) -> bool:
    return resolution.state.terms.read_as(Readings).is_judged_again


def _may_go_on(resolution: Resolution, resumed: ResumedAction) -> bool:
    """Whether an action that waited may go on; if not, why is emitted.

    Versions that do not judge again leave it to each kind of action what keeps it from going on.
    """
    if not _judges_again(resolution):
        return True
    try:
        _require_allowed(resolution.state, resumed)
    except Refused as refusal:
        stopped = stopped_by(resumed.action, refusal)
        if stopped is not None:
            resolution.effects.emit(stopped)
        return False
    return True


def _require_allowed(battle: State[BattleState], resumed: ResumedAction) -> None:
    """What is left of an action is allowed on what its asker knows now. Raises Refused."""
    action = resumed.action
    view = perceive_for(_given_back(battle, action), resumed.by, action.combatant)
    match action:
        case Move():
            moves.require_rest(view, action, moves.made_of(resumed))
        case Attack() | AttackCell():
            attacks.require(view, action)


def _given_back(battle: State[BattleState], action: WaitingAction) -> State[BattleState]:
    """The battle in which the action has not been paid for."""
    cost = {"move_left": 1} if isinstance(action, Move) else {"standard_left": 1}
    rule = battle.rule
    combatants = tuple(
        replace(each, **cost) if each.id == action.combatant else each for each in rule.combatants
    )
    return replace(battle, rule=replace(rule, combatants=combatants))
