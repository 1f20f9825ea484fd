"""Answers to windows, and how the actions that waited for them go on (2.3).

How this works. A window is one question to one side. Its answer, or that nobody can give one any
more, hands the action back with its remainder, and the type of that says which stage goes on. A
shot on guard comes first: it may lead to the window of the next guard in the same matter.
"""

from typing import TypeVar, assert_never

from msgspec import UNSET

from service.engine.battle.decision_groups import Resumed, close
from service.engine.battle.decision_groups import settle as settle_groups
from service.engine.battle.decisions import group_of, require_open, require_option
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.actions import (
    Answer,
    AnyChoice,
    Dampen,
    GuardShot,
    Reroll,
)
from service.rulesets.melody_d6.deciding import (
    battle_end,
    continuing,
    dampening,
    guard_shots,
    masks,
    moves,
    songs,
    turns,
    windows,
)
from service.rulesets.melody_d6.deciding.completion import complete
from service.rulesets.melody_d6.deciding.requirements import require_able, require_own
from service.rulesets.melody_d6.deciding.resolution import Resolution, WaitingAction
from service.rulesets.melody_d6.deciding.windows import READERS
from service.rulesets.melody_d6.questions import (
    DampenContext,
    GuardContext,
    Question,
    RerollContext,
)
from service.rulesets.melody_d6.remainders import (
    REMAINDERS,
    AnyRemainder,
    DampenRemainder,
    EndTurnRemainder,
    MaskRemainder,
    MoveRemainder,
    RevealRemainder,
    SongDampenRemainder,
    SongRemainder,
)
from service.rulesets.melody_d6.state import BattleState

ResumedAction = Resumed[WaitingAction, AnyChoice]

C = TypeVar("C", Reroll, Dampen)


def answer(resolution: Resolution, action: Answer | do.ForcePass) -> None:
    """The effects of an answer; the action goes on with it.

    Raises Forbidden, Refused.
    """
    by = resolution.by
    decision = require_open(resolution.state, action.decision_id, by)
    if isinstance(action, Answer):
        require_answer(resolution.view, resolution.rule, decision, action.choice, by)
    resumed = close(resolution.effects, decision, action, READERS)
    if resumed is not None:
        _take(resolution, resumed)


def require_answer(
    view: State[BattleState], rule: BattleState, decision: Decision, choice: AnyChoice, by: By
) -> None:
    """The choice is possible, on what its chooser may know; `rule` is the battle as it is.

    Raises Forbidden("not_your_combatant") for the warrior it names, Refused("no_such_decision")
    where the decision is of another kind, ("wrong_choice") where dice cannot be passed or are not
    asked for, and what its own rules do.
    """
    match choice:
        case GuardShot():
            require_own(view, by, choice.combatant)
            guard_shots.require_shooter(view, choice)
            require_option(decision, choice, "no_such_decision")
            waiting, remainder = waiting_for(rule, decision)
            guard_shots.require_answer(view, waiting, choice, remainder)
        case Dampen():
            require_own(view, by, choice.combatant)
            require_able(require_combatant(view.rule, choice.combatant))
            require_option(decision, choice, "no_such_decision")
            songs.require_answer(view, decision, choice)
        case Reroll():
            require_option(decision, choice, "no_such_decision")
            songs.require_answer(view, decision, choice)
        case PassChoice() | RollChoice():
            require_option(decision, choice)


def waiting_for(rule: BattleState, decision: Decision) -> tuple[WaitingAction, AnyRemainder]:
    """The action that waits for the answer, and what is left of it."""
    suspended = group_of(rule, decision).suspended
    if suspended is UNSET or suspended.remainder is UNSET:
        raise ValueError("what waits for a window keeps what is left of it")
    return READERS.action.decode(suspended.action), REMAINDERS.decode(suspended.remainder)


def look_again(resolution: Resolution) -> None:
    """After the game master's word: a window that would not be opened any more is void.

    It counts as passed, and the action goes on; what its actor can still do its stage says.
    """
    effects = resolution.effects
    resumed = settle_groups(
        effects,
        READERS,
        is_over=lambda action: False,
        is_unable=lambda decision: not _is_still_asked(effects.state, decision),
    )
    if resumed is not None:
        _go_on(*_taken_up(resolution, resumed), None)


def _is_still_asked(battle: State[BattleState], decision: Decision) -> bool:
    if not isinstance(decision, Question):
        return False
    match decision.context:
        case GuardContext() as context:
            return windows.is_still_asked(battle, context)
        case RerollContext() | DampenContext():
            return songs.is_still_asked(battle.rule, decision)
        case _:
            return False


def _take(resolution: Resolution, resumed: ResumedAction) -> None:
    """What was chosen: a shot comes first, and may ask the next guard before the action goes on."""
    waiting, remainder = _taken_up(resolution, resumed)
    [closed] = resumed.settled
    if isinstance(closed.choice, GuardShot):
        remainder = guard_shots.shoot_in_window(waiting, closed.choice, remainder)
        is_over = battle_end.check(waiting.effects)
        if is_over or _asks_next(waiting, closed.decision, remainder):
            return
    _go_on(waiting, remainder, closed.choice)


def _taken_up(resolution: Resolution, resumed: ResumedAction) -> tuple[Resolution, AnyRemainder]:
    """The action that has waited, and what is left of it."""
    if resumed.remainder is UNSET:
        raise ValueError("what waits for a window keeps what is left of it")
    remainder = REMAINDERS.decode(resumed.remainder)
    waiting = resolution.going_on(resumed.action, resumed.by, remainder.uncovered)
    return waiting, remainder


def _go_on(resolution: Resolution, remainder: AnyRemainder, choice: AnyChoice | None) -> None:
    """The rest of the action if it may go on, then what follows an action (2.3)."""
    left = continuing.left_of(resolution, remainder)
    if left is not None:
        _stage(resolution, left, choice)
    complete(resolution)


def _asks_next(resolution: Resolution, decision: Decision, remainder: AnyRemainder) -> bool:
    """Whether another guard is asked in the same matter."""
    if not isinstance(decision, Question) or not isinstance(decision.context, GuardContext):
        return False
    return windows.further_window(resolution, decision.context, remainder)


def _stage(resolution: Resolution, remainder: AnyRemainder, choice: AnyChoice | None) -> None:
    """What the action does next."""
    match remainder:
        case MoveRemainder():
            moves.arrive(resolution, remainder)
        case MaskRemainder():
            masks.complete(resolution, remainder)
        case SongRemainder():
            songs.after_reroll(resolution, remainder, _as(Reroll, choice))
        case SongDampenRemainder():
            songs.after_dampen(resolution, remainder, _as(Dampen, choice))
        case DampenRemainder():
            dampening.after_reroll(resolution, remainder, _as(Reroll, choice))
        case EndTurnRemainder():
            turns.go_on(resolution, remainder)
        case RevealRemainder():
            pass
        case _:
            assert_never(remainder)


def _as(kind: type[C], choice: AnyChoice | None) -> C | None:
    """The choice, if it is of this kind; a pass is none."""
    return choice if isinstance(choice, kind) else None
