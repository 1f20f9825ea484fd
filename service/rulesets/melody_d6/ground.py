"""The ground of a battle: its map as the rules look at it."""

from functools import lru_cache
from typing import Final

from msgspec import UNSET

from service.engine.battle.state import RuleState
from service.engine.kit.maps import MapByDigest, map_of
from service.rulesets.melody_d6.content import Blob, Blobs
from service.rulesets.melody_d6.maps import Ground, MapInput
from service.rulesets.melody_d6.terrain import obstacle

BARE: Final = Ground(MapInput().width, MapInput().height, ())
"""The table of a battle that has no map: the ordinary size, without terrain."""


def ground_of(rule: RuleState, blobs: Blobs) -> Ground:
    """The ground of this state; a bare table where no map is laid."""
    return BARE if rule.map is UNSET else _laid(map_of(rule, blobs, Blob()))


@lru_cache(maxsize=64)
def _laid(laid: MapByDigest[Blob]) -> Ground:
    """A map as rules look at it."""
    blob = laid.blob
    if blob.width is UNSET or blob.height is UNSET or blob.features is UNSET:
        raise TypeError(f"{laid.digest} is no map")
    obstacles = tuple(obstacle(each.id, each) for each in blob.features)
    return Ground(blob.width, blob.height, obstacles)
