"""Audits of what is stored."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.loader import ENGINE_VERSION, snapshot_of
from service.encounters.long_work import LongWork
from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.receipts import Signer
from service.encounters.responses import Receipt
from service.engine.ruleset import Rulesets
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import By
from service.eventstore.log_reads import Log
from service.eventstore.records import EncounterRow, Snapshot
from service.eventstore.snapshots import SnapshotReads
from service.eventstore.store import EventStore
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.log_ends import head_problems, header_problem, opening_problems
from service.replay.audit.receipt_check import NO_WITNESS, Witness
from service.replay.audit.trust import Kept
from service.replay.log.log_header import sides_in
from service.replay.log.stored_log import ViewerOfSeq, blobs_of, evidence_of, row_of, stored_events
from service.replay.report.report import report_of
from service.replay.report.verdicts import EventVerdict, LogProblem, Progress, Report, Ruling


async def audit_stored(
    reads: Reads,
    who: Principal,
    encounter: UUID,
    receipts: Sequence[Receipt] = (),
    *,
    with_luck: bool = False,
) -> Report:
    """The service's own audit, with every part and the seed, as far as the caller may know.

    `receipts` that the caller kept are compared with the log. The GM gets every verdict with its
    reasons, other seats one word per event. Luck is that of rolls whose odds the caller's previews
    would have shown.
    """
    # Read before the log: the row describes one head, and the audit ends there.
    row = await reads.store.log.head(encounter)
    stored = await reads.stored(who, encounter)
    report = await audit_row(
        reads.store,
        row or row_of(stored),
        reads.rulesets,
        viewer_of_seq=stored.viewer_of_seq,
        viewer=stored.viewer,
        witness=await witness_of(reads.store, Kept(receipts=receipts), reads.signer),
        reader=stored.by if with_luck else None,
    )
    return report if stored.viewer.is_gm else without_reasons(report)


async def witness_of(
    store: EventStore,
    kept: Kept,
    signer: Signer | None = None,
) -> Witness:
    """What was kept, verified with the keys that the reader demands or every key that signed here.

    Verified in a thread: a thousand signatures take a tenth of a second.
    """
    if not kept.receipts:
        return Witness(heads=tuple(kept.heads))
    if kept.trusted.is_demanded:
        demanded = kept.trusted.by_id
        return await asyncio.to_thread(Witness.of, kept.receipts, demanded, kept.heads)
    keys = {key.kid: key.public for key in await store.service_keys.public_keys()}
    if signer is not None:
        keys[signer.kid] = signer.key.public_key().public_bytes_raw()
    return await asyncio.to_thread(Witness.of, kept.receipts, keys, kept.heads)


async def audit_row(
    store: EventStore,
    row: EncounterRow,
    rulesets: Rulesets,
    *,
    viewer_of_seq: ViewerOfSeq = lambda seq: GAME_MASTER,
    viewer: Viewer = GAME_MASTER,
    progress: Progress = lambda verdict: None,
    witness: Witness = NO_WITNESS,
    reader: By | None = None,
) -> Report:
    """Judge a stored log and its snapshots; warn if the service's role could rewrite the log."""
    report = await audit_log(
        store.log,
        row,
        rulesets,
        snapshots=store.snapshots,
        viewer_of_seq=viewer_of_seq,
        viewer=viewer,
        progress=progress,
        witness=witness,
        reader=reader,
    )
    readiness = await store.ready()
    if not readiness.can_mutate_log:
        return report
    return replace(report, warnings=(*report.warnings, "log_can_be_rewritten"))


async def audit_log(
    log: Log,
    row: EncounterRow,
    rulesets: Rulesets,
    *,
    snapshots: SnapshotReads | None = None,
    viewer_of_seq: ViewerOfSeq = lambda seq: GAME_MASTER,
    viewer: Viewer = GAME_MASTER,
    progress: Progress = lambda verdict: None,
    witness: Witness = NO_WITNESS,
    is_brief: bool = False,
    reader: By | None = None,
) -> Report:
    """Judge a stored log up to the head of `row`; only draws that `viewer` sees are counted.

    `row` and the secret beside the log are compared with it. Snapshots are compared with the states
    of the audit, never used. A brief report has neither single verdicts nor dice nor interventions,
    and making it takes no more memory for a long log than for a short one. `reader` is whose luck
    is told, if anybody's.
    """
    encounter = str(row.id)
    secret = await log.secret(row.id)
    charge = Charge(
        encounter=encounter,
        ruleset=row.ruleset,
        version=row.version,
        seed=None if secret is None else secret.seed,
        viewer_of_seq=viewer_of_seq,
        witnessed=witness.seqs,
        bases={base for _, base in await log.rewinds(row.id)},
        is_brief=is_brief,
        reader=reader,
    )
    auditor = Auditor(rulesets, charge, await blobs_of(log, row.id))
    kept = set(await snapshots.seqs(row.id, ENGINE_VERSION)) if snapshots is not None else set()
    problems: list[LogProblem] = []
    sides: tuple[str, ...] = ()
    work = LongWork()
    async with aclosing(stored_events(log, row)) as events:
        async for stored in events:
            sides = sides or sides_in(stored.body)
            progress(auditor.judge(evidence_of(stored, encounter, secret, sides)))
            if snapshots is not None and stored.seq in kept:
                snapshot = await snapshots.get(row.id, stored.seq, ENGINE_VERSION)
                problems += _snapshot_problems(auditor, snapshot)
            await work.pause()
    if secret is None:
        problems.append(LogProblem(code="secret_missing", where="secret"))
    problems += [
        *head_problems(auditor, row.head_seq, row.head_hash.hex()),
        *_tail_problems(await log.beyond_head(row.id)),
        *opening_problems(auditor, {"ruleset": row.ruleset, "version": row.version}),
        *_status_problems(auditor, row),
        *await _tenant_problems(log, auditor, row),
    ]
    return report_of(auditor, viewer, problems, witness=witness)


def _snapshot_problems(auditor: Auditor, snapshot: Snapshot | None) -> list[LogProblem]:
    """A snapshot must be the state that the log leads to; not judged where that is unknown."""
    state = auditor.state
    if snapshot is None or state is None:
        return []
    expected = snapshot_of(state, snapshot.seq)
    if (snapshot.state, snapshot.digest) == (expected.state, expected.digest):
        return []
    return [LogProblem(code="snapshot_differs", where=f"snapshot {snapshot.seq}")]


def without_reasons(report: Report) -> Report:
    """The report for a seat that may not see everything: each event holds, or it does not.

    Reasons and values could give away what is hidden, and so could `override`. Events that even
    the service finds sealed are `unavailable`.
    """
    simplified: dict[Ruling, Ruling] = {"match": "match", "override": "match", "erased": "match"}
    simplified |= {"unavailable": "unavailable", "sealed": "unavailable"}
    verdicts = tuple(
        EventVerdict(
            seq=verdict.seq,
            verdict=simplified.get(verdict.verdict, "sealed_mismatch"),
            undoing=verdict.undoing,
            undone_by=verdict.undone_by,
        )
        for verdict in report.verdicts
    )
    rulings = [verdict.verdict for verdict in verdicts]
    bad = [verdict for verdict in verdicts if verdict.verdict != "match"]
    return replace(
        report,
        counts={ruling: rulings.count(ruling) for ruling in dict.fromkeys(rulings)},
        first_failure=bad[0] if bad else UNSET,
        problems=tuple(
            LogProblem(code=verdict.code, where=verdict.where) for verdict in report.problems
        ),
        verdicts=verdicts,
    )


def _status_problems(auditor: Auditor, row: EncounterRow) -> list[LogProblem]:
    """The status of the row must be the one that the log leads to; not judged if unknown."""
    state = auditor.state
    if state is None or state.rule.status == row.status:
        return []
    return [header_problem("status", row.status, state.rule.status)]


async def _tenant_problems(log: Log, auditor: Auditor, row: EncounterRow) -> list[LogProblem]:
    """The encounter must belong to the tenant whose key created it, as event 1 says."""
    creator = auditor.header.creator
    if creator is None:
        return []
    try:
        tenant = await log.key_tenant(UUID(creator))
    except ValueError:
        tenant = None
    if tenant == row.tenant:
        return []
    return [header_problem("tenant", str(row.tenant), "unknown" if tenant is None else str(tenant))]


def _tail_problems(first: int | None) -> list[LogProblem]:
    """No row may stand behind the head of a log: `first` is the seq of the first one."""
    return [] if first is None else [LogProblem(code="rows_beyond_head", where=f"event {first}")]
