"""Auditing a stored battle beside what other engines replay; every byte must be the same.

The audit decides every event again from the sealed seed, encodes it, compares all bytes and
follows the chain, in one process. Pokémon Showdown replays choices from seed and input log,
boardgame.io's reducer takes moves; both run immediately before and after.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

from _battles import measured
from _driving import played
from _measuring import Table, Target, arguments, at_least, encoded, paired
from _peers import NEEDED, Peers, peers
from _service import Service

from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_log
from service.rulesets import RULESETS

EVENTS = 1_500
LIMITS: tuple[tuple[str, str, Callable[[Peers], float], Target], ...] = (
    ("Pokémon Showdown", "choices/s", Peers.choices_per_second, at_least(5)),
    ("boardgame.io's reducer", "moves/s", Peers.moves_per_second, at_least(0.6)),
)


async def audited(url: str, encounter: UUID) -> float:
    """Events a second of the audit. SystemExit unless every event matches."""
    store = await EventStore.open(url)
    row = await store.log.head(encounter)
    if row is None:
        raise SystemExit(f"{encounter} is not there")
    began = time.perf_counter()
    report = await audit_log(store.log, row, RULESETS)
    taken = time.perf_counter() - began
    await store.close()
    if not report.clean or report.counts != {"match": row.head_seq}:
        raise SystemExit(encoded(report))
    return row.head_seq / taken


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table, Service() as service:
        logs = {slug: played(service.url, service.key, slug, EVENTS) for slug in measured()}

        def audits() -> dict[str, float]:
            return {slug: asyncio.run(audited(service.dsns.app, logs[slug])) for slug in logs}

        beside = peers()
        if beside is None:
            rounds = [audits() for _ in range(given.rounds)]
            for slug in logs:
                table.add(f"{slug}: audit", [rates[slug] for rates in rounds], "events/s")
        for name, unit, limit, target in LIMITS:
            if beside is None:
                table.missing(f"audit / {name}", NEEDED, target)
                continue
            pairs = list(paired(given.rounds, partial(limit, beside), audits))
            table.add(name, [theirs for _, theirs in pairs], unit)
            for slug in logs:
                rates = [ours[slug] for ours, _ in pairs]
                table.add(f"{slug}: audit, beside it", rates, "events/s")
                ratios = [ours[slug] / theirs for ours, theirs in pairs]
                table.add(f"{slug}: audit / {name}, all match", ratios, target=target)


if __name__ == "__main__":
    main()
