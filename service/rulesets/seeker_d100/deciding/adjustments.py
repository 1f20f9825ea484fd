"""The game master's word: changes taken as given, and what the rules make of them.

An attack that waits for answers is looked at again: decisions that nobody can answer any more are
void, and if none is left open it goes on in the same event.
"""

from typing import Final, assert_never

from msgspec import UNSET

from service.engine.battle.decision_groups import settle as settle_group
from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import Decision, State, combatant_of
from service.engine.dice.dice import Dice
from service.engine.kit.adjustments import changes, put_down, set_stat, show
from service.engine.kit.bounds import NumberBounds, number_bounds
from service.engine.kit.combatants import existing, remove, require_combatant
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import ONCE, alike, require_unreserved
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.checks import Battle
from service.rulesets.seeker_d100.deciding.damage import suffer
from service.rulesets.seeker_d100.deciding.holds import unbind
from service.rulesets.seeker_d100.deciding.questions import READERS, choices_of, waiting_blow
from service.rulesets.seeker_d100.deciding.reactions import Choices
from service.rulesets.seeker_d100.deciding.resolution import carry_out, is_over
from service.rulesets.seeker_d100.deciding.turns import begin_next, settle
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.rule_inputs import Blobs, public_covers
from service.rulesets.seeker_d100.rules.attack import SK_ATK_1
from service.rulesets.seeker_d100.rules.damage import SK_DMG_4, felled_by
from service.rulesets.seeker_d100.rules.disarm import SK_DIS_1
from service.rulesets.seeker_d100.state import (
    BattleState,
    Combatant,
    Condition,
    Skills,
    band_of,
    is_out,
)
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon

_BARE: Final[tuple[Condition, ...]] = ("unaware", "unconscious", "dead")
"""Conditions that hold nothing else; the others can only be ended by themselves."""


def adjust(state: State[BattleState], action: ask.Adjust, dice: Dice) -> tuple[fx.Effect, ...]:
    """The effects of the changes, one after the other, and what follows from all of them.

    Raises Refused("unknown_combatant"), ("unknown_weapon"), ("nothing_held"); Malformed for a
    number outside the bounds of the sheet.
    """
    told = EffectBuilder(state.rule, evolve)
    for change, path in changes(told, action.changes, action.reason):
        _change(told, change, require_combatant(told.rule, change.combatant), path)
    resumed = _look_again(told, state.blobs)
    if resumed is not None:
        carry_out(told, state.blobs, resumed.action, resumed, dice)
    settle(told, dice)
    return told.effects


def _look_again(told: Battle, blobs: Blobs) -> Choices | None:
    """The attack that waits, if it goes on now."""
    return settle_group(
        told,
        READERS,
        is_over=lambda action: is_over(told, action),
        is_unable=lambda decision: not _has_choice(told.rule, blobs, decision),
    )


def _has_choice(rule: BattleState, blobs: Blobs, decision: Decision) -> bool:
    """Whether whoever is asked may still answer the attack that waits."""
    blow = waiting_blow(rule)
    if blow is None or decision.combatant is UNSET:
        return False
    victim = combatant_of(rule, decision.combatant)
    if victim is None:
        return False
    return bool(choices_of(rule, public_covers(rule, blobs), blow, victim))


def remove_combatant(
    state: State[BattleState], action: do.RemoveCombatant, dice: Dice
) -> tuple[fx.Effect, ...]:
    """Somebody goes; holds end, and a turn that was his passes on.

    Raises Refused("unknown_combatant").
    """
    told = EffectBuilder(state.rule, evolve)
    gone = require_combatant(told.rule, action.combatant)
    if gone.holding is not UNSET:
        _let_go(told, gone.holding, gone.id)
    if gone.held_by is not UNSET:
        _let_go(told, gone.id, gone.held_by.holder)
    had_turn, after = remove(told, gone.id)
    if had_turn and told.rule.status == "running":
        begin_next(told, after, dice)
    return told.effects


def _let_go(told: Battle, held: str, holder: str) -> None:
    told.emit(
        own.LinkChanged(link="hold", combatant=held, other=holder, tied=False, cause="removed")
    )


def _change(told: Battle, change: ask.AnyChange, combatant: Combatant, path: str) -> None:
    match change:
        case ask.SetHp():
            _set_health(told, combatant, change.value, path)
        case do.SetPlace():
            put_down(told, change, combatant)
        case ask.SetCondition():
            _set_condition(told, change, combatant, path)
        case ask.SetResource():
            _set_resource(told, change, combatant, path)
        case ask.SetStat():
            _set_stat(told, change, path)
        case do.RevealCombatant() | do.HideCombatant():
            show(told, change, own.Revealed)
        case ask.SetNextRoll() | ask.DemandTest():
            _foretell(told, change)
        case ask.SetItem():
            _set_item(told, change, combatant, path)
        case _:
            assert_never(change)


def _set_health(told: Battle, before: Combatant, health: int, path: str) -> None:
    """Health is this. Falling follows from it, and so does coming round.

    Back from 0 one may be unconscious still.
    """
    if health > before.health_max:
        raise Malformed(path=f"{path}.value", allowed=f"0 to {before.health_max}")
    me, most, lost = before.id, before.health_max, before.health - health
    limit = told.rule.options.unconscious_at
    if lost > 0:
        is_felled = is_out(before) or felled_by(before.health, health, limit) is not None
        band = band_of(health, most, is_out=is_felled)
        told.emit(own.Hurt(combatant=me, amount=lost, health=health, band=band, cause="gm"))
        suffer(told, me, lost, "gm")
        return
    was_dead = "dead" in before.conditions and before.health == 0 < health
    was_out = "unconscious" in before.conditions and before.health <= limit < health
    stays_out = (was_dead and health <= limit) or (is_out(before) and not (was_dead or was_out))
    band = band_of(health, most, is_out=stays_out)
    told.emit(fx.Healed(combatant=me, amount=-lost, health=health, band=band, cause="gm"))
    if was_dead:
        _recover(told, me, "dead")
    if was_out:
        _recover(told, me, "unconscious")
    if was_dead and health <= limit and "unconscious" not in before.conditions:
        told.emit(fx.Felled(rule=SK_DMG_4, combatant=me, state="unconscious"))


def _recover(told: Battle, combatant: str, state: Condition) -> None:
    told.emit(own.ConditionLost(combatant=combatant, condition=state, cause="recovered"))


def _set_condition(told: Battle, change: ask.SetCondition, combatant: Combatant, path: str) -> None:
    """Raises Malformed for one that holds more than itself and can only be ended so."""
    condition = change.condition
    if not change.holds:
        told.emit(own.ConditionLost(combatant=combatant.id, condition=condition, cause="gm"))
        return
    if condition not in _BARE:
        raise Malformed(path=f"{path}.condition", allowed="unaware, unconscious, dead")
    if condition == "unaware":
        told.emit(own.ConditionGained(combatant=combatant.id, condition=condition, cause="gm"))
        return
    told.emit(fx.Felled(combatant=combatant.id, state=condition, cause="gm"))
    unbind(told, combatant.id)


def _set_resource(told: Battle, change: ask.SetResource, combatant: Combatant, path: str) -> None:
    """Raises Refused("unknown_weapon"), Malformed for more than one action or an item too many."""
    if change.resource == "action":
        if change.item is not UNSET or change.value > 1:
            raise Malformed(path=f"{path}.value", allowed="0 or 1, without an item")
    else:
        _require_weapon(combatant, change, path)
    told.emit(
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


def _set_stat(told: Battle, change: ask.SetStat, path: str) -> None:
    set_stat(told, change, _bounds(change.stat), path)
    after = existing(told.rule, change.combatant)
    if after.health > after.health_max:
        _set_health(told, after, after.health_max, path)


def _bounds(stat: ask.Stat) -> NumberBounds:
    """The bounds of the sheet; nobody is unhurt with nothing."""
    match stat:
        case "strength" | "dexterity" | "free_hands" | "helmet":
            return number_bounds(Combatant, stat)
        case "health_max":
            return number_bounds(Combatant, stat)._replace(least=1)
        case "body_armour":
            return number_bounds(BodyArmour, "value")
        case _:
            return number_bounds(Skills, stat)


def _foretell(told: Battle, change: ask.SetNextRoll | ask.DemandTest) -> None:
    is_test = isinstance(change, ask.DemandTest)
    told.emit(
        own.ConditionGained(
            combatant=change.combatant,
            condition="movement_test" if is_test else "next_roll",
            amount=change.modifier if isinstance(change, ask.DemandTest) else change.amount,
            cause="gm",
        )
    )


def _set_item(told: Battle, change: ask.SetItem, combatant: Combatant, path: str) -> None:
    if not change.held and change.item not in combatant.held_items:
        raise Refused(
            "nothing_held",
            rule=SK_DIS_1,
            item=change.item,
            allowed=list(combatant.held_items),
        )
    _require_one_case(change.item, combatant, f"{path}.item")
    told.emit(
        fx.ItemChanged(
            combatant=combatant.id,
            item=change.item,
            change="gained" if change.held else "lost",
        )
    )


def _require_one_case(item: str, combatant: Combatant, path: str) -> None:
    """What comes into one's hands is called as nothing else of one's own but for its case."""
    require_unreserved(item, path)
    own_things = (*combatant.held_items, *(weapon.id for weapon in combatant.weapons))
    if alike(item, own_things) not in (None, item):
        raise Malformed(path=path, allowed=ONCE)
