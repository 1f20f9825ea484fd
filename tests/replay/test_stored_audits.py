"""Audits of stored logs as jobs: the same report as in the process that serves, for everybody."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import msgspec
import pytest

from service.errors import JobTimedOut
from service.eventstore.store import EventStore
from service.jobs.jobs import Jobs
from service.replay.audit.audits import carried_out, planned
from service.replay.audit.stored_audit_job import JOB, lines_for, report_in
from service.replay.audit.stored_audits import COMBATANTS, AuditLimits, StoredAudits
from tests.encounters.table import Table, creation, fighter
from tests.replay.tampering import battle
from tests.replay.test_receipt_check import receipts_of
from tests.soak import with_soak

MEMORY = 1 << 30
SECONDS = 60


@pytest.fixture
async def jobs() -> AsyncIterator[Jobs]:
    made = Jobs(1)
    yield made
    await made.drain()


@pytest.mark.parametrize("name", with_soak(["gm"], ["rita"]))
async def test_a_job_gives_the_report_of_the_serving_process(
    table: Table, store: EventStore, jobs: Jobs, name: str
) -> None:
    encounter = await battle(table)
    caller = table if name == "gm" else table.seat(name)
    receipts = await receipts_of(store, encounter, 4, 11)
    reads = caller.encounters.reads
    plan = await planned(reads, caller.who, encounter, receipts, with_luck=True)
    here = await carried_out(store, reads.rulesets, plan)
    lines = jobs.run(JOB, lines_for(store, plan), seconds=SECONDS, memory_bytes=MEMORY)
    async with aclosing(lines):
        assert await report_in(lines) == msgspec.json.encode(here)
    assert here.clean
    assert here.receipts
    assert here.luck is not msgspec.UNSET


async def test_a_battle_of_many_is_judged_by_a_job_within_its_time(
    table: Table, jobs: Jobs
) -> None:
    line = [fighter(f"r{n}", "red", n, 0) for n in range(COMBATANTS + 1)]
    few = await table.create()
    many = await table.create(creation(*line))
    audits = StoredAudits(table.encounters.reads, jobs, AuditLimits(seconds=0, memory_bytes=MEMORY))
    assert b'"clean":true' in await audits.report(table.who, few)
    with pytest.raises(JobTimedOut):
        await audits.report(table.who, many)
    assert (jobs.running, jobs.free) == (0, 1)
