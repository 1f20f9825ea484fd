"""Collects the effects of one decision and keeps the state they lead to at hand.

How this works. Whoever decided an event unfolds it next, from the same state. The steps just taken
are remembered, so that the reducer need not run twice over the same effects.
"""

from collections.abc import Callable
from typing import Final, Generic, TypeVar, cast

from service.engine.battle.state import RuleState
from service.engine.kit.identity_memo import Memory
from service.engine.vocabulary.effects import Effect

R = TypeVar("R", bound=RuleState)

_STEPS: Final[Memory[RuleState]] = Memory(128)


class EffectBuilder(Generic[R]):
    """What has happened so far within one action: `rule` is the state after it."""

    def __init__(self, rule: R, evolve: Callable[[R, Effect], R]) -> None:
        self.rule = rule
        self._evolve = evolve
        self._effects: list[Effect] = []

    def emit(self, effect: Effect) -> None:
        """Add a fact; later steps of the same action see it."""
        before = self.rule
        self.rule = self._evolve(before, effect)
        _STEPS.keep(self.rule, self._evolve, before, effect)
        self._effects.append(effect)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All facts, in the order they happened."""
        return tuple(self._effects)


def evolved(evolve: Callable[[R, Effect], R], rule: R, effect: Effect) -> R:
    """The state after an effect: the one an `EffectBuilder` made of it just now, if it did."""
    known = _STEPS.find(evolve, rule, effect)
    return evolve(rule, effect) if known is None else cast(R, known)
