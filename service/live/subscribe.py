"""How a client begins to follow: its rights, its cursors, its hello; and how its stream ends.

How this works. All refusals come before the first byte is written. Then, in one step without an
await, the stream enters the channels of its encounters, each at its own place: every event from
there on is owed to it. The hello goes out first, and events when it is out.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol
from uuid import UUID

from service.encounters import access
from service.encounters.cache import LoadedEncounter
from service.encounters.cursors import read_version
from service.encounters.documents import MOST_BEHIND
from service.encounters.principal import Principal, is_seated
from service.encounters.receipts import Signer
from service.engine.battle.linear import Linear, seat_of
from service.engine.vocabulary.values import By
from service.errors import Unavailable
from service.eventstore.log_reads import Log
from service.live.extended_stream import StreamStart
from service.live.fair_queue import FairQueue
from service.live.followed_encounter import ChannelOwner, FollowedEncounter
from service.live.hello import DeadlinesOf, hello, no_timers, place_of
from service.live.log_poller import Current
from service.live.presence import Attendance
from service.live.shared_additions import CallerOf, DocumentSources
from service.live.sinks import Sink, Subscription
from service.live.subscription import ClientStream, Follower
from service.live.view_rights import Rights

HEARTBEAT_SECONDS: Final = 10.0
"""The time between two heartbeats of one encounter."""

GREET_SECONDS: Final = 0.25
"""The pause before an encounter that was not there is loaded again."""

JOINING: Final = 64
"""Streams that open at the same time; further ones wait for their turn."""

Revoked = Callable[[frozenset[Principal]], Awaitable[frozenset[Principal]]]
"""Of these callers, those whose key or token is no longer good."""


def never() -> bool:
    """Nobody acts."""
    return False


@dataclass(frozen=True, slots=True)
class HubSources:
    """What the hub is given from the rooms around it; `is_busy` says whether somebody acts."""

    asking: CallerOf
    current: Current
    revoked: Revoked
    documents: DocumentSources
    timers: DeadlinesOf = no_timers
    is_busy: Callable[[], bool] = never


class EntranceOwner(ChannelOwner, Protocol):
    """What the entrance needs done once a stream is open."""

    def update_interest(self, encounter: UUID) -> None:
        """Begin or end to hear of an encounter: its first channel opened, or its last closed."""
        ...

    def note_erasures(self, channel: FollowedEncounter, erasures: int) -> None:
        """Take note of how often text of the encounter was erased."""
        ...


class Entrance:
    """All streams of the process and the channels they are in; `is_closed` to new ones.

    `departed` has who is present by grace alone, of encounters that nobody follows any more.
    """

    def __init__(
        self, log: Log, signer: Signer, sources: HubSources, owner: EntranceOwner, queue: FairQueue
    ) -> None:
        self.channels: dict[UUID, FollowedEncounter] = {}
        self.departed: dict[UUID, Attendance] = {}
        self.streams: dict[ClientStream, None] = {}
        self.is_closed = False
        self._log = log
        self._signer = signer
        self._sources = sources
        self._owner = owner
        self._queue = queue
        self._turns = asyncio.Semaphore(JOINING)
        self._loading: dict[tuple[UUID, UUID], asyncio.Task[LoadedEncounter | None]] = {}

    async def follow(
        self, who: Principal, cursors: Mapping[UUID, str | None], sink: Sink, is_of_many: bool
    ) -> Subscription:
        """Follow these encounters, each from behind its cursor or from now on. See `Hub.follow`."""
        async with self._turns:
            places: list[tuple[LoadedEncounter, tuple[int, str]]] = []
            for encounter, after in cursors.items():
                loaded = await self._load(who, encounter)
                place = await self._place(loaded, after)
                if place[0] > loaded.seq:
                    # The shared load began before the event that this client has.
                    fresh = await self._sources.current(encounter, who.tenant)
                    loaded, _ = self._sources.asking(who, encounter, fresh)
                places.append((loaded, place))
            await self._queue.turn()
            if self.is_closed:
                raise Unavailable("try_again", encounter=places[0][0].id, retry_after=1)
            stream = ClientStream(who, sink, self._leave, self._over, self._owner.tally)
            stream.is_of_many = is_of_many
            self.streams[stream] = None
            try:
                await self._enter_all(stream, places)
            except BaseException:
                stream.subscription.cancel()
                raise
        for follower in tuple(stream.followers):
            self._owner.catch_up(self.channels[follower.encounter], follower)
        return stream.subscription

    async def cursor(self, who: Principal, encounter: UUID, after: str | None) -> StreamStart:
        """The cursor of a client that keeps a document: none if more lies behind it than is shown
        event by event with patches.

        Raises what `follow` raises.
        """
        if after is None:
            return StreamStart(None, is_far=False)
        loaded = await self._load(who, encounter)
        seq, _ = await self._place(loaded, after)
        is_far = loaded.seq - seq > MOST_BEHIND
        return StreamStart(None if is_far else after, is_far)

    async def greet(self, channel: FollowedEncounter, follower: Follower) -> None:
        """Write a new hello to a follower that is behind."""
        loaded = await self._sources.current(channel.encounter, channel.tenant)
        if loaded is None:
            self._owner.read_log(channel)
            await asyncio.sleep(GREET_SECONDS)
            return
        record = await hello(channel, loaded, follower, self._signer, self._sources.timers)
        if not follower.is_over:
            follower.sink.write(record)

    def end_graces(self) -> None:
        """Report the seats whose absence is due, and forget processes not heard of for long."""
        now = asyncio.get_running_loop().time()
        for channel in tuple(self.channels.values()):
            if channel.attendance.lapse(now):
                channel.report_presence()
                channel.presence_throttle.request()
        for encounter, attendance in tuple(self.departed.items()):
            if attendance.lapse(now) and not attendance.here:
                del self.departed[encounter]

    async def settle(self) -> None:
        """Wait until nothing is being loaded."""
        while self._loading:
            await asyncio.wait(self._loading.values())

    async def _load(self, who: Principal, encounter: UUID) -> LoadedEncounter:
        """The encounter, as it was a moment ago at least. Raises NotFound, Unauthenticated."""
        access.require_own(who, encounter)
        loaded = await self._load_shared(encounter, who.tenant)
        if loaded is not None and not is_seated(who, loaded.state.linear):
            # The shared load may have begun before this seat was added.
            loaded = await self._sources.current(encounter, who.tenant)
        return self._sources.asking(who, encounter, loaded)[0]

    async def _load_shared(self, encounter: UUID, tenant: UUID) -> LoadedEncounter | None:
        """Load it, once for all streams that open at the same time."""
        key = (encounter, tenant)
        task = self._loading.get(key)
        if task is None:
            task = asyncio.create_task(self._current(encounter, tenant))
            self._loading[key] = task
            task.add_done_callback(lambda done: self._forget_load(key, done))
        return await asyncio.shield(task)

    async def _current(self, encounter: UUID, tenant: UUID) -> LoadedEncounter | None:
        return await self._sources.current(encounter, tenant)

    def _forget_load(
        self, key: tuple[UUID, UUID], done: asyncio.Task[LoadedEncounter | None]
    ) -> None:
        del self._loading[key]
        if not done.cancelled():
            # Retrieved, for the callers may be gone: else asyncio logs it as never retrieved.
            done.exception()

    async def _place(self, loaded: LoadedEncounter, after: str | None) -> tuple[int, str]:
        """The place of a cursor; the log is not read for events that were sent lately.

        Raises Malformed; ConflictingRequest("history_diverged").
        """
        channel = self.channels.get(loaded.row.id)
        if channel is not None and after is not None:
            seq, digits = read_version(after, "after")
            if digits is not None and channel.sent.hash8_of(seq) == digits:
                return seq, digits
        return await place_of(self._log, loaded, after)

    async def _enter_all(
        self, stream: ClientStream, places: list[tuple[LoadedEncounter, tuple[int, str]]]
    ) -> None:
        followers = [self._enter(stream, loaded, place) for loaded, place in places]
        hellos = []
        for follower, (loaded, _) in zip(followers, places, strict=True):
            if not follower.is_over:
                channel = self.channels[follower.encounter]
                record = await hello(channel, loaded, follower, self._signer, self._sources.timers)
                hellos.append((follower, record))
        for follower, record in hellos:
            if not follower.is_over:
                stream.sink.write(record)

    def _enter(
        self, stream: ClientStream, loaded: LoadedEncounter, place: tuple[int, str]
    ) -> Follower:
        """Enter the channel at a place. Raises NotFound or Unauthenticated if the seat is gone."""
        encounter = loaded.row.id
        channel = self.channels.get(encounter)
        is_newer = channel is None or max(channel.seq, channel.rights.at) < loaded.seq
        by = _by(stream.who, loaded.state.linear if is_newer or channel is None else channel.rights)
        if channel is None:
            channel = self._opened(loaded)
        elif channel.seq < loaded.seq:
            self._owner.read_log(channel)
        self._owner.note_erasures(channel, loaded.row.erasures)
        follower = Follower(stream, encounter, by, place, max(loaded.seq, channel.seq))
        stream.followers.append(follower)
        channel.enter(follower)
        return follower

    def _opened(self, loaded: LoadedEncounter) -> FollowedEncounter:
        encounter = loaded.row.id
        rights = Rights(loaded.state.linear, loaded.sides, loaded.seq)
        channel = FollowedEncounter(
            encounter,
            loaded.row.tenant,
            loaded.terms,
            loaded.head,
            rights,
            self._owner,
            self.departed.pop(encounter, None),
        )
        channel.erasures = loaded.row.erasures
        channel.heartbeat_at = asyncio.get_running_loop().time() + HEARTBEAT_SECONDS
        self.channels[encounter] = channel
        self._owner.update_interest(encounter)
        return channel

    def _leave(self, follower: Follower) -> None:
        channel = self.channels[follower.encounter]
        channel.leave(follower)
        if channel.is_empty:
            channel.close()
            del self.channels[channel.encounter]
            channel.attendance.forget_elsewhere()
            if channel.attendance.here:
                self.departed[channel.encounter] = channel.attendance
            self._owner.update_interest(channel.encounter)

    def _over(self, stream: ClientStream) -> None:
        self.streams.pop(stream, None)


def _by(who: Principal, rights: Linear | Rights) -> By:
    """The caller as the log names it. Raises what `access.reader` raises."""
    named = rights.seat if isinstance(rights, Rights) else partial(seat_of, rights)
    return access.reader(who, named)
