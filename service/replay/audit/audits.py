"""Audits of what is stored."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.encounters.loader import ENGINE_VERSION
from service.encounters.long_work import LongWork
from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.receipts import Signer
from service.encounters.responses import Receipt
from service.encounters.views import viewer_then
from service.engine.battle.linear import Linear
from service.engine.ruleset.definition import Rulesets
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import By
from service.eventstore.log_reads import Log
from service.eventstore.records import EncounterRow, Snapshot, StoredEvent
from service.eventstore.snapshots import SnapshotReads
from service.eventstore.store import EventStore
from service.replay.audit.receipt_check import NO_WITNESS, Witness
from service.replay.audit.stored_audit import LogEnding, StoredAudit, StoredAuditOrder
from service.replay.audit.trust import Kept
from service.replay.log.log_header import header_in
from service.replay.log.stored_log import ViewerOfSeq, blobs_of, row_of, stored_events
from service.replay.report.verdicts import EventVerdict, LogProblem, Progress, Report, Ruling


class AuditReader(Struct, frozen=True, kw_only=True):
    """The caller of an audit, and what decides which parts of which event the caller may see."""

    by: By
    linear: Linear
    sides: tuple[str, ...]

    def viewer_of(self, seq: int) -> Viewer:
        """Whose parts of an event the caller may see."""
        return viewer_then(self.by, self.linear, self.sides, seq)


@dataclass(frozen=True, slots=True)
class StoredAuditPlan:
    """The audit that a caller may have of an encounter, ready to be carried out."""

    order: StoredAuditOrder
    reader: AuditReader
    can_be_rewritten: bool


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
    plan = await planned(reads, who, encounter, receipts, with_luck=with_luck)
    return await carried_out(reads.store, reads.rulesets, plan)


async def planned(
    reads: Reads,
    who: Principal,
    encounter: UUID,
    receipts: Sequence[Receipt] = (),
    *,
    with_luck: bool = False,
) -> StoredAuditPlan:
    """What `audit_stored` carries out. Raises what `Reads.stored` raises."""
    # Read before the log: the row describes one head, and the audit ends there.
    row = await reads.store.log.head(encounter)
    stored = await reads.stored(who, encounter)
    order = await order_of(reads.store.log, row or row_of(stored))
    witness = await witness_of(reads.store, Kept(receipts=receipts), reads.signer)
    reader = stored.by if with_luck else None
    readiness = await reads.store.ready()
    return StoredAuditPlan(
        order=replace(order, viewer=stored.viewer, witness=witness, reader=reader),
        reader=AuditReader(
            by=stored.by, linear=stored.battle.state.linear, sides=stored.battle.sides
        ),
        can_be_rewritten=readiness.can_mutate_log,
    )


async def carried_out(store: EventStore, rulesets: Rulesets, plan: StoredAuditPlan) -> Report:
    """Carry out a plan in this process."""
    report = await judge_log(
        store.log,
        plan.order,
        rulesets,
        store.snapshots,
        viewer_of_seq=plan.reader.viewer_of,
        can_be_rewritten=plan.can_be_rewritten,
    )
    return report if plan.order.viewer.is_gm else without_reasons(report)


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
    readiness = await store.ready()
    return await audit_log(
        store.log,
        row,
        rulesets,
        snapshots=store.snapshots,
        viewer_of_seq=viewer_of_seq,
        viewer=viewer,
        progress=progress,
        witness=witness,
        reader=reader,
        can_be_rewritten=readiness.can_mutate_log,
    )


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
    can_be_rewritten: bool = False,
) -> Report:
    """Judge a stored log up to the head of `row`; only draws that `viewer` sees are counted.

    `row` and the secret beside the log are compared with it. Snapshots are compared with the states
    of the audit, never used. A brief report has neither single verdicts nor dice nor interventions,
    and making it takes no more memory for a long log than for a short one. `reader` is whose luck
    is told, if anybody's. `can_be_rewritten`: the service's role could change the log.
    """
    order = await order_of(log, row)
    order = replace(order, viewer=viewer, witness=witness, is_brief=is_brief, reader=reader)
    return await judge_log(
        log,
        order,
        rulesets,
        snapshots,
        viewer_of_seq=viewer_of_seq,
        progress=progress,
        can_be_rewritten=can_be_rewritten,
    )


async def judge_log(
    log: Log,
    order: StoredAuditOrder,
    rulesets: Rulesets,
    snapshots: SnapshotReads | None = None,
    *,
    viewer_of_seq: ViewerOfSeq = lambda seq: GAME_MASTER,
    progress: Progress = lambda verdict: None,
    can_be_rewritten: bool = False,
) -> Report:
    """Carry out an order in this process, in pieces between which others have their turn."""
    audit = StoredAudit(rulesets, order, viewer_of_seq, progress)
    work, first = LongWork(), None
    async with aclosing(evidence_in(log, order.row, snapshots)) as evidence:
        async for each in evidence:
            first = each if first is None else first
            audit.feed(each)
            await work.pause()
    ending = await ending_of(log, order.row, first)
    return audit.report(replace(ending, can_be_rewritten=can_be_rewritten))


async def order_of(log: Log, row: EncounterRow) -> StoredAuditOrder:
    """The order for the game master's audit of a log, with what is stored beside it."""
    return StoredAuditOrder(
        row=row,
        secret=await log.secret(row.id),
        bases=frozenset(base for _, base in await log.rewinds(row.id)),
        blobs=await blobs_of(log, row.id),
    )


async def evidence_in(
    log: Log, row: EncounterRow, snapshots: SnapshotReads | None
) -> AsyncGenerator[StoredEvent | Snapshot, None]:
    """The events of a log up to the head of `row`, and behind each the snapshot of its state."""
    kept = set(await snapshots.seqs(row.id, ENGINE_VERSION)) if snapshots is not None else set()
    async with aclosing(stored_events(log, row)) as events:
        async for stored in events:
            yield stored
            if snapshots is None or stored.seq not in kept:
                continue
            snapshot = await snapshots.get(row.id, stored.seq, ENGINE_VERSION)
            if snapshot is not None:
                yield snapshot


async def ending_of(log: Log, row: EncounterRow, first: StoredEvent | Snapshot | None) -> LogEnding:
    """What is stored behind and beside a log that begins with `first`."""
    creator = header_in(first.body).creator if isinstance(first, StoredEvent) else None
    beyond_head = await log.beyond_head(row.id)
    try:
        tenant = None if creator is None else await log.key_tenant(UUID(creator))
    except ValueError:
        tenant = None
    return LogEnding(
        beyond_head=beyond_head, creators_tenant=None if tenant is None else str(tenant)
    )


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
