"""The reducer: what each effect changes. No rules, no dice, no refusals.

A combatant removed is forgotten by the others, but that it pinned somebody down. What every turn
begins and ends with is said by the turn itself; everything else by an effect of its own.
"""

from typing import Final, TypeAlias

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.roster import change_combatant, with_combatant
from service.engine.battle.state import UnknownEffect
from service.engine.vocabulary import effects as fx
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.state import (
    BattleState,
    Combatant,
    Options,
    Suppression,
    VigilanceTest,
)
from service.rulesets.squad_d100.terrain import with_changes

_OfCombatant = (
    own.ResourceChanged
    | fx.StatChanged
    | own.PhaseChanged
    | own.Suppressed
    | own.SuppressionDue
    | own.SuppressionEnded
    | own.ItemsTaken
)
_OfTable = (
    own.OptionsSet
    | own.MapStocked
    | own.GlyphsFolded
    | own.VigilanceTested
    | own.VigilanceNoShot
    | own.TerrainChanged
)
_OwnEffect = (
    _OfCombatant
    | _OfTable
    | fx.Felled
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | fx.CombatantRemoved
)
"""What changes something of these rules' own."""

_STATS: Final = frozenset(
    {
        "strength",
        "agility",
        "accuracy",
        "endurance",
        "armour_class",
        "melee_ap",
        "health_max",
        "heavy_wounds",
        "light_wounds",
    }
)


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    return BattleState(
        options=created.options, dice=created.dice.mode, sides=created.sides, map=created.map
    )


def _own(rule: BattleState, effect: _OwnEffect) -> BattleState:
    match effect:
        case own.ItemsTaken():
            return _taken(rule, effect)
        case (
            own.ResourceChanged()
            | fx.StatChanged()
            | own.PhaseChanged()
            | own.Suppressed()
            | own.SuppressionDue()
            | own.SuppressionEnded()
        ):
            return change_combatant(rule, effect, _changed)
        case fx.Felled():
            return with_combatant(evolve_core(rule, effect), effect.combatant, _sitting_out)
        case fx.RoundBegan():
            return _round_began(evolve_core(rule, effect))
        case fx.TurnBegan():
            return _turn_began(evolve_core(rule, effect), effect.combatant)
        case fx.TurnEnded():
            return _turn_ended(evolve_core(rule, effect), effect.combatant)
        case fx.CombatantRemoved():
            return _removed(evolve_core(rule, effect), effect.combatant)
        case _:
            return _of_table(rule, effect)


def _of_table(rule: BattleState, effect: _OfTable) -> BattleState:
    match effect:
        case own.OptionsSet():
            return _options_set(evolve_core(rule, effect), effect)
        case own.MapStocked():
            return replace(rule, map_units=effect.units, caches=effect.caches)
        case own.GlyphsFolded() | own.VigilanceNoShot():
            return rule
        case own.VigilanceTested():
            test = VigilanceTest(watcher=effect.combatant, mover=effect.versus)
            return replace(rule, tests=(*rule.tests, test))
        case own.TerrainChanged():
            return replace(rule, terrain=with_changes(rule.terrain, effect.changes))


evolve: Final = reducer(_own, _OwnEffect)
"""The state after an effect. Raises UnknownEffect for one that this build cannot apply."""

BattleEffects: TypeAlias = EffectBuilder[BattleState]
"""The effects of one action so far, and the state of the battle after them."""


def _changed(combatant: Combatant, effect: _OfCombatant) -> Combatant:
    """A combatant with the one thing that an effect says of it."""
    match effect:
        case own.ResourceChanged():
            return _resource(combatant, effect)
        case fx.StatChanged():
            if effect.stat not in _STATS:
                raise UnknownEffect(f"stat {effect.stat}")
            return replace(combatant, **{effect.stat: effect.now})
        case own.PhaseChanged():
            return replace(combatant, phase=effect.phase)
        case own.Suppressed():
            others = tuple(each for each in combatant.suppressions if each.by != effect.by)
            return replace(combatant, suppressions=(*others, Suppression(by=effect.by)))
        case own.SuppressionDue():
            due = tuple(replace(each, due=True) for each in combatant.suppressions)
            return replace(combatant, suppressions=due)
        case own.SuppressionEnded():
            left = tuple(each for each in combatant.suppressions if not (effect.all or each.due))
            return replace(combatant, suppressions=left)
        case own.ItemsTaken():
            return replace(
                combatant,
                weapons=(*combatant.weapons, *effect.weapons),
                grenades=(*combatant.grenades, *effect.grenades),
            )


def _resource(combatant: Combatant, effect: own.ResourceChanged) -> Combatant:
    match effect.resource:
        case "mp":
            return replace(combatant, mp_left=effect.now)
        case "shooting":
            return replace(combatant, shooting_used=not effect.now)
        case "sprint":
            return replace(combatant, sprinted=not effect.now)
        case "rounds":
            weapons = tuple(
                replace(each, rounds=effect.now) if each.id == effect.item else each
                for each in combatant.weapons
            )
            return replace(combatant, weapons=weapons)
        case "grenades":
            grenades = tuple(
                replace(each, count=effect.now) if each.id == effect.item else each
                for each in combatant.grenades
            )
            return replace(combatant, grenades=grenades)


def _taken(rule: BattleState, effect: own.ItemsTaken) -> BattleState:
    """What lay in the cell is carried now."""
    caches = tuple(
        each for each in rule.caches if (each.x, each.y) != (effect.place.x, effect.place.y)
    )
    return replace(change_combatant(rule, effect, _changed), caches=caches)


def _options_set(rule: BattleState, effect: own.OptionsSet) -> BattleState:
    return rule if effect.map is UNSET else replace(rule, terrain=(), caches=(), map_units=())


def _sitting_out(combatant: Combatant) -> Combatant:
    return replace(combatant, sits_out=True)


def _round_began(rule: BattleState) -> BattleState:
    """Whoever was down in the round before may have a turn in this one."""
    if not any(each.sits_out for each in rule.combatants):
        return rule
    rested = tuple(
        replace(each, sits_out=False) if each.sits_out else each for each in rule.combatants
    )
    return replace(rule, combatants=rested)


def _turn_began(rule: BattleState, combatant: str | UnsetType) -> BattleState:
    """A turn begins with the movement phase, and nothing of it is used."""
    if combatant is UNSET:
        return rule
    return replace(with_combatant(rule, combatant, _fresh), tests=())


def _fresh(combatant: Combatant) -> Combatant:
    return replace(combatant, phase="movement", sprinted=False, shooting_used=False)


def _turn_ended(rule: BattleState, combatant: str | UnsetType) -> BattleState:
    """Movement points are those of a turn."""
    if combatant is UNSET:
        return rule
    return replace(with_combatant(rule, combatant, _rested), tests=())


def _rested(combatant: Combatant) -> Combatant:
    return replace(combatant, mp_left=UNSET)


def _removed(rule: BattleState, gone: str) -> BattleState:
    return replace(
        rule,
        combatants=tuple(_without(combatant, gone) for combatant in rule.combatants),
        tests=tuple(test for test in rule.tests if gone not in (test.watcher, test.mover)),
        map_units=tuple(unit for unit in rule.map_units if unit != gone),
    )


def _without(combatant: Combatant, gone: str) -> Combatant:
    """A combatant who no longer knows by whom it is pinned down."""
    if all(each.by != gone for each in combatant.suppressions):
        return combatant
    suppressions = tuple(
        Suppression(due=each.due) if each.by == gone else each for each in combatant.suppressions
    )
    return replace(combatant, suppressions=suppressions)
