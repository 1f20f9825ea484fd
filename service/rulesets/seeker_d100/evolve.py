"""The reducer: what each effect changes. No rules, no dice, no refusals.

A round that begins gives everybody an action and forgets how attacks were answered. A combatant
removed is forgotten by whoever held it or was held by it. All else is said by effects of its own.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.roster import change_combatant, with_combatant
from service.engine.battle.state import UnknownEffect
from service.engine.kit.terrain import change_ground
from service.engine.vocabulary import effects as fx
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.rules.initiative import canonical_deck, drawn_card
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.state import (
    Aim,
    Answering,
    BattleState,
    Combatant,
    Drawn,
    Hold,
    Options,
    StandingRoll,
)
from service.rulesets.seeker_d100.terrain import id_of_change
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon

_OfCombatant = (
    own.ConditionGained | own.ConditionLost | fx.StatChanged | fx.ResourceChanged | fx.ItemChanged
)
_OwnEffect = (
    _OfCombatant
    | own.LinkChanged
    | own.OptionsSet
    | own.OrderSet
    | fx.RoundBegan
    | own.Rolled
    | fx.CombatantRemoved
    | own.TerrainChanged
)
"""What changes something of these rules' own."""

_ANSWERS: dict[str, Answered] = {
    "dodge": "dodge",
    "resist_counter": "resist_counter",
    "resist_block": "resist_block",
}

_OF_CONDITIONS = ("aim", "answering", "standing_roll", "next_roll", "movement_test")
"""Conditions with a field of the same name."""


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    setup = created.setup if isinstance(created, own.EncounterCreated) else UNSET
    return BattleState(
        options=created.options,
        dice=created.dice.mode,
        sides=created.sides,
        map=created.map,
        content=created.content,
        deck=UNSET if setup is UNSET else setup.deck,
    )


def _own(rule: BattleState, effect: _OwnEffect) -> BattleState:
    match effect:
        case own.ConditionGained() | own.ConditionLost():
            return change_combatant(evolve_core(rule, effect), effect, _changed)
        case fx.StatChanged() | fx.ResourceChanged() | fx.ItemChanged():
            return change_combatant(rule, effect, _changed)
        case own.LinkChanged():
            return _linked(rule, effect)
        case own.OptionsSet():
            return _options_set(evolve_core(rule, effect), effect)
        case own.OrderSet():
            return _order_set(evolve_core(rule, effect), effect)
        case fx.RoundBegan():
            return _round_began(evolve_core(rule, effect))
        case own.Rolled():
            return _card_drawn(rule, effect) if effect.purpose == "card" else rule
        case fx.CombatantRemoved():
            return _removed(evolve_core(rule, effect), effect.combatant)
        case own.TerrainChanged():
            return _terrain_changed(rule, effect)


evolve: Final = reducer(_own, _OwnEffect)
"""The state after an effect. Raises UnknownEffect for one that this build cannot apply."""

BattleEffects: TypeAlias = EffectBuilder[BattleState]
"""The effects of one action so far, and the state of the battle after them."""


def _changed(combatant: Combatant, effect: _OfCombatant) -> Combatant:
    """A combatant after an effect on one of its own fields."""
    match effect:
        case own.ConditionGained():
            return _gained(combatant, effect)
        case own.ConditionLost():
            return _lost(combatant, effect)
        case fx.StatChanged():
            return _stat(combatant, effect)
        case fx.ResourceChanged():
            return _resource(combatant, effect)
        case fx.ItemChanged():
            return _item(combatant, effect)


def _gained(combatant: Combatant, effect: own.ConditionGained) -> Combatant:
    facts = {} if effect.facts is UNSET else effect.facts
    match effect.condition:
        case "aim":
            return replace(combatant, aim=Aim(round=facts["round"]))
        case "answering":
            stance = Answering(kind=_kind(effect), item=effect.item)
            return replace(combatant, answering=stance)
        case "standing_roll":
            roll = StandingRoll(
                kind=_kind(effect),
                item=effect.item,
                natural=facts["natural"],
                level=facts["level"],
                draw=effect.draw,
            )
            return replace(combatant, standing_roll=roll)
        case "next_roll":
            return replace(combatant, next_roll=effect.amount)
        case "movement_test":
            return replace(combatant, movement_test=effect.amount)
        case _:
            return combatant


def _lost(combatant: Combatant, effect: own.ConditionLost) -> Combatant:
    if effect.condition in _OF_CONDITIONS:
        return replace(combatant, **{effect.condition: UNSET})
    return combatant


def _kind(effect: own.ConditionGained) -> Answered:
    if effect.value is UNSET or effect.value not in _ANSWERS:
        raise UnknownEffect(f"{effect.condition} {effect.value}")
    return _ANSWERS[effect.value]


def _stat(combatant: Combatant, effect: fx.StatChanged) -> Combatant:
    match effect.stat:
        case "strength" | "dexterity" | "free_hands" | "health_max":
            return replace(combatant, **{effect.stat: effect.now})
        case "helmet":
            return replace(combatant, helmet=bool(effect.now))
        case "body_armour":
            worn = BodyArmour() if combatant.body_armour is UNSET else combatant.body_armour
            return replace(combatant, body_armour=replace(worn, value=effect.now))
        case _:
            return replace(combatant, skills=replace(combatant.skills, **{effect.stat: effect.now}))


def _resource(combatant: Combatant, effect: fx.ResourceChanged) -> Combatant:
    match effect.resource:
        case "action":
            return replace(combatant, actions_left=effect.now)
        case "ammo":
            return _with_weapon(combatant, effect.item, lambda w: replace(w, ammo=effect.now))
        case _:
            raise UnknownEffect(f"resource {effect.resource}")


def _with_weapon(
    combatant: Combatant, weapon: object, change: Callable[[Weapon], Weapon]
) -> Combatant:
    weapons = tuple(change(each) if each.id == weapon else each for each in combatant.weapons)
    return replace(combatant, weapons=weapons)


def _item(combatant: Combatant, effect: fx.ItemChanged) -> Combatant:
    """An item dropped or taken away is held no longer; the weapon of that id goes with it."""
    held = list(combatant.held_items)
    is_gained = effect.change == "gained"
    if is_gained:
        held.append(effect.item)
    elif effect.item in held:
        held.remove(effect.item)
    is_gone = effect.item not in held
    after = replace(combatant, held_items=tuple(held))
    return _with_weapon(after, effect.item, lambda w: replace(w, dropped=is_gone))


def _linked(rule: BattleState, effect: own.LinkChanged) -> BattleState:
    facts = {} if effect.facts is UNSET else effect.facts
    hold: Hold | UnsetType = UNSET
    if effect.tied:
        hold = Hold(holder=effect.other, natural=facts["natural"], level=facts["level"])
    held = with_combatant(rule, effect.combatant, _held_by, hold)
    whom = effect.combatant if effect.tied else UNSET
    return with_combatant(held, effect.other, _holding, whom)


def _held_by(combatant: Combatant, hold: Hold | UnsetType) -> Combatant:
    return replace(combatant, held_by=hold)


def _holding(combatant: Combatant, whom: str | UnsetType) -> Combatant:
    return replace(combatant, holding=whom)


def _options_set(rule: BattleState, effect: own.OptionsSet) -> BattleState:
    return rule if effect.map is UNSET else replace(rule, terrain=(), secrets=())


def _order_set(rule: BattleState, effect: own.OrderSet) -> BattleState:
    cards = tuple(
        Drawn(combatant=entry.combatant, card=entry.facts["card"])
        for entry in effect.entries
        if entry.combatant is not UNSET and entry.facts is not UNSET
    )
    return replace(rule, cards=cards)


def _round_began(rule: BattleState) -> BattleState:
    return replace(rule, combatants=tuple(map(_refreshed, rule.combatants)))


def _refreshed(combatant: Combatant) -> Combatant:
    """A combatant at the beginning of a round: one action, no standing answer."""
    over = ("answering", "standing_roll")
    return replace(
        combatant,
        actions_left=1,
        answering=UNSET,
        standing_roll=UNSET,
        conditions=tuple(condition for condition in combatant.conditions if condition not in over),
    )


def _card_drawn(rule: BattleState, effect: own.Rolled) -> BattleState:
    """The deck without the card that the die names; a die of a full deck's size begins one."""
    deck = rule.deck
    if deck is UNSET or len(deck) != effect.roll.sides:
        deck = canonical_deck(rule.options.deck)
    return replace(rule, deck=drawn_card(deck, effect.roll.total)[1])


def _removed(rule: BattleState, gone: str) -> BattleState:
    return replace(
        rule,
        combatants=tuple(_without(combatant, gone) for combatant in rule.combatants),
        cards=tuple(drawn for drawn in rule.cards if drawn.combatant != gone),
    )


def _without(combatant: Combatant, gone: str) -> Combatant:
    if combatant.held_by is not UNSET and combatant.held_by.holder == gone:
        return replace(combatant, held_by=UNSET)
    if combatant.holding == gone:
        return replace(combatant, holding=UNSET)
    return combatant


def _terrain_changed(rule: BattleState, effect: own.TerrainChanged) -> BattleState:
    terrain, secrets = change_ground(
        rule.terrain, rule.secrets, effect.changes, is_secret=effect.secret, key=id_of_change
    )
    return replace(rule, terrain=terrain, secrets=secrets)
