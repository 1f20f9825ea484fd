"""The game master's stage: creation, options and map, terrain, who takes part, the start."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import created_by, seat, take_up
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.hashing import blob_digest
from service.engine.kit.combatants import remove, require_side, take_out
from service.engine.kit.grid import require_once
from service.engine.kit.terrain import overlay
from service.engine.log.canonical import encode
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import RemoveCombatant, StartEncounter
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import (
    AddCombatant,
    Battle,
    Configure,
    CreateBattle,
    SetTerrain,
)
from service.rulesets.squad_d100.deciding.join_battle import (
    carries_battle,
    enter,
    pin_down,
    put_on_reserved,
    require_entry,
    require_room,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import begin_next, settle
from service.rulesets.squad_d100.doorways import doors_of, opened
from service.rulesets.squad_d100.evolve import BattleEffects, evolve, initial
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.map_text import Imported, Presence, imported
from service.rulesets.squad_d100.maps import Fold, MapImport
from service.rulesets.squad_d100.rules.armour import require_table
from service.rulesets.squad_d100.rules.ground import is_inside
from service.rulesets.squad_d100.rules.map_checks import too_explosive
from service.rulesets.squad_d100.rules.movement import movement_points
from service.rulesets.squad_d100.state import (
    BattleState,
    Cache,
    Combatant,
    Options,
    current,
)
from service.rulesets.squad_d100.terrain import Cell, TerrainChange, key_of_change

Effects = tuple[fx.Effect, ...]


def create(state: State[BattleState], action: CreateBattle, by: By) -> Effects:
    """Event 1: the terms, the ground, combatants, seats, and a battle taken up in progress.

    Raises Refused or Malformed for what does not fit together.
    """
    is_prepared = action.battle is not UNSET or any(map(carries_battle, action.combatants))
    created = created_by(own.EncounterCreated, action, by, is_prepared=is_prepared)
    effects = EffectBuilder(replace(state, rule=initial(created)), evolve)
    _require_options(effects.rule, action.options)
    _open_doors(effects, action.doors)
    _count_rounds(effects, action.battle)
    for index, combatant in enumerate(action.combatants):
        # What a roster states of a unit was judged with the map; its path would be another one.
        brought = index - len(action.map_units)
        path = "$.map" if brought < 0 else f"$.combatants[{brought}]"
        require_entry(effects.state, combatant, path)
        enter(effects, combatant, index + 1)
    _stock(effects, action.map_units, action.caches)
    _tell_folds(effects, action.folds)
    for combatant in action.combatants:
        pin_down(effects, combatant)
    seat(effects, action.seats)
    if action.battle is not UNSET:
        _resume(effects, action)
    return (created, *effects.emitted)


def _require_options(rule: BattleState, options: Options) -> None:
    """Options fit together and fit the battle.

    Raises Refused("bad_universal_table"), ("unknown_side"); Malformed for a side stated twice.
    """
    require_table(options.universal_table)
    require_once(options.side_order, "$.options.side_order")
    for side in options.side_order:
        require_side(rule, side)


def _open_doors(effects: BattleEffects, doors: tuple[Cell, ...]) -> None:
    if doors:
        effects.emit(own.TerrainChanged(changes=opened(doors), cause="setup"))


def _stock(effects: BattleEffects, units: tuple[str, ...], caches: tuple[Cache, ...]) -> None:
    if units or caches:
        effects.emit(own.MapStocked(units=units, caches=caches))


def _tell_folds(effects: BattleEffects, folds: tuple[Fold, ...]) -> None:
    if folds:
        effects.emit(own.GlyphsFolded(folds=folds))


def _count_rounds(effects: BattleEffects, battle: Battle | UnsetType) -> None:
    """The round of a battle in progress; without an order it begins with the start.

    To be told before anybody enters: a round that begins lets all take part who sat the last out.
    """
    if battle is UNSET:
        return
    before = battle.round if battle.order else battle.round - 1
    if before:
        effects.emit(fx.RoundBegan(round=before))


def _resume(effects: BattleEffects, action: CreateBattle) -> None:
    """A battle in progress: its order, and whose turn it is with what is left of it."""
    battle = action.battle
    if battle is UNSET:
        return
    for each in battle.order:
        require_combatant(effects.rule, each.combatant)
    placed = [each.combatant for each in battle.order]
    require_once(placed, "$.battle.order")
    entries = tuple(fx.OrderEntry(combatant=each) for each in placed)
    take_up(effects, fx.OrderSet(entries=entries), battle.turn, "a combatant of the order")
    if battle.turn is not UNSET:
        stated = next(each for each in action.combatants if each.id == battle.turn)
        _take_turn_up(effects, stated)


def _take_turn_up(effects: BattleEffects, stated: Combatant) -> None:
    """What is left of the turn: all of it, but for what the sheet states as used."""
    holder = stated.id
    if stated.phase == "shooting":
        effects.emit(own.PhaseChanged(combatant=holder, phase="shooting"))
    if stated.sprinted:
        effects.emit(own.ResourceChanged(combatant=holder, resource="sprint", now=0))
    if stated.shooting_used:
        effects.emit(own.ResourceChanged(combatant=holder, resource="shooting", now=0))
    points = stated.mp_left
    if points is UNSET:
        points = movement_points(current(existing(effects.rule, holder), "agi"))
    effects.emit(own.ResourceChanged(combatant=holder, resource="mp", now=points))


def configure(resolution: Resolution, action: Configure) -> None:
    """Options and map anew; every combatant who stays must find its cell on the new map.

    The blob of the map is `blobs(action)`. Raises Malformed, Refused.
    """
    effects, state = resolution.effects, resolution.state
    options = state.rule.options if action.options is UNSET else action.options
    _require_options(state.rule, options)
    if action.map is UNSET:
        effects.emit(own.OptionsSet(options=options, metadata=action.metadata))
        return
    units = frozenset(state.rule.map_units)
    staying = tuple(each for each in state.rule.combatants if each.id not in units)
    laid = _read(state.rule, action.map, options, staying)
    digest = blob_digest(encode(laid.blob))
    effects.bring({digest: laid.blob})
    effects.emit(own.OptionsSet(options=options, map=digest, metadata=action.metadata))
    for unit in state.rule.map_units:
        remove(effects, unit)
    _lay(effects, laid, state.linear.next_number)


def _read(
    rule: BattleState, stated: MapImport, options: Options, staying: tuple[Combatant, ...]
) -> Imported:
    presence = Presence(
        sides=tuple(side.id for side in rule.sides),
        combatants=tuple(each.id for each in staying),
    )
    return imported(stated, options.glyph_folding, presence)


def _lay(effects: BattleEffects, laid: Imported, number: int) -> None:
    """The doors and units of a map; whoever stays must have room among them."""
    _open_doors(effects, doors_of(laid, are_open=effects.rule.options.doors_open))
    staying = effects.rule.combatants
    for index, (combatant, path) in enumerate(zip(laid.combatants, laid.paths, strict=True)):
        require_entry(effects.state, combatant, path)
        enter(effects, combatant, number + index)
    for each in staying:
        require_room(effects.state, each)
    _stock(effects, tuple(each.id for each in laid.combatants), laid.caches)
    _tell_folds(effects, laid.folds)


def set_terrain(resolution: Resolution, action: SetTerrain) -> None:
    """Cells stated anew; it moves and harms nobody who stands there.

    Raises Refused("out_of_map"), ("map_too_explosive").
    """
    ground = ground_of(resolution.state)
    for cell in action.cells:
        if not is_inside(ground, (cell.x, cell.y)):
            raise Refused("out_of_map", x=cell.x, y=cell.y)
    stated: tuple[TerrainChange, ...] = ()
    effects = resolution.effects
    effects.emit(own.TerrainChanged(changes=overlay(stated, action.cells, key_of_change)))
    for problem in too_explosive(ground_of(effects.state).rows):
        raise problem


def add_combatant(resolution: Resolution, action: AddCombatant) -> None:
    """A combatant comes in; while the battle runs on a reserved cell if it states none.

    Its first turn is in the next round. Raises Refused, Malformed.
    """
    effects, state = resolution.effects, resolution.state
    require_entry(state, action.combatant, "$.combatant")
    enter(effects, action.combatant, state.linear.next_number)
    pin_down(effects, action.combatant)
    if effects.rule.status == "running":
        put_on_reserved(effects)
        settle(effects)


def remove_combatant(resolution: Resolution, action: RemoveCombatant) -> None:
    """A combatant goes; if it was its turn, the next one begins. Raises Refused."""
    effects = resolution.effects
    take_out(effects, action.combatant, lambda after: begin_next(effects, after))


def start(resolution: Resolution, _action: StartEncounter) -> None:
    """The battle runs: whoever has no cell gets a reserved one, and the first turn begins.

    Raises Refused("map_empty") without a map, ("no_reserved_cell").
    """
    effects = resolution.effects
    if effects.rule.map is UNSET:
        raise Refused("map_empty")
    effects.emit(fx.EncounterStarted())
    put_on_reserved(effects)
    if effects.rule.order and effects.rule.turn is UNSET:
        begin_next(effects, None)
    settle(effects)
