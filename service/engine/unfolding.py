"""Collects the effects of one decision and keeps the state they lead to at hand."""

from collections.abc import Callable
from typing import Generic, TypeVar

from service.engine.effects import Effect
from service.engine.state import RuleState

R = TypeVar("R", bound=RuleState)


class Unfolding(Generic[R]):
    """What has happened so far within one action: `rule` is the state after it."""

    def __init__(self, rule: R, evolve: Callable[[R, Effect], R]) -> None:
        self.rule = rule
        self._evolve = evolve
        self._effects: list[Effect] = []

    def emit(self, effect: Effect) -> None:
        """Add a fact; later steps of the same action see it."""
        self.rule = self._evolve(self.rule, effect)
        self._effects.append(effect)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All facts, in the order they happened."""
        return tuple(self._effects)
