"""What a player may know of a battle."""

from typing import TypeVar

from service.engine.battle.state import Combatant, RuleState, State, scope_of
from service.engine.visibility.redaction import redacted
from service.engine.visibility.scope import Scope, Viewer

R = TypeVar("R", bound=RuleState)


def perceive(state: State[R], viewer: Viewer) -> State[R]:
    """The state without what the viewer may not know, as the marks of its fields say.

    The same state where nothing is hidden. A hidden number reads its default, so ask
    `knows_numbers` before showing one.
    """
    if viewer.is_gm:
        return state
    rule = redacted(state.rule, scope_of(state.rule), viewer)
    if rule is None:
        raise TypeError(f"{type(state.rule).__name__} has a hidden field without a default")
    return state if rule is state.rule else State(rule=rule, linear=state.linear, terms=state.terms)


def knows_numbers(combatant: Combatant, scope: Scope, viewer: Viewer) -> bool:
    """Whether the viewer may know the numbers of a combatant."""
    return viewer.may_know(scope.declared("numbers", combatant.side))
