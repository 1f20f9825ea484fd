"""The fold driver: follows `base`, keeps the two halves of state apart.

How this works. An event continues the *rule* state of its `base` (normally the seq before it, an
earlier one after a rewind) and the *linear* state of the seq before it. `evolve` knows nothing of
this: the driver hands it the right halves.
"""

from typing import TypeVar

from service.engine.battle import undo
from service.engine.battle.effect_builder import evolved
from service.engine.battle.evolve import UnknownEffect, evolve_linear
from service.engine.battle.state import Linear, RuleState, State, scope_of
from service.engine.log.event import Event
from service.engine.ruleset import Ruleset
from service.engine.visibility.scope import Scope
from service.engine.vocabulary import effects as fx

R = TypeVar("R", bound=RuleState)


def apply(ruleset: Ruleset[R], before: State[R] | None, event: Event) -> State[R]:
    """The state after an event; `before` is (rule at `base`, linear at seq - 1), None for event 1.

    Raises UnknownEffect if the log holds something this build cannot apply.
    """
    state = before if before is not None else _blank(ruleset, event)
    rules = _unfolded(ruleset, state.rule, event)
    linear = _linear_after(state.linear, event)
    if linear.floors:
        linear = undo.raised(ruleset, linear, state, event, lambda: _scopes(rules))
    return State(rule=rules[-1], linear=linear, blobs=state.blobs)


def unfold(
    ruleset: Ruleset[R], before: State[R] | None, event: Event
) -> tuple[State[R], tuple[Scope, ...]]:
    """The state after an event, and who might know what before each of its effects.

    One scope for each effect, and at least one; `scopes[0]` also holds for the action and the
    draws.
    """
    state = before if before is not None else _blank(ruleset, event)
    rules = _unfolded(ruleset, state.rule, event)
    scopes = _scopes(rules)
    linear = _linear_after(state.linear, event)
    if linear.floors:
        linear = undo.raised(ruleset, linear, state, event, lambda: scopes)
    return State(rule=rules[-1], linear=linear, blobs=state.blobs), scopes


def _unfolded(ruleset: Ruleset[R], rule: R, event: Event) -> list[R]:
    """The rule state before the first effect and after each; event 1 begins with what it fills."""
    rules = [rule]
    for effect in event.effects:
        if not isinstance(effect, fx.EncounterCreated):
            rule = evolved(ruleset.evolve, rule, effect)
        rules.append(rule)
    return rules


def _linear_after(linear: Linear, event: Event) -> Linear:
    for effect in event.effects:
        linear = evolve_linear(linear, effect, event.seq)
    return linear


def _scopes(rules: list[R]) -> tuple[Scope, ...]:
    """The scope before each effect; one if there is none."""
    return tuple([scope_of(rule) for rule in (rules[:-1] or rules)])


def _blank(ruleset: Ruleset[R], event: Event) -> State[R]:
    created = event.effects[0] if event.effects else None
    if not isinstance(created, fx.EncounterCreated):
        raise UnknownEffect("a log begins with encounter_created")
    return State(rule=ruleset.initial(created), linear=Linear())
