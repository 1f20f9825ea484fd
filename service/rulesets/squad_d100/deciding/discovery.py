"""What was hidden and becomes known: combatants who attack, or whom somebody meets."""

from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.evolve import BattleEffects


def reveal(effects: BattleEffects, combatant: str, cause: str) -> None:
    """A hidden combatant is known to everybody from now on; nothing happens to any other."""
    newcomer = existing(effects.rule, combatant)
    if newcomer.hidden:
        effects.emit(own.Revealed(combatant=replace(newcomer, hidden=False), cause=cause))
