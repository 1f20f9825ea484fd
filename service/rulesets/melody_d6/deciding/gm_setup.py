"""The game master's stage: creation, options, map and content, terrain, who takes part."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import created_by, seat
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.hashing import blob_digest
from service.engine.kit.combatants import require_side
from service.engine.kit.terrain import overlay
from service.engine.log.canonical import encode
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import ONCE, alike, require_unreserved
from service.engine.vocabulary.values import By
from service.errors import Malformed, Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import (
    AddCombatant,
    Battle,
    Configure,
    CreateBattle,
    SetTerrain,
)
from service.rulesets.melody_d6.content import content_of, melody_of, template_of
from service.rulesets.melody_d6.content_checks import content_blob
from service.rulesets.melody_d6.deciding.join_battle import (
    carries_battle,
    enter,
    require_entry,
    require_masking,
    require_room,
    require_sheet,
    require_size,
    require_songs,
    require_unit,
    require_units,
)
from service.rulesets.melody_d6.deciding.movements import engage
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.targets import MODEL
from service.rulesets.melody_d6.evolve import BattleEffects, evolve, initial
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.map_check import map_blob, shape_problems
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.melodies import DiscTemplate, Melody
from service.rulesets.melody_d6.misfits import misfit, require_once
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.shapes import DISC
from service.rulesets.melody_d6.state import (
    BattleState,
    Song,
    Unit,
    is_on_table,
    is_steady,
    members_of,
    other_side,
    unit_named,
)
from service.rulesets.melody_d6.terrain import MAX_FEATURES, id_of_change

Effects = tuple[fx.Effect, ...]

LATER_SONG: Final = re.compile("s([2-9]|[1-9][0-9]+)")
"""Ids that songs of later events will have."""


def create(state: State[BattleState], action: CreateBattle, by: By) -> Effects:
    """Event 1: the terms, warriors with their units, seats, and a battle taken up in progress.

    A turn in progress begins before anybody enters, since it clears what it begins with. Raises
    Refused or Malformed for statements that contradict each other.
    """
    is_prepared = action.battle is not UNSET or any(map(carries_battle, action.combatants))
    created = created_by(own.EncounterCreated, action, by, is_prepared=is_prepared)
    effects = EffectBuilder(replace(state, rule=initial(created)), evolve)
    _take_turn_up(effects, action.battle)
    for force in action.forces:
        effects.emit(
            own.ForceSet(
                side=force.side,
                home_edge=force.home_edge,
                fp=force.fp,
                dampenings=force.dampenings,
            )
        )
    for index, unit in enumerate(action.units):
        require_unreserved(unit.id, f"$.units[{index}].id")
    require_once([unit.id for unit in action.units], "$.units", ".id")
    for index, combatant in enumerate(action.combatants):
        path = f"$.combatants[{index}]"
        require_entry(effects.state, combatant, path)
        require_unit(action.units, combatant, path)
        enter(effects, combatant, index + 1)
    require_units(effects.rule, action.units, "$.units")
    for unit in action.units:
        effects.emit(own.UnitFormed(unit=unit))
    if action.battle is UNSET:
        _require_deployed(effects.rule, ground_of(effects.state), "$.combatants")
    _put_in_play(effects, action.songs)
    for index, combatant in enumerate(action.combatants):
        require_songs(effects.rule, combatant, f"$.combatants[{index}]")
    seat(effects, action.seats)
    _open_activation(effects, action.battle)
    return (created, *effects.emitted)


def _take_turn_up(effects: BattleEffects, battle: Battle | UnsetType) -> None:
    """The round, the order of the sides and the turn of a battle in progress.

    The round of a battle whose turn is not stated begins with its first turn, at the start.
    Raises Refused("unknown_side").
    """
    if battle is UNSET:
        return
    first = battle.turn_side if battle.first_side is UNSET else battle.first_side
    before = battle.round if battle.turn_side is not UNSET else battle.round - 1
    if before:
        effects.emit(fx.RoundBegan(round=before))
    if first is not UNSET:
        require_side(effects.rule, first)
        order = (first, other_side(effects.rule, first))
        entries = tuple(fx.OrderEntry(side=side) for side in order)
        effects.emit(fx.OrderSet(entries=entries))
    if battle.turn_side is not UNSET:
        require_side(effects.rule, battle.turn_side)
        effects.emit(fx.TurnBegan(side=battle.turn_side))


def _open_activation(effects: BattleEffects, battle: Battle | UnsetType) -> None:
    """The activation that is open in a battle in progress. Raises Refused("invalid_setup")."""
    if battle is UNSET:
        return
    if battle.turn_unit is UNSET:
        if battle.phase != "movement" or battle.mask_declared:
            raise misfit("unknown_reference", "$.battle.turn_unit")
        return
    unit = unit_named(effects.rule, battle.turn_unit)
    if unit is None or unit.side != effects.rule.turn_side:
        raise misfit("unknown_reference", "$.battle.turn_unit", id=battle.turn_unit)
    effects.emit(own.ActivationBegan(side=unit.side, unit=unit.id))
    if battle.phase == "action":
        effects.emit(own.PhaseChanged(phase="action", unit=unit.id))
    if battle.mask_declared:
        effects.emit(own.MaskDeclared(combatants=()))


def _put_in_play(effects: BattleEffects, songs: tuple[Song, ...]) -> None:
    """Lasting Melodies of a battle in progress: each of a singer of its own who is on the table.

    Raises Refused("unknown_combatant"), ("invalid_setup").
    """
    require_once([song.id for song in songs], "$.songs", ".id")
    require_once([song.combatant for song in songs], "$.songs", ".combatant")
    content = content_of(effects.state)
    for index, song in enumerate(songs):
        path = f"$.songs[{index}]"
        if LATER_SONG.fullmatch(song.id):
            raise misfit("duplicate_id", f"{path}.id", id=song.id)
        melody = melody_of(content, song.melody)
        if melody is None or melody.duration != "lasting":
            raise misfit("unknown_reference", f"{path}.melody", id=song.melody)
        singer = require_combatant(effects.rule, song.combatant)
        if not is_steady(singer) or singer.singer is UNSET:
            raise misfit("unknown_reference", f"{path}.combatant", id=song.combatant)
        if (melody.targeting == "model") is (song.target is UNSET):
            raise misfit("template_shape_mismatch", f"{path}.target")
        if song.target is not UNSET:
            require_combatant(effects.rule, song.target)
        _require_laid(effects.state, song, melody, f"{path}.shape")
        effects.emit(
            own.MarkerPlaced(
                marker=song.id,
                kind="melody",
                combatant=song.combatant,
                melody=song.melody,
                target=song.target,
                shape=song.shape,
                side=singer.side,
                round=song.round,
                monstrous=song.monstrous,
                dampened_in=song.dampened_in,
            )
        )


def _require_laid(battle: State[BattleState], song: Song, melody: Melody, path: str) -> None:
    """The template of a song is that of its Melody, its centre on the table.

    Raises Refused("invalid_setup").
    """
    template, origin = template_of(content_of(battle), melody), song.shape.origin
    radius = template.radius if isinstance(template, DiscTemplate) else UNSET
    kind = MODEL if template is None else DISC
    shape = song.shape
    stated = (shape.kind, shape.radius, shape.aim, shape.length, shape.half_width)
    if stated != (kind, radius, UNSET, UNSET, UNSET):
        raise misfit("template_shape_mismatch", path)
    ground = ground_of(battle)
    if not (0 <= origin.x <= ground.width and 0 <= origin.y <= ground.height):
        raise misfit("out_of_bounds", f"{path}.origin")


def _require_deployed(rule: BattleState, ground: Ground, path: str) -> None:
    """Whoever is masked before the battle could mask there. Raises Refused("invalid_setup")."""
    for index, combatant in enumerate(rule.combatants):
        require_masking(rule, ground, combatant, f"{path}[{index}].conditions")


def configure(resolution: Resolution, action: Configure) -> None:
    """Options, map, content and metadata stated anew; whoever is there must fit them.

    Their blobs are `blobs(action)`. Raises Refused("invalid_setup"), Malformed.
    """
    effects = resolution.effects
    options = effects.rule.options
    if action.options is not UNSET:
        settled = effects.state.terms.read_as(Readings).options
        options = settled(action.options, "$.options")
    inputs = (
        UNSET if action.map is UNSET else map_blob(action.map),
        UNSET if action.content is UNSET else content_blob(action.content),
    )
    digests = [UNSET if blob is UNSET else blob_digest(encode(blob)) for blob in inputs]
    brought: dict[str, object] = {
        digest: blob for digest, blob in zip(digests, inputs, strict=True) if digest is not UNSET
    }
    effects.bring(brought)
    effects.emit(
        own.OptionsSet(
            options=options, map=digests[0], content=digests[1], metadata=action.metadata
        )
    )
    _require_fit(effects.state, action)


def _require_fit(battle: State[BattleState], action: Configure) -> None:
    """Those who are there fit what is new: the content, the map, where they are masked.

    What does not fit is named by whom it concerns (`id`), in the place of what is new.
    """
    rule = battle.rule
    ground = ground_of(battle)
    for combatant in rule.combatants:
        if action.content is not UNSET:
            with _told_of(combatant.id, "$.content"):
                require_sheet(battle, combatant, "$")
        if action.map is not UNSET and is_on_table(combatant):
            with _told_of(combatant.id, "$.map"):
                require_room(rule, ground, combatant, "$")
        if rule.turn_side is UNSET:
            where = "$.options" if action.map is UNSET else "$.map"
            require_masking(rule, ground, combatant, where)


@contextmanager
def _told_of(combatant: str, path: str) -> Iterator[None]:
    """What does not fit is the combatant's, in what stands at this path."""
    try:
        yield
    except Refused as error:
        error.params |= {"path": path, "id": combatant}
        raise


def set_terrain(resolution: Resolution, action: SetTerrain) -> None:
    """Features stated anew or taken away; it moves and harms nobody who stands there.

    Raises Refused("invalid_setup"), Malformed.
    """
    ground = ground_of(resolution.state)
    names = [each.id for each in ground.obstacles]
    for index, change in enumerate(action.features):
        where = f"$.features[{index}]"
        require_unreserved(change.feature, f"{where}.feature")
        if alike(change.feature, names) not in (None, change.feature):
            raise Malformed(path=f"{where}.feature", allowed=ONCE)
        names.append(change.feature)
        if (change.terrain is UNSET) is not change.removed:
            raise Malformed(path=f"{where}.terrain", allowed="a feature, or removed")
        if change.terrain is not UNSET:
            vertices = f"{where}.terrain.vertices"
            for problem in shape_problems(change.terrain, ground.width, ground.height, vertices):
                raise problem
    effects = resolution.effects
    effects.emit(own.TerrainChanged(changes=overlay((), action.features, id_of_change)))
    if len(ground_of(effects.state).obstacles) > MAX_FEATURES:
        raise misfit("number_range", "$.features", most=MAX_FEATURES)


def add_combatant(resolution: Resolution, action: AddCombatant) -> None:
    """A warrior comes in, with a unit of its own where it names a new one.

    Who comes in masked must be able to mask there; in contact with an enemy both leave guard and
    masking. Raises Refused, Malformed.
    """
    effects, state = resolution.effects, resolution.state
    newcomer, path = action.combatant, "$.combatant"
    require_entry(state, newcomer, path)
    unit = unit_named(state.rule, newcomer.unit)
    is_new = unit is None
    if unit is None:
        require_unreserved(newcomer.unit, f"{path}.unit")
        if alike(newcomer.unit, (each.id for each in state.rule.units)):
            raise misfit("duplicate_id", f"{path}.unit", id=newcomer.unit)
        unit = Unit(id=newcomer.unit, side=newcomer.side, kind=action.kind)
    require_unit((unit,), newcomer, path)
    enter(effects, newcomer, state.linear.next_number)
    entered = existing(effects.rule, newcomer.id)
    require_masking(effects.rule, ground_of(effects.state), entered, f"{path}.conditions")
    if is_new:
        effects.emit(own.UnitFormed(unit=unit))
    require_size(unit, len(members_of(effects.rule, unit.id)), f"{path}.unit")
    require_songs(effects.rule, newcomer, path)
    if is_on_table(entered):
        engage(effects, newcomer.id)
