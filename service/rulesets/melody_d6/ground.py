"""The ground of a battle: its map as the rules look at it."""

from functools import lru_cache
from typing import Final

from msgspec import UNSET

from service.engine.battle.state import State
from service.engine.kit.maps import MapByDigest, map_of
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.maps import Ground, MapInput
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.terrain import FeatureChange, obstacle

BARE: Final = Ground(MapInput().width, MapInput().height, ())
"""The table of a battle that has no map: the ordinary size, without terrain."""


def ground_of(battle: State[BattleState]) -> Ground:
    """The ground of this state: its map with what changed since; without a map a bare table."""
    rule = battle.rule
    laid = BARE if rule.map is UNSET else _laid(map_of(battle, Blob()))
    if not rule.terrain:
        return laid
    key = "" if rule.map is UNSET else rule.map
    grounds, inputs = rule.lookups.grounds, (rule.terrain,)
    ground = grounds.find(key, inputs)
    return ground or grounds.keep(key, inputs, _changed(laid, rule.terrain))


@lru_cache(maxsize=64)
def _laid(laid: MapByDigest[Blob]) -> Ground:
    """A map as rules look at it."""
    blob = laid.blob
    if blob.width is UNSET or blob.height is UNSET or blob.features is UNSET:
        raise TypeError(f"{laid.digest} is no map")
    obstacles = tuple(obstacle(each.id, each) for each in blob.features)
    return Ground(blob.width, blob.height, obstacles)


def _changed(laid: Ground, changes: tuple[FeatureChange, ...]) -> Ground:
    """The ground with these features instead, sorted by id."""
    obstacles = {each.id: each for each in laid.obstacles}
    for change in changes:
        obstacles.pop(change.feature, None)
        if change.terrain is not UNSET:
            obstacles[change.feature] = obstacle(change.feature, change.terrain)
    return laid._replace(obstacles=tuple(obstacles[name] for name in sorted(obstacles)))
