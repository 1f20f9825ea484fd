"""The reducer: what each effect changes. No rules, no dice, no refusals.

A combatant removed is forgotten by the others. Everything else is said by an effect of its own.
"""

from typing import Final, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.roster import change_combatant
from service.engine.battle.state import UnknownEffect
from service.engine.kit.terrain import change_ground, key_on_grid
from service.engine.vocabulary import effects as fx
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.rules.words import CoverGrade
from service.rulesets.tactical_d20.state import (
    BattleState,
    Combatant,
    ConcealmentOverride,
    CoverOverride,
    Options,
    Score,
)
from service.rulesets.tactical_d20.weapons import Weapon

B = TypeVar("B", bound=BattleState)

_OfCombatant = fx.ResourceChanged | fx.StatChanged | fx.ItemChanged | own.LinkChanged
_OwnEffect = (
    _OfCombatant
    | own.TerrainChanged
    | own.GravitySet
    | own.OptionsSet
    | fx.OrderSet
    | fx.CombatantRemoved
)
"""What changes something of these rules' own."""

_GRADES: Final[dict[str, CoverGrade]] = {
    "none": "none",
    "partial": "partial",
    "normal": "normal",
    "improved": "improved",
    "total": "total",
}


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    return initial_as(BattleState, created)


def initial_as(kind: type[B], created: fx.EncounterCreated) -> B:
    """The same in the type that a version remembers a battle in."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    return kind(
        options=created.options,
        gravity=created.gravity if isinstance(created, own.EncounterCreated) else "normal",
        dice=created.dice.mode,
        sides=created.sides,
        map=created.map,
    )


def _own(rule: BattleState, effect: _OwnEffect) -> BattleState:
    match effect:
        case fx.ResourceChanged() | fx.StatChanged() | fx.ItemChanged() | own.LinkChanged():
            return change_combatant(rule, effect, _changed)
        case own.TerrainChanged():
            return _terrain_changed(rule, effect)
        case own.GravitySet():
            return replace(rule, gravity=effect.gravity)
        case own.OptionsSet():
            return _options_set(evolve_core(rule, effect), effect)
        case fx.OrderSet():
            return _order_set(evolve_core(rule, effect), effect)
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


def _resource(combatant: Combatant, effect: fx.ResourceChanged) -> Combatant:
    if effect.resource not in ("standard", "move", "swift", "reaction"):
        raise UnknownEffect(f"resource {effect.resource}")
    return replace(combatant, **{f"{effect.resource}_left": effect.now})


def _stat(combatant: Combatant, effect: fx.StatChanged) -> Combatant:
    match effect.stat:
        case "eac" | "kac":
            return replace(combatant, ac=replace(combatant.ac, **{effect.stat: effect.now}))
        case _:
            return replace(combatant, **{effect.stat: effect.now})


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


def _linked(combatant: Combatant, effect: own.LinkChanged) -> Combatant:
    match effect.link:
        case "cover_override":
            return replace(combatant, cover_overrides=_covers(combatant, effect))
        case "concealment_override":
            return replace(combatant, concealment_overrides=_concealments(combatant, effect))


def _covers(combatant: Combatant, effect: own.LinkChanged) -> tuple[CoverOverride, ...]:
    others = tuple(each for each in combatant.cover_overrides if each.versus != effect.other)
    if not effect.tied or effect.value is UNSET:
        return others
    return (*others, CoverOverride(versus=effect.other, grade=_GRADES[effect.value]))


def _concealments(combatant: Combatant, effect: own.LinkChanged) -> tuple[ConcealmentOverride, ...]:
    others = tuple(each for each in combatant.concealment_overrides if each.versus != effect.other)
    if not effect.tied or effect.amount is UNSET:
        return others
    return (*others, ConcealmentOverride(versus=effect.other, percent=effect.amount))


def _terrain_changed(rule: BattleState, effect: own.TerrainChanged) -> BattleState:
    terrain, secrets = change_ground(
        rule.terrain, rule.secrets, effect.changes, is_secret=effect.secret, key=key_on_grid
    )
    return replace(rule, terrain=terrain, secrets=secrets)


def _options_set(rule: BattleState, effect: own.OptionsSet) -> BattleState:
    return rule if effect.map is UNSET else replace(rule, terrain=(), secrets=())


def _order_set(rule: BattleState, effect: fx.OrderSet) -> BattleState:
    scores = tuple(
        Score(combatant=entry.combatant, score=entry.score)
        for entry in effect.entries
        if entry.combatant is not UNSET
    )
    return replace(rule, scores=scores)


def _removed(rule: BattleState, gone: str) -> BattleState:
    return replace(
        rule,
        combatants=tuple(_without(combatant, gone) for combatant in rule.combatants),
        scores=tuple(score for score in rule.scores if score.combatant != gone),
    )


def _without(combatant: Combatant, gone: str) -> Combatant:
    if not (combatant.cover_overrides or combatant.concealment_overrides):
        return combatant
    return replace(
        combatant,
        cover_overrides=tuple(each for each in combatant.cover_overrides if each.versus != gone),
        concealment_overrides=tuple(
            each for each in combatant.concealment_overrides if each.versus != gone
        ),
    )
