"""The reducer: what each effect changes. No rules, no dice, no refusals.

What every turn, activation and round begins or ends with is said by that itself: flags of the turn
and conditions that nobody keeps; everything else by an effect of its own.
"""

from typing import Final, Literal, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.roster import change_combatant, with_combatant
from service.engine.battle.state import UnknownEffect
from service.engine.kit.terrain import overlay
from service.engine.vocabulary import effects as fx
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    Condition,
    FelledState,
    Force,
    Song,
    SongShape,
)
from service.rulesets.melody_d6.terrain import id_of_change

_OfCombatant = fx.StatChanged | own.ConditionGained | own.ConditionLost | own.Felled
_OfTurn = (
    fx.OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | own.ActivationBegan
    | own.ActivationEnded
    | own.PhaseChanged
    | own.UnitSpent
    | own.MaskDeclared
)
_OfSong = own.MarkerPlaced | own.MarkerRemoved | own.SongDampening
_OfTable = (
    own.OptionsSet
    | own.ForceSet
    | own.UnitFormed
    | own.ResourceChanged
    | own.TerrainChanged
    | fx.CombatantRemoved
)
_OwnEffect = _OfCombatant | _OfTurn | _OfSong | _OfTable
"""What changes something of these rules' own."""

_STATS: Final = frozenset(
    {
        "mobility",
        "move",
        "accuracy",
        "melee",
        "toughness",
        "armour",
        "courage",
        "sight",
        "health_max",
    }
)
_OF_TURN: Final[frozenset[Condition]] = frozenset({"attacked", "fleeting", "approaching"})
"""Conditions that end when the next turn of the side begins."""


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    if not isinstance(created.options, Options):
        raise UnknownEffect(type(created.options).__name__)
    return BattleState(
        options=created.options,
        dice=created.dice.mode,
        sides=created.sides,
        map=created.map,
        content=created.content,
    )


def _own(rule: BattleState, effect: _OwnEffect) -> BattleState:
    match effect:
        case fx.StatChanged():
            return change_combatant(rule, effect, _stat)
        case own.ConditionGained():
            return change_combatant(rule, effect, _gained)
        case own.ConditionLost():
            return change_combatant(rule, effect, _lost)
        case own.Felled():
            return with_combatant(rule, effect.combatant, _gone, effect.state)
        case (
            fx.OrderSet()
            | fx.RoundBegan()
            | fx.TurnBegan()
            | fx.TurnEnded()
            | own.ActivationBegan()
            | own.ActivationEnded()
            | own.PhaseChanged()
            | own.UnitSpent()
            | own.MaskDeclared()
        ):
            return _of_turn(rule, effect)
        case own.MarkerPlaced() | own.MarkerRemoved() | own.SongDampening():
            return replace(rule, songs=_songs(rule.songs, effect))
        case _:
            return _of_table(rule, effect)


def _of_turn(rule: BattleState, effect: _OfTurn) -> BattleState:
    match effect:
        case fx.OrderSet():
            order = tuple(entry.side for entry in effect.entries if entry.side is not UNSET)
            return replace(rule, side_order=order)
        case fx.RoundBegan():
            return _round_began(evolve_core(rule, effect))
        case fx.TurnBegan():
            return _turn_began(rule, effect)
        case fx.TurnEnded():
            return replace(rule, turn_side=UNSET, turn_unit=UNSET)
        case own.ActivationBegan():
            return _activation_began(rule, effect)
        case own.ActivationEnded():
            return _activation_ended(rule, effect)
        case own.PhaseChanged():
            return replace(rule, phase=effect.phase)
        case own.UnitSpent():
            return _with_unit(rule, effect.unit)
        case own.MaskDeclared():
            return replace(rule, mask_declared=True)


def _of_table(rule: BattleState, effect: _OfTable) -> BattleState:
    match effect:
        case own.OptionsSet():
            changed = evolve_core(rule, effect)
            return changed if effect.map is UNSET else replace(changed, terrain=())
        case own.ForceSet():
            return _with_force(rule, effect)
        case own.UnitFormed():
            return replace(rule, units=(*rule.units, effect.unit))
        case own.ResourceChanged():
            return _resource(rule, effect)
        case own.TerrainChanged():
            return replace(rule, terrain=overlay(rule.terrain, effect.changes, id_of_change))
        case fx.CombatantRemoved():
            return _removed(evolve_core(rule, effect))


evolve: Final = reducer(_own, _OwnEffect)
"""The state after an effect. Raises UnknownEffect for one that this build cannot apply."""

BattleEffects: TypeAlias = EffectBuilder[BattleState]
"""The effects of one action so far, and the state of the battle after them."""


def _stat(combatant: Combatant, effect: fx.StatChanged) -> Combatant:
    if effect.stat not in _STATS:
        raise UnknownEffect(f"stat {effect.stat}")
    if effect.stat == "armour" and effect.now == 0:
        return replace(combatant, armour=UNSET)
    return replace(combatant, **{effect.stat: effect.now})


def _gained(combatant: Combatant, effect: own.ConditionGained) -> Combatant:
    held = combatant.conditions
    if effect.condition not in held:
        combatant = replace(combatant, conditions=(*held, effect.condition))
    match effect.condition:
        case "masked" if effect.cause != "gm":
            return replace(combatant, masked_this_turn=True)
        case "stunned":
            return replace(combatant, stunned_anew=effect.until is not UNSET)
        case "hoarse" if effect.amount is not UNSET:
            return replace(combatant, hoarse_until=effect.amount)
        case "melody" if effect.item is not UNSET and effect.item not in combatant.songs:
            return replace(combatant, songs=(*combatant.songs, effect.item))
        case _:
            return combatant


def _lost(combatant: Combatant, effect: own.ConditionLost) -> Combatant:
    if effect.item is not UNSET:
        songs = tuple(song for song in combatant.songs if song != effect.item)
        combatant = replace(combatant, songs=songs)
        if songs:
            return combatant
    combatant = _free_of(combatant, frozenset({effect.condition}))
    match effect.condition:
        case "stunned":
            return replace(combatant, stunned_anew=False)
        case "hoarse":
            return replace(combatant, hoarse_until=0)
        case _:
            return combatant


def _free_of(combatant: Combatant, ended: frozenset[Condition]) -> Combatant:
    left = tuple(word for word in combatant.conditions if word not in ended)
    return (
        combatant if len(left) == len(combatant.conditions) else replace(combatant, conditions=left)
    )


def _gone(combatant: Combatant, state: FelledState) -> Combatant:
    """A warrior off the table: nothing else holds of it any more."""
    return replace(
        combatant, conditions=(state,), band="down", stunned_anew=False, hoarse_until=0, songs=()
    )


def _round_began(rule: BattleState) -> BattleState:
    return replace(
        rule,
        combatants=tuple(
            each if each.rerolls_left is UNSET else replace(each, rerolls_left=UNSET)
            for each in rule.combatants
        ),
        forces=tuple(replace(force, dampenings=0) for force in rule.forces),
    )


def _turn_began(rule: BattleState, effect: fx.TurnBegan) -> BattleState:
    return replace(
        rule,
        turn_side=effect.side,
        turn_unit=UNSET,
        combatants=tuple(
            _fresh(each) if each.side == effect.side else each for each in rule.combatants
        ),
        units=tuple(
            replace(unit, activated=False) if unit.side == effect.side else unit
            for unit in rule.units
        ),
    )


def _fresh(combatant: Combatant) -> Combatant:
    """A warrior at the start of its side's turn (2.1)."""
    combatant = _free_of(combatant, _OF_TURN)
    if not (combatant.moved or combatant.acted or combatant.masked_this_turn):
        return combatant
    return replace(combatant, moved=False, acted=False, masked_this_turn=False)


def _activation_began(rule: BattleState, effect: own.ActivationBegan) -> BattleState:
    if effect.unit is UNSET:
        return rule
    activated = _with_unit(rule, effect.unit)
    return replace(activated, turn_unit=effect.unit, phase="movement", mask_declared=False)


def _activation_ended(rule: BattleState, effect: own.ActivationEnded) -> BattleState:
    return replace(
        rule,
        turn_unit=UNSET,
        combatants=tuple(
            _rested(each) if each.unit == effect.unit else each for each in rule.combatants
        ),
    )


def _rested(combatant: Combatant) -> Combatant:
    """A warrior after the activation of its unit: neither fleeting nor stunned within it."""
    combatant = _free_of(combatant, frozenset({"fleeting", "approaching"}))
    return replace(combatant, stunned_anew=False) if combatant.stunned_anew else combatant


def _with_unit(rule: BattleState, unit: str) -> BattleState:
    """A unit counts as activated in this turn."""
    units = tuple(replace(each, activated=True) if each.id == unit else each for each in rule.units)
    return replace(rule, units=units)


def _with_force(rule: BattleState, effect: own.ForceSet) -> BattleState:
    force = Force(
        side=effect.side,
        home_edge=effect.home_edge,
        fp=effect.fp,
        dampenings=effect.dampenings,
    )
    others = tuple(each for each in rule.forces if each.side != effect.side)
    return replace(rule, forces=(*others, force))


def _resource(rule: BattleState, effect: own.ResourceChanged) -> BattleState:
    if effect.side is UNSET:
        return change_combatant(rule, effect, _spent)
    return replace(
        rule,
        forces=tuple(
            _paid(force, effect) if force.side == effect.side else force for force in rule.forces
        ),
    )


def _paid(force: Force, effect: own.ResourceChanged) -> Force:
    match effect.resource:
        case "fp":
            return replace(force, fp=effect.now)
        case "dampening":
            return replace(force, dampenings=effect.now)
        case _:
            raise UnknownEffect(f"resource {effect.resource} of a side")


def _spent(combatant: Combatant, effect: own.ResourceChanged) -> Combatant:
    match effect.resource:
        case "movement":
            return replace(combatant, moved=effect.now == 0)
        case "action":
            return replace(combatant, acted=effect.now == 0)
        case "rerolls":
            return replace(combatant, rerolls_left=effect.now)
        case _:
            raise UnknownEffect(f"resource {effect.resource} of a warrior")


def _songs(songs: tuple[Song, ...], effect: _OfSong) -> tuple[Song, ...]:
    match effect:
        case own.MarkerPlaced():
            return (*songs, _song(effect))
        case own.MarkerRemoved():
            return tuple(song for song in songs if song.id != effect.marker)
        case own.SongDampening():
            return tuple(_dampened(song, effect) for song in songs)


def _song(effect: own.MarkerPlaced) -> Song:
    return Song(
        id=effect.marker,
        melody=effect.melody,
        combatant=effect.combatant,
        target=effect.target,
        shape=_song_shape(effect.shape),
        round=effect.round,
        monstrous=effect.monstrous,
        dampened_in=effect.dampened_in,
    )


def _song_shape(shape: fx.Shape) -> SongShape:
    kind: Literal["disc", "model"] = "disc" if shape.kind == "disc" else "model"
    return SongShape(kind=kind, origin=shape.origin, radius=shape.radius)


def _dampened(song: Song, effect: own.SongDampening) -> Song:
    return replace(song, dampened_in=effect.round) if song.id == effect.marker else song


def _removed(rule: BattleState) -> BattleState:
    """The battle without a warrior; a unit without members goes with its last one."""
    units = tuple(each.unit for each in rule.combatants)
    gone = tuple(unit.id for unit in rule.units if unit.id not in units)
    left = tuple(unit for unit in rule.units if unit.id in units)
    turn_unit = UNSET if rule.turn_unit in gone else rule.turn_unit
    return replace(rule, units=left, turn_unit=turn_unit)
