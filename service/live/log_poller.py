"""Polls the logs of followed encounters: finds events that no message announced, and lost history.

How this works. Once a second one query asks for the heads of all logs that are followed here; the
tails of channels that are behind are read, many logs at a time. A channel that misses an event
requests a read at once. The log is the truth: if it does not contain what a channel sent, the
database was restored to an earlier state, and the followers have seen a history that is lost; if it
is not there at all, the encounter was deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol
from uuid import UUID

from service.encounters.cache import LoadedEncounter
from service.errors import NewerVersion, Unavailable
from service.eventstore.log_heads import Head, Tails
from service.eventstore.records import StoredEvent
from service.live.followed_encounter import FollowedEncounter
from service.live.long_poll import Waiters, ring
from service.live.outgoing_event import OutgoingEvent
from service.live.records import ByeReason, ResyncReason

LOGS: Final = 1_000
TAILS: Final = 64
EVENTS: Final = 64
"""Heads per query; tails per query; events per tail."""

GRACE_SECONDS: Final = 0.02
"""How long an event just stored here may take to be announced before it is read instead."""

Current = Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]
"""The encounter of a tenant as it is now."""


class ChannelEnder(Protocol):
    """What the poller needs done with a channel whose log was read."""

    def resync(self, channel: FollowedEncounter, reason: ResyncReason) -> None:
        """End its streams: they cannot go on."""
        ...

    def bye(self, channel: FollowedEncounter, reason: ByeReason) -> None:
        """End its streams: there is no log any more."""
        ...

    def note_head(self, channel: FollowedEncounter, head: Head) -> None:
        """Take note of the head of its log."""
        ...


class LogPoller:
    """Reads for the channels of one process, one round at a time."""

    def __init__(
        self,
        tails: Tails,
        current: Current,
        ender: ChannelEnder,
        failed: Callable[[Exception], None],
    ) -> None:
        self._tails = tails
        self._current = current
        self._ender = ender
        self._failed = failed
        self._requested: dict[FollowedEncounter, None] = {}
        self._task: asyncio.Task[None] | None = None
        # Polls and requested reads take turns: what one read is not read by the other again.
        self._turn = asyncio.Lock()

    def request(self, channel: FollowedEncounter) -> None:
        """Read its log as soon as possible; if that fails, the next poll does."""
        self._requested[channel] = None
        if self._task is None:
            self._task = asyncio.create_task(self._read_requested())

    async def poll(self, channels: Sequence[FollowedEncounter], waiters: Waiters) -> None:
        """One round over all channels and long polls. Raises DatabaseAway or DatabaseSlow."""
        places = {channel: (channel.seq, channel.hash) for channel in channels}
        waiting = waiters.all
        encounters = {channel.encounter for channel in channels}
        encounters |= {encounter for encounter, _, _ in waiting}
        if not encounters:
            return
        heads = await self._heads(encounters)
        for encounter, after, bell in waiting:
            head = heads.get(encounter)
            if head is None or head.head_seq != after:
                # It has grown, or history was lost: either way the request is to be answered.
                ring(bell)
        if self._behind(places, heads):
            await asyncio.sleep(GRACE_SECONDS)
        await self._read_all(self._behind(places, heads, is_checked=True))

    async def settle(self) -> None:
        """Wait until nothing is being read."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _read_requested(self) -> None:
        try:
            while self._requested:
                requested, self._requested = self._requested, {}
                channels = [channel for channel in requested if not channel.is_over]
                places = {channel: (channel.seq, channel.hash) for channel in channels}
                heads = await self._heads({channel.encounter for channel in channels})
                await self._read_all(self._behind(places, heads, is_checked=True))
        except Unavailable:
            self._requested.clear()
        except Exception as error:  # the next poll tries again
            self._requested.clear()
            self._failed(error)
        finally:
            self._task = None

    async def _heads(self, encounters: Iterable[UUID]) -> dict[UUID, Head]:
        ids = list(encounters)
        heads: dict[UUID, Head] = {}
        for at in range(0, len(ids), LOGS):
            heads |= await self._tails.heads(ids[at : at + LOGS])
        return heads

    def _behind(
        self,
        places: dict[FollowedEncounter, tuple[int, str]],
        heads: dict[UUID, Head],
        is_checked: bool = False,
    ) -> list[FollowedEncounter]:
        """The channels that are behind these heads, which were read when they stood at `places`."""
        behind = []
        for channel, place in places.items():
            if channel.is_over:
                continue
            head = heads.get(channel.encounter)
            if head is not None and head.head_seq > max(place[0], channel.seq):
                behind.append(channel)
            if is_checked:
                self._check_head(channel, place, head)
        return behind

    def _check_head(
        self, channel: FollowedEncounter, place: tuple[int, str], head: Head | None
    ) -> None:
        if head is None:
            self._ender.bye(channel, "deleted")
        elif head.head_seq < place[0] or (
            head.head_seq == place[0] and head.head_hash.hex() != place[1]
        ):
            self._ender.resync(channel, "history_diverged")
        else:
            self._ender.note_head(channel, head)

    async def _read_all(self, channels: list[FollowedEncounter]) -> None:
        async with self._turn:
            for at in range(0, len(channels), TAILS):
                behind = channels[at : at + TAILS]
                while behind:
                    behind = await self._read_tails(behind)

    async def _read_tails(self, channels: list[FollowedEncounter]) -> list[FollowedEncounter]:
        """Read one tail of each channel; those of which the log may have another one."""
        there = {channel.encounter: channel for channel in channels if not channel.is_over}
        places = {encounter: channel.seq for encounter, channel in there.items()}
        if not places:
            return []
        tails = await self._tails.behind(places, EVENTS)
        more = []
        for encounter, tail in tails.items():
            channel = there[encounter]
            if await self._take_tail(channel, tail) and len(tail) == EVENTS:
                more.append(channel)
        return more

    async def _take_tail(self, channel: FollowedEncounter, tail: tuple[StoredEvent, ...]) -> bool:
        """Give a channel the events of a tail; whether it took them all."""
        events = [OutgoingEvent(channel.encounter, stored) for stored in tail]
        try:
            await self._make_certain(channel, events)
        except NewerVersion:
            self._ender.resync(channel, "newer_version")
        if channel.is_over:
            return False
        if not channel.sent.are_continued_by(events):
            self._ender.resync(channel, "history_diverged")
            return False
        for event in events:
            if event.seq > channel.seq:
                channel.offer(event)
        channel.advance()
        return channel.seq >= events[-1].seq

    async def _make_certain(self, channel: FollowedEncounter, events: list[OutgoingEvent]) -> None:
        """Load the state behind these events if one of them changes who may see what.

        Raises NewerVersion.
        """
        is_opened = channel.rights.is_opened
        if all(event.is_certain(is_opened) or event.seq <= channel.rights.at for event in events):
            return
        loaded = await self._current(channel.encounter, channel.tenant)
        if loaded is None:
            # Deleted or restored; the next poll finds out which.
            return
        linear, at = loaded.state.linear, loaded.seq
        for event in events:
            if event.seq <= at:
                event.linear, event.at = linear, at
