"""The streams of one process, and where the events that they bring come from.

How this works. Each encounter with a follower has a `FollowedEncounter` (its *channel*), each
client a `ClientStream`. Events come from three sources: commits of this process (`announce`), which
are sent a moment later, when the answers to those who acted are out, and published to the other
processes; messages of other processes (`receive`); and the log itself, read by the `LogPoller`.
Events of all sources go through the channel, which sends each event once and in order.

Besides, the hub ends every few seconds the streams of keys and tokens that were revoked, sends
heartbeats with the signed end of the log and comments between them, and reports absent seats.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from uuid import UUID

from service.encounters.housekeeping import housekeeping, tell_the_loop
from service.encounters.principal import Principal
from service.encounters.receipts import Signer
from service.encounters.requests import NO_ADDITIONS, Additions
from service.engine.battle.linear import Linear
from service.errors import Forbidden, Malformed, Unavailable
from service.eventstore.log_heads import Head
from service.eventstore.records import StoredEvent
from service.eventstore.store import EventStore
from service.fanout.fanout import Fanout, SingleProcess
from service.fanout.messages import BattleMessage, FanoutMessage, Missed, News, Presence, Revocation
from service.live import outgoing_event
from service.live.catch_up import CatchUps
from service.live.comments import send_comments
from service.live.extended_stream import ExtendedStream, StreamStart
from service.live.fair_queue import FairQueue
from service.live.followed_encounter import FollowedEncounter
from service.live.inbox import Inbox
from service.live.log_pages import CACHE_BYTES, Pages
from service.live.log_poller import LogPoller
from service.live.long_poll import Waiters
from service.live.records import ByeReason, ResyncReason
from service.live.shared_additions import SharedAdditions
from service.live.sinks import Sink, Subscription
from service.live.subscribe import HEARTBEAT_SECONDS, Entrance, HubSources
from service.live.subscription import Follower, StreamTally
from service.live.timer_notices import TimerNotices

POLL_SECONDS: Final = 1.0
REVOCATION_SECONDS: Final = 2.0
HEARTBEAT_CHECK_SECONDS: Final = 1.0
"""Between two polls of the logs, of revoked keys and tokens, and of what is due by the clock."""

RECONNECT_SECONDS: Final = 0.25
"""Between two polls while the database is away."""

MOST_ENCOUNTERS: Final = 100
"""Encounters that one stream may be about."""

CommittedEvents = tuple[UUID, Sequence[StoredEvent], Linear]
"""Events of an encounter that were committed here, and that half of the state behind the last."""


class Hub:
    """The streams and long polls of one process."""

    def __init__(
        self,
        store: EventStore,
        signer: Signer,
        sources: HubSources,
        fanout: Fanout | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.fanout = fanout or SingleProcess()
        self.tally = StreamTally()
        self.failed: Callable[[Exception], None] = tell_the_loop
        self.pages = Pages(store.log, cache_bytes)
        self.waiters = Waiters(self.update_interest)
        self._of_interest: set[UUID] = set()
        self._signer = signer
        self._revoked = sources.revoked
        self.turns = FairQueue(sources.is_busy)
        self._additions = SharedAdditions(sources.documents, self.turns)
        self._entrance = Entrance(store.log, signer, sources, self, self.turns)
        self.channels = self._entrance.channels
        self._streams = self._entrance.streams
        self._catch_ups = CatchUps(
            self.pages, self._entrance.greet, self._failed, self.tally, self.turns
        )
        self._poller = LogPoller(store.tails, sources.current, self, self._failed)
        self._timer_notices = TimerNotices(sources.current, sources.timers, self._failed)
        self._is_shared = not isinstance(self.fanout, SingleProcess)
        self.inbox: Inbox[CommittedEvents | BattleMessage] = Inbox(self._deliver_inbox)
        self._is_database_away = False

    # --- followers ---------------------------------------------------------------------------

    async def follow(
        self, who: Principal, encounter: UUID, after: str | None, sink: Sink
    ) -> Subscription:
        """Write a hello, then every event behind the cursor, for as long as there are any.

        Without a cursor: what comes from now on. Raises as `Encounters.events` does, and
        Unavailable("try_again") while the process ends, before anything was written.
        """
        return await self._entrance.follow(who, {encounter: after}, sink, is_of_many=False)

    async def follow_extended(
        self,
        who: Principal,
        encounter: UUID,
        after: str | None,
        sink: Sink,
        additions: Additions,
    ) -> Subscription:
        """As `follow`, with what is asked for besides.

        Where that is a document the hello brings it, unless the client has one at its cursor; one
        that is far behind its cursor is shown the document instead of what it missed.
        """
        return await self._follow_extended(who, {encounter: after}, sink, additions)

    async def follow_many(
        self,
        who: Principal,
        cursors: Mapping[UUID, str | None],
        sink: Sink,
        additions: Additions = NO_ADDITIONS,
    ) -> Subscription:
        """The same for several encounters at once, in one sink: for a key by itself.

        Raises what `follow` raises for any of them; Forbidden("gm_only") for a seat; Malformed for
        none or too many.
        """
        if who.acting_for is not None:
            raise Forbidden("gm_only", action="follow_many")
        if not 1 <= len(cursors) <= MOST_ENCOUNTERS:
            raise Malformed(path="encounters", allowed=f"1 to {MOST_ENCOUNTERS} encounters")
        if additions.is_any:
            return await self._follow_extended(who, cursors, sink, additions, is_of_many=True)
        return await self._entrance.follow(who, cursors, sink, is_of_many=True)

    async def _follow_extended(
        self,
        who: Principal,
        cursors: Mapping[UUID, str | None],
        sink: Sink,
        additions: Additions,
        *,
        is_of_many: bool = False,
    ) -> Subscription:
        places = {each: StreamStart(after, is_far=False) for each, after in cursors.items()}
        if additions.has_document:
            places = {
                encounter: await self._entrance.cursor(who, encounter, after)
                for encounter, after in cursors.items()
            }
        stream = ExtendedStream(
            sink, who, places, additions, self._additions, self._failed, is_of_many=is_of_many
        )
        told = {encounter: place.after for encounter, place in places.items()}
        subscription = await self._entrance.follow(who, told, stream, is_of_many)
        stream.begin(subscription)
        return subscription

    async def wait(self, encounter: UUID, after: int, seconds: float) -> None:
        """Return when the log goes past seq `after`, or after so many seconds."""
        if not self._entrance.is_closed:
            await self.waiters.wait(encounter, after, seconds)

    # --- sources of events -------------------------------------------------------------------

    def announce(self, encounter: UUID, stored: Sequence[StoredEvent], linear: Linear) -> None:
        """Send events that were committed here, and publish them to the other processes.

        `linear` is that half of the state behind the last one. They go out a moment later, when the
        answer to the caller who acted is out.
        """
        if not (self._is_shared or encounter in self._of_interest):
            return
        if not self._has_room(encounter):
            return
        # Two turns of the loop: whoever waits for the commit is woken, then writes the answer.
        self.inbox.put((encounter, stored, linear), turns=2)

    def receive(self, message: FanoutMessage) -> None:
        """Take in a message of another process; it is delivered in the next turn of the loop."""
        if isinstance(message, Revocation):
            return
        if not isinstance(message, Missed) and not self._has_room(message.encounter):
            return
        self.inbox.put(message, turns=1)

    def _has_room(self, encounter: UUID) -> bool:
        """Whether the inbox has room. If not, the channel reads the log instead."""
        if not self.inbox.is_full:
            return True
        self.tally.overflown += 1
        channel = self.channels.get(encounter)
        if channel is not None:
            self.read_log(channel)
        return False

    def announce_deletion(self, encounter: UUID) -> None:
        """End the streams and long polls of an encounter that was deleted here."""
        self.waiters.wake_for(encounter)
        channel = self.channels.get(encounter)
        if channel is not None:
            self.bye(channel, "deleted")

    @property
    def followed(self) -> Collection[UUID]:
        """The encounters with a stream in this process: a view that stays up to date."""
        return self.channels.keys()

    def present(self, encounter: UUID) -> tuple[str, ...]:
        """The seats that have a stream open in any process, as far as this one heard of them."""
        channel = self.channels.get(encounter)
        return () if channel is None else tuple(sorted(channel.present))

    def announce_timers(self, encounter: UUID) -> None:
        """Send deadlines that changed otherwise than by an event: paused, resumed, extended."""
        channel = self.channels.get(encounter)
        if channel is not None:
            self._timer_notices.notify(channel)

    def _deliver_inbox(self) -> None:
        """Deliver a portion of the inbox, then send on each channel that it touched."""
        touched: dict[FollowedEncounter, None] = {}
        for message in self.inbox.portion():
            try:
                channel = (
                    self._deliver_committed(*message)
                    if isinstance(message, tuple)
                    else self._deliver_message(message)
                )
            except Exception as error:  # one bad message must not keep back those behind it
                self.failed(error)
                continue
            if channel is not None:
                touched[channel] = None
        for channel in touched:
            if not channel.is_sending:
                self.advance(channel)

    def advance(self, channel: FollowedEncounter) -> None:
        """Send what can be sent on a channel."""
        try:
            if not channel.is_over:
                channel.advance()
        except Exception as error:  # a stream must end rather than stay silent
            self.failed(error)
            self.bye(channel, "failed")

    def _deliver_committed(
        self, encounter: UUID, stored: Sequence[StoredEvent], linear: Linear
    ) -> FollowedEncounter | None:
        if self._is_shared:
            for event in stored:
                self.fanout.publish(outgoing_event.news_of(encounter, event))
        self.waiters.announce(encounter, stored[-1].seq)
        channel = self.channels.get(encounter)
        if channel is not None:
            for outgoing in outgoing_event.committed_events(encounter, stored, linear):
                self._offer(channel, outgoing)
        return channel

    def _offer(self, channel: FollowedEncounter, event: outgoing_event.OutgoingEvent) -> None:
        if channel.is_full:
            self.advance(channel)
        channel.offer(event)

    def _deliver_message(self, message: BattleMessage) -> FollowedEncounter | None:
        match message:
            case News():
                return self._deliver_news(message)
            case Presence():
                self._deliver_presence(message)
            case Missed():
                for channel in filter(None, map(self.channels.get, message.encounters)):
                    self.read_log(channel)
                    channel.presence_throttle.request()
        return None

    def _deliver_news(self, news: News) -> FollowedEncounter | None:
        self.waiters.announce(news.encounter, news.seq)
        channel = self.channels.get(news.encounter)
        if channel is None:
            return None
        event = outgoing_event.announced_event(news)
        if event is None:
            self.read_log(channel)
            return None
        self._offer(channel, event)
        return channel

    def _deliver_presence(self, presence: Presence) -> None:
        channel = self.channels.get(presence.encounter)
        if channel is None:
            return
        now = asyncio.get_running_loop().time()
        is_new = channel.attendance.note_elsewhere(presence, now)
        channel.report_presence()
        if is_new and channel.attendance.here:
            channel.presence_throttle.request()

    # --- for channels and the poller ---------------------------------------------------------

    def read_log(self, channel: FollowedEncounter) -> None:
        """Read the log for this channel soon: an event is missing, or does not fit."""
        if not channel.is_over:
            self._poller.request(channel)

    def catch_up(self, channel: FollowedEncounter, follower: Follower) -> None:
        """Bring a follower that is behind up to the channel."""
        self._catch_ups.start(channel, follower)

    def update_interest(self, encounter: UUID) -> None:
        """Begin or end to hear of an encounter, by whether it has streams or long polls here."""
        if encounter in self.channels:
            self.pages.open(encounter)
        else:
            self.pages.close(encounter)
        if encounter in self.channels or encounter in self.waiters:
            self._of_interest.add(encounter)
            self.fanout.follow(encounter)
        else:
            self._of_interest.discard(encounter)
            self.fanout.leave(encounter)

    def publish_presence(self, channel: FollowedEncounter) -> None:
        """Tell the other processes which seats have a stream in this one."""
        if self._is_shared:
            now = asyncio.get_running_loop().time()
            self.fanout.publish(
                Presence(
                    encounter=channel.encounter,
                    process=self.fanout.process,
                    seats=channel.attendance.here,
                    holds_seconds=channel.attendance.holds_seconds(now),
                )
            )

    def forget_pages(self, channel: FollowedEncounter) -> None:
        """Forget encoded pages of an encounter whose text is being erased."""
        self.pages.forget(channel.encounter)

    def note_head(self, channel: FollowedEncounter, head: Head) -> None:
        """Take note of a log's head as it was read."""
        self.note_erasures(channel, head.erasures)

    def note_erasures(self, channel: FollowedEncounter, erasures: int) -> None:
        """Take note of how often text of the encounter was erased: pages of before are void."""
        if channel.erasures < erasures:
            channel.erasures = erasures
            self.forget_pages(channel)

    def resync(self, channel: FollowedEncounter, reason: ResyncReason) -> None:
        """End every stream of this channel with `resync`: none can go on from where it is."""
        for follower in channel.followers:
            follower.stream.resync_from(follower, reason)

    def bye(self, channel: FollowedEncounter, reason: ByeReason) -> None:
        """End every stream of this channel with `bye`."""
        for follower in channel.followers:
            follower.stream.bye_from(follower, reason)

    # --- work at intervals -------------------------------------------------------------------

    @asynccontextmanager
    async def running(self, failed: Callable[[Exception], None]) -> AsyncIterator[None]:
        """Poll, end revoked streams and send heartbeats during the block; then end all streams."""
        self.failed = failed
        works: tuple[tuple[Callable[[], Awaitable[object]], float], ...] = (
            (self._poll_until_back, POLL_SECONDS),
            (self.end_revoked, REVOCATION_SECONDS),
            (self.send_heartbeats, HEARTBEAT_CHECK_SECONDS),
            (self.send_comments, HEARTBEAT_CHECK_SECONDS),
            (self._report_absences, HEARTBEAT_CHECK_SECONDS),
        )
        async with AsyncExitStack() as stack:
            for work, seconds in works:
                await stack.enter_async_context(housekeeping(work, seconds, failed))
            try:
                yield
            finally:
                self.stop()
                await self.settle()

    async def poll_logs(self) -> None:
        """Read what no message announced. Raises DatabaseAway or DatabaseSlow, the first time."""
        try:
            await self._poller.poll(tuple(self.channels.values()), self.waiters)
        except Unavailable:
            if not self._is_database_away:
                self._is_database_away = True
                raise
        else:
            self._is_database_away = False

    async def _poll_until_back(self) -> None:
        """Poll, and as often as `RECONNECT_SECONDS` says while the database is away."""
        try:
            await self.poll_logs()
        except Unavailable as error:
            self.failed(error)
        while self._is_database_away:
            await asyncio.sleep(RECONNECT_SECONDS)
            await self.poll_logs()

    async def end_revoked(self) -> None:
        """End the streams of keys and tokens that were revoked or have run out."""
        everyone = frozenset(stream.who for stream in self._streams).union(
            *(channel.attendance.departed for channel in self.channels.values())
        )
        if not everyone or self._is_database_away:
            return
        revoked = await self._revoked(everyone)
        for stream in tuple(self._streams):
            if stream.who in revoked:
                stream.bye("revoked")
        for channel in tuple(self.channels.values()):
            for who in channel.attendance.departed & revoked:
                channel.dismiss(who)

    async def send_heartbeats(self) -> None:
        """Send the heartbeats that are due, and tell other processes which seats are here."""
        now = asyncio.get_running_loop().time()
        for channel in tuple(self.channels.values()):
            if channel.is_over or channel.heartbeat_at > now:
                continue
            channel.heartbeat_at = now + HEARTBEAT_SECONDS
            channel.send_heartbeat(self._signer.sign)
            if channel.attendance.here:
                channel.presence_throttle.request()

    async def send_comments(self) -> None:
        """Send a comment on streams that would be silent for too long until the next check."""
        await send_comments(self._streams, self.channels, HEARTBEAT_CHECK_SECONDS)

    def report_absences(self) -> None:
        """Report the seats whose absence is due, and forget processes not heard of for long."""
        self._entrance.end_graces()

    async def _report_absences(self) -> None:
        self.report_absences()

    def stop(self) -> None:
        """End every stream with `bye`, and refuse new ones: the process ends."""
        self._entrance.is_closed = True
        self.waiters.wake_all()
        for stream in tuple(self._streams):
            stream.bye("shutdown")

    async def settle(self) -> None:
        """Wait for work in the background: behind `stop`, before the store is closed."""
        await self._entrance.settle()
        await self._catch_ups.settle()
        await self._additions.settle()
        await self._poller.settle()
        await self._timer_notices.settle()
        await self.pages.settle()

    @property
    def streams_open(self) -> int:
        """Streams that are open now."""
        return len(self._streams)

    def _failed(self, error: Exception) -> None:
        self.failed(error)
