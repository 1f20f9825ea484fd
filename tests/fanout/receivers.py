"""Two processes' ends of a fan-out in one: who sends, who hears, and what was heard."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from service.fanout import connection as wire_room
from service.fanout import fanout as room
from service.fanout import probe as examination_room
from service.fanout import subscriber as listening_room
from service.fanout.fanout import Fanout, FanoutTally
from service.fanout.messages import FanoutMessage, Missed, News, Presence, Revocation
from service.fanout.redis import RedisFanout
from tests.patience import PATIENCE_SECONDS, until

KEY = bytes(range(32))
AT = datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)


class Receiver:
    """Keeps what was heard."""

    def __init__(self) -> None:
        self.messages: list[FanoutMessage] = []

    def __call__(self, message: FanoutMessage) -> None:
        """Hear one."""
        self.messages.append(message)

    @property
    def heard(self) -> list[News | Presence]:
        """What others sent."""
        return [each for each in self.messages if not isinstance(each, Missed | Revocation)]

    @property
    def begun(self) -> list[UUID]:
        """The encounters whose logs were to be read, each as often as that was said."""
        return [
            encounter
            for each in self.messages
            if isinstance(each, Missed)
            for encounter in each.encounters
        ]

    def seqs(self, encounter: UUID) -> list[int]:
        """The seqs of an encounter's news in the order they were heard."""
        return [
            each.seq
            for each in self.messages
            if isinstance(each, News) and each.encounter == encounter
        ]


@asynccontextmanager
async def running(*fanouts: Fanout) -> AsyncIterator[list[Receiver]]:
    """Run these, each with an ear; nothing of them is left at the end."""
    ears = [Receiver() for _ in fanouts]
    tasks = [
        asyncio.create_task(fanout.run(ear)) for fanout, ear in zip(fanouts, ears, strict=True)
    ]
    try:
        yield ears
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert ours(asyncio.all_tasks()) == []
    for fanout in fanouts:
        assert_counted(fanout.tally, fanout.waiting)


def ours(tasks: set[asyncio.Task[object]]) -> list[str]:
    """Those of these tasks that run code of the room."""
    folder = str(Path(room.__file__).parent)
    return [str(task) for task in tasks if any(folder in str(frame) for frame in task.get_stack())]


class Clock:
    """Stands until it is moved: nothing that waits grows old by itself."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def limit_waits(patch: pytest.MonkeyPatch, *, quiet: float, answer: float, command: float) -> None:
    """How many seconds a server may be quiet, take to say that it lives, and take for commands."""
    patch.setattr(listening_room, "QUIET_SECONDS", quiet)
    patch.setattr(listening_room, "ANSWER_SECONDS", answer)
    patch.setattr(wire_room, "SECONDS", command)
    patch.setattr(examination_room, "SECONDS", command)
    patch.setitem(wire_room._FIXED, "socket_connect_timeout", command)


def wait_as_long_as_it_takes(patch: pytest.MonkeyPatch) -> None:
    """No server is given up that answers at all."""
    limit_waits(patch, quiet=2.0, answer=PATIENCE_SECONDS, command=PATIENCE_SECONDS)


@asynccontextmanager
async def pair(
    url: str, clock: Clock | None = None
) -> AsyncIterator[tuple[RedisFanout, RedisFanout, Receiver, Receiver]]:
    """Two that run, and their ears."""
    first, second = (RedisFanout(url, KEY, clock or Clock()) for _ in range(2))
    async with running(first, second) as (one, other):
        yield first, second, one, other


async def listening(*fanouts: RedisFanout) -> None:
    """Wait until none of these can miss anything."""
    await until(lambda: not any(fanout.is_deaf for fanout in fanouts))


def assert_counted(tally: FanoutTally, waiting: int) -> None:
    """Everything that was sent was published, was dropped, or waits."""
    assert tally.submitted == tally.published + tally.dropped + waiting


def news(encounter: UUID, seq: int, body: bytes = b"{}") -> News:
    """News of an event."""
    return News(
        encounter=encounter,
        seq=seq,
        base=seq - 1,
        hash=seq.to_bytes(32, "big"),
        recorded_at=AT,
        body=body,
        commits=bytes(64),
        parts=(("facts", "gm"),),
    )
