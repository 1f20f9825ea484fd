"""Streams of dice: who sees what is drawn follows from whom it is about."""

from service.engine.battle.state import RuleState, scope_of
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import narrow


def stream_for(rule: RuleState, *combatants: str) -> int:
    """The stream of dice that only those see who may know all of these combatants."""
    scope = scope_of(rule)
    audience = EVERYONE_WORD
    for combatant in combatants:
        audience = narrow(audience, scope.subject(combatant))
    return scope.stream_of(audience)
