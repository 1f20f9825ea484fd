"""The reducer: what each effect changes. No rules, no dice, no refusals.

A round that begins forgets who has shot at whom; a combatant removed is forgotten by the others.
Everything else is said by an effect of its own.
"""

from typing import Final, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.roster import change_combatant, with_combatant
from service.engine.battle.state import UnknownEffect
from service.engine.kit.terrain import change_ground, key_on_grid
from service.engine.vocabulary import effects as fx
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.state import (
    BattleState,
    Combatant,
    Hiding,
    Options,
    Override,
    RememberedStreak,
    Score,
    Weapon,
)
from service.rulesets.crossfire_d6.terrain import Cell

_OfCombatant = fx.ResourceChanged | fx.StatChanged | fx.ItemChanged | own.LinkChanged | own.Faced
_OwnEffect = (
    _OfCombatant
    | own.AttackResolved
    | own.TerrainChanged
    | own.OptionsSet
    | fx.OrderSet
    | fx.RoundBegan
    | fx.CombatantRemoved
)
"""What changes something of these rules' own."""

_POSITIONS: dict[str, Position] = {"open": "open", "in_cover": "in_cover", "blocked": "blocked"}


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    return BattleState(
        options=created.options, dice=created.dice.mode, sides=created.sides, map=created.map
    )


def _own(rule: BattleState, effect: _OwnEffect) -> BattleState:
    match effect:
        case (
            fx.ResourceChanged()
            | fx.StatChanged()
            | fx.ItemChanged()
            | own.LinkChanged()
            | own.Faced()
        ):
            return change_combatant(rule, effect, _changed)
        case own.AttackResolved():
            return _attacked(rule, effect)
        case own.TerrainChanged():
            return _terrain_changed(rule, effect)
        case own.OptionsSet():
            return _options_set(evolve_core(rule, effect), effect)
        case fx.OrderSet():
            return _order_set(evolve_core(rule, effect), effect)
        case fx.RoundBegan():
            return _round_began(evolve_core(rule, effect))
        case fx.CombatantRemoved():
            return _removed(evolve_core(rule, effect), effect.combatant)


evolve: Final = reducer(_own, _OwnEffect)
"""The state after an effect. Raises UnknownEffect for one that this build cannot apply."""

BattleEffects: TypeAlias = EffectBuilder[BattleState]
"""The effects of one action so far, and the state of the battle after them."""


def _changed(combatant: Combatant, effect: _OfCombatant) -> Combatant:
    """A combatant with the one thing that an effect says of it."""
    match effect:
        case fx.ResourceChanged():
            return _resource(combatant, effect)
        case fx.StatChanged():
            return _stat(combatant, effect)
        case fx.ItemChanged():
            return _item(combatant, effect)
        case own.LinkChanged():
            return _linked(combatant, effect)
        case own.Faced():
            return replace(combatant, facing=effect.facing)


def _options_set(rule: BattleState, effect: own.OptionsSet) -> BattleState:
    return rule if effect.map is UNSET else replace(rule, terrain=(), secrets=())


def _order_set(rule: BattleState, effect: fx.OrderSet) -> BattleState:
    scores = tuple(
        Score(combatant=entry.combatant, score=entry.score)
        for entry in effect.entries
        if entry.combatant is not UNSET
    )
    return replace(rule, scores=scores)


def _round_began(rule: BattleState) -> BattleState:
    combatants = tuple(replace(c, shot_at=()) if c.shot_at else c for c in rule.combatants)
    return replace(rule, combatants=combatants)


def _removed(rule: BattleState, gone: str) -> BattleState:
    return replace(
        rule,
        combatants=tuple(_without(combatant, gone) for combatant in rule.combatants),
        scores=tuple(score for score in rule.scores if score.combatant != gone),
    )


def _without(combatant: Combatant, gone: str) -> Combatant:
    return replace(
        combatant,
        hidden_from=tuple(each for each in combatant.hidden_from if each.combatant != gone),
        overrides=tuple(each for each in combatant.overrides if each.versus != gone),
        shot_at=tuple(each for each in combatant.shot_at if each != gone),
    )


def _attacked(rule: BattleState, effect: own.AttackResolved) -> BattleState:
    """A ranged attack is remembered for the round, whatever came of it."""
    target, detail = effect.target, effect.detail
    if target is UNSET or detail.mode != "ranged":
        return rule
    return with_combatant(rule, detail.attacker, _shot, target)


def _shot(combatant: Combatant, target: str) -> Combatant:
    if target in combatant.shot_at:
        return combatant
    return replace(combatant, shot_at=(*combatant.shot_at, target))


def _terrain_changed(rule: BattleState, effect: own.TerrainChanged) -> BattleState:
    terrain, secrets = change_ground(
        rule.terrain, rule.secrets, effect.changes, is_secret=effect.secret, key=key_on_grid
    )
    return replace(rule, terrain=terrain, secrets=secrets)


def _linked(combatant: Combatant, effect: own.LinkChanged) -> Combatant:
    match effect.link:
        case "hidden_from":
            return replace(combatant, hidden_from=_hidings(combatant, effect))
        case "position_override":
            return replace(combatant, overrides=_overrides(combatant, effect))
        case "shot_at":
            return _shot(combatant, effect.other)


def _hidings(combatant: Combatant, effect: own.LinkChanged) -> tuple[Hiding, ...]:
    others = tuple(each for each in combatant.hidden_from if each.combatant != effect.other)
    if not effect.tied or effect.amount is UNSET:
        return others
    return (*others, Hiding(combatant=effect.other, offset=effect.amount))


def _overrides(combatant: Combatant, effect: own.LinkChanged) -> tuple[Override, ...]:
    others = tuple(each for each in combatant.overrides if each.versus != effect.other)
    if not effect.tied or effect.value is UNSET:
        return others
    return (*others, Override(versus=effect.other, position=_POSITIONS[effect.value]))


def _stat(combatant: Combatant, effect: fx.StatChanged) -> Combatant:
    origin = UNSET if effect.place is UNSET else Cell(x=effect.place.x, y=effect.place.y)
    match effect.stat:
        case "suppression":
            return replace(combatant, pin_count=effect.now, pin_origin=origin)
        case "remembered_suppression":
            streak = UNSET if origin is UNSET else RememberedStreak(origin=origin, count=effect.now)
            return replace(combatant, previous_streak=streak)
        case "live_suppression":
            return combatant
        case _:
            return replace(combatant, **{effect.stat: effect.now})


def _resource(combatant: Combatant, effect: fx.ResourceChanged) -> Combatant:
    if effect.resource != "actions":
        raise UnknownEffect(f"resource {effect.resource}")
    return replace(combatant, actions_left=effect.now)


def _item(combatant: Combatant, effect: fx.ItemChanged) -> Combatant:
    weapons = tuple(
        _readied(weapon, effect.change) if weapon.id == effect.item else weapon
        for weapon in combatant.weapons
    )
    return replace(combatant, weapons=weapons)


def _readied(weapon: Weapon, change: str) -> Weapon:
    if change not in ("readied", "stowed"):
        raise UnknownEffect(f"item {change}")
    return replace(weapon, ready=change == "readied")
