"""Events a second: rebuilding a battle from its whole log, and auditing it, in one process.

Rebuild reads every event from the database and folds it, without snapshots. Audit decides every
event again from the sealed seed, encodes it and compares all bytes; all must match. The fold of
effects alone, already decoded, is measured beside them as the floor.
"""

import asyncio
import time
from typing import Any

import msgspec
from _measuring import ROUNDS, report
from _service import Service
from acting import load

from service.encounters.loading import Fold, Loader, open_event
from service.engine import folding
from service.engine.ruleset import Ruleset
from service.eventstore.records import EncounterRow
from service.eventstore.store import EventStore
from service.replay.auditing import audit_log
from service.rulesets import RULESETS


async def measure(store: EventStore, row: EncounterRow) -> tuple[float, float, float]:
    """Events a second of the floor, the rebuild and the audit of one log."""
    ruleset: Ruleset[Any] = RULESETS[(row.ruleset, row.version)]
    floor = await fold_alone(store, row, ruleset)
    began = time.perf_counter()
    fold = await Loader(store).continued(row.id, ruleset, Fold(state=None, seq=0), row.head_seq)
    rebuilt = row.head_seq / (time.perf_counter() - began)
    if fold.seq != row.head_seq:
        raise SystemExit("the rebuild stopped early")
    began = time.perf_counter()
    found = await audit_log(store.log, row, RULESETS)
    audited = row.head_seq / (time.perf_counter() - began)
    if not found.clean:
        raise SystemExit(msgspec.json.encode(found).decode())
    return floor, rebuilt, audited


async def fold_alone(store: EventStore, row: EncounterRow, ruleset: Ruleset[Any]) -> float:
    """Events a second of the reducer over decoded events."""
    stored = await store.log.events(row.id, after=0, limit=row.head_seq, audiences=None)
    state = None
    events = []
    for each in stored:
        event = open_event(ruleset, each, state)
        state = folding.apply(ruleset, state, event)
        events.append(event)
    state = None
    began = time.perf_counter()
    for event in events:
        state = folding.apply(ruleset, state, event)
    return len(events) / (time.perf_counter() - began)


async def rounds(service: Service) -> None:
    """Measure the longest log of the load, some rounds over."""
    store = await EventStore.open(service.dsns.app)
    rows = await store.log.encounters(service.tenant, after=None, limit=10)
    row = max(rows, key=lambda each: each.head_seq)
    figures = [await measure(store, row) for _ in range(ROUNDS)]
    await store.close()
    print(f"one battle of {row.head_seq} events, 8 combatants")
    floors, rebuilds, audits = (list(column) for column in zip(*figures, strict=True))
    report("fold of decoded events", floors, "events/s")
    report("rebuild from the database, no snapshot", rebuilds, "events/s")
    report("audit: decide again, encode, compare", audits, "events/s")


def main() -> None:
    """Play one battle and replay it."""
    with Service() as service:
        load(service, 1)
        asyncio.run(rounds(service))


if __name__ == "__main__":
    main()
