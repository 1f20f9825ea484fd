"""Looks at the logs that are followed: what nobody told is found there, and what is told is held
against them.

How this works. Once a second one query asks for the ends of all logs that are followed here, and
whatever is behind is read, many logs at a time. A channel that misses something asks at once. The
log is the truth: if it does not contain what a channel sent, the database was set back, and whoever
follows has seen another history; if it is not there at all, it was deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol
from uuid import UUID

from service.encounters.loaded import LoadedEncounter
from service.errors import NewerVersion, Unavailable
from service.eventstore.log_heads import Head, Tails
from service.eventstore.records import StoredEvent
from service.live.followed_encounter import FollowedEncounter
from service.live.long_poll import Waiters, ring
from service.live.outgoing_event import Fresh
from service.live.records import ByeReason, ResyncReason

LOGS: Final = 1_000
TAILS: Final = 64
EVENTS: Final = 64
"""Ends asked for at once; tails read at once; events of one tail."""

GRACE_SECONDS: Final = 0.02
"""What was just stored here is about to be told: so long it is not read for that."""

Current = Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]
"""The encounter of a tenant as it is now."""


class Ends(Protocol):
    """How everybody on a channel is sent away."""

    def resync(self, channel: FollowedEncounter, reason: ResyncReason) -> None:
        """They cannot go on."""
        ...

    def bye(self, channel: FollowedEncounter, reason: ByeReason) -> None:
        """There is nothing to go on with."""
        ...

    def renewed(self, channel: FollowedEncounter, head: Head) -> None:
        """The log was looked at."""
        ...


class LogPoller:
    """Reads for the channels of one process, one round at a time."""

    def __init__(
        self,
        tails: Tails,
        current: Current,
        ends: Ends,
        failed: Callable[[Exception], None],
    ) -> None:
        self._tails = tails
        self._current = current
        self._ends = ends
        self._failed = failed
        self._asked: dict[FollowedEncounter, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    def ask(self, channel: FollowedEncounter) -> None:
        """Read its log as soon as may be; if that fails, the next look does."""
        self._asked[channel] = None
        if self._task is None:
            self._task = asyncio.create_task(self._read_asked())

    async def look(self, channels: Sequence[FollowedEncounter], waiters: Waiters) -> None:
        """One round over all that is followed. Raises DatabaseAway or DatabaseSlow."""
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
                # It has grown, or is not the log any more that was read: both are worth a look.
                ring(bell)
        if self._behind(places, heads):
            await asyncio.sleep(GRACE_SECONDS)
        await self._bring_all(self._behind(places, heads, is_judged=True))

    async def settle(self) -> None:
        """Wait until nothing is being read."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _read_asked(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                channels = [channel for channel in asked if not channel.is_over]
                places = {channel: (channel.seq, channel.hash) for channel in channels}
                heads = await self._heads({channel.encounter for channel in channels})
                await self._bring_all(self._behind(places, heads, is_judged=True))
        except Unavailable:
            self._asked.clear()
        except Exception as error:  # the next look tries again, whatever it is
            self._asked.clear()
            self._failed(error)
        finally:
            self._task = None

    async def _heads(self, encounters: Iterable[UUID]) -> dict[UUID, Head]:
        wanted = list(encounters)
        heads: dict[UUID, Head] = {}
        for at in range(0, len(wanted), LOGS):
            heads |= await self._tails.heads(wanted[at : at + LOGS])
        return heads

    def _behind(
        self,
        places: dict[FollowedEncounter, tuple[int, str]],
        heads: dict[UUID, Head],
        is_judged: bool = False,
    ) -> list[FollowedEncounter]:
        """The channels that are behind these ends, asked for when they stood at their places."""
        behind = []
        for channel, place in places.items():
            if channel.is_over:
                continue
            head = heads.get(channel.encounter)
            if head is not None and head.head_seq > max(place[0], channel.seq):
                behind.append(channel)
            if is_judged:
                self._judge(channel, place, head)
        return behind

    def _judge(self, channel: FollowedEncounter, place: tuple[int, str], head: Head | None) -> None:
        if head is None:
            self._ends.bye(channel, "deleted")
        elif head.head_seq < place[0] or (
            head.head_seq == place[0] and head.head_hash.hex() != place[1]
        ):
            self._ends.resync(channel, "history_diverged")
        else:
            self._ends.renewed(channel, head)

    async def _bring_all(self, channels: list[FollowedEncounter]) -> None:
        async with self._turn:
            for at in range(0, len(channels), TAILS):
                behind = channels[at : at + TAILS]
                while behind:
                    behind = await self._bring(behind)

    async def _bring(self, channels: list[FollowedEncounter]) -> list[FollowedEncounter]:
        """Read one tail of each; those that may have another one."""
        there = {channel.encounter: channel for channel in channels if not channel.is_over}
        places = {encounter: channel.seq for encounter, channel in there.items()}
        if not places:
            return []
        tails = await self._tails.behind(places, EVENTS)
        more = []
        for encounter, tail in tails.items():
            channel = there[encounter]
            if await self._is_taken(channel, tail) and len(tail) == EVENTS:
                more.append(channel)
        return more

    async def _is_taken(self, channel: FollowedEncounter, tail: tuple[StoredEvent, ...]) -> bool:
        """Whether a channel went on by these events."""
        fresh = [Fresh(channel.encounter, stored) for stored in tail]
        try:
            await self._make_certain(channel, fresh)
        except NewerVersion:
            self._ends.resync(channel, "newer_version")
        if channel.is_over:
            return False
        if not channel.is_continued(fresh):
            self._ends.resync(channel, "history_diverged")
            return False
        for each in fresh:
            if each.seq > channel.seq:
                channel.offer(each)
        channel.advance()
        return channel.seq >= fresh[-1].seq

    async def _make_certain(self, channel: FollowedEncounter, fresh: list[Fresh]) -> None:
        """Find out who may see what, if one of these events changes that.

        Raises NewerVersion.
        """
        is_opened = channel.rights.is_opened
        if all(each.is_certain(is_opened) or each.seq <= channel.rights.at for each in fresh):
            return
        live = await self._current(channel.encounter, channel.tenant)
        if live is None:
            # The next look finds out why.
            return
        linear, at = live.state.linear, live.seq
        for each in fresh:
            if each.seq <= at:
                each.linear, each.at = linear, at
