"""Clients that read slowly, or not at all: they cost the service little, and miss nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service.eventstore.embedded import Dsns
from tests.fanout.servers import Server
from tests.live.arena import Arena, arena_of, begun, new_tenant
from tests.live.followed_battle import followed, prove
from tests.live.players import remark
from tests.live.subscribers import Book, Subscriber, spread
from tests.patience import PATIENCE_SECONDS, until

LETTERS = 2_000
NOTE_BYTES = 4 * LETTERS
LITTLE_BYTES = 8 * 1024
SIP_SECONDS = 0.01

CLIENT_BYTES = 320 * 1024
"""What a client may cost that does not read: what may wait for it, and one piece more."""

SLACK_BYTES = 16 << 20
"""What a process may grow by that has nothing to do with who reads."""


async def sip(subscriber: Subscriber) -> None:
    """Read a little, again and again."""
    while True:
        line = subscriber.line
        if line is not None and not line.over.is_set():
            line.transport.pause_reading()
            await asyncio.sleep(SIP_SECONDS)
            line.transport.resume_reading()
        await asyncio.sleep(0.001)


@asynccontextmanager
async def sipping(those: list[Subscriber]) -> AsyncIterator[None]:
    """Have these read slowly meanwhile."""
    tasks = [asyncio.create_task(sip(each)) for each in those]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def all_heard(those: list[Subscriber], head: int) -> None:
    """Wait until all have the whole log."""
    await until(
        lambda: all(each.seq >= head for each in those),
        lambda: sum(each.seq < head for each in those),
        PATIENCE_SECONDS,
    )


async def see_little_grow(
    arena: Arena, events: int, stalled: int, seconds: float
) -> list[Subscriber]:
    """So many clients read nothing for so many seconds, while so many long events happen.

    Those clients, when they have read on and have all. Memory is looked at where nobody acts: what
    is stored and decided takes memory of its own.
    """
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, "crossfire-d6")
    book = Book()
    people = (battle.gm, *battle.people[1:])
    everybody = spread(book, people, battle.address, arena.urls, 10, restless=0.0)
    readers, slow = everybody[:8], everybody[8:]
    idle = spread(book, people, battle.address, arena.urls[1:], stalled, restless=0.0)
    for each in slow + idle:
        each.receive_bytes = LITTLE_BYTES
    async with followed(everybody + idle), sipping(slow):
        head = await remark(arena.asker, battle, events, LETTERS)
        await all_heard(readers + idle, head)
        before = await arena.services[1].gauges()
        for line in [each.line for each in idle]:
            assert line is not None
            line.transport.pause_reading()
        head = await remark(arena.asker, battle, events, LETTERS)
        await all_heard(readers, head)
        await asyncio.sleep(seconds)
        after = await arena.services[1].gauges()
        # More than the bound: else nothing would be shown.
        unread = sum(head - each.seq for each in idle) * NOTE_BYTES
        most = SLACK_BYTES + stalled * CLIENT_BYTES
        assert unread > most
        assert after.resident - before.resident <= most
        for line in [each.line for each in idle]:
            assert line is not None
            line.transport.resume_reading()
        await prove(arena, battle, everybody + idle)
    return idle


@pytest.mark.soak
async def test_clients_that_do_not_read_cost_little_and_miss_nothing(arena: Arena) -> None:
    await see_little_grow(arena, events=400, stalled=16, seconds=0.0)


@pytest.mark.soak
async def test_clients_that_do_not_read_for_long(database: Dsns, tmp_path: Path) -> None:
    redis = Server(tmp_path / "redis")
    redis.start()
    try:
        async with arena_of(tmp_path, database, redis) as own:
            idle = await see_little_grow(own, events=1_200, stalled=60, seconds=40.0)
    finally:
        redis.kill()
    # Who read nothing for so long was sent away, and came back where it was.
    assert all(each.connects > 1 for each in idle)
