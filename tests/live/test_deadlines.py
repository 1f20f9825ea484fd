"""Time that runs out where several processes look at the clock."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.eventstore.embedded import Dsns
from tests.api.test_timers import is_over
from tests.fanout.servers import Server
from tests.live.arena import Arena, Battle, arena_of, begun, new_tenant
from tests.live.followed_battle import followed, prove
from tests.live.players import do
from tests.live.subscribers import Book, Subscriber, spread
from tests.patience import PATIENCE_SECONDS, until

LIMIT_SECONDS = 5
TIMER = {"kind": "system", "id": "timer", "role": "gm"}

Tree = dict[str, Any]


async def strike(arena: Arena, battle: Battle) -> int:
    """Somebody has seconds to answer a blow; the event of the blow."""
    blow = {"type": "attack", "combatant": "r1", "weapon": "blade", "target": "b1"}
    answer = await do(arena.asker, battle, blow)
    assert answer.decisions, answer
    return answer.version


def timed_out(subscriber: Subscriber) -> int:
    """How many events that the clock made somebody heard."""
    bodies = [msgspec.json.decode(entry.event.event) for entry in subscriber.heard]
    return sum(body["by"] == TIMER for body in bodies)


async def see_time_run_out(arena: Arena, battles: int, *, is_killed: bool = False) -> None:
    """In many battles at once; each decision ends once, however many processes run."""
    _, key = await new_tenant(arena.dsns)
    *fought, later = await asyncio.gather(
        *(
            begun(arena.asker, key, "seeker-d100", decision_seconds=LIMIT_SECONDS)
            for _ in range(battles + 1)
        )
    )
    rows = [
        spread(Book(), battle.everybody, battle.address, arena.urls, 4, restless=0.0)
        for battle in (*fought, later)
    ]

    async def run_out(rows: list[list[Subscriber]]) -> None:
        await until(
            lambda: all(timed_out(each) for row in rows for each in row),
            lambda: [Counter(timed_out(each) for each in row) for row in rows],
            PATIENCE_SECONDS,
        )

    async with followed([each for row in rows for each in row]):
        await asyncio.gather(*(strike(arena, battle) for battle in fought))
        if is_killed:
            arena.services[0].kill()
        await run_out(rows[:-1])
        # Until it is seen that it has run out here as well, others have looked at the clock again.
        blow = await strike(arena, later)
        await is_over(arena.dsns, later.address, f"decision:{blow}.{blow}.1")
        await run_out(rows[-1:])
        for battle, row in zip((*fought, later), rows, strict=True):
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
