"""The game master overrules: changes are taken as given, and the rules make of them what they do.

Only places are checked: nobody is put on somebody who stands, where nobody can stand, or off the
map, and nobody gets up where somebody else stands.
"""

from typing import assert_never

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import existing, require_combatant
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_stat
from service.engine.kit.bounds import number_bounds
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.errors import Malformed, Refused
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.attack_effects import Hurt
from service.rulesets.squad_d100.deciding.join_battle import require_free, require_room
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.wounds import SQ_WOUND_6
from service.rulesets.squad_d100.rules.wounds import is_down as has_no_health
from service.rulesets.squad_d100.state import (
    Combatant,
    band_of,
    grenade_named,
    is_down,
    weapon_named,
)
from service.rulesets.squad_d100.weapons import Grenade


def adjust(resolution: Resolution, action: ask.Adjust) -> None:
    """The effects of the changes, one after the other, and what follows from all of them.

    Raises Refused("unknown_combatant"), ("unknown_weapon"), ("no_grenade") and those of places;
    Malformed for a number outside the bounds of the sheet.
    """
    effects = resolution.effects
    for change, path in overrule(effects, action.changes, action.reason):
        combatant = require_combatant(effects.rule, change.combatant)
        _change(effects, change, combatant, path)
    settle(effects)


def _change(effects: BattleEffects, change: ask.AnyChange, combatant: Combatant, path: str) -> None:
    match change:
        case ask.SetHp():
            if change.value > combatant.health_max:
                raise Malformed(path=f"{path}.value", allowed=f"0 to {combatant.health_max}")
            _set_health(effects, combatant, change.value)
        case alter.SetPlace():
            require_room(effects.state, replace(combatant, place=change.place))
            put_down(effects, change, combatant)
        case ask.SetPosture():
            effects.emit(
                own.PostureChanged(combatant=combatant.id, posture=change.posture, cause="gm")
            )
        case ask.SetCondition():
            _set_condition(effects, change)
        case ask.SetStat():
            _set_stat(effects, change, path)
        case ask.SetResource():
            _set_resource(effects, change, combatant, path)
        case alter.RevealCombatant() | alter.HideCombatant():
            set_hidden(effects, change, own.Revealed)
        case ask.LiftSuppression():
            effects.emit(own.SuppressionEnded(combatant=combatant.id, all=True))
        case _:
            assert_never(change)


def _set_condition(effects: BattleEffects, change: ask.SetCondition) -> None:
    kind = own.ConditionGained if change.holds else own.ConditionLost
    effects.emit(kind(combatant=change.combatant, condition=change.condition, cause="gm"))


def _set_stat(effects: BattleEffects, change: ask.SetStat, path: str) -> None:
    """A number of the sheet is this; nobody keeps more health than its new maximum."""
    set_stat(effects, change, number_bounds(Combatant, change.stat), path)
    after = existing(effects.rule, change.combatant)
    health = min(after.health, after.health_max)
    if health != after.health or band_of(health, after.health_max) != after.band:
        _set_health(effects, after, health)


def _set_health(effects: BattleEffects, before: Combatant, health: int) -> None:
    """Hit points are this: who has none is down, and who has some again is not (SQ-WOUND-6).

    Raises Refused("cell_occupied") where somebody else stands where it would get up.
    """
    me, band = before.id, band_of(health, before.health_max)
    if health < before.health:
        effects.emit(
            Hurt(combatant=me, amount=before.health - health, health=health, band=band, cause="gm")
        )
    else:
        effects.emit(
            fx.Healed(
                combatant=me, amount=health - before.health, health=health, band=band, cause="gm"
            )
        )
    if has_no_health(health) and not is_down(before):
        effects.emit(fx.Felled(rule=SQ_WOUND_6, combatant=me, state="down", cause="gm"))
    elif is_down(before) and not has_no_health(health):
        require_free(effects.rule, before)
        effects.emit(own.ConditionLost(combatant=me, condition="down", cause="gm"))


def _set_resource(
    effects: BattleEffects, change: ask.SetResource, combatant: Combatant, path: str
) -> None:
    """Movement points of the present turn, rounds of a weapon, or grenades of one kind."""
    if (change.resource == "mp") is (change.item is not UNSET):
        raise Malformed(path=f"{path}.item", allowed="one for rounds and grenades, else absent")
    if change.resource == "mp" and effects.rule.turn != combatant.id:
        turn = {} if effects.rule.turn is UNSET else {"turn": effects.rule.turn}
        raise Refused("not_your_turn", combatant=combatant.id, **turn)
    most = _most(change, combatant)
    if not 0 <= change.value <= most:
        raise Malformed(path=f"{path}.value", allowed=f"0 to {most}")
    effects.emit(
        own.ResourceChanged(
            combatant=combatant.id,
            resource=change.resource,
            item=change.item,
            now=change.value,
            cause="gm",
        )
    )


def _most(change: ask.SetResource, combatant: Combatant) -> int:
    """How much of a resource there may be. Raises Refused for an item that is not carried."""
    if change.item is UNSET:
        return number_bounds(Combatant, "mp_left").most
    if change.resource == "rounds":
        weapon = weapon_named(combatant, change.item)
        if weapon is None:
            allowed = [each.id for each in combatant.weapons]
            raise Refused("unknown_weapon", weapon=change.item, allowed=allowed)
        return weapon.magazine
    if grenade_named(combatant, change.item) is None:
        allowed = [each.id for each in combatant.grenades]
        raise Refused("no_grenade", grenade=change.item, allowed=allowed)
    return number_bounds(Grenade, "count").most
