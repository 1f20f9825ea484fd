"""What was hidden and becomes known: warriors who attack, or whom somebody meets."""

from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding.detection import rallied
from service.rulesets.melody_d6.evolve import BattleEffects


def reveal(effects: BattleEffects, combatant: str, cause: str) -> None:
    """A hidden warrior is known to everybody from now on; nothing happens to any other."""
    newcomer = existing(effects.rule, combatant)
    if newcomer.hidden:
        effects.emit(own.Revealed(combatant=replace(newcomer, hidden=False), cause=cause))


def attack_begins(effects: BattleEffects, combatant: str) -> None:
    """Whoever shoots, fights, charges or sings becomes known at the declaration (2.4).

    Only where the table says so (`attack_reveals`). Who was hidden detects masked enemies near it
    from then on, at once. Default, not in the source text.
    """
    if effects.rule.options.attack_reveals and existing(effects.rule, combatant).hidden:
        reveal(effects, combatant, "attack")
        rallied(effects, combatant)
