"""The ground of a battle: its map with what changed since, as the rules look at it.

It is made once for each combination of map, changes and secrets and kept, because making one reads
every cell, and because the geometry keeps what it works out by the ground it was worked out of.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import UNSET

from service.engine.battle.state import State
from service.engine.geometry.features import Feature
from service.engine.kit.maps import MapByDigest, map_of
from service.rulesets.tactical_d20.maps import MapBlob, bounds_of, part_of
from service.rulesets.tactical_d20.rules import ground as rules
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Ground
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.terrain import GroundBorder, GroundCell, TerrainChange


def ground_of(battle: State[BattleState]) -> Ground:
    """The ground of this state, with the hidden one that the state has."""
    return _ground(battle, battle.rule.secrets)


def public_ground(battle: State[BattleState]) -> Ground:
    """The ground without what is hidden: what everyone knows."""
    return _ground(battle, ())


def hidden_changes(rule: BattleState, features: tuple[Feature, ...]) -> tuple[TerrainChange, ...]:
    """Of the secrets of this state those about these cells and borders, in their order."""
    sought = frozenset(features)
    return tuple(change for change in rule.secrets if _part_of_change(change) in sought)


def _part_of_change(change: TerrainChange) -> Feature:
    part = change.cell if change.border is UNSET else change.border
    if part is UNSET:
        raise ValueError("a terrain change names a cell or a border")
    return part_of(part)


_NO_MAP: Final = MapBlob()


def _ground(battle: State[BattleState], secrets: tuple[TerrainChange, ...]) -> Ground:
    """The ground with these secrets, built again only when map, terrain or secrets change."""
    rule = battle.rule
    grounds, key, inputs = rule.lookups.grounds, bool(secrets), (rule.map, rule.terrain, secrets)
    ground = grounds.find(key, inputs)
    if ground is not None:
        return ground
    laid = map_of(battle, _NO_MAP)
    return grounds.keep(key, inputs, _build(laid, rule.terrain, secrets))


@lru_cache(maxsize=256)
def _build(
    laid: MapByDigest[MapBlob],
    terrain: tuple[TerrainChange, ...],
    secrets: tuple[TerrainChange, ...],
) -> Ground:
    blob = laid.blob
    stated = (*blob.cells, *blob.borders, *_changed(terrain, secrets))
    parts: dict[Feature, GroundCell | GroundBorder] = {part_of(part): part for part in stated}
    return rules.ground_of(
        walls=[key for key, part in parts.items() if part.wall and not part.transparent],
        glass=[key for key, part in parts.items() if part.wall and part.transparent],
        opaque=[key for key, part in parts.items() if part.opaque],
        covers={key: cover for key, part in parts.items() if (cover := _cover(part)) is not None},
        percents={
            key: part.concealment_pct
            for key, part in parts.items()
            if part.concealment_pct is not UNSET
        },
        light={
            (part.x, part.y): part.light
            for part in parts.values()
            if isinstance(part, GroundCell) and part.light is not UNSET
        },
        bounds=None if blob.bounds is UNSET else bounds_of(blob.bounds),
    )


def _changed(
    terrain: tuple[TerrainChange, ...], secrets: tuple[TerrainChange, ...]
) -> Iterator[GroundCell | GroundBorder]:
    """What the changes state, those that count last at the end."""
    for change in (*terrain, *secrets):
        if change.cell is not UNSET:
            yield change.cell
        if change.border is not UNSET:
            yield change.border


def _cover(part: GroundCell | GroundBorder) -> CoverFeature | None:
    """What a cell or border covers by what is stated; a wall without a grade states none."""
    if part.cover is UNSET:
        return None
    height = 0 if part.low_height_ft is UNSET else part.low_height_ft
    return CoverFeature(grade=part.cover, low_height_ft=height)
