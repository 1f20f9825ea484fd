"""All who follow are cut off in the same moment, and come back in the same moment."""

from pathlib import Path

import pytest

from service.eventstore.embedded import Dsns
from tests.fanout.servers import Server
from tests.live.arena import Arena, arena_of, begun, new_tenant
from tests.live.followed_battle import followed, prove
from tests.live.players import remark
from tests.live.subscribers import Book, Subscriber, spread
from tests.patience import PATIENCE_SECONDS, until


async def see_all_return(arena: Arena, count: int, waves: int, missed: int) -> None:
    """So many subscribers are cut off in so many waves, and miss so many events each time."""
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, "seeker-d100")
    head = await remark(arena.asker, battle, 130)
    everybody = spread(Book(), battle.everybody, battle.address, arena.urls, count, restless=0.0)
    async with followed(everybody):
        for wave in range(waves):
            await all_heard(everybody, head)
            cut_off(everybody)
            head = await remark(arena.asker, battle, missed)
            await all_greeted(everybody, wave + 2)
        await prove(arena, battle, everybody)


async def all_heard(everybody: list[Subscriber], head: int) -> None:
    """Wait until all have the whole log."""
    await until(
        lambda: all(each.seq >= head for each in everybody),
        lambda: sum(each.seq < head for each in everybody),
        PATIENCE_SECONDS,
    )


async def all_greeted(everybody: list[Subscriber], times: int) -> None:
    """Wait until all were let in so often."""
    await until(
        lambda: all(len(each.hellos) >= times for each in everybody),
        lambda: sum(len(each.hellos) < times for each in everybody),
        PATIENCE_SECONDS,
    )


def cut_off(everybody: list[Subscriber]) -> None:
    """Nobody is there any more."""
    for each in everybody:
        assert each.line is not None
        each.line.vanish()


async def test_all_come_back_at_once_and_miss_nothing(arena: Arena) -> None:
    await see_all_return(arena, count=150, waves=2, missed=40)


@pytest.mark.soak
@pytest.mark.parametrize("has_redis", [True, False])
async def test_two_thousand_come_back_at_once(
    database: Dsns, tmp_path: Path, has_redis: bool
) -> None:
    redis = Server(tmp_path / "redis")
    redis.start()
    try:
        async with arena_of(tmp_path, database, redis if has_redis else None) as own:
            await see_all_return(own, count=2_000, waves=3, missed=100)
    finally:
        redis.kill()
