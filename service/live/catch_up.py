"""Brings followers that are behind up to their channel, each as fast as its client reads.

How this works. Each follower has a task: it reads the log in stretches, shared with all followers
that read the same, takes the last steps from events that the channel sent a moment ago, and is live
in the same moment in which it is where the channel is. A few are brought up at once, the
others wait their turn. Nothing is written to a client that has much unread: it makes room for the
next one, and gets more when it took most of it. So no client makes memory grow or delays another
one; a client that does not read at all, or missed more than a stream brings, is shown where
it is and its stream ends.
While the database is away the stream stays open, and continues when it is back.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from service.errors import NewerVersion, Unavailable
from service.live.fair_queue import FairQueue
from service.live.followed_encounter import LITTLE_WAITING, FollowedEncounter
from service.live.log_pages import Pages, Stretch, StretchKey, stretch_at
from service.live.subscription import Follower, StreamTally
from service.live.view_rights import within

PATIENCE_SECONDS: Final = 30.0
"""The stream of a client that took nothing for so long ends."""

MOST_MISSED: Final = 10_000
"""Events that a stream brings after the fact."""

AT_ONCE: Final = 16
"""Followers that are read for and written to at the same time."""

FIRST_NAP_SECONDS: Final = 0.005
LONGEST_NAP_SECONDS: Final = 0.5
"""Between two checks of a client that does not read: each pause is twice the one before."""

RETRY_SECONDS: Final = 0.25
"""The pause before the database is asked again."""

Greet = Callable[[FollowedEncounter, Follower], Awaitable[None]]
"""Writes a hello with what holds for a follower now."""


class _Stuck(Exception):
    """The client has read nothing for too long."""


class CatchUps:
    """The followers that are catching up. `failed` is called with unexpected exceptions."""

    def __init__(
        self,
        pages: Pages,
        greet: Greet,
        failed: Callable[[Exception], None],
        tally: StreamTally,
        queue: FairQueue,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._pages = pages
        self._greet = greet
        self._failed = failed
        self._patience_seconds = patience_seconds
        self._tally = tally
        self._queue = queue
        self._places = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, channel: FollowedEncounter, follower: Follower) -> None:
        """Make a follower live: now if it is where the channel does, or as soon as it does."""
        if channel.join(follower):
            return
        self._tally.catch_ups += 1
        task = asyncio.create_task(self._run(channel, follower))
        follower.task = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait until no follower is catching up: to be called when all of them are over."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _run(self, channel: FollowedEncounter, follower: Follower) -> None:
        try:
            await self._catch_up(channel, follower)
        except _Stuck:
            follower.stream.too_slow()
        except NewerVersion:
            follower.stream.resync_from(follower, "newer_version")
        except Exception as error:  # a stream must end rather than stay silent
            self._failed(error)
            follower.stream.bye_from(follower, "failed")

    async def _catch_up(self, channel: FollowedEncounter, follower: Follower) -> None:
        while not follower.is_over and not channel.join(follower):
            try:
                await self._until_read(follower)
                if follower.seq > channel.seq:
                    # It read the log further than the channel is, which is about to follow.
                    await channel.wait_until_moved()
                async with self._places:
                    await self._go_on(channel, follower)
            except NewerVersion:
                raise
            except Unavailable:
                await asyncio.sleep(RETRY_SECONDS)

    async def _go_on(self, channel: FollowedEncounter, follower: Follower) -> None:
        """Bring it as far as its client reads."""
        await self._step(channel, follower)
        while not follower.is_over and follower.seq < channel.seq and _is_read(follower):
            await self._step(channel, follower)

    async def _step(self, channel: FollowedEncounter, follower: Follower) -> None:
        if not follower.is_greeted or follower.timer_changes != channel.timer_changes:
            await self._queue.turn()
            await self._greet(channel, follower)
        elif follower.seq == channel.seq:
            if not channel.is_at(follower):
                follower.stream.resync_from(follower, "history_diverged")
        elif channel.seq - follower.seq > MOST_MISSED:
            follower.stream.resync_from(follower, "too_far_behind")
        elif not channel.replay(follower):
            await self._read_on(channel, follower)

    async def _read_on(self, channel: FollowedEncounter, follower: Follower) -> None:
        by = follower.by
        first, last = stretch_at(follower.seq + 1, channel.seq)
        runs = within(channel.rights.runs(by), first, last)
        key = StretchKey(channel.encounter, channel.erasures, first, last, runs)
        stretch = await self._pages.read(key, channel.terms)
        if stretch is None:
            # The log is shorter than the channel: the poller finds out whether history was lost.
            channel.check_log()
            await asyncio.sleep(RETRY_SECONDS)
            return
        await self._write(stretch, follower, lambda: follower.by is by)

    async def _write(
        self, stretch: Stretch, follower: Follower, may_see: Callable[[], bool]
    ) -> None:
        """Write a stretch from the follower's place on, as far as its client reads.

        It stops where the follower may no longer see the rest as it was encoded.
        """
        chunks = stretch.behind(follower.seq, follower.hash8)
        if chunks is None:
            follower.stream.resync_from(follower, "history_diverged")
            return
        for chunk in chunks:
            await self._queue.turn()
            if follower.is_over or not may_see() or not _is_read(follower):
                return
            follower.write(chunk)
            self._tally.delivered += len(chunk.records)

    async def _until_read(self, follower: Follower) -> None:
        """Wait until the client has little unread. Raises _Stuck if it takes nothing."""
        sink = follower.sink
        nap = FIRST_NAP_SECONDS
        clock = asyncio.get_running_loop().time
        least, since = sink.waiting, clock()
        while not _is_read(follower):
            if sink.waiting < least:
                least, since = sink.waiting, clock()
            if clock() - since > self._patience_seconds:
                raise _Stuck
            await asyncio.sleep(nap)
            nap = min(2 * nap, LONGEST_NAP_SECONDS)


def _is_read(follower: Follower) -> bool:
    """Whether the client took most of what was written."""
    return follower.sink.waiting < LITTLE_WAITING
