"""What is due next in every timed encounter, noted in the row of its clock.

How this works. After each commit of a timed encounter the process notes what is due next, off the
acknowledgement path; `TimerService` finds the rows that are due. A process that ends before it
notes leaves a row behind its log, which a sweep of any process finds. Followers in this
process are shown whenever the deadlines of an encounter change, in whichever process.
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from service.encounters.cache import Cache, LoadedEncounter
from service.encounters.timers.deadlines import Standing, Timer
from service.encounters.timers.start_events import StartEventFinder
from service.errors import NewerVersion, WarlogError
from service.eventstore.store import EventStore
from service.eventstore.timers import Clock


@dataclass(frozen=True, slots=True)
class _KnownDeadlines:
    """The deadlines that followers know, and the row of the clock they were read behind."""

    shape: tuple[bool, tuple[tuple[str, datetime], ...]]
    stamp: tuple[int, int] | None


class UpcomingDeadlines:
    """What is due next, noted by one process.

    `followed` is the live collection of the encounters that have followers in this process;
    `changed` is called with one of them whenever its deadlines change, in whichever process.
    """

    def __init__(
        self,
        store: EventStore,
        cache: Cache,
        start_events: StartEventFinder,
        followed: Collection[UUID],
        changed: Callable[[UUID], None],
    ) -> None:
        self._store = store
        self._cache = cache
        self._start_events = start_events
        self._followed = followed
        self._changed = changed
        self._known: dict[UUID, _KnownDeadlines] = {}
        self._moved: dict[UUID, LoadedEncounter] = {}
        self._task: asyncio.Task[None] | None = None

    def committed(self, battle: LoadedEncounter) -> None:
        """Events of this timed encounter were stored: note soon what is due next."""
        self._moved[battle.row.id] = battle
        if self._task is None:
            self._task = asyncio.create_task(self._note_all())

    async def settle(self) -> None:
        """Wait for what is being noted: before the store is closed."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _note_all(self) -> None:
        try:
            while self._moved:
                battle = self._moved.pop(next(iter(self._moved)))
                # A sweep finds what was not noted.
                with contextlib.suppress(WarlogError):
                    await self.note(battle.row.id, Standing.of(battle))
        finally:
            self._task = None

    async def note(
        self, encounter: UUID, at: Standing, tried: frozenset[str] | set[str] = frozenset()
    ) -> None:
        """Note what is due next, but for what was tried in vain."""
        rows = self._store.timers
        if at.is_over:
            self._start_events.forget(encounter)
            await rows.end(encounter)
            return
        timers = await self._start_events.timers(encounter, at)
        clock = await rows.clock(encounter)
        ahead = [
            timer.expires_at(clock) for timer in timers if timer.can_end and timer.name not in tried
        ]
        due = min(ahead, default=None) if clock.paused_at is None else None
        await rows.wind(encounter, seq=at.seq, due=due, changes=clock.changes)
        if encounter in self._followed:
            self._tell(encounter, timers, clock)

    async def look_around(self) -> None:
        """Tell followers of deadlines that other processes, or their events, have changed."""
        followed = self._followed
        for gone in self._known.keys() - frozenset(followed):
            del self._known[gone]
        if not followed:
            return
        for encounter, stamp in (await self._store.timers.stamps(list(followed))).items():
            before = self._known.get(encounter)
            if before is not None and before.stamp == stamp:
                continue
            battle = None
            with contextlib.suppress(NewerVersion):
                battle = await self._cache.current(encounter, None)
            if battle is not None:
                timers = await self._start_events.timers(encounter, Standing.of(battle))
                self._tell(encounter, timers, await self._store.timers.clock(encounter), stamp)

    def _tell(
        self,
        encounter: UUID,
        timers: Sequence[Timer],
        clock: Clock,
        stamp: tuple[int, int] | None = None,
    ) -> None:
        ends = tuple((timer.name, timer.expires_at(clock)) for timer in timers)
        shape = (clock.paused_at is not None, ends)
        before = self._known.get(encounter)
        self._known[encounter] = _KnownDeadlines(shape=shape, stamp=stamp)
        if before is None or before.shape != shape:
            self._changed(encounter)
