"""Scenes: pictures of a battle after an event, from nothing but what one caller gets of it.

How this works. A scene is made of the caller's view of the state, of the map that it names and of
the event as the caller sees it. Maps and events are kept for a while: whoever follows a battle
asks for the scenes of all views of an event at once, and each on the same map. So are scenes: where
two callers get the very same, each has the same scene.
"""

from collections import OrderedDict
from typing import Final, NamedTuple
from uuid import UUID

from msgspec import UNSET, Raw, UnsetType

from service.encounters.cache import LoadedEncounter
from service.encounters.views import acting_in, event_seen
from service.engine.battle.state import RuleState
from service.engine.log import canonical
from service.engine.scene import SceneSource
from service.engine.visibility.scope import Viewer
from service.eventstore.log_reads import Log
from service.eventstore.records import StoredEvent

EVENTS: Final = 256
"""Events that are kept."""

MAPS: Final = 16
"""Maps that are kept."""


SCENES: Final = 32
"""Scenes that are kept, each with what it is made of."""


class _Key(NamedTuple):
    """What a scene is made of, but for the map, which the state names."""

    encounter: UUID
    state: bytes
    event: bytes
    acting: tuple[str, ...]


class SceneSources:
    """What the scenes of one process are made of."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._maps: OrderedDict[tuple[UUID, str], Raw] = OrderedDict()
        self._events: OrderedDict[tuple[UUID, int, int], StoredEvent] = OrderedDict()
        self._scenes: OrderedDict[_Key, Raw] = OrderedDict()

    async def scene(
        self, battle: LoadedEncounter, seq: int, rule: RuleState, viewer: Viewer, state: Raw
    ) -> Raw:
        """The scene after event `seq` as canonical JSON; as `source`."""
        source = await self.source(battle, seq, rule, viewer, state)
        key = _Key(battle.row.id, bytes(state), bytes(source.event), source.acting)
        scene = self._scenes.get(key)
        if scene is None:
            scene = self._scenes[key] = Raw(canonical.encode(battle.ruleset.scene(source)))
            if len(self._scenes) > SCENES:
                self._scenes.popitem(last=False)
        return scene

    def forget(self, encounter: UUID) -> None:
        """Keep no event and no scene of an encounter any more: text of them may be gone."""
        for key in [key for key in self._events if key[0] == encounter]:
            del self._events[key]
        for kept in [kept for kept in self._scenes if kept.encounter == encounter]:
            del self._scenes[kept]

    async def source(
        self, battle: LoadedEncounter, seq: int, rule: RuleState, viewer: Viewer, state: Raw
    ) -> SceneSource:
        """What the scene after event `seq` is made of; `state` is the caller's view of `rule`.

        Raises DatabaseAway, DatabaseSlow.
        """
        return SceneSource(
            state=state,
            event=event_seen(await self._event(battle, seq), viewer, battle.sides),
            map=await self._map(battle.row.id, rule.map),
            acting=acting_in(battle.ruleset, rule, viewer),
        )

    async def _event(self, battle: LoadedEncounter, seq: int) -> StoredEvent:
        key = (battle.row.id, battle.row.erasures, seq)
        event = self._events.get(key)
        if event is None:
            [event] = await self._log.events(
                battle.row.id, after=seq - 1, until=seq, limit=1, audiences=None
            )
            self._events[key] = event
            if len(self._events) > EVENTS:
                self._events.popitem(last=False)
        return event

    async def _map(self, encounter: UUID, digest: str | UnsetType) -> Raw | None:
        if digest is UNSET:
            return None
        board = self._maps.get((encounter, digest))
        if board is None:
            blob = await self._log.blob(encounter, bytes.fromhex(digest))
            if blob is None:
                return None
            board = self._maps[encounter, digest] = Raw(blob.body)
            if len(self._maps) > MAPS:
                self._maps.popitem(last=False)
        self._maps.move_to_end((encounter, digest))
        return board
