"""Tells waiting readers of this process that a log has grown; the log itself is asked anyway."""

import asyncio
from uuid import UUID

from service.eventstore.store import EventStore

POLL_SECONDS = 1.0
"""How often the database is asked for what other processes wrote."""


class Followers:
    """Readers that wait for the next event of an encounter."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._waiting: dict[UUID, set[asyncio.Event]] = {}

    def tell(self, encounter: UUID) -> None:
        """The log of this encounter has grown."""
        for waiting in self._waiting.get(encounter, ()):
            waiting.set()

    async def wait(self, encounter: UUID, after: int, seconds: float) -> None:
        """Return when the log goes past seq `after`, or after so many seconds."""
        bell = asyncio.Event()
        self._waiting.setdefault(encounter, set()).add(bell)
        try:
            async with asyncio.timeout(seconds):
                await self._until_grown(encounter, after, bell)
        except TimeoutError:
            return
        finally:
            bells = self._waiting[encounter]
            bells.discard(bell)
            if not bells:
                del self._waiting[encounter]

    async def _until_grown(self, encounter: UUID, after: int, bell: asyncio.Event) -> None:
        while True:
            row = await self._store.log.head(encounter)
            if row is None or row.head_seq > after:
                return
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await bell.wait()
            except TimeoutError:
                continue
            bell.clear()
