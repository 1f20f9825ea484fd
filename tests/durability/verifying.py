"""Everything that must hold once the dust has settled: the calls, the log, the rules, the state."""

import time
from collections.abc import Sequence
from uuid import UUID

import asyncpg
import msgspec
from msgspec import Struct

from service.app import compose, signer_of, system_sources
from service.encounters.loader import ENGINE_VERSION, Fold, Loader, restored, snapshot_of
from service.encounters.principal import SCOPES, Principal
from service.encounters.receipts import is_genuine
from service.eventstore.embedded import Dsns
from service.eventstore.records import EncounterRow
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_row
from service.rulesets import RULESETS
from tests.durability.checker import Finding, Restore, StoredCommand, StoredLog, judge
from tests.durability.driver import Key
from tests.durability.history import Call
from tests.durability.wire import Wire

PAGE = 1000
SNAPSHOTS = 2
GOOD = {"match", "erased"}

_COMMANDS = """
    SELECT c.principal, c.idempotency_key, c.first_seq, c.last_seq,
        (extract(epoch FROM e.recorded_at) * 1000000)::bigint
    FROM command c JOIN event e ON e.encounter_id = c.encounter_id AND e.seq = c.first_seq
    WHERE c.encounter_id = $1
"""


class _Body(Struct):
    prev: str


class Evidence(Struct, frozen=True, kw_only=True):
    """What was asked and shown, by keys of which tenant, and what a restored backup had."""

    calls: tuple[Call, ...]
    tenant: UUID
    key: Key
    restore: Restore | None = None


async def verify(dsns: Dsns, urls: Sequence[str], evidence: Evidence) -> tuple[Finding, ...]:
    """Judge the calls, then each log by itself and next to what the services at `urls` show."""
    store = await EventStore.open(dsns.app, eraser_url=dsns.eraser)
    rows = await store.log.encounters(evidence.tenant, after=None, limit=PAGE)
    logs = [await stored_log(store, dsns, row) for row in rows]
    found = list(judge(evidence.calls, logs, evidence.restore))
    found += await _receipts(store, evidence.calls)
    for row in rows:
        found += await _audited(store, row)
        found += await _folded(store, row)
        for url in urls:
            found += await _shown(store, row, evidence.key, url)
    await store.close()
    return tuple(found)


async def stored_log(store: EventStore, dsns: Dsns, row: EncounterRow) -> StoredLog:
    """An encounter's log as the database has it."""
    events = []
    seq = 0
    while page := await store.log.events(row.id, after=seq, limit=PAGE, audiences=()):
        events += [
            (each.seq, each.hash.hex(), msgspec.json.decode(each.body, type=_Body).prev)
            for each in page
        ]
        seq = page[-1].seq
    admin = await asyncpg.connect(dsns.admin)
    commands = await admin.fetch(_COMMANDS, row.id)
    await admin.close()
    clock = time.monotonic_ns() - time.time_ns()
    return StoredLog(
        encounter=str(row.id),
        head=(row.head_seq, row.head_hash.hex()),
        events=tuple(events),
        commands=tuple(
            StoredCommand(
                principal=who,
                key=key,
                first_seq=first,
                last_seq=last,
                recorded=microseconds * 1000 + clock,
            )
            for who, key, first, last, microseconds in commands
        ),
    )


async def _receipts(store: EventStore, calls: Sequence[Call]) -> list[Finding]:
    public = {key.kid: key.public for key in await store.service_keys.public_keys()}
    found = []
    for call in calls:
        receipt, encounter = call.told.receipt, call.asked.encounter
        if receipt is None:
            continue
        key = public.get(receipt.kid)
        if key is None or receipt.encounter != encounter or not is_genuine(receipt, key):
            detail = f"call {call.id}"
            found.append(Finding(code="receipt_forged", encounter=encounter, detail=detail))
    return found


async def _audited(store: EventStore, row: EncounterRow) -> list[Finding]:
    report = await audit_row(store, row, RULESETS)
    if report.clean and set(report.counts) <= GOOD and report.head == row.head_seq:
        return []
    detail = f"{report.counts} {report.first_failure} {report.problems}"
    return [Finding(code="audit", encounter=str(row.id), detail=detail)]


async def _folded(store: EventStore, row: EncounterRow) -> list[Finding]:
    """The fold from the first event is the fold from a snapshot, early, late or between.

    That every snapshot is the state at its seq is the audit's to say.
    """
    loader, ruleset = Loader(store), RULESETS[(row.ruleset, row.version)]
    whole = await loader.continued(row.id, ruleset, Fold(state=None, seq=0), row.head_seq)
    if whole.state is None:
        raise AssertionError("an encounter without events")
    expected = snapshot_of(whole.state, row.head_seq)
    found = []
    seqs = await store.snapshots.seqs(row.id, ENGINE_VERSION)
    for seq in {*seqs[:: max(1, len(seqs) // SNAPSHOTS)], *seqs[-1:]}:
        snapshot = await store.snapshots.get(row.id, seq, ENGINE_VERSION)
        state = restored(ruleset, snapshot) if snapshot is not None else None
        fold = Fold(state=state, seq=seq, rules={seq: state.rule} if state else {})
        if state is not None:
            await loader.continued(row.id, ruleset, fold, row.head_seq)
        if fold.state is None or snapshot_of(fold.state, row.head_seq) != expected:
            detail = f"snapshot {seq}"
            found.append(Finding(code="fold_differs", encounter=str(row.id), detail=detail))
    return found


async def _shown(store: EventStore, row: EncounterRow, key: Key, url: str) -> list[Finding]:
    """What a service shows is what one that has just been started would."""
    fresh = compose(store, RULESETS, await signer_of(store, None), system_sources())
    scopes = frozenset(SCOPES)
    who = Principal(key_id=UUID(key.principal), tenant=row.tenant, scopes=scopes)
    view = await fresh.reads.view(who, row.id, None)
    wire = Wire(url, key.token)
    reply = await wire.get(f"/v1/encounters/{row.id}")
    wire.close()
    if reply.status == 200 and msgspec.json.encode(view) == reply.body:
        return []
    detail = f"{url}: {reply.status} {reply.body[:200]!r}"
    return [Finding(code="state_differs", encounter=str(row.id), detail=detail)]
