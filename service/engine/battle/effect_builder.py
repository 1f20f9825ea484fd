"""Collects the effects of one decision and keeps the state they lead to at hand.

How this works. Whoever decided an event unfolds it next, from the same state. Each state keeps the
step taken from it last, beside its fields like its lookups, so that the reducer need not run twice
over the same effects; the fold takes it away, lest an old state hold all that followed.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from service.engine.battle.state import RuleState, handed_on
from service.engine.vocabulary.effects import Effect

R = TypeVar("R", bound=RuleState)

_NO_STEP = (None, None, None)


class EffectBuilder(Generic[R]):
    """What has happened so far within one action: `rule` is the state after it."""

    def __init__(self, rule: R, evolve: Callable[[R, Effect], R]) -> None:
        self.rule = rule
        self._evolve = evolve
        self._effects: list[Effect] = []

    def emit(self, effect: Effect) -> None:
        """Add a fact; later steps of the same action see it."""
        before = self.rule
        self.rule = _stepped(self._evolve, before, effect)
        if self.rule is not before:
            before.__dict__["step"] = (self._evolve, effect, self.rule)
        self._effects.append(effect)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All facts, in the order they happened."""
        return tuple(self._effects)


def evolved(evolve: Callable[[R, Effect], R], rule: R, effect: Effect) -> R:
    """The state after an effect: the one an `EffectBuilder` made of it just now, if it did."""
    by, decided, after = rule.__dict__.get("step", _NO_STEP)
    if by is not evolve or decided is not effect:
        return _stepped(evolve, rule, effect)
    del rule.__dict__["step"]
    step: R = after
    return step


def _stepped(evolve: Callable[[R, Effect], R], rule: R, effect: Effect) -> R:
    after = evolve(rule, effect)
    return after if after is rule else handed_on(rule, after)
