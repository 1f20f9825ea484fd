"""Everybody in this process who follows an encounter, and everything they hear of.

How this works. Each encounter that is followed has a `FollowedEncounter`, each client a `Stream`.
What is committed here is told to the hub, which sends it a moment later, when the answers are out;
what is committed elsewhere is heard from the fan-out, or found by the `LogPoller` in the log.
Whatever comes, in whatever order, goes through the channel, which sends each event once and in
order. What is committed here is also told to the other processes.

Besides, the hub looks every few seconds whether the keys and tokens of those who follow are still
good, tells them that the log ends where it ends, and which seats are here.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from uuid import UUID

from service.encounters.housekeeping import housekeeping, tell_the_loop
from service.encounters.principal import Principal
from service.encounters.receipts import Signer
from service.engine.battle.state import Linear
from service.errors import Forbidden, Malformed, Unavailable
from service.eventstore.log_heads import Head
from service.eventstore.records import StoredEvent
from service.eventstore.store import EventStore
from service.fanout.fanout import Alone, Fanout
from service.fanout.messages import FanoutMessage, Missed, News, Presence
from service.live import outgoing_event
from service.live.catch_up import CatchUps
from service.live.fair_queue import FairQueue
from service.live.followed_encounter import FollowedEncounter
from service.live.log_pages import CACHE_BYTES, Pages
from service.live.log_poller import LogPoller
from service.live.long_poll import Waiters
from service.live.records import ByeReason, ResyncReason
from service.live.sinks import Sink, Subscription
from service.live.subscribe import HEARTBEAT_SECONDS, Entrance, HubSources
from service.live.subscription import Follower, StreamTally
from service.live.timer_notices import TimerNotices

LOOK_SECONDS: Final = 1.0
JUDGE_SECONDS: Final = 2.0
BEAT_SECONDS: Final = 1.0
"""The time between two looks at the logs, at keys and tokens, and at whose heartbeat is due."""

BLIND_SECONDS: Final = 0.25
"""The time between two looks while the database is away."""

MOST_AT_ONCE: Final = 256
"""What is told is passed on in portions of so many events, with everything else in between."""

MOST_INBOX: Final = 4_096
"""What waits to be passed on, told here or elsewhere; what is more is read from the log."""

MOST_ENCOUNTERS: Final = 100
"""Encounters that one stream may be about."""

CommittedEvents = tuple[UUID, Sequence[StoredEvent], Linear]
"""Events of an encounter that were committed here, and that half of the state behind the last."""


class Hub:
    """The streams of one process, and those who wait for the next event."""

    def __init__(
        self,
        store: EventStore,
        signer: Signer,
        sources: HubSources,
        fanout: Fanout | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.fanout = fanout or Alone()
        self.tally = StreamTally()
        self.failed: Callable[[Exception], None] = tell_the_loop
        self.pages = Pages(store.log, cache_bytes)
        self.waiters = Waiters(self.changed)
        self._signer = signer
        self._revoked = sources.revoked
        pace = FairQueue()
        self._entrance = Entrance(store.log, signer, sources, self, pace)
        self.channels = self._entrance.channels
        self._streams = self._entrance.streams
        self._catching = CatchUps(self.pages, self._entrance.greet, self._failed, self.tally, pace)
        self._watch = LogPoller(store.tails, sources.current, self, self._failed)
        self._retiming = TimerNotices(sources.current, sources.timers, self._failed)
        self._is_shared = not isinstance(self.fanout, Alone)
        self._inbox: deque[CommittedEvents | FanoutMessage] = deque()
        self._is_due = False
        self._is_blind = False

    # --- those who follow --------------------------------------------------------------------

    async def follow(
        self, who: Principal, encounter: UUID, after: str | None, sink: Sink
    ) -> Subscription:
        """Write a hello, then every event behind the cursor, for as long as there are any.

        Without a cursor: what comes from now on. Raises as `Encounters.events` does, and
        Unavailable("try_again") while the process ends, before anything was written.
        """
        return await self._entrance.follow(who, {encounter: after}, sink, is_of_many=False)

    async def follow_many(
        self, who: Principal, cursors: Mapping[UUID, str | None], sink: Sink
    ) -> Subscription:
        """The same for several encounters at once, in one sink: for a key by itself.

        Raises what `follow` raises for any of them; Forbidden("gm_only") for a seat; Malformed for
        none or too many.
        """
        if who.acting_for is not None:
            raise Forbidden("gm_only", action="follow_many")
        if not 1 <= len(cursors) <= MOST_ENCOUNTERS:
            raise Malformed(path="encounters", allowed=f"1 to {MOST_ENCOUNTERS} encounters")
        return await self._entrance.follow(who, cursors, sink, is_of_many=True)

    async def wait(self, encounter: UUID, after: int, seconds: float) -> None:
        """Return when the log goes past seq `after`, or after so many seconds."""
        if not self._entrance.is_closed:
            await self.waiters.wait(encounter, after, seconds)

    # --- what they hear of ---------------------------------------------------------------------

    def tell(self, encounter: UUID, stored: Sequence[StoredEvent], linear: Linear) -> None:
        """These events were committed; `linear` is that half of the state behind the last one.

        They are sent a moment later, when whoever waits for the answer has it.
        """
        if not (self._is_shared or encounter in self.channels or encounter in self.waiters):
            return
        if not self._has_room(encounter):
            return
        self._inbox.append((encounter, stored, linear))
        if not self._is_due:
            self._is_due = True
            # The task that commits ends, then the one that shields it, then the one that answers.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, loop.call_soon, self._pass_on)

    def heard(self, message: FanoutMessage) -> None:
        """What another process told."""
        if not isinstance(message, Missed) and not self._has_room(message.encounter):
            return
        self._inbox.append(message)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._pass_on)

    def _has_room(self, encounter: UUID) -> bool:
        """Whether more can wait here. If not, the log tells what this would have told."""
        if len(self._inbox) < MOST_INBOX:
            return True
        self.tally.overflown += 1
        channel = self.channels.get(encounter)
        if channel is not None:
            self.ask(channel)
        return False

    @property
    def inbox(self) -> int:
        """What was told and is not passed on yet."""
        return len(self._inbox)

    def deleted(self, encounter: UUID) -> None:
        """This encounter is no more."""
        self.waiters.wake_for(encounter)
        channel = self.channels.get(encounter)
        if channel is not None:
            self.bye(channel, "deleted")

    @property
    def followed(self) -> Collection[UUID]:
        """The encounters that somebody follows or waits for in this process."""
        return self.channels.keys()

    def present(self, encounter: UUID) -> tuple[str, ...]:
        """The seats that have a stream open in any process, as far as this one heard of them."""
        channel = self.channels.get(encounter)
        return () if channel is None else tuple(sorted(channel.present))

    def retimed(self, encounter: UUID) -> None:
        """Deadlines of this encounter changed otherwise than by an event: tell the followers."""
        channel = self.channels.get(encounter)
        if channel is not None:
            self._retiming.tell(channel)

    def _pass_on(self) -> None:
        """Send a portion of what came in."""
        self._is_due = False
        touched: dict[FollowedEncounter, None] = {}
        for _ in range(min(MOST_AT_ONCE, len(self._inbox))):
            each = self._inbox.popleft()
            try:
                channel = self._told(*each) if isinstance(each, tuple) else self._heard(each)
            except Exception as error:  # what follows is to be passed on, whatever it is
                self.failed(error)
                continue
            if channel is not None:
                touched[channel] = None
        if self._inbox:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._pass_on)
        for channel in touched:
            self._advance(channel)

    def _advance(self, channel: FollowedEncounter) -> None:
        try:
            if not channel.is_over:
                channel.advance()
        except Exception as error:  # nobody must be left with a stream on which nothing comes
            self.failed(error)
            self.bye(channel, "failed")

    def _told(
        self, encounter: UUID, stored: Sequence[StoredEvent], linear: Linear
    ) -> FollowedEncounter | None:
        if self._is_shared:
            for event in stored:
                self.fanout.publish(outgoing_event.news_of(encounter, event))
        self.waiters.grown(encounter, stored[-1].seq)
        channel = self.channels.get(encounter)
        if channel is not None:
            for each in outgoing_event.told(encounter, stored, linear):
                self._offer(channel, each)
        return channel

    def _offer(self, channel: FollowedEncounter, event: outgoing_event.Fresh) -> None:
        if channel.is_full:
            self._advance(channel)
        channel.offer(event)

    def _heard(self, message: FanoutMessage) -> FollowedEncounter | None:
        match message:
            case News():
                return self._heard_news(message)
            case Presence():
                self._heard_presence(message)
            case Missed():
                for channel in filter(None, map(self.channels.get, message.encounters)):
                    self.ask(channel)
                    channel.telling.ask()
        return None

    def _heard_news(self, news: News) -> FollowedEncounter | None:
        self.waiters.grown(news.encounter, news.seq)
        channel = self.channels.get(news.encounter)
        if channel is None:
            return None
        heard = outgoing_event.heard(news)
        if heard is None:
            self.ask(channel)
            return None
        self._offer(channel, heard)
        return channel

    def _heard_presence(self, told: Presence) -> None:
        channel = self.channels.get(told.encounter)
        if channel is None:
            return
        now = asyncio.get_running_loop().time()
        is_new = channel.attendance.told(told.process, told.seats, now)
        channel.attend()
        if is_new and channel.attendance.here:
            channel.telling.ask()

    # --- what channels and the watch ask for ---------------------------------------------------

    def ask(self, channel: FollowedEncounter) -> None:
        """Read the log: something is missing, or does not fit."""
        if not channel.is_over:
            self._watch.ask(channel)

    def bring(self, channel: FollowedEncounter, follower: Follower) -> None:
        """This one is behind."""
        self._catching.bring(channel, follower)

    def changed(self, encounter: UUID) -> None:
        """An encounter is followed that was not, or not any more."""
        if encounter in self.channels:
            self.pages.open(encounter)
        else:
            self.pages.close(encounter)
        if encounter in self.channels or encounter in self.waiters:
            self.fanout.follow(encounter)
        else:
            self.fanout.leave(encounter)

    def attended(self, channel: FollowedEncounter) -> None:
        """Others are to know which seats have a stream in this process."""
        if self._is_shared:
            self.fanout.publish(
                Presence(
                    encounter=channel.encounter,
                    process=self.fanout.process,
                    seats=channel.attendance.here,
                )
            )

    def erased(self, channel: FollowedEncounter) -> None:
        """Text of this encounter is going."""
        self.pages.forget(channel.encounter)

    def renewed(self, channel: FollowedEncounter, head: Head) -> None:
        """The log was looked at."""
        self.know_erasures(channel, head.erasures)

    def know_erasures(self, channel: FollowedEncounter, erasures: int) -> None:
        """Text of the encounter was erased so often."""
        if channel.erasures < erasures:
            channel.erasures = erasures
            self.erased(channel)

    def resync(self, channel: FollowedEncounter, reason: ResyncReason) -> None:
        """Nobody on this channel can go on."""
        for follower in channel.followers:
            follower.stream.resync_from(follower, reason)

    def bye(self, channel: FollowedEncounter, reason: ByeReason) -> None:
        """There is nothing to go on with for anybody on this channel."""
        for follower in channel.followers:
            follower.stream.bye_from(follower, reason)

    # --- what is done again and again ----------------------------------------------------------

    @asynccontextmanager
    async def running(self, failed: Callable[[Exception], None]) -> AsyncIterator[None]:
        """Look, judge and beat as long as the block; then say bye to everybody."""
        self.failed = failed
        works: tuple[tuple[Callable[[], Awaitable[object]], float], ...] = (
            (self._look_out, LOOK_SECONDS),
            (self.judge, JUDGE_SECONDS),
            (self.beat, BEAT_SECONDS),
        )
        async with AsyncExitStack() as stack:
            for work, seconds in works:
                await stack.enter_async_context(housekeeping(work, seconds, failed))
            try:
                yield
            finally:
                self.stop()
                await self.settle()

    async def look(self) -> None:
        """Find what nobody told. Raises DatabaseAway or DatabaseSlow, the first time."""
        try:
            await self._watch.look(tuple(self.channels.values()), self.waiters)
        except Unavailable:
            if not self._is_blind:
                self._is_blind = True
                raise
        else:
            self._is_blind = False

    async def _look_out(self) -> None:
        """Look; a database that is away is asked until it answers, and then nothing waits more."""
        try:
            await self.look()
        except Unavailable as error:
            self.failed(error)
        while self._is_blind:
            await asyncio.sleep(BLIND_SECONDS)
            await self.look()

    async def judge(self) -> None:
        """End the streams of those whose key or token is no longer good."""
        everyone = frozenset(stream.who for stream in self._streams)
        if not everyone or self._is_blind:
            return
        revoked = await self._revoked(everyone)
        for stream in tuple(self._streams):
            if stream.who in revoked:
                stream.bye("revoked")

    async def beat(self) -> None:
        """Tell those whose turn it is where their log ends; and others who is here."""
        now = asyncio.get_running_loop().time()
        for channel in tuple(self.channels.values()):
            if channel.is_over or channel.beat_at > now:
                continue
            channel.beat_at = now + HEARTBEAT_SECONDS
            channel.beat(self._signer.sign)
            channel.attendance.forget(now)
            channel.attend()
            if channel.attendance.here:
                channel.telling.ask()

    def stop(self) -> None:
        """The process ends: say bye to everybody, and take nobody any more."""
        self._entrance.is_closed = True
        self.waiters.wake()
        for stream in tuple(self._streams):
            stream.bye("shutdown")

    async def settle(self) -> None:
        """Wait for work in the background: behind `stop`, before the store is closed."""
        await self._entrance.settle()
        await self._catching.settle()
        await self._watch.settle()
        await self._retiming.settle()
        await self.pages.settle()

    @property
    def streams_open(self) -> int:
        """Streams of this moment."""
        return len(self._streams)

    def _failed(self, error: Exception) -> None:
        self.failed(error)
