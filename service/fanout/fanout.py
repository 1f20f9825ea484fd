"""What the rest of the service knows of telling other processes, and the one that tells nobody."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from service.fanout.messages import EncounterMessage, FanoutMessage

Hear = Callable[[FanoutMessage], None]
"""Is called in the event loop with each message; must neither block nor raise."""


@dataclass(slots=True)
class FanoutTally:
    """Counts since the process began.

    `told`: messages handed to `publish`. `published`: those Redis took. `dropped`: those that were
    not, because too many waited, or because Redis did not take them in time. `heard`: messages of
    other processes that were passed on. `refused`: messages that were not, because their HMAC
    does not hold or they cannot be read. `connected`: times a connection to Redis was made.
    """

    told: int = 0
    published: int = 0
    dropped: int = 0
    heard: int = 0
    refused: int = 0
    connected: int = 0


class Fanout(Protocol):
    """Tells other processes what was stored here, and hears what they tell.

    `process` names this process among the others, differently after each start.
    """

    process: str
    tally: FanoutTally

    @property
    def is_deaf(self) -> bool:
        """Whether messages about a followed encounter may be missed at this moment."""
        ...

    @property
    def waiting(self) -> int:
        """Messages told and not yet on their way."""
        ...

    def publish(self, message: EncounterMessage) -> None:
        """Tell it, soon, to whoever follows its encounter. Never blocks, never raises."""
        ...

    def follow(self, encounter: UUID) -> None:
        """Hear what is told about this encounter from soon on; `Missed` says when that began."""
        ...

    def leave(self, encounter: UUID) -> None:
        """Hear no more about this encounter."""
        ...

    async def run(self, hear: Hear) -> None:
        """Tell and hear until cancelled; whatever happens to Redis meanwhile."""
        ...


class Alone:
    """The only process: nobody to tell, nobody to hear."""

    def __init__(self) -> None:
        self.process = new_process()
        self.tally = FanoutTally()

    @property
    def is_deaf(self) -> bool:
        """There is nothing to be missed."""
        return False

    @property
    def waiting(self) -> int:
        """Nothing waits."""
        return 0

    def publish(self, message: EncounterMessage) -> None:
        """Nobody is told."""

    def follow(self, encounter: UUID) -> None:
        """Nobody tells anything."""

    def leave(self, encounter: UUID) -> None:
        """Nobody tells anything."""

    async def run(self, hear: Hear) -> None:
        """Wait until cancelled."""
        await asyncio.Event().wait()


def new_process() -> str:
    """A name that no other process has."""
    return secrets.token_hex(8)


@asynccontextmanager
async def at_work(fanout: Fanout, hear: Hear) -> AsyncIterator[None]:
    """Have it tell and hear for as long as the block goes on."""
    task = asyncio.create_task(fanout.run(hear))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
