"""The interface of the fan-out, and its form for a single process."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from service.fanout.messages import EncounterMessage, FanoutMessage

OnMessage = Callable[[FanoutMessage], None]
"""Called in the event loop with each message; must neither block nor raise."""


@dataclass(slots=True)
class FanoutTally:
    """Counts since the process began.

    `submitted`: messages handed to `publish`. `published`: those Redis took. `dropped`: those it
    did not take, because too many waited or in time. `received`: messages of other processes that
    were delivered. `refused`: messages that were not, because their HMAC does not hold or they
    cannot be read. `connected`: times a connection to Redis was made.
    """

    submitted: int = 0
    published: int = 0
    dropped: int = 0
    received: int = 0
    refused: int = 0
    connected: int = 0


class Fanout(Protocol):
    """Publishes to the other processes what was stored here, and receives what they publish.

    `process` names this process, differently after each start.
    """

    process: str
    tally: FanoutTally

    @property
    def is_deaf(self) -> bool:
        """Whether messages about a followed encounter may be missed at this moment."""
        ...

    @property
    def waiting(self) -> int:
        """Messages submitted and not yet sent."""
        ...

    def publish(self, message: EncounterMessage) -> None:
        """Send it soon to the processes that follow its encounter. Never blocks, never raises."""
        ...

    def follow(self, encounter: UUID) -> None:
        """Receive messages about this encounter from soon on; `Missed` says when that began."""
        ...

    def leave(self, encounter: UUID) -> None:
        """Receive no more messages about this encounter."""
        ...

    async def run(self, on_message: OnMessage) -> None:
        """Publish and receive until cancelled; a lost Redis is connected to again."""
        ...


class SingleProcess:
    """The fan-out of a single process: there is no other one to publish to."""

    def __init__(self) -> None:
        self.process = new_process()
        self.tally = FanoutTally()

    @property
    def is_deaf(self) -> bool:
        """No message can be missed."""
        return False

    @property
    def waiting(self) -> int:
        """Always 0."""
        return 0

    def publish(self, message: EncounterMessage) -> None:
        """Do nothing."""

    def follow(self, encounter: UUID) -> None:
        """Do nothing."""

    def leave(self, encounter: UUID) -> None:
        """Do nothing."""

    async def run(self, on_message: OnMessage) -> None:
        """Wait until cancelled."""
        await asyncio.Event().wait()


def new_process() -> str:
    """A name for this process that no other one has."""
    return secrets.token_hex(8)


@asynccontextmanager
async def running(fanout: Fanout, on_message: OnMessage) -> AsyncIterator[None]:
    """Run the fan-out during the block."""
    task = asyncio.create_task(fanout.run(on_message))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
