"""The game master's stage: creation, options and map, terrain, who takes part, the start."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.creation import created_by, require_order, seat, take_up
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.hashing import blob_digest
from service.engine.kit.combatants import take_out
from service.engine.kit.grid import require_within
from service.engine.kit.turns import entries_of
from service.engine.log.canonical import encode
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import RemoveCombatant, StartEncounter
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.actions import (
    AddCombatant,
    Battle,
    Configure,
    CreateBattle,
    SetTerrain,
)
from service.rulesets.tactical_d20.deciding.join_battle import (
    carries_battle,
    enter,
    require_entry,
    require_ground,
    tie,
)
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import (
    begin_next,
    roll_initiative,
    settle,
)
from service.rulesets.tactical_d20.evolve import BattleEffects, evolve, initial_as
from service.rulesets.tactical_d20.ground import public_ground
from service.rulesets.tactical_d20.maps import blob_of, part_of, require_whole
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.terrain import changes_of

Effects = tuple[fx.Effect, ...]


def create(state: State[BattleState], action: CreateBattle, by: By) -> Effects:
    """Event 1: the terms, hidden ground, combatants, seats, and a battle taken up in progress.

    Raises Refused or Malformed for what does not fit together.
    """
    is_prepared = action.battle is not UNSET or any(map(carries_battle, action.combatants))
    kind = state.terms.read_as(Readings).created
    terms = created_by(kind, action, by, is_prepared=is_prepared)
    created = replace(terms, gravity=action.gravity)
    blank = initial_as(type(state.rule), created)
    effects = EffectBuilder(replace(state, rule=blank), evolve)
    _hide_ground(effects, action)
    for index, combatant in enumerate(action.combatants):
        require_entry(effects.state, combatant, f"$.combatants[{index}]")
        enter(effects, combatant, index + 1)
    if action.battle is not UNSET:
        effects.emit(fx.RoundBegan(round=action.battle.round))
    for combatant in action.combatants:
        tie(effects, combatant)
    seat(effects, action.seats)
    if action.battle is not UNSET:
        _resume(effects, action.battle)
    return (created, *effects.emitted)


def _hide_ground(effects: BattleEffects, action: CreateBattle) -> None:
    hidden = action.hidden_terrain
    if hidden is UNSET or not (hidden.cells or hidden.borders):
        return
    require_whole(hidden.cells, "$.hidden_terrain.cells")
    require_whole(hidden.borders, "$.hidden_terrain.borders")
    parts = (*map(part_of, hidden.cells), *map(part_of, hidden.borders))
    require_within(public_ground(effects.state).bounds, parts)
    changes = changes_of(hidden.cells, hidden.borders)
    effects.emit(own.TerrainChanged(changes=changes, secret=True, cause="setup"))


def _resume(effects: BattleEffects, battle: Battle) -> None:
    """A battle in progress: its order, and whose turn it is with what its sheet has left."""
    require_order(effects.rule, [each.combatant for each in battle.order])
    order = own.OrderSet(entries=entries_of(battle.order))
    take_up(effects, order, battle.turn, "a combatant of the order")


def configure(resolution: Resolution, action: Configure) -> None:
    """Options and map anew; every combatant must still be on the map and in no wall.

    The blob of the map is `blobs(action)`. Raises Malformed, Refused.
    """
    effects = resolution.effects
    options = effects.rule.options if action.options is UNSET else action.options
    set_options = effects.state.terms.read_as(Readings).options_set
    if action.map is UNSET:
        effects.emit(set_options(options=options, metadata=action.metadata))
        return
    blob = blob_of(action.map)
    digest = blob_digest(encode(blob))
    effects.bring({digest: blob})
    effects.emit(set_options(options=options, map=digest, metadata=action.metadata))
    for combatant in effects.rule.combatants:
        require_ground(effects.state, combatant)


def set_terrain(resolution: Resolution, action: SetTerrain) -> None:
    """Ground stated anew; it moves and harms nobody who stands there.

    Raises Refused("off_map").
    """
    parts = (*map(part_of, action.cells), *map(part_of, action.borders))
    require_within(public_ground(resolution.state).bounds, parts)
    changes = changes_of(action.cells, action.borders)
    resolution.effects.emit(own.TerrainChanged(changes=changes, secret=action.secret))


def add_combatant(resolution: Resolution, action: AddCombatant) -> None:
    """A combatant comes in; in a running battle it rolls initiative at once. Raises Refused."""
    effects, state = resolution.effects, resolution.state
    require_entry(state, action.combatant, "$.combatant")
    enter(effects, action.combatant, state.linear.next_number)
    tie(effects, action.combatant)
    if effects.rule.status == "running":
        roll_initiative(resolution)
        settle(effects)


def remove_combatant(resolution: Resolution, action: RemoveCombatant) -> None:
    """A combatant goes; if it was its turn, the next one begins. Raises Refused."""
    effects = resolution.effects
    take_out(effects, action.combatant, lambda after: begin_next(effects, after))


def start(resolution: Resolution, _action: StartEncounter) -> None:
    """The battle runs: initiative that was not given is rolled, and the first turn begins."""
    effects = resolution.effects
    effects.emit(fx.EncounterStarted())
    roll_initiative(resolution)
    if effects.rule.round and effects.rule.turn is UNSET:
        begin_next(effects, None)
    settle(effects)
