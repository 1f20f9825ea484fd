"""What follows a commit in the background: snapshots, and text that goes for good."""

import asyncio
import contextlib

from service.encounters.access import not_found
from service.encounters.cache import Cache, LoadedEncounter
from service.encounters.loader import ENGINE_VERSION, snapshot_of
from service.encounters.pending_events import PendingEvents
from service.errors import Unavailable
from service.eventstore.records import Snapshot
from service.eventstore.store import EventStore


class AfterCommit:
    """Work of this process that no caller need wait for."""

    def __init__(self, store: EventStore, cache: Cache) -> None:
        self._store = store
        self._cache = cache
        self._tasks: set[asyncio.Task[None]] = set()

    def keep_snapshot(self, battle: LoadedEncounter, stored: PendingEvents) -> None:
        """Write a snapshot behind the events; it may fail, nothing depends on it."""
        snapshot = snapshot_of(stored.state, stored.sealed[-1].seq)
        self._mind(asyncio.create_task(self._put_snapshot(battle, snapshot, stored.erasures)))

    def erase(self, battle: LoadedEncounter, stored: PendingEvents) -> asyncio.Task[None]:
        """Empty the text parts that the log now says are erased, and forget what held their text.

        That is also what is in memory where other text was erased since the events were decided.
        """
        task = asyncio.create_task(self._erase(battle, stored))
        self._mind(task)
        return task

    async def settle(self) -> None:
        """Wait until nothing is under way: before the store is closed."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _mind(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _erase(self, battle: LoadedEncounter, stored: PendingEvents) -> None:
        if battle.row.erasures != stored.erasures and not await self._cache.renew(battle):
            raise not_found(battle.id)
        if stored.erased:
            self._cache.forget(battle.row.id)
            until = max(stored.erased)
            await self._store.eraser.erase_text(battle.row.id, until=until, seqs=stored.erased)

    async def _put_snapshot(
        self, battle: LoadedEncounter, snapshot: Snapshot, erasures: int
    ) -> None:
        with contextlib.suppress(Unavailable):
            is_kept = await self._store.snapshots.put(
                battle.row.id, snapshot, engine_version=ENGINE_VERSION, erasures=erasures
            )
            if not is_kept:
                # Text was erased since this was read: by another process, if it is still here.
                self._cache.drop(battle)
