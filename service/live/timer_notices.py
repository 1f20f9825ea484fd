"""Tells those who follow an encounter of deadlines that changed otherwise than by an event."""

import asyncio
from collections.abc import Callable

from service.encounters.loaded import LoadedEncounter
from service.errors import Unavailable
from service.live.followed_encounter import FollowedEncounter
from service.live.hello import DeadlinesOf, told_of
from service.live.log_poller import Current
from service.live.records import TimersChange, unplaced


class TimerNotices:
    """What is yet to be told. Whoever is behind hears of it with the next hello."""

    def __init__(
        self, current: Current, timers: DeadlinesOf, failed: Callable[[Exception], None]
    ) -> None:
        self._current = current
        self._timers = timers
        self._failed = failed
        self._due: dict[FollowedEncounter, None] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, channel: FollowedEncounter) -> None:
        """Tell them soon."""
        channel.timed += 1
        self._due[channel] = None
        if self._task is None:
            self._task = asyncio.create_task(self._tell_all())

    async def settle(self) -> None:
        """Wait until all are told."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _tell_all(self) -> None:
        try:
            while self._due:
                channel = next(iter(self._due))
                del self._due[channel]
                await self._tell(channel)
        finally:
            self._task = None

    async def _tell(self, channel: FollowedEncounter) -> None:
        try:
            live = await self._current(channel.encounter, channel.tenant)
            if live is not None:
                await self._say(channel, live)
        except Unavailable:
            for follower in channel.followers:
                channel.fall_behind(follower)
        except Exception as error:  # the others are to hear of theirs, whatever it is
            self._failed(error)

    async def _say(self, channel: FollowedEncounter, live: LoadedEncounter) -> None:
        for viewer in channel.viewers:
            timers = await self._timers(live, viewer)
            known = told_of(timers)
            if channel.deadlines.get(viewer) == known:
                # Some other deadline changed, of which these are not to know.
                continue
            channel.deadlines[viewer] = known
            body = TimersChange(
                encounter=str(channel.encounter), ruleset=channel.terms.ruleset, timers=timers
            )
            channel.say_to(viewer, unplaced(channel.encounter, body))
