"""Audits of stored logs for callers: small ones in this process, all others as jobs.

How this works. A job needs a process, which takes longer to start than a small log to be judged. A
small one is judged event by event, with pauses between; so no event of it may take long either,
which is why large tables and maps make an audit a job, too. Whoever closes or cancels an audit ends
it, wherever it runs.
"""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.responses import Receipt
from service.jobs.jobs import Jobs
from service.replay.audit.audits import StoredAuditPlan, carried_out, planned
from service.replay.audit.stored_audit_job import JOB, lines_for, report_in
from service.rulesets import RULESETS

EVENTS: Final = 200
LUCK_EVENTS: Final = 50
"""As many where every action is previewed, too."""
COMBATANTS: Final = 50
BLOB_BYTES: Final = 64 << 10
"""Of maps and content. A log with more of any of these is judged by a job; service defaults."""


class AuditLimits(Struct, frozen=True, kw_only=True):
    """How long a job may take, and how much address space."""

    seconds: int
    memory_bytes: int


class StoredAudits:
    """The audits of one process."""

    def __init__(self, reads: Reads, jobs: Jobs, limits: AuditLimits) -> None:
        self._reads = reads
        self._jobs = jobs
        self._limits = limits

    async def report(
        self,
        who: Principal,
        encounter: UUID,
        receipts: Sequence[Receipt] = (),
        *,
        with_luck: bool = False,
    ) -> bytes:
        """The report of `audit_stored`, as JSON.

        Raises what `Reads.stored` raises; of a job Unavailable, JobTimedOut, JobFailed.
        """
        reads = self._reads
        battle, _ = await reads.load(who, encounter)
        plan = await planned(reads, who, encounter, receipts, with_luck=with_luck)
        is_small = len(battle.state.rule.combatants) <= COMBATANTS and _is_small(plan)
        key = (battle.row.ruleset, battle.row.version)
        # A job knows the published rulebooks and no others.
        if is_small or reads.rulesets.get(key) is not RULESETS.get(key):
            return msgspec.json.encode(await carried_out(reads.store, reads.rulesets, plan))
        lines = self._jobs.run(
            JOB,
            lines_for(reads.store, plan),
            seconds=self._limits.seconds,
            memory_bytes=self._limits.memory_bytes,
            tenant=str(who.tenant),
        )
        async with aclosing(lines):
            return await report_in(lines)


def _is_small(plan: StoredAuditPlan) -> bool:
    order = plan.order
    most = EVENTS if order.reader is None else LUCK_EVENTS
    return order.row.head_seq <= most and sum(map(len, order.blobs.values())) <= BLOB_BYTES
