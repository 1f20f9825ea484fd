"""The reducer: what each effect changes. No rules, no dice, no refusals.

A round that begins forgets who has shot at whom; a combatant removed is forgotten by the others.
Everything else is said by an effect of its own.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, cast

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.evolve import UnknownEffect, evolve_core, with_combatant
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
from service.rulesets.crossfire_d6.terrain import Cell, overlaid, without

_Telling = own.Faced | own.LinkChanged | fx.StatChanged | fx.ResourceChanged | fx.ItemChanged

_POSITIONS: dict[str, Position] = {"open": "open", "in_cover": "in_cover", "blocked": "blocked"}


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    return BattleState(
        options=created.options, dice=created.dice.mode, sides=created.sides, map=created.map
    )


def evolve(rule: BattleState, effect: fx.Effect) -> BattleState:
    """The state after an effect. Raises UnknownEffect for one that this build cannot apply."""
    kind = type(effect)
    told = _told_by(kind)
    if told is not None:
        return _told(rule, cast(_Telling, effect), told)
    return _step(kind)(rule, effect)


@cache
def _told_by(kind: type[fx.Effect]) -> Callable[..., Combatant] | None:
    """What an effect that says one thing of one combatant does to it; None for other effects."""
    return next((_TELLING[base] for base in kind.__mro__ if base in _TELLING), None)


@cache
def _step(kind: type[fx.Effect]) -> Callable[..., BattleState]:
    """What any other effect does to the battle: the shared step unless there is one here."""
    return next((_STEPS[base] for base in kind.__mro__ if base in _STEPS), evolve_core)


def _told(rule: BattleState, effect: _Telling, change: Callable[..., Combatant]) -> BattleState:
    if effect.combatant is UNSET:
        raise UnknownEffect(f"{type(effect).__name__} of nobody")
    return with_combatant(rule, effect.combatant, change, effect)


def _faced(combatant: Combatant, effect: own.Faced) -> Combatant:
    return replace(combatant, facing=effect.facing)


def _options_set(rule: BattleState, effect: own.OptionsSet) -> BattleState:
    after = evolve_core(rule, effect)
    return after if effect.map is UNSET else replace(after, terrain=(), secrets=())


def _order_set(rule: BattleState, effect: fx.OrderSet) -> BattleState:
    scores = tuple(
        Score(combatant=entry.combatant, score=entry.score)
        for entry in effect.entries
        if entry.combatant is not UNSET
    )
    return replace(evolve_core(rule, effect), scores=scores)


def _round_began(rule: BattleState, effect: fx.RoundBegan) -> BattleState:
    combatants = tuple(replace(c, shot_at=()) if c.shot_at else c for c in rule.combatants)
    return replace(evolve_core(rule, effect), combatants=combatants)


def _removed(rule: BattleState, effect: fx.CombatantRemoved) -> BattleState:
    gone, after = effect.combatant, evolve_core(rule, effect)
    return replace(
        after,
        combatants=tuple(_without(combatant, gone) for combatant in after.combatants),
        scores=tuple(score for score in after.scores if score.combatant != gone),
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
    if effect.secret:
        return replace(rule, secrets=overlaid(rule.secrets, effect.changes))
    return replace(
        rule,
        terrain=overlaid(rule.terrain, effect.changes),
        secrets=without(rule.secrets, effect.changes),
    )


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
            known = UNSET if origin is UNSET else RememberedStreak(origin=origin, count=effect.now)
            return replace(combatant, previous_streak=known)
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


_TELLING: Final[dict[type[fx.Effect], Callable[..., Combatant]]] = {
    own.Faced: _faced,
    own.LinkChanged: _linked,
    fx.StatChanged: _stat,
    fx.ResourceChanged: _resource,
    fx.ItemChanged: _item,
}

_STEPS: Final[dict[type[fx.Effect], Callable[..., BattleState]]] = {
    own.OptionsSet: _options_set,
    fx.OrderSet: _order_set,
    fx.RoundBegan: _round_began,
    fx.CombatantRemoved: _removed,
    own.AttackResolved: _attacked,
    own.TerrainChanged: _terrain_changed,
}
