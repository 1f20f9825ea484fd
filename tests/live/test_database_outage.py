"""The database goes away under streams, and comes back."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from tests.conftest import address_in
from tests.durability.rig import Store
from tests.live.arena import Arena, arena_of
from tests.live.followed_battle import Scale, see_it_through

AWAY_SECONDS = 1.5
END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1"

SomeMore = Callable[[int], Awaitable[None]]


async def be_away(dsns: Dsns, seconds: float) -> None:
    """Nobody is connected to the database, nor gets in."""
    name = urlsplit(dsns.admin).path[1:]
    maintenance = await asyncpg.connect(address_in(dsns.admin, "postgres"))
    try:
        await maintenance.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await maintenance.fetch(END, name)
        await asyncio.sleep(seconds)
    finally:
        await maintenance.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await maintenance.close()


async def test_streams_outlive_the_database(arena: Arena) -> None:
    async def trouble(some_more: SomeMore) -> None:
        await some_more(15)
        await be_away(arena.dsns, AWAY_SECONDS)
        await some_more(15)

    everybody = await see_it_through(
        arena, "crossfire-d6", trouble, Scale(subscribers=16, restless=0.0)
    )
    assert {each.connects for each in everybody} == {1}
    assert [each.last_words for each in everybody if each.last_words] == []


@pytest.mark.soak
async def test_streams_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    store = Store(tmp_path / "postgres")
    await asyncio.to_thread(store.start)

    async def trouble(some_more: SomeMore) -> None:
        for _ in range(4):
            await some_more(100)
            await store.kill()
        await some_more(100)

    try:
        async with arena_of(tmp_path, store.dsns, None) as own:
            await see_it_through(
                own, "seeker-d100", trouble, Scale(subscribers=100, restless=3.0, writers=8)
            )
    finally:
        await asyncio.to_thread(store.stop)
