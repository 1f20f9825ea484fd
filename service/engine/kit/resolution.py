"""An action while it is worked out: what has happened, what is known, who asks, its dice.

A player's action is judged on what that player may know; what follows from it happens in the
battle as it is. The engine decides what is alike in all rulebooks and never asks one of them.
"""

from collections.abc import Callable
from typing import Any, Generic, NoReturn, Self, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import seat_of
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import RuleState, State, viewer_of
from service.engine.dice.dice import Dice
from service.engine.kit.action_table import ActionTable
from service.engine.kit.perception import perceive
from service.engine.kit.previews import Decide
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action, Answer, CreateEncounter, ForcePass
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By
from service.errors import Refused

R = TypeVar("R", bound=RuleState)
W = TypeVar("W", bound="Resolution[Any]")


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


def perceive_as(state: State[R], by: By) -> State[R]:
    """The state that an action of this caller is judged on."""
    if by.role == "gm":
        return state
    return perceive(state, viewer_of(by, state.rule, state.linear))


def perceive_for(state: State[R], by: By, combatant: str) -> State[R]:
    """The state that an action of this combatant is judged on which has waited since `by` asked.

    It is what the caller may know now; if its seat is gone, what the combatant's side may know.
    """
    if by.role == "gm" or (by.seat is not UNSET and seat_of(state.linear, by.seat) is not None):
        return perceive_as(state, by)
    actor = combatant_of(state.rule, combatant)
    return perceive(state, Viewer() if actor is None else Viewer(sides=(actor.side,)))


def decider(
    table: ActionTable[R, W, Any],
    resolution: Callable[[EffectBuilder[R], State[R], Action, By, Dice], W],
    evolve: Callable[[R, Effect], R],
    create: Callable[[State[R], Any, By], tuple[Effect, ...]],
    follow: Callable[[W, Action], None] | None = None,
) -> Decide[R]:
    """What decides the actions of a rulebook: each by its entry, event 1 by `create`.

    `follow`: what happens behind an action of any type, where the rulebook has such.
    """

    def decide(state: State[R], action: Action, by: By, seq: int, dice: Dice) -> tuple[Effect, ...]:
        """The effects of an action as event `seq`.

        Role, control and the moment are allowed already. Raises Forbidden, Refused or Malformed,
        never after the first draw.
        """
        if isinstance(action, CreateEncounter):
            return create(state, action, by)
        view = perceive_as(state, by)
        resolved = resolution(EffectBuilder(state, evolve), view, action, by, dice)
        table.entries[type(action)].decide(resolved, action)
        if follow is not None:
            follow(resolved, action)
        return resolved.effects.emitted

    return decide


def refuse_answer(resolution: Resolution[R], action: Answer | ForcePass) -> NoReturn:
    """An answer in a rulebook that asks for nothing but the table's dice.

    Raises Forbidden("not_your_decision"), Refused("decision_closed") or ("wrong_choice").
    """
    decision = require_open(resolution.state, action.decision_id, resolution.by)
    raise Refused("wrong_choice", decision_id=decision.id, allowed=list(decision.options))
