"""The game master overrules: changes are taken as given, and the rules make of them what they do.

Only places are checked: nobody is put on somebody who is not dead, into a wall or off the map. An
action that waits for answers is looked at again afterwards: questions that nobody can answer any
more are void, and if none is left open it goes on in the same event.
"""

from typing import assert_never

from msgspec.structs import replace

from service.engine.battle.roster import existing, require_combatant
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_ready, set_stat
from service.engine.kit.bounds import NumberBounds, number_bounds
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.errors import Malformed, Refused
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.deciding.damage import set_health
from service.rulesets.tactical_d20.deciding.join_battle import (
    concealment_link,
    cover_link,
    require_room,
)
from service.rulesets.tactical_d20.deciding.postures import knock_down
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.resumption import look_again
from service.rulesets.tactical_d20.deciding.turns import settle
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.rules.defaults import felled_condition
from service.rulesets.tactical_d20.state import ArmourClass, Combatant, band_of

CombatantChange = (
    ask.SetHp
    | alter.SetPlace
    | ask.SetCondition
    | ask.SetResource
    | ask.SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
    | ask.SetReady
    | ask.SetCoverOverride
    | ask.SetConcealmentOverride
)
"""What the game master overrules of one combatant."""


def adjust(resolution: Resolution, action: ask.Adjust) -> None:
    """The effects of the changes, one after the other, and what follows from all of them.

    Raises Refused("unknown_combatant"), ("unknown_weapon") and those of places; Malformed for a
    number outside the bounds of the sheet.
    """
    effects = resolution.effects
    for change, path in overrule(effects, action.changes, action.reason):
        if isinstance(change, ask.SetGravity):
            effects.emit(own.GravitySet(gravity=change.gravity))
        else:
            combatant = require_combatant(effects.rule, change.combatant)
            _change(effects, change, combatant, path)
    look_again(resolution)
    settle(effects)


def _change(
    effects: BattleEffects, change: CombatantChange, combatant: Combatant, path: str
) -> None:
    match change:
        case ask.SetHp():
            _set_hp(effects, change, combatant, path)
        case alter.SetPlace():
            require_room(effects.state, replace(combatant, place=change.place))
            put_down(effects, change, combatant)
        case ask.SetCondition():
            _set_condition(effects, change)
        case ask.SetStat():
            _set_stat(effects, change, combatant, path)
        case ask.SetReady():
            _set_ready(effects, change, combatant)
        case alter.RevealCombatant() | alter.HideCombatant():
            set_hidden(effects, change, own.Revealed)
        case ask.SetCoverOverride() | ask.SetConcealmentOverride():
            require_combatant(effects.rule, change.versus)
            effects.emit(_link(change))
        case ask.SetResource():
            effects.emit(
                fx.ResourceChanged(
                    combatant=change.combatant,
                    resource=change.resource,
                    now=change.value,
                    cause="gm",
                )
            )
        case _:
            assert_never(change)


def _link(change: ask.SetCoverOverride | ask.SetConcealmentOverride) -> own.LinkChanged:
    """The game master's word, or that it is lifted."""
    me, versus = change.combatant, change.versus
    if isinstance(change, ask.SetCoverOverride):
        return cover_link(me, versus, None if change.lifted else change.grade)
    return concealment_link(me, versus, None if change.lifted else change.percent)


def _set_hp(effects: BattleEffects, change: ask.SetHp, combatant: Combatant, path: str) -> None:
    """Hit points are this. Raises Malformed above `health_max`."""
    if change.value > combatant.health_max:
        raise Malformed(path=f"{path}.value", allowed=f"-10000 to {combatant.health_max}")
    set_health(effects, combatant.id, change.value)


def _set_condition(effects: BattleEffects, change: ask.SetCondition) -> None:
    """A condition is set or lifted; whoever is knocked down where nothing has weight spins."""
    me, condition = change.combatant, change.condition
    if not change.holds:
        effects.emit(own.ConditionLost(combatant=me, condition=condition, cause="gm"))
    elif condition == "prone":
        knock_down(effects, me)
    elif condition in ("unconscious", "dead"):
        effects.emit(fx.Felled(combatant=me, state=condition, cause="gm"))
    else:
        effects.emit(own.ConditionGained(combatant=me, condition=condition, cause="gm"))


def _set_stat(effects: BattleEffects, change: ask.SetStat, combatant: Combatant, path: str) -> None:
    """A number of the sheet is this; what the health comes to is judged by its new maximum.

    Nobody keeps more health than that.
    """
    set_stat(effects, change, _bounds(change.stat), path)
    after = existing(effects.rule, combatant.id)
    most, health = after.health_max, min(after.health, after.health_max)
    was = felled_condition(combatant.health, combatant.health_max)
    is_judged_alike = band_of(health, most) == after.band and felled_condition(health, most) == was
    if health != after.health or not is_judged_alike:
        set_health(effects, combatant.id, health)


def _bounds(stat: ask.Stat) -> NumberBounds:
    """The bounds of a number of the sheet; `health_max` is at least 1, though 0 may come in."""
    match stat:
        case "eac" | "kac":
            return number_bounds(ArmourClass, stat)
        case "health_max":
            return number_bounds(Combatant, stat)._replace(least=1)
        case _:
            return number_bounds(Combatant, stat)


def _set_ready(effects: BattleEffects, change: ask.SetReady, combatant: Combatant) -> None:
    """A weapon is in hand or is not. Raises Refused("unknown_weapon")."""
    carried = [weapon.id for weapon in combatant.weapons]
    if change.weapon not in carried:
        raise Refused("unknown_weapon", weapon=change.weapon, allowed=carried)
    set_ready(effects, combatant.id, change.weapon, is_ready=change.ready)
