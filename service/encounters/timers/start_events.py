"""Finds from which events the deadlines of an encounter count, in its log.

How this works. Only for what has a limit now the log is asked: from the head back as the state
goes, from base to base, until all beginnings are found. What was found behind one head is
remembered, so that after the next event only that event is looked at.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from service.encounters.timers.deadlines import (
    SoughtStarts,
    Standing,
    StartEvents,
    Timer,
    found_at,
    sought_in,
    timers_of,
)
from service.eventstore.timers import ClockRows

PAGE: Final = 200
"""So many events are looked at with one query."""

KNOWN: Final = 4096
"""Encounters whose beginnings are remembered."""


@dataclass(frozen=True, slots=True)
class _CachedStarts:
    """What was found at one head: seq and hash."""

    head: tuple[int, str]
    sought: SoughtStarts
    origins: StartEvents


class StartEventFinder:
    """What this process found."""

    def __init__(self, store: ClockRows) -> None:
        self._store = store
        self._known: OrderedDict[UUID, _CachedStarts] = OrderedDict()

    async def timers(self, encounter: UUID, at: Standing) -> tuple[Timer, ...]:
        """All deadlines of an encounter where it is."""
        sought, cached = sought_in(at), self._known.get(encounter)
        origins = StartEvents()
        if cached is not None and cached.head == (at.seq, at.hash):
            origins = cached.origins
        elif origins.lack(sought):
            origins = await self._gone_back(encounter, at, sought)
            self._remember(encounter, _CachedStarts((at.seq, at.hash), sought, origins))
        return timers_of(at, origins)

    def forget(self, encounter: UUID) -> None:
        """Nothing will be asked of this one any more."""
        self._known.pop(encounter, None)

    def clear(self) -> None:
        """Ask the log again for every encounter."""
        self._known.clear()

    async def _gone_back(self, encounter: UUID, at: Standing, sought: SoughtStarts) -> StartEvents:
        cached, origins, following = self._known.get(encounter), StartEvents(), at.seq
        while following > 0 and origins.lack(sought):
            page = await self._store.moments(encounter, following, PAGE)
            if not page:
                break
            for moment in page:
                if moment.seq != following or not origins.lack(sought):
                    continue
                if cached is not None and cached.head == (moment.seq, moment.hash.hex()):
                    origins = _remembered(cached, sought, origins)
                origins = found_at(moment, sought, origins)
                following = moment.base
        return origins

    def _remember(self, encounter: UUID, entry: _CachedStarts) -> None:
        self._known[encounter] = entry
        self._known.move_to_end(encounter)
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)


def _remembered(cached: _CachedStarts, sought: SoughtStarts, origins: StartEvents) -> StartEvents:
    """What is found at the latest from here on, since it was when this was the head."""
    decision, turn = origins.decision, origins.turn
    if decision is None and cached.sought.asked_by == sought.asked_by:
        decision = cached.origins.decision
    return StartEvents(decision=decision, turn=cached.origins.turn if turn is None else turn)
