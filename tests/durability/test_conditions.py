"""Bad times that pass: the service says what is the matter, loses nothing and needs no restart."""

import random
import time
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest

from tests.durability import faults
from tests.durability.checker import Restore
from tests.durability.driver import Mix
from tests.durability.rig import Store
from tests.durability.trial import Trial
from tests.durability.tripwire import Tripwire
from tests.patience import PATIENCE_SECONDS

TIMES = [pytest.param(1, id="once"), pytest.param(20, id="twenty", marks=pytest.mark.soak)]
FEW = [pytest.param(1, id="once"), pytest.param(5, id="often", marks=pytest.mark.soak)]

_STEPS_BACK = """
    SELECT count(*) FROM (
        SELECT (body ->> 'at')::timestamptz - lag((body ->> 'at')::timestamptz)
            OVER (PARTITION BY encounter_id ORDER BY seq) AS step
        FROM event WHERE encounter_id = ANY ($1::uuid[])
    ) AS steps WHERE step < '0'
"""
_AHEAD = """
    SELECT count(*) FROM event WHERE encounter_id = ANY ($1::uuid[])
        AND (body ->> 'at')::timestamptz > recorded_at + interval '50 minutes'
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(15 * PATIENCE_SECONDS)]


@pytest.mark.parametrize("times", TIMES)
async def test_the_database_is_slow_takes_no_writes_and_is_full(
    store: Store, tmp_path: Path, times: int
) -> None:
    dsns = store.dsns
    async with Tripwire(dsns.app) as wire, Trial(store, tmp_path, app=wire.dsn) as trial:

        async def bad_times() -> None:
            for _ in range(times):
                for limit in ("lock_timeout", "statement_timeout"):
                    wire.settings = {limit: "400"}
                    await faults.end_sessions(dsns)
                    await trial.goes_on()
                    await faults.hold_table(dsns, trial.told("database_slow"))
                    await trial.goes_on()
                await faults.take_no_writes(dsns, trial.told("database_read_only"))
                await trial.goes_on()
                await faults.fill_up(dsns, trial.told("database_full"))
                wire.delay_seconds = 0.02
                await trial.goes_on()
                wire.delay_seconds = 0.0

        await trial.suffer(bad_times())
        await trial.prove()


@pytest.mark.soak
@pytest.mark.parametrize("times", FEW)
async def test_an_older_backup_is_put_back(store: Store, tmp_path: Path, times: int) -> None:
    restored: list[Restore] = []
    async with Trial(store, tmp_path) as trial:

        async def disaster() -> None:
            heads = await store.back_up()
            for _ in range(times):
                await trial.goes_on()
            lost = await trial.heard_behind(heads)
            await store.put_back()
            restored.append(Restore(heads=heads, ended=time.monotonic_ns()))
            assert await trial.act_behind(lost) == "history_diverged"

        await trial.suffer(disaster())
        await trial.prove(*restored)


@pytest.mark.soak
@pytest.mark.parametrize("times", TIMES)
async def test_the_clock_is_wrong_by_an_hour(store: Store, tmp_path: Path, times: int) -> None:
    async with Trial(store, tmp_path, services=2) as trial:

        async def steps() -> None:
            await faults.step_clocks(trial.services, trial.goes_on, times)
            while await counted(store, _AHEAD, trial.encounters) < 2 * times:
                await faults.step_clocks(trial.services, trial.goes_on, 1)

        await trial.suffer(steps(), trial.told("replayed"), trial.told("precondition_failed"))
        await trial.prove()
        # What a clock ahead has dated, no right one dates back.
        assert await counted(store, _STEPS_BACK, trial.encounters) == 0


async def counted(store: Store, question: str, encounters: Sequence[str]) -> int:
    """How many events of these are so."""
    admin = await asyncpg.connect(store.dsns.admin)
    found = await admin.fetchval(question, list(encounters))
    await admin.close()
    return int(found)


@pytest.mark.parametrize("times", FEW)
async def test_too_many_clients_come_and_some_never_end_their_request(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    mix = Mix(clients=40, vanishing=0.1, think_seconds=0)
    async with Trial(
        store, tmp_path, mix, WARLOG_REQUESTS_AT_ONCE="10", WARLOG_REQUEST_SECONDS="1"
    ) as trial:
        for _ in range(times):
            await trial.suffer(
                faults.stall(trial.urls[0], trial.key, trial.encounters, 9),
                trial.told("overloaded"),
                trial.told("vanished"),
            )
        await trial.prove()
