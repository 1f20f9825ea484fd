"""An action while it is worked out: what has happened, what is known, who asks, its dice."""

from typing import Generic, NoReturn, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import Dice
from service.engine.vocabulary.actions import Action, Answer, ForcePass
from service.engine.vocabulary.values import By
from service.errors import Refused

R = TypeVar("R", bound=RuleState)


class Resolution(Struct, Generic[R]):
    """One action being worked out: each step of a rulebook takes it and leaves effects in it.

    `view` is the battle before the event, as far as whoever asks for the event knows it. `action`
    and `by` are those of the event or, where an action that waited goes on, its own.
    """

    effects: EffectBuilder[R]
    view: State[R]
    action: Action
    by: By
    dice: Dice

    @property
    def rule(self) -> R:
        """The state after everything that has happened so far."""
        return self.effects.rule

    @property
    def state(self) -> State[R]:
        """The battle after everything that has happened so far."""
        return self.effects.state

    @property
    def seq(self) -> int:
        """The number of the event."""
        return self.dice.seq

    def going_on(self, action: Action, by: By) -> Self:
        """The same event, in which an action that waited goes on for whoever asked for it."""
        return replace(self, action=action, by=by)


def refuse_answer(resolution: Resolution[R], action: Answer | ForcePass) -> NoReturn:
    """An answer in a rulebook that asks for nothing but the table's dice.

    Raises Forbidden("not_your_decision"), Refused("decision_closed") or ("wrong_choice").
    """
    decision = require_open(resolution.state, action.decision_id, resolution.by)
    raise Refused("wrong_choice", decision_id=decision.id, allowed=list(decision.options))
