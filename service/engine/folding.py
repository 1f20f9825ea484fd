"""The fold driver: follows `base`, keeps the two halves of state apart.

How this works. An event continues the *rule* state of its `base` (normally the seq before it, an
earlier one after a rewind) and the *linear* state of the seq before it. `evolve` knows nothing of
this: the driver hands it the right halves.
"""

from itertools import pairwise
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from service.engine import effects as fx
from service.engine.event import Event
from service.engine.evolving import UnknownEffect, evolve_linear
from service.engine.projection import audience_of
from service.engine.ruleset import Ruleset
from service.engine.scope import Scope
from service.engine.state import (
    Linear,
    RuleState,
    Seat,
    State,
    scope_after,
    scope_of,
    seat_of,
    viewer_of,
    with_scope,
)
from service.engine.unfolding import evolved
from service.engine.vocabulary import By

R = TypeVar("R", bound=RuleState)


def apply(ruleset: Ruleset[R], before: State[R] | None, event: Event) -> State[R]:
    """The state after an event; `before` is (rule at `base`, linear at seq - 1), None for event 1.

    Raises UnknownEffect if the log holds something this build cannot apply.
    """
    state = before if before is not None else _blank(ruleset, event)
    rules = _unfolded(ruleset, state.rule, event)
    linear = _linear_after(state.linear, event)
    if linear.floors:
        linear = _raise_floors(linear, state, event, _scopes(rules))
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
        linear = _raise_floors(linear, state, event, scopes)
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
    scope = scope_of(rules[0])
    if len(rules) == 1:
        return (scope,)
    scopes = [scope]
    for before, changed in pairwise(rules):
        scope = scope_after(scope, before, changed)
        scopes.append(scope)
    with_scope(rules[-1], scopes.pop())
    return tuple(scopes)


def _blank(ruleset: Ruleset[R], event: Event) -> State[R]:
    created = event.effects[0] if event.effects else None
    if not isinstance(created, fx.EncounterCreated):
        raise UnknownEffect("a log begins with encounter_created")
    return State(rule=ruleset.initial(created), linear=Linear())


def _raise_floors(
    linear: Linear, before: State[R], event: Event, scopes: tuple[Scope, ...]
) -> Linear:
    """How far back each player may still rewind: never past what it has seen happen."""
    floors = tuple(
        replace(floor, floor=event.seq)
        if _is_raised(seat_of(linear, floor.seat), before, event, scopes)
        else floor
        for floor in linear.floors
    )
    return replace(linear, floors=floors)


def _is_raised(
    seat: Seat | None, before: State[R], event: Event, scopes: tuple[Scope, ...]
) -> bool:
    """Whether an event fixes the past for a seat; of one that was removed no more is asked."""
    return seat is not None and _is_fixed(seat, before, event, scopes)


def _is_fixed(seat: Seat, before: State[R], event: Event, scopes: tuple[Scope, ...]) -> bool:
    """Whether a player has seen of this event a draw, a reveal, or somebody else's deed.

    What it declared for the table's dice, or for others to answer, is not withdrawn either: asking
    would tell for free.
    """
    asks = By(kind="seat", id=seat.id, role=seat.role, seat=seat.id)
    viewer = viewer_of(asks, before.rule, before.linear)
    if any(viewer.may_know(scopes[0].stream(draw.stream)) for draw in event.draws):
        return True
    known = [
        effect
        for effect, scope in zip(event.effects, scopes, strict=False)
        if viewer.may_know(audience_of(effect, scope))
    ]
    if event.by.seat is not UNSET and event.by.seat == seat.id:
        return any(map(_binds, known))
    return bool(known) or viewer.may_know(audience_of(event.action, scopes[0]))


def _binds(effect: fx.Effect) -> bool:
    if isinstance(effect, fx.DecisionOpened):
        return effect.declared is not UNSET or effect.suspended is not UNSET
    return isinstance(effect, fx.Revealed | fx.TerrainChanged)
