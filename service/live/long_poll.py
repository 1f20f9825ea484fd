"""Long polls: requests that wait for the next event of an encounter, each for one answer."""

import asyncio
from collections.abc import Callable
from uuid import UUID

Waiting = tuple[UUID, int, asyncio.Future[None]]
"""One wait: the encounter, the seq behind which an event is waited for, and its bell."""


class Waiters:
    """All waits. `changed` is called with an encounter at its first wait and after its last."""

    def __init__(self, changed: Callable[[UUID], None]) -> None:
        self._changed = changed
        self._waiting: dict[UUID, dict[asyncio.Future[None], int]] = {}

    def __contains__(self, encounter: UUID) -> bool:
        return encounter in self._waiting

    @property
    def all(self) -> list[Waiting]:
        """All waits of this moment."""
        return [
            (encounter, after, bell)
            for encounter, bells in self._waiting.items()
            for bell, after in bells.items()
        ]

    async def wait(self, encounter: UUID, after: int, seconds: float) -> None:
        """Return when the log goes past seq `after`, or after so many seconds."""
        bell: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(encounter, {})[bell] = after
        self._changed(encounter)
        try:
            async with asyncio.timeout(seconds):
                await bell
        except TimeoutError:
            return
        finally:
            bells = self._waiting[encounter]
            del bells[bell]
            if not bells:
                del self._waiting[encounter]
                self._changed(encounter)

    def announce(self, encounter: UUID, seq: int) -> None:
        """End the waits that an event of this seq answers."""
        for bell, after in self._waiting.get(encounter, {}).items():
            if after < seq:
                ring(bell)

    def wake_all(self) -> None:
        """End all waits."""
        for _, _, bell in self.all:
            ring(bell)

    def wake_for(self, encounter: UUID) -> None:
        """End the waits for one encounter."""
        for bell in self._waiting.get(encounter, ()):
            ring(bell)


def ring(bell: asyncio.Future[None]) -> None:
    """End one wait; again does nothing."""
    if not bell.done():
        bell.set_result(None)
