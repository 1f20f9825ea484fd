"""Windows: the questions of 2.3, each to one side, and the action that waits for the answer.

How this works. A stage that asks suspends its action with a remainder and returns; the answer goes
on from there (`resume.py`). Windows follow one another and never stand inside one another. Who lost
its masking so far within the action is kept in the remainder, for the window at its end. Where
nobody is eligible nothing is asked, which the event records for the game master.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.decision_groups import UNNUMBERED, Readers, suspend
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import Action
from service.rulesets.melody_d6.actions import AnyChoice, Charge
from service.rulesets.melody_d6.content import content_of
from service.rulesets.melody_d6.deciding.requirements import is_able
from service.rulesets.melody_d6.deciding.resolution import Resolution, WaitingAction
from service.rulesets.melody_d6.questions import GuardContext, Question
from service.rulesets.melody_d6.remainders import AnyRemainder, MoveRemainder, Remainder
from service.rulesets.melody_d6.rules.guard import GuardTrigger, may_be_asked
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_on_guard,
    other_side,
)
from service.rulesets.melody_d6.weapons import is_ranged

READERS: Final[Readers[WaitingAction, AnyChoice]] = Readers(
    action=msgspec.json.Decoder(WaitingAction), choice=msgspec.json.Decoder(AnyChoice)
)

GUARD_WINDOW: Final = "guard_window"


def eligible_guards(battle: State[BattleState], side: str) -> tuple[Combatant, ...]:
    """Warriors of a side who could shoot on guard, in upload order, whatever they see."""
    content = content_of(battle)
    ranged = {each.id for each in content.weapons if is_ranged(each)}
    return tuple(
        each
        for each in battle.rule.combatants
        if each.side == side
        and may_be_asked(
            is_on_guard=is_on_guard(each),
            is_able=is_able(each),
            is_armed=not ranged.isdisjoint(each.weapons),
        )
    )


def guard_window(
    resolution: Resolution, trigger: GuardTrigger, movers: tuple[str, ...], remainder: AnyRemainder
) -> bool:
    """Ask the other side's guards what they do about these warriors; whether they are asked.

    Where they are, the action waits with this remainder. `movers` are empty for `end_turn`. What
    was uncovered before counts as shown.
    """
    resolution.show()
    why = _why_skipped(resolution, movers)
    if why is not None:
        skip(resolution, GUARD_WINDOW, why)
        return False
    _ask_guards(resolution, trigger, movers, remainder)
    return True


def further_window(resolution: Resolution, context: GuardContext, remainder: AnyRemainder) -> bool:
    """Ask the next guard in the same matter, if there is one; whether it is asked.

    In a window of revealed warriors those whom the shot has uncovered are shown, too.
    """
    movers = context.movers
    if context.trigger == "reveal":
        movers = tuple(dict.fromkeys((*movers, *resolution.uncovered())))
    if _why_skipped(resolution, movers) is not None:
        return False
    if context.trigger == "reveal":
        resolution.show()
    _ask_guards(resolution, context.trigger, movers, remainder)
    return True


def is_still_asked(battle: State[BattleState], context: GuardContext) -> bool:
    """Whether a window of the guards would be opened as the battle is now.

    What was asked, and could not be asked any more, is void (default, not in the source text).
    """
    rule = battle.rule
    side = other_side(rule, str(rule.turn_side))
    return _is_known(rule, context.movers) and bool(eligible_guards(battle, side))


def _why_skipped(resolution: Resolution, movers: tuple[str, ...]) -> str | None:
    rule = resolution.rule
    if not _is_known(rule, movers):
        return "hidden"
    side = other_side(rule, str(rule.turn_side))
    return None if eligible_guards(resolution.state, side) else "nobody_eligible"


def _is_known(rule: BattleState, movers: Iterable[str]) -> bool:
    """Whether the other side may know of any of these, or there is nobody to know of."""
    present = [combatant_of(rule, each) for each in movers]
    return not present or any(each is not None and not each.hidden for each in present)


def _ask_guards(
    resolution: Resolution, trigger: GuardTrigger, movers: tuple[str, ...], remainder: AnyRemainder
) -> None:
    rule = resolution.rule
    side = other_side(rule, str(rule.turn_side))
    guards = eligible_guards(resolution.state, side)
    context = GuardContext(
        trigger=trigger,
        movers=movers,
        target=_charged(resolution.action, trigger),
        guards=tuple(each.id for each in guards),
    )
    if isinstance(remainder, MoveRemainder):
        path = (remainder.start, *remainder.path)
        context = replace(context, path=path, used=remainder.used, reach=remainder.reach)
    question = Question(
        id=UNNUMBERED,
        kind=GUARD_WINDOW,
        opened_by=0,
        side=side,
        options=("guard_shoot", "pass"),
        default="pass",
        context=context,
    )
    ask(resolution, question, remainder)


def _charged(action: Action, trigger: GuardTrigger) -> str | UnsetType:
    return action.target if isinstance(action, Charge) and trigger == "charge" else UNSET


def ask(resolution: Resolution, question: Question, remainder: Remainder) -> None:
    """Ask one side, and let the action wait with this remainder."""
    kept = replace(remainder, uncovered=resolution.uncovered())
    suspend(
        resolution.effects,
        (question,),
        resolution.action,
        resolution.by,
        resolution.seq,
        kept,
    )


def skip(resolution: Resolution, kind: str, why: str) -> None:
    """Record that a question was not asked, `nobody_eligible` or about somebody `hidden`."""
    resolution.effects.emit(fx.WindowSkipped(kind=kind, why=why))
