"""From effects to states: within one decision, and event by event along the log.

How this works. An event continues the *rule* state of its `base` (normally the seq before it, an
earlier one after a rewind) and the *linear* state of the seq before it. `evolve` knows nothing of
this: the driver hands it the right halves.

A decided event is unfolded next, from the same state. Each state keeps the step that was taken from
it last, beside its fields like its lookups, so that the reducer need not run twice over the same
effects; the fold takes the step away, lest an old state hold all that followed.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Generic, TypeVar, get_args

from msgspec import UNSET

from service.engine.battle import undo
from service.engine.battle.evolve import core_step
from service.engine.battle.linear import Linear
from service.engine.battle.linear_steps import linear_step
from service.engine.battle.state import RuleState, State, UnknownEffect, hand_on, scope_of
from service.engine.log.event import Event, Facts
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Scope
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.effects import Effect

R = TypeVar("R", bound=RuleState)


def reducer(own: Callable[[R, Any], R], effects: Any) -> Callable[[R, Effect], R]:
    """The reducer of a ruleset: `own` for the union `effects` and what extends them, else ours.

    It raises UnknownEffect for what neither can apply.
    """
    kinds: tuple[type[Effect], ...] = get_args(effects)
    steps: dict[type[Effect], Callable[[R, Any], R]] = {}

    def evolve(rule: R, effect: Effect) -> R:
        kind = type(effect)
        step = steps.get(kind)
        if step is None:
            step = steps[kind] = own if issubclass(kind, kinds) else core_step(kind)
        return step(rule, effect)

    return evolve


class EffectBuilder(Generic[R]):
    """What has happened so far within one action: `state` is the battle after it, `rule` its rule
    half. The linear half is that before the action.
    """

    def __init__(self, state: State[R], evolve: Callable[[R, Effect], R]) -> None:
        self.state = state
        self.rule = state.rule
        self._evolve = evolve
        self._effects: list[Effect] = []

    def bring(self, blobs: Mapping[str, object]) -> None:
        """Have the maps and contents that the action brings along from now on."""
        before = self.state
        terms = before.terms.with_blobs(blobs)
        self.state = State(rule=before.rule, linear=before.linear, terms=terms)

    def emit(self, effect: Effect) -> None:
        """Add a fact; later steps of the same action see it."""
        before, state = self.rule, self.state
        after = _stepped(self._evolve, before, effect)
        if after is not before:
            before.__dict__["step"] = (self._evolve, effect, after)
            self.rule = after
            self.state = State(rule=after, linear=state.linear, terms=state.terms)
        self._effects.append(effect)

    @property
    def emitted(self) -> tuple[Effect, ...]:
        """All facts, in the order they happened."""
        return tuple(self._effects)


def apply(ruleset: Ruleset[R], before: State[R] | None, event: Event) -> State[R]:
    """The state after an event; `before` is (rule at `base`, linear at seq - 1), None for event 1.

    Raises UnknownEffect if the log holds something this build cannot apply.
    """
    state = before if before is not None else _blank(ruleset, event)
    rules = _unfolded(ruleset, state.rule, event)
    linear = _linear_after(state.linear, event)
    if linear.floors:
        linear = undo.raise_floors(ruleset, linear, state, event, lambda: _scopes(rules))
    return State(rule=rules[-1], linear=linear, terms=state.terms)


def apply_facts(ruleset: Ruleset[R], before: State[R], facts: Facts) -> State[R] | None:
    """As `apply`, for an event of which only the facts are read.

    None where a player's floor hangs on what else there is in it.
    """
    linear = _linear_after(before.linear, facts)
    if linear.floors:
        return None
    rule = before.rule
    for effect in facts.effects:
        rule = _stepped(ruleset.evolve, rule, effect)
    return State(rule=rule, linear=linear, terms=before.terms)


def unfold(
    ruleset: Ruleset[R], before: State[R] | None, event: Event
) -> tuple[State[R], tuple[Scope, ...]]:
    """The state after an event, and who might know what before each of its effects.

    One scope for each effect, and at least one; `scopes[0]` also holds for the action and the
    draws.
    """
    state = before if before is not None else _blank(ruleset, event)
    rules = _unfolded(ruleset, state.rule, event)
    linear = _linear_after(state.linear, event)
    scopes = _scopes(rules)
    if linear.floors:
        linear = undo.raise_floors(ruleset, linear, state, event, lambda: scopes)
    return State(rule=rules[-1], linear=linear, terms=state.terms), scopes


def _unfolded(ruleset: Ruleset[R], rule: R, event: Event) -> list[R]:
    """The rule state before the first effect and after each; event 1 begins with what it fills."""
    rules = [rule]
    for effect in event.effects:
        if not isinstance(effect, fx.EncounterCreated):
            rule = _evolved(ruleset.evolve, rule, effect)
        rules.append(rule)
    return rules


_NO_STEP = (None, None, None)


def _evolved(evolve: Callable[[R, Effect], R], rule: R, effect: Effect) -> R:
    """The state after an effect: the one an `EffectBuilder` made of it just now, if it did."""
    by, decided, after = rule.__dict__.get("step", _NO_STEP)
    if by is not evolve or decided is not effect:
        return _stepped(evolve, rule, effect)
    del rule.__dict__["step"]
    step: R = after
    return step


def _stepped(evolve: Callable[[R, Effect], R], rule: R, effect: Effect) -> R:
    """The state after an effect, with what was worked out of the one before it."""
    after = evolve(rule, effect)
    if after is not rule and after.__dict__.get("lookups") is not rule.lookups:
        hand_on(rule, after)
    return after


def _linear_after(linear: Linear, event: Event | Facts) -> Linear:
    for effect in event.effects:
        step = linear_step(type(effect))
        if step is not None:
            linear = step(linear, effect, event.seq)
    return linear


def _scopes(rules: list[R]) -> tuple[Scope, ...]:
    """The scope before each effect; one if there is none. The last state has one from now on."""
    scopes = [scope_of(rules[0])]
    for before, rule in pairwise(rules):
        if "scope" not in rule.__dict__:
            hand_on(before, rule)
        scopes.append(scope_of(rule))
    return tuple(scopes[:-1] or scopes)


def _blank(ruleset: Ruleset[R], event: Event) -> State[R]:
    created = event.effects[0] if event.effects else None
    if not isinstance(created, fx.EncounterCreated):
        raise UnknownEffect("a log begins with encounter_created")
    return State(rule=blank(ruleset, created), linear=Linear(), terms=ruleset.terms({}))


def blank(ruleset: Ruleset[R], created: fx.EncounterCreated) -> R:
    """The rule state that event 1 fills: of a fork, that which it takes up.

    Raises UnknownEffect for terms or a state of another ruleset.
    """
    if created.state is UNSET:
        return ruleset.initial(created)
    if not isinstance(created.state, ruleset.state):
        raise UnknownEffect(type(created.state).__name__)
    return created.state
