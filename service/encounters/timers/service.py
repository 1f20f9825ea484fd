"""Ends what somebody's time is over for: decisions and turns, where the options limit them.

How this works. What is due when follows from the log, from what the game master did to the clock
(`eventstore.timers`) and from the time of the database (`deadlines.py`); a row of the clock tells
when to look. After each commit of such an encounter the process notes what is due next, off the
acknowledgement path. Each process sweeps once a second: what is due it works out anew and ends as
the service, under a key that names the decision or the turn. So there is one event, however many
processes try, and a rewind, which gives new names, cancels by itself. A process that ends before it
notes leaves a row behind the log, which a sweep finds.

What the rules refuse, or what was ended under its name before, is left alone until the log goes on.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import UNSET

from service.encounters.cache import Cache
from service.encounters.housekeeping import Mishaps
from service.encounters.loaded import LoadedEncounter, etag
from service.encounters.pending_events import ActCall
from service.encounters.principal import Principal, system_of
from service.encounters.requests import (
    ActRequest,
    ExtendTimers,
    PauseTimers,
    TimersRequest,
)
from service.encounters.responses import TimersAnswer
from service.encounters.timers.deadline_reads import DeadlineReads, require_timed
from service.encounters.timers.deadlines import (
    NAMED_BY,
    Standing,
    Timer,
    extension,
    is_timed,
)
from service.encounters.write_path import Acted
from service.engine.visibility.scope import GAME_MASTER
from service.engine.vocabulary.values import By
from service.errors import (
    ConflictingRequest,
    Forbidden,
    NewerVersion,
    NotFound,
    PreconditionFailed,
    Refused,
    WarlogError,
)
from service.eventstore.store import EventStore
from service.eventstore.timers import Clock, ClockChange, ClockRequest

TIMER: Final = By(kind="system", id="timer", role="gm")
"""How the log names the service where somebody's time is over."""

SWEEP_SECONDS: Final = 1.0
"""The time between two looks for what is due."""

STALE_EVERY: Final = 5
"""Every so many looks one for clocks that are behind their log, too."""

STALE_SECONDS: Final = 1.0
"""Whoever commits has so long to note what is due next."""

CLAIMED: Final = 200
AT_ONCE: Final = 4
"""So many encounters are claimed, and looked after, at a time."""

TRIES: Final = 512
"""So much is ended, or found to have moved on, in one encounter before others have their turn."""

LONGEST_SECONDS: Final = 30 * 86_400
"""No extension may leave more time than this. Service default."""

Act = Callable[[LoadedEncounter, ActCall], Awaitable[Acted]]


@dataclass(frozen=True, slots=True)
class _Told:
    """The deadlines that followers know, and the row of the clock they were read behind."""

    shape: tuple[bool, tuple[tuple[str, datetime], ...]]
    stamp: tuple[int, int] | None


class TimerService:
    """The clocks of one process. `fired` counts what it ended.

    `act` appends as any action is appended. Of the encounters that are `followed` here `changed`
    hears whenever their deadlines are others, whoever made them so.
    """

    def __init__(
        self,
        store: EventStore,
        cache: Cache,
        reads: DeadlineReads,
        act: Act,
        followed: Callable[[], Collection[UUID]],
        changed: Callable[[UUID], None],
        stale_seconds: float = STALE_SECONDS,
    ) -> None:
        self._store = store
        self._cache = cache
        self._act = act
        self._followed = followed
        self._changed = changed
        self._stale_seconds = stale_seconds
        self._reads = reads
        self._beginnings = reads.start_events
        self._told: dict[UUID, _Told] = {}
        self._moved: dict[UUID, LoadedEncounter] = {}
        self._task: asyncio.Task[None] | None = None
        self._sweeps = 0
        self.fired = 0

    def committed(self, live: LoadedEncounter) -> None:
        """Events of this encounter were stored: note soon what is due next."""
        if not is_timed(live.state.rule):
            return
        self._moved[live.row.id] = live
        if self._task is None:
            self._task = asyncio.create_task(self._note_all())

    async def settle(self) -> None:
        """Wait for what is being noted: before the store is closed."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _note_all(self) -> None:
        try:
            while self._moved:
                live = self._moved.pop(next(iter(self._moved)))
                # A sweep finds what was not noted.
                with contextlib.suppress(WarlogError):
                    await self._note(live.row.id, Standing.of(live))
        finally:
            self._task = None

    # --- what is due ---------------------------------------------------------------------------

    async def sweep(self) -> int:
        """End what is due in all encounters; how much this process ended.

        What cannot be done in one of them is raised after all others had their turn.
        """
        self._sweeps += 1
        before, timers = self.fired, self._store.timers
        mishaps = Mishaps()
        if self._sweeps % STALE_EVERY == 1:
            seconds = self._stale_seconds
            while found := await timers.stale(limit=CLAIMED, older_seconds=seconds):
                await self._look_after(found, mishaps)
        while found := await timers.due(limit=CLAIMED):
            await self._look_after(found, mishaps)
        with mishaps.noted():
            await self._look_around()
        mishaps.tell()
        return self.fired - before

    async def _look_after(self, encounters: Sequence[UUID], mishaps: Mishaps) -> None:
        for at in range(0, len(encounters), AT_ONCE):
            outcomes = await asyncio.gather(
                *(self.look_after(encounter) for encounter in encounters[at : at + AT_ONCE]),
                return_exceptions=True,
            )
            for outcome in outcomes:
                with mishaps.noted():
                    if isinstance(outcome, BaseException):
                        raise outcome

    async def look_after(self, encounter: UUID) -> None:
        """End what is due in one encounter, and note what is due next."""
        tried: set[str] = set()
        for _ in range(TRIES):
            try:
                live = await self._cache.current(encounter, None)
            except NewerVersion:
                return
            if live is None:
                return
            at = Standing.of(live)
            over = await self._first_over(encounter, at, tried)
            if over is None:
                await self._note(encounter, at, tried)
                return
            if not await self._end(live, at, over, tried):
                return

    async def _first_over(self, encounter: UUID, at: Standing, tried: set[str]) -> Timer | None:
        """What has been over for longest, of what the service may end and did not try yet."""
        clock = await self._store.timers.clock(encounter)
        over = [
            timer
            for timer in await self._beginnings.timers(encounter, at)
            if timer.can_end and timer.name not in tried and timer.is_over(clock)
        ]
        return min(over, key=lambda timer: timer.expires_at(clock), default=None)

    async def _end(
        self, live: LoadedEncounter, at: Standing, timer: Timer, tried: set[str]
    ) -> bool:
        """Pass, or end the turn, if nobody did meanwhile; False while somebody else is at it.

        An answer names its decision; the end of a turn must be that of this very turn.
        """
        asked = ActCall(
            who=system_of(live.row.tenant),
            by=TIMER,
            request=ActRequest.read({"action": timer.action}, 1),
            key=f"timeout:{timer.name}",
            if_match=None if timer.turn is None else etag(at.seq, at.hash),
        )
        try:
            acted = await self._act(live, asked)
        except ConflictingRequest:
            return False
        except PreconditionFailed:
            return True
        except (Forbidden, NotFound, Refused):
            tried.add(timer.name)
            return True
        tried.add(timer.name)
        if not acted.replayed:
            self.fired += 1
            self.committed(live)
        return True

    async def _note(
        self, encounter: UUID, at: Standing, tried: frozenset[str] | set[str] = frozenset()
    ) -> None:
        """Note what is due next, but for what was tried in vain."""
        timers = self._store.timers
        if at.is_over:
            self._beginnings.forget(encounter)
            await timers.end(encounter)
            return
        there = await self._beginnings.timers(encounter, at)
        clock = await timers.clock(encounter)
        ahead = [
            timer.expires_at(clock) for timer in there if timer.can_end and timer.name not in tried
        ]
        due = min(ahead, default=None) if clock.paused_at is None else None
        await timers.wind(encounter, seq=at.seq, due=due, changes=clock.changes)
        if encounter in self._followed():
            self._tell(encounter, there, clock)

    # --- who follows ---------------------------------------------------------------------------

    async def _look_around(self) -> None:
        """Tell of the deadlines that other processes, or their events, have changed."""
        followed = self._followed()
        for gone in self._told.keys() - frozenset(followed):
            del self._told[gone]
        if not followed:
            return
        for encounter, stamp in (await self._store.timers.stamps(list(followed))).items():
            told = self._told.get(encounter)
            if told is not None and told.stamp == stamp:
                continue
            live = None
            with contextlib.suppress(NewerVersion):
                live = await self._cache.current(encounter, None)
            if live is not None:
                there = await self._beginnings.timers(encounter, Standing.of(live))
                self._tell(encounter, there, await self._store.timers.clock(encounter), stamp)

    def _tell(
        self,
        encounter: UUID,
        timers: Sequence[Timer],
        clock: Clock,
        stamp: tuple[int, int] | None = None,
    ) -> None:
        ends = tuple((timer.name, timer.expires_at(clock)) for timer in timers)
        shape = (clock.paused_at is not None, ends)
        told = self._told.get(encounter)
        self._told[encounter] = _Told(shape=shape, stamp=stamp)
        if told is None or told.shape != shape:
            self._changed(encounter)

    # --- what the game master does to a clock ----------------------------------------------------

    async def change(
        self,
        live: LoadedEncounter,
        who: Principal,
        key: str,
        request: TimersRequest,
        fingerprint: bytes,
    ) -> tuple[TimersAnswer, bool]:
        """Pause, resume or extend, as the game master; whether the key had done so before.

        Raises Refused("encounter_not_running"), ("no_time_limit"), ("unknown_timer") or
        ("extended_too_far"); ConflictingRequest("idempotency_key_reused").
        """
        encounter = live.row.id
        earlier = await self._store.timers.requested(encounter, who.name, key)
        if earlier is None:
            asked = ClockRequest(
                encounter_id=encounter, principal=who.name, key=key, fingerprint=fingerprint
            )
            earlier = await self._change(live, asked, request)
        if earlier not in (None, fingerprint):
            raise ConflictingRequest("idempotency_key_reused", key=key)
        return await self._reads.answer(live, GAME_MASTER), earlier is not None

    async def _change(
        self, live: LoadedEncounter, asked: ClockRequest, request: TimersRequest
    ) -> bytes | None:
        require_timed(live)
        at = Standing.of(live)
        if at.rule.status == "ended":
            raise Refused("encounter_not_running", status="ended", action="change_timers")
        timers = await self._beginnings.timers(asked.encounter_id, at)
        meant = _meant(timers, request) if isinstance(request, ExtendTimers) else ()

        def decide(clock: Clock) -> ClockChange:
            if isinstance(request, ExtendTimers):
                extra = {each.subject: _extended(each, clock, request.seconds) for each in meant}
                return ClockChange(is_paused=clock.paused_at is not None, extra_ms=extra)
            return ClockChange(is_paused=isinstance(request, PauseTimers), extra_ms={})

        subjects = {timer.subject for timer in timers}
        earlier = await self._store.timers.change(asked, decide, subjects)
        if earlier is None:
            await self._note(asked.encounter_id, at)
        return earlier


def _meant(timers: Sequence[Timer], request: ExtendTimers) -> tuple[Timer, ...]:
    """The timers that a request names, all if it names none. Raises Refused("unknown_timer")."""
    stated = {field: getattr(request, field) for field in NAMED_BY}
    names = {(field, name) for field, name in stated.items() if name is not UNSET}
    for field, name in stated.items():
        if name is not UNSET and not any((field, name) in timer.names for timer in timers):
            there = [timer.names[0][1] for timer in timers]
            raise Refused("unknown_timer", timer=name, allowed=there)
    if not timers:
        raise Refused("unknown_timer")
    return tuple(timer for timer in timers if not names or names.intersection(timer.names))


def _extended(timer: Timer, clock: Clock, seconds: int) -> int:
    """The extra time it has then, in milliseconds. Raises Refused("extended_too_far")."""
    if max(timer.left(clock).total_seconds(), 0) + seconds > LONGEST_SECONDS:
        raise Refused("extended_too_far", limit=LONGEST_SECONDS)
    return extension(timer, clock, seconds)
