"""Sends deadlines that changed otherwise than by an event: paused, resumed, extended."""

import asyncio
from collections.abc import Callable

from service.encounters.cache import LoadedEncounter
from service.errors import Unavailable
from service.live.followed_encounter import FollowedEncounter
from service.live.hello import DeadlinesOf, timers_in
from service.live.log_poller import Current
from service.live.records import TimersChange, unplaced


class TimerNotices:
    """Notices that are due. A follower that is behind gets the deadlines with its next hello."""

    def __init__(
        self, current: Current, timers: DeadlinesOf, failed: Callable[[Exception], None]
    ) -> None:
        self._current = current
        self._timers = timers
        self._failed = failed
        self._due: dict[FollowedEncounter, None] = {}
        self._task: asyncio.Task[None] | None = None

    def notify(self, channel: FollowedEncounter) -> None:
        """Send the deadlines to the live followers of a channel soon."""
        channel.timer_changes += 1
        self._due[channel] = None
        if self._task is None:
            self._task = asyncio.create_task(self._notify_all())

    async def settle(self) -> None:
        """Wait until no notice is due."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _notify_all(self) -> None:
        try:
            while self._due:
                channel = next(iter(self._due))
                del self._due[channel]
                await self._notify(channel)
        finally:
            self._task = None

    async def _notify(self, channel: FollowedEncounter) -> None:
        try:
            loaded = await self._current(channel.encounter, channel.tenant)
            if loaded is not None:
                await self._send(channel, loaded)
        except Unavailable:
            for follower in channel.followers:
                channel.fall_behind(follower)
        except Exception as error:  # the other channels must get theirs
            self._failed(error)

    async def _send(self, channel: FollowedEncounter, loaded: LoadedEncounter) -> None:
        for viewer in channel.viewers:
            timers = await self._timers(loaded, viewer)
            deadlines = timers_in(timers)
            if channel.deadlines.get(viewer) == deadlines:
                # Another deadline changed, of which this viewer must not learn.
                continue
            channel.deadlines[viewer] = deadlines
            body = TimersChange(
                encounter=str(channel.encounter), ruleset=channel.terms.ruleset, timers=timers
            )
            channel.send_to(viewer, unplaced(channel.encounter, body))
