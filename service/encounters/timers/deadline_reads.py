"""Deadlines as callers see them: in views, on streams, in the answer about timers."""

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import recorded
from service.encounters.responses import EncounterView, TimersAnswer, TimerView
from service.encounters.timers.deadlines import (
    Standing,
    shown,
)
from service.encounters.timers.start_events import StartEventFinder
from service.engine.visibility.scope import Viewer
from service.errors import (
    Refused,
)
from service.eventstore.store import EventStore
from service.eventstore.timers import Clock


class DeadlineReads:
    """The deadlines of all encounters of one process, for whom they are shown to."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.start_events = StartEventFinder(store.timers)

    async def added(
        self, view: EncounterView, battle: LoadedEncounter, viewer: Viewer
    ) -> EncounterView:
        """The view of the present state with its timers, where there can be any."""
        if not battle.state.rule.options.has_time_limit:
            return view
        at = Standing.of(battle)
        timers = await self.start_events.timers(battle.row.id, at)
        clock = await self._store.timers.clock(battle.row.id)
        return replace(view, timers=shown(timers, clock, viewer, ticking=False))

    async def as_json(self, battle: LoadedEncounter, viewer: Viewer) -> Raw:
        """The timers that a viewer may know of, as JSON: for streams."""
        views: tuple[TimerView, ...] = ()
        if battle.state.rule.options.has_time_limit:
            _, views = await self._shown(battle, viewer)
        return Raw(msgspec.json.encode(views))

    async def answer(self, battle: LoadedEncounter, viewer: Viewer) -> TimersAnswer:
        """The timers that a viewer may know of. Raises Refused("no_time_limit")."""
        require_timed(battle)
        clock, views = await self._shown(battle, viewer)
        return TimersAnswer(
            encounter=battle.id,
            now=recorded(clock.now),
            paused=clock.paused_at is not None,
            timers=views,
        )

    async def _shown(
        self, battle: LoadedEncounter, viewer: Viewer
    ) -> tuple[Clock, tuple[TimerView, ...]]:
        encounter, at = battle.row.id, Standing.of(battle)
        timers = await self.start_events.timers(encounter, at)
        clock = await self._store.timers.clock(encounter)
        return clock, shown(timers, clock, viewer, ticking=True)


def require_timed(battle: LoadedEncounter) -> None:
    """Its options limit something. Raises Refused("no_time_limit")."""
    if not battle.state.rule.options.has_time_limit:
        raise Refused("no_time_limit", encounter=battle.id)
