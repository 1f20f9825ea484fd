"""A battle of the bare core: two sides, and combatants that no ruleset adds anything to."""

from typing import Final

from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import Linear
from service.engine.battle.state import Combatant, RuleState, State, TableOptions
from service.engine.battle.terms import NO_TERMS
from service.engine.vocabulary.values import Place, Side

SIDES: Final = (Side(id="red"), Side(id="blue"))


def somebody(name: str, side: str = "red", **more: object) -> Combatant:
    """A combatant of 5 health at the origin."""
    plain = Combatant(id=name, side=side, place=Place(x=0, y=0), health=5, health_max=5)
    return replace(plain, **more)


def battle(*combatants: Combatant, **more: object) -> RuleState:
    """A state with these combatants."""
    plain = RuleState(options=TableOptions(), dice="sealed", sides=SIDES, combatants=combatants)
    return replace(plain, **more)


def state_of(rule: RuleState) -> State[RuleState]:
    """The battle of this state, without map and content."""
    return State(rule=rule, linear=Linear(), terms=NO_TERMS)


def effects_on(rule: RuleState) -> EffectBuilder[RuleState]:
    """What happens to this state, by the engine's own reducer."""
    return EffectBuilder(state_of(rule), evolve_core)
