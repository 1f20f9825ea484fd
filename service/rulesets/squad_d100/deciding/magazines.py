"""Rounds and grenades: spent, and loaded again."""

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import Reload
from service.rulesets.squad_d100.deciding.aim import require_weapon
from service.rulesets.squad_d100.deciding.discovery import reveal
from service.rulesets.squad_d100.deciding.phases import (
    acting,
    begin_shooting,
    require_shooting_phase,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.shots import SQ_SHOOT_1, SQ_SHOOT_9
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.weapons import Weapon, rounds_of


def reload(resolution: Resolution, action: Reload) -> None:
    """The effects of filling a magazine, which takes the shooting phase."""
    weapon = require_reload(resolution.view, action)
    effects = resolution.effects
    begin_shooting(effects, action.combatant)
    set_rounds(effects, action.combatant, weapon.id, weapon.magazine)
    use_phase(effects, action.combatant)
    settle(effects)


def require_reload(view: State[BattleState], action: Reload) -> Weapon:
    """All preconditions of filling a magazine (2.3). Raises Refused with the first that fails."""
    actor = acting(view.rule, action.combatant)
    require_shooting_phase(view, actor)
    return require_weapon(actor, action.weapon)


def use_phase(effects: BattleEffects, combatant: str) -> None:
    """The shooting phase of this turn is used."""
    effects.emit(
        own.ResourceChanged(rule=SQ_SHOOT_1, combatant=combatant, resource="shooting", now=0)
    )


def spend_rounds(effects: BattleEffects, combatant: str, weapon: str, rounds: int) -> None:
    """Rounds leave the magazine at once, whatever becomes of them."""
    left = rounds_of(require_weapon(existing(effects.rule, combatant), weapon)) - rounds
    set_rounds(effects, combatant, weapon, left, SQ_SHOOT_9)


def set_rounds(
    effects: BattleEffects,
    combatant: str,
    weapon: str,
    rounds: int,
    rule: str | UnsetType = UNSET,
) -> None:
    """A magazine holds so many rounds from now on."""
    effects.emit(
        own.ResourceChanged(
            rule=rule, combatant=combatant, resource="rounds", item=weapon, now=rounds
        )
    )


def attack_begins(effects: BattleEffects, combatant: str) -> None:
    """Whoever attacks becomes known to all, unless the table says otherwise (2.3)."""
    if effects.rule.options.attack_reveals:
        reveal(effects, combatant, "attack")
