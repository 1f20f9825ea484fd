"""Time that runs out where several processes look at the clock."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.eventstore.embedded import Dsns
from tests.fanout.servers import Server
from tests.live.acting import do
from tests.live.following import followed, prove
from tests.live.hearing import Book, Subscriber, spread, until
from tests.live.stage import Arena, Battle, arena_of, begun, new_tenant

LIMIT_SECONDS = 5
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 1.0
TIMER = {"kind": "system", "id": "timer", "role": "gm"}

Tree = dict[str, Any]


async def asked(arena: Arena, key: str) -> Battle:
    """A battle in which somebody has seconds to answer a blow."""
    battle = await begun(arena.asker, key, "seeker-d100", decision_seconds=LIMIT_SECONDS)
    blow = {"type": "attack", "combatant": "r1", "weapon": "blade", "target": "b1"}
    answer = await do(arena.asker, battle, blow)
    assert answer["decisions"], answer
    return battle


def timed_out(subscriber: Subscriber) -> int:
    """How many events that the clock made somebody heard."""
    bodies = [msgspec.json.decode(known.told.event) for known in subscriber.heard]
    return sum(body["by"] == TIMER for body in bodies)


async def see_time_run_out(arena: Arena, battles: int, *, is_killed: bool = False) -> None:
    """In many battles at once; each decision ends once, however many processes run."""
    _, key = await new_tenant(arena.dsns)
    begun_ = await asyncio.gather(*(asked(arena, key) for _ in range(battles)))
    rows = [
        spread(Book(), battle.everybody, battle.address, arena.urls, 4, restless=0.0)
        for battle in begun_
    ]
    async with followed([each for row in rows for each in row]):
        if is_killed:
            arena.services[0].kill()
        await until(
            lambda: all(timed_out(each) for row in rows for each in row),
            lambda: [Counter(timed_out(each) for each in row) for row in rows],
            PATIENCE_SECONDS,
        )
        await asyncio.sleep(2 * LOOK_SECONDS)
        for battle, row in zip(begun_, rows, strict=True):
            await prove(arena, battle, row)
    assert {timed_out(each) for row in rows for each in row} == {1}


async def test_time_runs_out_once(arena: Arena) -> None:
    await see_time_run_out(arena, battles=4)


@pytest.mark.soak
@pytest.mark.parametrize("has_redis", [True, False])
async def test_time_runs_out_once_though_a_process_dies(
    database: Dsns, tmp_path: Path, has_redis: bool
) -> None:
    redis = Server(tmp_path / "redis")
    redis.start()
    try:
        async with arena_of(tmp_path, database, redis if has_redis else None, count=3) as own:
            await see_time_run_out(own, battles=30)
            await see_time_run_out(own, battles=30, is_killed=True)
    finally:
        redis.kill()
