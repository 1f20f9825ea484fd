"""The game master's adjustments: changes taken as they are stated, and what the rules make of them.

An attack that waits for answers is looked at again afterwards: decisions whose combatant can no
longer answer are void, and if none is left open the attack goes on in the same event.
"""

from typing import Final, assert_never

from msgspec import UNSET

from service.engine.battle.decision_groups import settle as settle_group
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, existing, is_out, require_combatant
from service.engine.battle.state import State
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_stat
from service.engine.kit.bounds import NumberBounds, number_bounds
from service.engine.kit.combatants import take_out
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import ONCE, alike, require_unreserved
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.covers import public_covers
from service.rulesets.seeker_d100.deciding.attack_resolution import is_over, resume
from service.rulesets.seeker_d100.deciding.damage import apply_loss
from service.rulesets.seeker_d100.deciding.holds import end_answers_and_hold
from service.rulesets.seeker_d100.deciding.join_battle import require_item
from service.rulesets.seeker_d100.deciding.reaction_choices import (
    READERS,
    reaction_options,
    waiting_action,
    waiting_assault,
)
from service.rulesets.seeker_d100.deciding.reaction_rolls import ResumedAttack
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.turns import (
    begin_next,
    require_cards_of_next_round,
    settle,
)
from service.rulesets.seeker_d100.deciding.waiting_attack import refusal_of, stop
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.attack import SK_ATK_1
from service.rulesets.seeker_d100.rules.damage import SK_DMG_4, felled_by
from service.rulesets.seeker_d100.rules.disarm import SK_DIS_1
from service.rulesets.seeker_d100.state import BattleState, Combatant, Condition, Skills, band_of
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon

_BARE: Final[tuple[Condition, ...]] = ("unaware", "unconscious", "dead")
"""Conditions that hold nothing else; the others can only be ended by themselves."""


def adjust(resolution: Resolution, action: ask.Adjust) -> None:
    """The effects of the changes, one after the other, and the consequences of them all.

    Nobody is brought back to life whom no card of the next round would be left for: the end of
    this round would be refused instead, to a player who can do nothing about it.
    Raises Refused("unknown_combatant"), ("unknown_weapon"), ("nothing_held"), ("deck_exhausted");
    Malformed for a number outside the bounds of the sheet.
    """
    effects = resolution.effects
    for change, path in overrule(effects, action.changes, action.reason):
        _change(effects, change, require_combatant(effects.rule, change.combatant), path)
    if effects.rule.status == "running":
        require_cards_of_next_round(effects.rule)
    resumed = _settle_waiting(resolution)
    if resumed is not None:
        resume(resolution, resumed)
    settle(resolution)


def _settle_waiting(resolution: Resolution) -> ResumedAttack | None:
    """The attack that waited for answers, if no decision is open any more."""
    effects = resolution.effects
    waiting = waiting_action(effects.rule)
    resumed = settle_group(
        effects,
        READERS,
        is_over=lambda action: is_over(effects, action),
        is_unable=lambda decision: not _has_choice(effects.state, decision),
    )
    if waiting is not None and resumed is None and waiting_action(effects.rule) is None:
        refusal = refusal_of(effects.state, *waiting)
        if refusal is not None:
            stop(resolution, waiting[0], refusal)
    return resumed


def _has_choice(battle: State[BattleState], decision: Decision) -> bool:
    """Whether the combatant of this decision may still answer the waiting attack."""
    rule = battle.rule
    assault = waiting_assault(battle)
    if assault is None or decision.combatant is UNSET:
        return False
    victim = combatant_of(rule, decision.combatant)
    if victim is None:
        return False
    return bool(reaction_options(rule, public_covers(battle), assault, victim))


def remove_combatant(resolution: Resolution, action: do.RemoveCombatant) -> None:
    """The effects of a removal: its holds end, and a turn that it had passes on.

    Raises Refused("unknown_combatant").
    """
    effects = resolution.effects
    gone = require_combatant(effects.rule, action.combatant)
    if gone.holding is not UNSET:
        _let_go(effects, gone.holding, gone.id)
    if gone.held_by is not UNSET:
        _let_go(effects, gone.id, gone.held_by.holder)
    take_out(effects, gone.id, lambda after: begin_next(resolution, after))


def _let_go(effects: BattleEffects, held: str, holder: str) -> None:
    effects.emit(
        own.LinkChanged(link="hold", combatant=held, other=holder, tied=False, cause="removed")
    )


def _change(effects: BattleEffects, change: ask.AnyChange, combatant: Combatant, path: str) -> None:
    match change:
        case ask.SetHp():
            _set_health(effects, combatant, change.value, path)
        case alter.SetPlace():
            put_down(effects, change, combatant)
        case ask.SetCondition():
            _set_condition(effects, change, combatant, path)
        case ask.SetResource():
            _set_resource(effects, change, combatant, path)
        case ask.SetStat():
            _set_stat(effects, change, path)
        case alter.RevealCombatant() | alter.HideCombatant():
            set_hidden(effects, change, own.Revealed)
        case ask.SetNextRoll() | ask.DemandTest():
            _set_gm_modifier(effects, change)
        case ask.SetItem():
            _set_item(effects, change, combatant, path)
        case _:
            assert_never(change)


def _set_health(effects: BattleEffects, before: Combatant, health: int, path: str) -> None:
    """Set the hit points. Less may fell the combatant; more brings it round or back to life.

    A combatant brought back from 0 to no more than `unconscious_at` is unconscious.
    Raises Malformed above `health_max`.
    """
    if health > before.health_max:
        raise Malformed(path=f"{path}.value", allowed=f"0 to {before.health_max}")
    me, most, lost = before.id, before.health_max, before.health - health
    limit = effects.rule.options.unconscious_at
    if lost > 0:
        is_felled = is_out(before) or felled_by(before.health, health, limit) is not None
        band = band_of(health, most, is_out=is_felled)
        effects.emit(own.Hurt(combatant=me, amount=lost, health=health, band=band, cause="gm"))
        apply_loss(effects, me, lost, "gm")
        return
    was_dead = "dead" in before.conditions and before.health == 0 < health
    was_out = "unconscious" in before.conditions and before.health <= limit < health
    stays_out = (was_dead and health <= limit) or (is_out(before) and not (was_dead or was_out))
    band = band_of(health, most, is_out=stays_out)
    effects.emit(fx.Healed(combatant=me, amount=-lost, health=health, band=band, cause="gm"))
    if was_dead:
        _recover(effects, me, "dead")
    if was_out:
        _recover(effects, me, "unconscious")
    if was_dead and health <= limit and "unconscious" not in before.conditions:
        effects.emit(fx.Felled(rule=SK_DMG_4, combatant=me, state="unconscious"))


def _recover(effects: BattleEffects, combatant: str, state: Condition) -> None:
    effects.emit(own.ConditionLost(combatant=combatant, condition=state, cause="recovered"))


def _set_condition(
    effects: BattleEffects, change: ask.SetCondition, combatant: Combatant, path: str
) -> None:
    """Set or end a condition. Raises Malformed for setting one that needs a value beside it."""
    condition = change.condition
    if not change.holds:
        effects.emit(own.ConditionLost(combatant=combatant.id, condition=condition, cause="gm"))
        return
    if condition not in _BARE:
        raise Malformed(path=f"{path}.condition", allowed="unaware, unconscious, dead")
    if condition == "unaware":
        effects.emit(own.ConditionGained(combatant=combatant.id, condition=condition, cause="gm"))
        return
    effects.emit(fx.Felled(combatant=combatant.id, state=condition, cause="gm"))
    end_answers_and_hold(effects, combatant.id)


def _set_resource(
    effects: BattleEffects, change: ask.SetResource, combatant: Combatant, path: str
) -> None:
    """Raises Refused("unknown_weapon"), Malformed for more than one action or an item too many."""
    if change.resource == "action":
        if change.item is not UNSET or change.value > 1:
            raise Malformed(path=f"{path}.value", allowed="0 or 1, without an item")
    else:
        _require_weapon(combatant, change, path)
    effects.emit(
        own.ResourceChanged(
            combatant=combatant.id,
            resource=change.resource,
            item=change.item,
            now=change.value,
            cause="gm",
        )
    )


def _require_weapon(combatant: Combatant, change: ask.SetResource, path: str) -> Weapon:
    if change.item is UNSET:
        raise Malformed(path=f"{path}.item", allowed="the weapon whose rounds these are")
    for weapon in combatant.weapons:
        if weapon.id == change.item:
            return weapon
    allowed = [weapon.id for weapon in combatant.weapons]
    raise Refused("unknown_weapon", rule=SK_ATK_1, weapon=change.item, allowed=allowed)


def _set_stat(effects: BattleEffects, change: ask.SetStat, path: str) -> None:
    set_stat(effects, change, _bounds(change.stat), path)
    after = existing(effects.rule, change.combatant)
    if after.health > after.health_max:
        _set_health(effects, after, after.health_max, path)


def _bounds(stat: ask.Stat) -> NumberBounds:
    """The bounds of a number of the sheet; `health_max` is at least 1, though 0 may be created."""
    match stat:
        case "strength" | "dexterity" | "free_hands" | "helmet":
            return number_bounds(Combatant, stat)
        case "health_max":
            return number_bounds(Combatant, stat)._replace(least=1)
        case "body_armour":
            return number_bounds(BodyArmour, "value")
        case _:
            return number_bounds(Skills, stat)


def _set_gm_modifier(effects: BattleEffects, change: ask.SetNextRoll | ask.DemandTest) -> None:
    is_test = isinstance(change, ask.DemandTest)
    effects.emit(
        own.ConditionGained(
            combatant=change.combatant,
            condition="movement_test" if is_test else "next_roll",
            amount=change.modifier if isinstance(change, ask.DemandTest) else change.amount,
            cause="gm",
        )
    )


def _set_item(effects: BattleEffects, change: ask.SetItem, combatant: Combatant, path: str) -> None:
    if not change.held and change.item not in combatant.held_items:
        raise Refused(
            "nothing_held",
            rule=SK_DIS_1,
            item=change.item,
            allowed=list(combatant.held_items),
        )
    require_item(change.item, f"{path}.item")
    _require_one_case(change.item, combatant, f"{path}.item")
    effects.emit(
        fx.ItemChanged(
            combatant=combatant.id,
            item=change.item,
            change="gained" if change.held else "lost",
        )
    )


def _require_one_case(item: str, combatant: Combatant, path: str) -> None:
    """Raises Malformed for an item named like another possession but for its case."""
    require_unreserved(item, path)
    own_things = (*combatant.held_items, *(weapon.id for weapon in combatant.weapons))
    if alike(item, own_things) not in (None, item):
        raise Malformed(path=path, allowed=ONCE)
