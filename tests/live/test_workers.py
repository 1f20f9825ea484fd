"""One service with several workers behind one port, as an operator starts it: workers that die."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from service.eventstore.embedded import Dsns
from tests.fanout.processes import Process
from tests.fanout.servers import Server
from tests.live.arena import GENEROUS, Arena, ServiceClient
from tests.live.followed_battle import Scale, see_it_through
from tests.patience import until

WORKERS = 2

SomeMore = Callable[[int], Awaitable[None]]


def workers(parent: int) -> list[int]:
    """The processes that a parent has started to serve."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [pid for pid in map(int, children) if b"service.server.worker" in said_of(pid)]


def said_of(pid: int) -> bytes:
    """How a process was called; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


async def until_replaced(parent: int, killed: int) -> None:
    """Wait until there is another worker in the place of the one that was killed."""
    await until(lambda: len(set(workers(parent)) - {killed}) == WORKERS, lambda: workers(parent))


@pytest.mark.soak
@pytest.mark.parametrize("has_redis", [True, False])
async def test_who_loses_a_worker_goes_on_at_another(
    database: Dsns, tmp_path: Path, has_redis: bool
) -> None:
    redis = Server(tmp_path / "redis")
    redis.start()
    more = {**GENEROUS, "WARLOG_WORKERS": str(WORKERS)}
    crew = Process(database, tmp_path, **more, WARLOG_REDIS_URL=redis.url if has_redis else "")

    async def trouble(some_more: SomeMore) -> None:
        for _ in range(3):
            await some_more(30)
            parent = crew._process.pid
            killed = workers(parent)[0]
            os.kill(killed, signal.SIGKILL)
            await some_more(30)
            await until_replaced(parent, killed)

    try:
        await asyncio.to_thread(crew.wait_until_up)
        asker = ServiceClient([crew.url])
        arena = Arena((), (crew.url,), database, asker, redis)
        scale = Scale(subscribers=100, restless=4.0)
        await see_it_through(arena, "seeker-d100", trouble, scale)
        await asker.close()
    finally:
        complaints = await asyncio.to_thread(crew.stop)
        redis.kill()
    assert [line for line in complaints if "worker" not in line] == []
