"""Groups of decisions: asked together, sealed until all are closed, then the action goes on.

How this works. A rulebook that must ask before it goes on suspends the action: `suspend` opens one
decision for everybody who has a choice and keeps the action in the group. Each answer goes through
`close`: as long as others are open it is sealed with the group; the last one takes the group off
the stack, states all choices in the order of asking and hands back the action, which the rulebook
carries on in the same event. `settle` does the same where the game master's word leaves nothing to
be answered. Only a rulebook knows its own types, so it brings the decoders (`Readers`).

How far the action had come is its `remainder`, kept beside it and handed back with it, whatever
became of the questions: what stands in a decision's own context is gone once that decision is void.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.decisions import decision_id, group_of, without_text
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import (
    Chosen,
    Decision,
    DecisionGroup,
    How,
    Suspended,
    in_order,
)
from service.engine.battle.state import RuleState, scope_of
from service.engine.log import canonical
from service.engine.visibility.scope import audience_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import Action, Answer, ForcePass
from service.engine.vocabulary.choices import Choice, PassChoice
from service.engine.vocabulary.values import By

A = TypeVar("A", bound=Action)
C = TypeVar("C", bound=Choice)
R = TypeVar("R", bound=RuleState)

UNNUMBERED: Final = "d0.0"
"""The id of a decision that is yet to be asked: `suspend` gives it its own."""


@dataclass(frozen=True, slots=True)
class Readers(Generic[A, C]):
    """How a rulebook reads the actions it suspends and the choices it takes, `pass` among them."""

    action: msgspec.json.Decoder[A]
    choice: msgspec.json.Decoder[C]


@dataclass(frozen=True, slots=True)
class ClosedDecision(Generic[C]):
    """A decision of a complete group, how it was closed and with which choice."""

    decision: Decision
    how: How
    choice: C


@dataclass(frozen=True, slots=True)
class Resumed(Generic[A, C]):
    """An action that goes on, as it was asked for, and what was answered, in the order of asking.

    Void decisions are not among them. `remainder` is what was kept of it when it was suspended.
    """

    action: A
    by: By
    settled: tuple[ClosedDecision[C], ...]
    remainder: Raw | UnsetType = UNSET

    def choice_of(self, combatant: str) -> C | None:
        """The choice made for a combatant; None if it was not asked or could not answer."""
        choices = (
            closed.choice for closed in self.settled if closed.decision.combatant == combatant
        )
        return next(choices, None)


def suspend(
    effects: EffectBuilder[R],
    questions: Sequence[Decision],
    action: Action,
    by: By,
    seq: int,
    remainder: Struct | UnsetType = UNSET,
) -> None:
    """Ask all of these at once, as event `seq`, and let the action wait until all are closed.

    `asked` is not empty and in the order in which the rulebook works out the answers; ids and
    numbers are given here. `remainder` is what is left of an action that has begun.
    """
    waiting = Suspended(
        action=without_text(action),
        by=by,
        remainder=UNSET if remainder is UNSET else without_text(remainder),
    )
    scope = scope_of(effects.rule)
    counts: dict[str, int] = {}
    for number, decision in enumerate(questions, 1):
        audience = audience_of(decision, scope)
        counts[audience] = counts.get(audience, 0) + 1
        fresh_id = decision_id(seq, counts[audience], audience, scope)
        effects.emit(
            fx.AnswerAsked(
                decision=replace(decision, id=fresh_id, opened_by=seq, number=number),
                joins=UNSET if number == 1 else True,
                suspended=waiting if number == 1 else UNSET,
            )
        )


def close(
    effects: EffectBuilder[R],
    decision: Decision,
    answer: Answer | ForcePass,
    readers: Readers[A, C],
) -> Resumed[A, C] | None:
    """Close an open decision; None as long as others of its group are open.

    Whether the choice is possible is for the rulebook to say before. Raises ValueError for a
    decision that nothing waits for.
    """
    how, choice = _manner_and_choice(answer)
    sealed = fx.Sealed(how=how, choice=Raw(canonical.encode(choice)))
    group = group_of(effects.rule, decision)
    if len(group.decisions) > 1:
        effects.emit(fx.DecisionClosed(decision_id=decision.id, sealed=sealed))
        return None
    last = Chosen(decision=decision, how=how, choice=sealed.choice)
    return _resume(effects, group, (last, *(group.closed or ())), readers)


def settle(
    effects: EffectBuilder[R],
    readers: Readers[A, C],
    *,
    is_over: Callable[[A], bool],
    is_unable: Callable[[Decision], bool],
) -> Resumed[A, C] | None:
    """Look at the topmost action that waits for answers again, after the game master's word.

    If it `is_over`, it and all its decisions are void. Open decisions of those who are unable to
    answer are void; the action goes on if nothing is left open. A question for the dice of an
    answer that is void is void, too.
    """
    depth = _depth(effects.rule)
    if depth is None:
        return None
    group, above = effects.rule.pending[depth], effects.rule.pending[depth + 1 :]
    if is_over(readers.action.decode(_waiting(group).action)):
        _void(
            effects, [decision for top in reversed((group, *above)) for decision in in_order(top)]
        )
        return None
    unable = [decision for decision in group.decisions if is_unable(decision)]
    if not unable or len(unable) < len(group.decisions):
        _void(effects, unable)
        return None
    _void(effects, [decision for top in reversed(above) for decision in in_order(top)])
    _void(effects, unable)
    return _resume(effects, group, group.closed or (), readers)


def waiting_action(rule: RuleState, readers: Readers[A, C]) -> Resumed[A, C] | None:
    """The topmost action that waits for answers, as it would go on if nobody answered."""
    depth = _depth(rule)
    if depth is None:
        return None
    waiting = _waiting(rule.pending[depth])
    action = readers.action.decode(waiting.action)
    return Resumed(action=action, by=waiting.by, settled=(), remainder=waiting.remainder)


def _manner_and_choice(answer: Answer | ForcePass) -> tuple[How, Choice]:
    if isinstance(answer, ForcePass):
        return "forced", PassChoice()
    if isinstance(answer.choice, PassChoice):
        return ("timeout" if answer.choice.reason == "timeout" else "passed"), answer.choice
    return "answered", answer.choice


def _resume(
    effects: EffectBuilder[R],
    group: DecisionGroup,
    chosen: Sequence[Chosen],
    readers: Readers[A, C],
) -> Resumed[A, C]:
    """State all choices in the order of asking; with the last of them the group is gone."""
    waiting = _waiting(group)
    order = [decision.id for decision in in_order(group)]
    settled = tuple(
        ClosedDecision(
            decision=closed.decision, how=closed.how, choice=readers.choice.decode(closed.choice)
        )
        for closed in sorted(chosen, key=lambda closed: order.index(closed.decision.id))
    )
    for closed in settled:
        effects.emit(_statement(closed))
    action = readers.action.decode(waiting.action)
    return Resumed(action=action, by=waiting.by, settled=settled, remainder=waiting.remainder)


def _statement(settled: ClosedDecision[C]) -> fx.DecisionClosed:
    says_more = settled.how == "answered" and bool(settled.choice.__struct_fields__)
    return fx.DecisionClosed(
        decision_id=settled.decision.id,
        how=settled.how,
        choice=str(settled.choice.__struct_config__.tag),
        full=settled.choice if says_more else UNSET,
    )


def _waiting(group: DecisionGroup) -> Suspended:
    if group.suspended is UNSET:
        raise ValueError("nothing waits for this group")
    return group.suspended


def _depth(rule: RuleState) -> int | None:
    """Where the topmost group stands that an action waits for."""
    depths = [n for n, group in enumerate(rule.pending) if group.suspended is not UNSET]
    return depths[-1] if depths else None


def _void(effects: EffectBuilder[R], decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        effects.emit(fx.DecisionClosed(decision_id=decision.id, how="void"))
