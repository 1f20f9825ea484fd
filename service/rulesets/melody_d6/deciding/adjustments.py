"""The game master overrules: changes are taken as given, and the rules make of them what they do.

Only places are checked, which must be on the table and free; conditions are of those alone who are
there. Nothing is rolled. A window that nobody could answer any more is void; its action goes on.
"""

from typing import assert_never

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import existing, require_combatant
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_stat
from service.engine.kit.bounds import NumberBounds, number_bounds, require_within
from service.engine.kit.combatants import require_side
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.errors import Refused
from service.rulesets.melody_d6 import actions as ask
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import battle_end, detection, harm, lasting, movements
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.resume import look_again
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import base_of, others_on_table
from service.rulesets.melody_d6.rules.movement import (
    ML_MOVE_2,
    ML_MOVE_4,
    is_on_ground,
    overlaps,
)
from service.rulesets.melody_d6.sheets import Singer
from service.rulesets.melody_d6.state import BattleState, Combatant, band_of, is_on_table

WarriorChange = (
    ask.SetHp
    | alter.SetPlace
    | ask.SetCondition
    | ask.SetResource
    | ask.SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
)
"""What is overruled of a warrior."""


def adjust(resolution: Resolution, action: ask.Adjust) -> None:
    """The effects of the changes, one after the other, and what follows from all of them.

    Raises Refused("unknown_combatant"), ("unknown_side"), ("off_table"), ("base_overlap"),
    ("target_gone"); Malformed for a number outside the bounds of the sheet.
    """
    effects = resolution.effects
    for change, path in overrule(effects, action.changes, action.reason):
        if isinstance(change, ask.SetFp):
            _set_points(effects, change)
        else:
            warrior = require_combatant(effects.rule, change.combatant)
            _change(effects, change, warrior, path)
    if not battle_end.check(effects):
        look_again(resolution)


def _set_points(effects: BattleEffects, change: ask.SetFp) -> None:
    require_side(effects.rule, change.side)
    effects.emit(own.ResourceChanged(side=change.side, resource="fp", now=change.value, cause="gm"))


def _change(effects: BattleEffects, change: WarriorChange, warrior: Combatant, path: str) -> None:
    match change:
        case ask.SetHp():
            most = warrior.health_max
            require_within(change.value, NumberBounds(0, most), f"{path}.value")
            _set_health(effects, warrior, change.value)
        case alter.SetPlace():
            _put(effects, change, warrior)
        case ask.SetCondition():
            _require_present(warrior)
            _set_condition(effects, change, warrior)
        case ask.SetResource():
            _set_resource(effects, change, warrior, path)
        case ask.SetStat():
            _set_stat(effects, change, path)
        case alter.RevealCombatant() | alter.HideCombatant():
            set_hidden(effects, change, own.Revealed)
            _engage(effects, warrior.id)
        case _:
            assert_never(change)


def _require_present(warrior: Combatant) -> None:
    if not is_on_table(warrior):
        raise Refused("target_gone", target=warrior.id)


def _set_health(effects: BattleEffects, before: Combatant, health: int) -> None:
    """Wounds left are this: who has none is killed, and who was killed and has some is back.

    Who has fled from the table stays away. Raises Refused("base_overlap") where somebody else
    stands by now.
    """
    me, is_gone = before.id, "fled" in before.conditions
    band = band_of(health, before.health_max, is_gone=is_gone)
    if health < before.health:
        lost = before.health - health
        effects.emit(fx.Hurt(combatant=me, amount=lost, health=health, band=band, cause="gm"))
    else:
        gained = health - before.health
        effects.emit(fx.Healed(combatant=me, amount=gained, health=health, band=band, cause="gm"))
    if health == 0 and is_on_table(before):
        harm.fall(effects, me, "gm")
    elif health and "out" in before.conditions:
        _require_free(effects.rule, before)
        effects.emit(own.ConditionLost(combatant=me, condition="out", cause="gm"))
        _engage(effects, me)


def _engage(effects: BattleEffects, combatant: str) -> None:
    """With whom a warrior on the table is engaged by now, leaves guard and masking, as it does."""
    if is_on_table(existing(effects.rule, combatant)):
        movements.engage(effects, combatant)


def _require_free(rule: BattleState, warrior: Combatant) -> None:
    """Nobody else stands where the warrior would. Raises Refused("base_overlap")."""
    base = base_of(warrior)
    if any(overlaps(base, base_of(each)) for each in others_on_table(rule, warrior)):
        raise Refused("base_overlap", rule=ML_MOVE_4, combatant=warrior.id)


def _put(effects: BattleEffects, change: alter.SetPlace, warrior: Combatant) -> None:
    """The warrior stands there; with whom it is engaged then, leaves guard and masking."""
    moved = replace(warrior, place=change.place)
    if not is_on_ground(base_of(moved), ground_of(effects.state)):
        raise Refused("off_table", rule=ML_MOVE_2, x=change.place.x, y=change.place.y)
    if is_on_table(warrior):
        _require_free(effects.rule, moved)
    put_down(effects, change, warrior)
    _engage(effects, warrior.id)


def _set_condition(effects: BattleEffects, change: ask.SetCondition, warrior: Combatant) -> None:
    """A condition holds or does not, with what the rules make of that at once."""
    me, condition = warrior.id, change.condition
    if not change.holds:
        if condition in warrior.conditions:
            effects.emit(own.ConditionLost(combatant=me, condition=condition, cause="gm"))
        if condition == "fleeing":
            detection.rallied(effects, me)
        return
    rule = effects.rule
    effects.emit(
        own.ConditionGained(
            combatant=me,
            condition=condition,
            amount=rule.round if condition == "hoarse" else UNSET,
            until="next_activation" if _outlasts(rule, warrior, condition) else UNSET,
            cause="gm",
        )
    )
    if condition == "stunned":
        leave_guard(effects, me, "suffered")
    elif condition == "fleeing":
        leave_guard(effects, me, "panic")
        lose_mask(effects, me, "panic")
        lasting.singer_left(effects, me, "singer_fled")


def _outlasts(rule: BattleState, warrior: Combatant, condition: str) -> bool:
    """Whether a stun outlasts the activation that is open (ML-STUN-1)."""
    return condition == "stunned" and warrior.unit == rule.turn_unit


def _set_resource(
    effects: BattleEffects, change: ask.SetResource, warrior: Combatant, path: str
) -> None:
    """Movement or action of the turn, 1 or 0; ordinary rerolls of the round."""
    most = 1 if change.resource != "rerolls" else number_bounds(Singer, "rerolls_per_round").most
    require_within(change.value, NumberBounds(0, most), f"{path}.value")
    effects.emit(
        own.ResourceChanged(
            combatant=warrior.id, resource=change.resource, now=change.value, cause="gm"
        )
    )


def _set_stat(effects: BattleEffects, change: ask.SetStat, path: str) -> None:
    """A number of the sheet is this; armour may be none, nobody keeps more wounds than its most."""
    bounds = number_bounds(Combatant, change.stat)
    if change.stat == "armour" and change.value == 0:
        bounds = NumberBounds(0, 0)
    set_stat(effects, change, bounds, path)
    after = existing(effects.rule, change.combatant)
    if change.stat == "health_max":
        _set_health(effects, after, min(after.health, after.health_max))
