"""Many follow, are cut off and come back, while some play and everything around them fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from service.eventstore.embedded import Dsns
from tests.encounters.random_actions import RULESETS
from tests.fanout.servers import Cluster, Server
from tests.live.arena import Arena, arena_of
from tests.live.followed_battle import Scale, see_it_through

CROWD = Scale(subscribers=200, restless=2.0, visits=2.0)
MANY = 25

SomeMore = Callable[[int], Awaitable[None]]


@pytest.fixture(params=["single", "cluster", "none"])
async def own_arena(
    request: pytest.FixtureRequest, database: Dsns, tmp_path: Path
) -> AsyncIterator[Arena]:
    """Three services of this test, with each kind of Redis in turn."""
    kinds: dict[str, type[Server] | type[Cluster]] = {"single": Server, "cluster": Cluster}
    kind = kinds.get(request.param)
    redis = None if kind is None else kind(tmp_path / "redis")
    if redis is not None:
        redis.start()
    try:
        async with arena_of(tmp_path, database, redis, count=3) as own:
            yield own
    finally:
        if redis is not None:
            redis.kill()


@pytest.mark.soak
async def test_everybody_hears_all_there_is_for_them_whatever_redis_does(arena: Arena) -> None:
    redis = arena.redis
    assert isinstance(redis, Server)

    async def trouble(some_more: SomeMore) -> None:
        await some_more(20)
        redis.say("FLUSHALL")
        redis.kill()
        await some_more(20)
        redis.start()
        await some_more(10)
        redis.freeze()
        await some_more(20)
        redis.thaw()
        await some_more(20)
        redis.kill()

    try:
        await see_it_through(arena, "crossfire-d6", trouble, Scale(visits=1.5))
    finally:
        redis.start()


async def test_who_loses_a_process_goes_on_at_another(arena: Arena) -> None:
    here, there = arena.services

    async def trouble(some_more: SomeMore) -> None:
        await some_more(20)
        here.kill()
        await some_more(20)
        await here.start()
        await some_more(10)
        await asyncio.to_thread(there.stop)
        await some_more(20)
        await there.start()
        await some_more(10)

    everybody = await see_it_through(
        arena, "seeker-d100", trouble, Scale(subscribers=20, writers=3)
    )
    assert ("bye", "shutdown") in {word for each in everybody for word in each.last_words}
    assert 1001 in {code for each in everybody for code in each.close_codes}


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_two_hundred_hear_all_there_is_for_them(own_arena: Arena, ruleset: str) -> None:
    one, two, three = own_arena.services
    redis = own_arena.redis
    nodes = redis.servers if isinstance(redis, Cluster) else [] if redis is None else [redis]

    async def trouble(some_more: SomeMore) -> None:
        for node in nodes[:2]:
            node.say("FLUSHALL")
            await some_more(MANY)
            await hurt(node, some_more)
        one.kill()
        await some_more(MANY)
        await one.start()
        await asyncio.to_thread(two.stop)
        await some_more(MANY)
        await two.start()
        await some_more(MANY)
        one.kill()
        three.kill()
        await some_more(MANY)
        await one.start()
        await three.start()
        await some_more(MANY)

    everybody = await see_it_through(own_arena, ruleset, trouble, CROWD)
    assert ("bye", "shutdown") in {word for each in everybody for word in each.last_words}


async def hurt(node: Server, some_more: SomeMore) -> None:
    """A Redis stops, comes back empty, hangs, and continues."""
    node.kill()
    await some_more(MANY)
    node.start()
    await some_more(MANY)
    node.freeze()
    await some_more(MANY)
    node.thaw()
    await some_more(MANY)
