"""Warriors whom the game master takes out of the battle, and what goes with them."""

from service.engine.battle.roster import require_combatant
from service.engine.kit.combatants import remove
from service.engine.vocabulary.actions import RemoveCombatant
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import battle_end, lasting
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.rules.turns import ML_TURN_2
from service.rulesets.melody_d6.state import members_of


def remove_combatant(resolution: Resolution, action: RemoveCombatant) -> None:
    """A warrior goes, its lasting Melody with it; with the last of a unit its activation is over.

    Raises Refused("unknown_combatant").
    """
    effects, rule = resolution.effects, resolution.rule
    leaving = require_combatant(rule, action.combatant)
    lasting.singer_left(effects, leaving.id, "singer_gone")
    if len(members_of(rule, leaving.unit)) == 1:
        _close_activation(effects, leaving.unit)
    remove(effects, leaving.id)
    battle_end.check(effects)


def _close_activation(effects: BattleEffects, unit: str) -> None:
    rule = effects.rule
    if rule.turn_unit == unit:
        side = str(rule.turn_side)
        effects.emit(own.ActivationEnded(rule=ML_TURN_2, side=side, unit=unit, cause="removed"))
