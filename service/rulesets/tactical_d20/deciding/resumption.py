"""Actions that wait for what enemies do about them: answers, and how the actions go on.

An answer is sealed while others are open; with the last one the attacks are made and the action
goes on, in the same event.
"""

from service.engine.battle.decision_groups import close
from service.engine.battle.decision_groups import settle as settle_groups
from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.actions import Answer, Attack, AttackCell, Move, WaitingAction
from service.rulesets.tactical_d20.deciding import attacks, moves
from service.rulesets.tactical_d20.deciding.opportunities import (
    READERS,
    ResumedAction,
    is_still_asked,
    make_attacks,
    require_choice,
)
from service.rulesets.tactical_d20.deciding.turns import settle
from service.rulesets.tactical_d20.evolve import BattleEffects, evolve
from service.rulesets.tactical_d20.state import BattleState, is_out


def answer(
    view: State[BattleState],
    state: State[BattleState],
    action: Answer | do.ForcePass,
    by: By,
    dice: Dice,
) -> tuple[fx.Effect, ...]:
    """The effects of an answer by whoever knows `view`; the last of its group resumes the action.

    Raises Forbidden, Refused.
    """
    decision = require_open(state, action.decision_id, by)
    if isinstance(action, Answer):
        require_choice(view, decision, action.choice)
    effects = EffectBuilder(state, evolve)
    resumed = close(effects, decision, action, READERS)
    if resumed is not None:
        go_on(effects, resumed, dice)
    return effects.emitted


def look_again(effects: BattleEffects, dice: Dice) -> None:
    """After the game master's word: who is gone or out does not act any more.

    Nobody answers who would not be asked now: an enemy who is out, has spent its reaction, or does
    not control the actor's space any more.
    """

    def is_over(action: WaitingAction) -> bool:
        return _is_gone(effects.rule, action.combatant)

    def is_unable(decision: Decision) -> bool:
        return not is_still_asked(effects.state, decision)

    resumed = settle_groups(effects, READERS, is_over=is_over, is_unable=is_unable)
    if resumed is not None:
        go_on(effects, resumed, dice)


def _is_gone(rule: BattleState, combatant: str) -> bool:
    present = combatant_of(rule, combatant)
    return present is None or is_out(present)


def go_on(
    effects: BattleEffects,
    resumed: ResumedAction,
    dice: Dice,
) -> None:
    """The attacks that were chosen, then the rest of the action that waited for them."""
    make_attacks(effects, resumed, dice)
    match resumed.action:
        case Move() as walk:
            moves.go_on(effects, walk, resumed, dice.seq)
        case Attack() | AttackCell() as shot:
            attacks.go_on(effects, shot, resumed.by, dice)
    settle(effects)
