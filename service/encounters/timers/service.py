"""Ends decisions and turns whose time is over, where the options limit them.

How this works. What is due when follows from the log, from what the game master did to the clock
(`eventstore.timers`) and from the time of the database (`deadlines.py`); a row of the clock says
when to look (`upcoming_deadlines.py`). Each process sweeps once a second: what is due it works out
again and ends as the service, under a key that names the decision or the turn. So there is one
event, however many processes try, and a rewind, which gives new names, cancels by itself.

A timer that the rules refuse to end, or that was ended before, is left alone until the log grows.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

from msgspec import UNSET

from service.encounters.cache import Cache, LoadedEncounter
from service.encounters.clock_and_ids import etag
from service.encounters.housekeeping import Mishaps
from service.encounters.pending_events import ActCall
from service.encounters.principal import Principal, system_of
from service.encounters.requests import (
    ActRequest,
    ExtendTimers,
    PauseTimers,
    TimersRequest,
)
from service.encounters.responses import ActionsAnswer, Replayable, TimersAnswer
from service.encounters.timers.deadline_reads import DeadlineReads, require_timed
from service.encounters.timers.deadlines import (
    NAMED_BY,
    Standing,
    Timer,
    extension,
)
from service.encounters.timers.upcoming_deadlines import UpcomingDeadlines
from service.engine.visibility.scope import GAME_MASTER
from service.engine.vocabulary.values import By
from service.errors import (
    ConflictingRequest,
    Forbidden,
    NewerVersion,
    NotFound,
    PreconditionFailed,
    Refused,
)
from service.eventstore.store import EventStore
from service.eventstore.timers import Clock, ClockChange, ClockRequest

TIMER: Final = By(kind="system", id="timer", role="gm")
"""How the log names the service where it ends a decision or a turn."""

SWEEP_SECONDS: Final = 1.0
"""The time between two looks for what is due."""

STALE_EVERY: Final = 5
"""Every so many looks one for clocks that are behind their log, too."""

STALE_SECONDS: Final = 1.0
"""A process that commits has so long to note what is due next."""

CLAIMED: Final = 200
AT_ONCE: Final = 4
"""So many encounters are claimed, and looked after, at a time."""

TRIES: Final = 512
"""Timers that are looked at in one encounter before others have their turn."""

LONGEST_SECONDS: Final = 30 * 86_400
"""No extension may leave more time than this. Service default."""

Act = Callable[[LoadedEncounter, ActCall], Awaitable[Replayable[ActionsAnswer]]]


class TimerService:
    """The clocks of one process. `fired` counts what it ended.

    `act` appends as any action is appended.
    """

    def __init__(
        self,
        store: EventStore,
        cache: Cache,
        reads: DeadlineReads,
        upcoming: UpcomingDeadlines,
        act: Act,
        stale_seconds: float = STALE_SECONDS,
    ) -> None:
        self._store = store
        self._cache = cache
        self._reads = reads
        self._start_events = reads.start_events
        self._act = act
        self._stale_seconds = stale_seconds
        self._sweeps = 0
        self.upcoming = upcoming
        self.fired = 0

    # --- what is due ---------------------------------------------------------------------------

    async def sweep(self) -> int:
        """End what is due in all encounters; how much this process ended.

        An error with one of them is raised after all others had their turn.
        """
        self._sweeps += 1
        before, timers = self.fired, self._store.timers
        mishaps = Mishaps()
        if self._sweeps % STALE_EVERY == 1:
            seconds = self._stale_seconds
            while page := await timers.stale(limit=CLAIMED, older_seconds=seconds):
                await self._look_after(page, mishaps)
        while page := await timers.due(limit=CLAIMED):
            await self._look_after(page, mishaps)
        with mishaps.noted():
            await self.upcoming.look_around()
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
                battle = await self._cache.current(encounter, None)
            except NewerVersion:
                return
            if battle is None:
                return
            at = Standing.of(battle)
            over = await self._first_over(encounter, at, tried)
            if over is None:
                await self.upcoming.note(encounter, at, tried)
                return
            if not await self._end(battle, at, over, tried):
                return

    async def _first_over(self, encounter: UUID, at: Standing, tried: set[str]) -> Timer | None:
        """What has been over for longest, of what the service may end and did not try yet."""
        clock = await self._store.timers.clock(encounter)
        over = [
            timer
            for timer in await self._start_events.timers(encounter, at)
            if timer.can_end and timer.name not in tried and timer.is_over(clock)
        ]
        return min(over, key=lambda timer: timer.expires_at(clock), default=None)

    async def _end(
        self, battle: LoadedEncounter, at: Standing, timer: Timer, tried: set[str]
    ) -> bool:
        """Pass, or end the turn, unless that happened meanwhile.

        False while another process is at it.
        An answer names its decision; the end of a turn must be that of this very turn.
        """
        request = ActRequest.read({"action": timer.action}, 1)
        call = ActCall(
            who=system_of(battle.row.tenant),
            by=TIMER,
            request=request,
            actions=request.typed(battle.ruleset),
            key=f"timeout:{timer.name}",
            if_match=None if timer.turn is None else etag(at.seq, at.hash),
        )
        try:
            acted = await self._act(battle, call)
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
            self.upcoming.committed(battle)
        return True

    # --- what the game master does to a clock ----------------------------------------------------

    async def change(
        self,
        battle: LoadedEncounter,
        who: Principal,
        key: str,
        request: TimersRequest,
        fingerprint: bytes,
    ) -> tuple[TimersAnswer, bool]:
        """Pause, resume or extend, as the game master; whether the key had done so before.

        Raises Refused("encounter_not_running"), ("no_time_limit"), ("unknown_timer") or
        ("extended_too_far"); ConflictingRequest("idempotency_key_reused").
        """
        encounter = battle.row.id
        earlier = await self._store.timers.requested(encounter, who.name, key)
        if earlier is None:
            clock_request = ClockRequest(
                encounter_id=encounter, principal=who.name, key=key, fingerprint=fingerprint
            )
            earlier = await self._change(battle, clock_request, request)
        if earlier not in (None, fingerprint):
            raise ConflictingRequest("idempotency_key_reused", key=key)
        return await self._reads.answer(battle, GAME_MASTER), earlier is not None

    async def _change(
        self, battle: LoadedEncounter, clock_request: ClockRequest, request: TimersRequest
    ) -> bytes | None:
        require_timed(battle)
        at = Standing.of(battle)
        if at.rule.status == "ended":
            raise Refused("encounter_not_running", status="ended", action="change_timers")
        timers = await self._start_events.timers(clock_request.encounter_id, at)
        meant = _meant(timers, request) if isinstance(request, ExtendTimers) else ()

        def decide(clock: Clock) -> ClockChange:
            if isinstance(request, ExtendTimers):
                extra = {each.subject: _extended(each, clock, request.seconds) for each in meant}
                return ClockChange(is_paused=clock.paused_at is not None, extra_ms=extra)
            return ClockChange(is_paused=isinstance(request, PauseTimers), extra_ms={})

        subjects = {timer.subject for timer in timers}
        earlier = await self._store.timers.change(clock_request, decide, subjects)
        if earlier is None:
            await self.upcoming.note(clock_request.encounter_id, at)
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
