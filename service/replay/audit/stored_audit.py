"""The audit of one stored log, fed event by event: pure, so that it runs in any process.

How this works. What is read before the log (`StoredAuditOrder`), the events with the snapshots
behind them, and what is read after it (`LogEnding`) come in as values. Whoever reads the log feeds
them: `audits` in the process that serves or in a command, `stored_audit_job` in a job.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from service.encounters.loader import snapshot_of
from service.engine.ruleset.definition import Rulesets
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import By
from service.eventstore.records import EncounterRow, Secret, Snapshot, StoredEvent
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.log_ends import (
    head_problems,
    header_problem,
    opening_problems,
    tail_problems,
)
from service.replay.audit.receipt_check import NO_WITNESS, Witness
from service.replay.log.log_header import sides_in
from service.replay.log.stored_log import ViewerOfSeq, evidence_of
from service.replay.report.report import report_of
from service.replay.report.verdicts import EventVerdict, LogProblem, Report


class StoredAuditOrder(Struct, frozen=True, kw_only=True):
    """What an audit is given before the log: its row, what is stored beside it, who reads.

    The audit ends at the head of `row`. `blobs` stand by digest (hex); `bases` are the seqs that
    the log goes back to. `viewer` is whose draws are counted, `reader` whose luck is told, None for
    nobody's. A brief report has neither single verdicts nor dice nor interventions.
    """

    row: EncounterRow
    secret: Secret | None
    blobs: dict[str, bytes]
    bases: frozenset[int]
    viewer: Viewer = GAME_MASTER
    witness: Witness = NO_WITNESS
    is_brief: bool = False
    reader: By | None = None


class LogEnding(Struct, frozen=True, kw_only=True):
    """What an audit is given after the log.

    `beyond_head` is the seq of the first row behind the head, if there is one; `creators_tenant`
    that of the key which created the encounter (a UUID), if it is known; `can_be_rewritten` says
    whether the role of the service could change the log.
    """

    beyond_head: int | None
    creators_tenant: str | None
    can_be_rewritten: bool = False


class StoredAudit:
    """Judges a stored log. `viewer_of_seq` says whose draws of an event count."""

    def __init__(
        self,
        rulesets: Rulesets,
        order: StoredAuditOrder,
        viewer_of_seq: ViewerOfSeq = lambda seq: GAME_MASTER,
        progress: Callable[[EventVerdict], None] = lambda verdict: None,
    ) -> None:
        row = order.row
        self._order = order
        self._encounter = str(row.id)
        self._progress = progress
        self._problems: list[LogProblem] = []
        self._sides: tuple[str, ...] = ()
        charge = Charge(
            encounter=self._encounter,
            ruleset=row.ruleset,
            version=row.version,
            seed=None if order.secret is None else order.secret.seed,
            viewer_of_seq=viewer_of_seq,
            witnessed=order.witness.seqs,
            bases=order.bases,
            is_brief=order.is_brief,
            reader=order.reader,
            is_own=True,
        )
        self._auditor = Auditor(rulesets, charge, order.blobs)

    def feed(self, stored: StoredEvent | Snapshot) -> None:
        """Judge the next event of the log, or the snapshot behind the last one."""
        if isinstance(stored, Snapshot):
            self._problems += self._snapshot_problems(stored)
            return
        self._sides = self._sides or sides_in(stored.body)
        evidence = evidence_of(stored, self._encounter, self._order.secret, self._sides)
        self._progress(self._auditor.judge(evidence))

    def report(self, ending: LogEnding) -> Report:
        """The report, once the log was fed up to its head."""
        auditor, row = self._auditor, self._order.row
        if self._order.secret is None:
            self._problems.append(LogProblem(code="secret_missing", where="secret"))
        self._problems += [
            *head_problems(auditor, row.head_seq, row.head_hash.hex()),
            *tail_problems(ending.beyond_head),
            *opening_problems(auditor, {"ruleset": row.ruleset, "version": row.version}),
            *self._status_problems(),
            *self._tenant_problems(ending.creators_tenant),
        ]
        order = self._order
        report = report_of(auditor, order.viewer, self._problems, witness=order.witness)
        if not ending.can_be_rewritten:
            return report
        return replace(report, warnings=(*report.warnings, "log_can_be_rewritten"))

    def _snapshot_problems(self, snapshot: Snapshot) -> list[LogProblem]:
        """A snapshot must be the state that the log leads to; not judged where that is unknown."""
        state = self._auditor.state
        if state is None:
            return []
        expected = snapshot_of(state, snapshot.seq)
        if (snapshot.state, snapshot.digest) == (expected.state, expected.digest):
            return []
        return [LogProblem(code="snapshot_differs", where=f"snapshot {snapshot.seq}")]

    def _status_problems(self) -> list[LogProblem]:
        """The status of the row must be the one that the log leads to; not judged if unknown."""
        state, status = self._auditor.state, self._order.row.status
        if state is None or state.rule.status == status:
            return []
        return [header_problem("status", status, state.rule.status)]

    def _tenant_problems(self, tenant: str | None) -> list[LogProblem]:
        """The encounter must belong to the tenant whose key created it, as event 1 says."""
        stored = str(self._order.row.tenant)
        if self._auditor.header.creator is None or tenant == stored:
            return []
        return [header_problem("tenant", stored, "unknown" if tenant is None else tenant)]
