"""The primary hangs or dies and its standby takes over: nothing lost or doubled, and soon."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from service.eventstore.store import EventStore
from service.exits import Exit
from tests.durability.driver import Mix
from tests.durability.replicas import Node, Replicas
from tests.durability.trial import Trial
from tests.eventstore.logs import until as holds
from tests.kit.rigs import rig_of
from tests.live.arena import arena_of
from tests.live.followed_battle import Scale, see_it_through
from tests.patience import PATIENCE, PATIENCE_SECONDS, until
from tests.replay.stored_tables import random_table, store_tables
from tests.soak import with_soak

PROMOTION_SECONDS = 1.2
"""So long after the primary whoever watches it promotes the standby."""

pytestmark = pytest.mark.slow

WAYS = [
    pytest.param(Node.freeze, 60.0, id="hangs"),
    pytest.param(Node.freeze, 5.0, id="hangs-soon", marks=pytest.mark.soak),
    pytest.param(Node.kill, 5.0, id="dies-soon", marks=pytest.mark.soak),
]

SomeMore = Callable[[int], Awaitable[None]]

_log = logging.getLogger(__name__)


@pytest.fixture
async def replicas(tmp_path: Path) -> AsyncIterator[Replicas]:
    """A primary and its standby, of this test alone."""
    pair = Replicas(tmp_path / "replicas")
    await asyncio.to_thread(pair.start)
    yield pair
    await asyncio.to_thread(pair.stop)


async def fail_over(pair: Replicas, way: Callable[[Node], None]) -> float:
    """Lose the primary and promote the standby; when that was, by the monotonic clock."""
    way(pair.primary)
    await asyncio.sleep(PROMOTION_SECONDS)
    return await pair.promote()


@pytest.mark.parametrize(("way", "seconds"), WAYS)
async def test_writes_go_on_soon_after_the_standby_is_promoted(
    replicas: Replicas, tmp_path: Path, way: Callable[[Node], None], seconds: float
) -> None:
    took = []
    async with Trial(replicas, tmp_path, Mix(clients=6, encounters=3)) as trial:

        async def lose_the_primary() -> None:
            promoted = await fail_over(replicas, way)
            before = trial.acknowledged
            await until(
                lambda: trial.acknowledged > before, lambda: "no write works", PATIENCE_SECONDS
            )
            took.append(time.monotonic() - promoted)

        await trial.suffer(lose_the_primary())
        _log.warning("first acknowledged write %.2f s after the promotion", took[0])
        await trial.prove()
    assert took[0] < PATIENCE * seconds


@pytest.mark.parametrize("way", with_soak([Node.kill], [Node.freeze]))
async def test_streams_go_on_without_a_gap(
    replicas: Replicas, tmp_path: Path, way: Callable[[Node], None]
) -> None:
    async def trouble(some_more: SomeMore) -> None:
        await some_more(15)
        await fail_over(replicas, way)
        await some_more(15)

    async with arena_of(tmp_path, replicas.dsns, None) as arena:
        scale = Scale(subscribers=12, restless=0.0)
        everybody = await see_it_through(arena, "crossfire-d6", trouble, scale)
    assert {each.connects for each in everybody} == {1}
    assert [each.last_words for each in everybody if each.last_words] == []


@pytest.mark.soak
async def test_all_battles_are_audited_on_the_standby_alone(
    replicas: Replicas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("WARLOG_DATABASE_URL", replicas.dsns.app)
    battle = random_table(rig_of("crossfire-d6"), 1, 12)
    await store_tables(replicas.dsns.admin, [battle])
    await asyncio.to_thread(replicas.primary.kill)
    assert await exit_of("audit", "--all", "--processes", "1") == Exit.OK
    # A command that may write still wants a server that takes writes.
    assert await exit_of("tenants", "list") == Exit.UNAVAILABLE


async def exit_of(*words: str) -> int:
    """Run the command; its exit code."""
    command = await asyncio.create_subprocess_exec(sys.executable, "-m", "service", *words)
    return await command.wait()


async def test_ready_says_when_no_write_can_commit(replicas: Replicas) -> None:
    store = await EventStore.open(replicas.dsns.app)
    stuck = [(await store.ready()).uncommitted_seconds > 0]
    replicas.standby.freeze()
    stuck += [(await store.ready()).uncommitted_seconds > 0 for _ in range(2)]
    replicas.standby.thaw()

    async def writes_commit() -> bool:
        return not (await store.ready()).uncommitted_seconds

    await holds(writes_commit)
    await store.close()
    assert stuck == [False, True, True]
