"""Actions that wait for what enemies do about them: answers, and how the actions go on.

An answer is sealed while others are open; with the last one the attacks are made and the action
goes on, in the same event.
"""

from service.engine.battle.decision_groups import close
from service.engine.battle.decision_groups import settle as settle_groups
from service.engine.battle.decisions import require_open
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, is_out
from service.engine.vocabulary import actions as do
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

    def is_over(action: WaitingAction) -> bool:
        return _is_gone(effects.rule, action.combatant)

    def is_unable(decision: Decision) -> bool:
        return not is_still_asked(effects.state, decision)

    resumed = settle_groups(effects, READERS, is_over=is_over, is_unable=is_unable)
    if resumed is not None:
        go_on(resolution, resumed)


def _is_gone(rule: BattleState, combatant: str) -> bool:
    present = combatant_of(rule, combatant)
    return present is None or is_out(present)


def go_on(resolution: Resolution, resumed: ResumedAction) -> None:
    """The attacks that were chosen, then the rest of the action that waited for them."""
    make_attacks(resolution, resumed)
    waiting = resolution.going_on(resumed.action, resumed.by)
    match resumed.action:
        case Move() as walk:
            moves.go_on(waiting, walk, resumed)
        case Attack() | AttackCell() as shot:
            attacks.go_on(waiting, shot)
    settle(resolution.effects)
