"""Auditing a stored battle next to what other engines replay; every byte must be the same.

The audit decides every event again from the sealed seed, encodes it, compares all bytes and
follows the chain, in one process. Pokémon Showdown replays choices from seed and input log,
boardgame.io's reducer takes moves; both run immediately before and after. Two processes that audit
logs of their own are held against one. Processes look for garbage as seldom as `warlog audit` does.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
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
from service.server.garbage_collection import collect_seldom

EVENTS = 1_500
AUDITS = 4
LIMITS: tuple[tuple[str, str, Callable[[Peers], float], Target], ...] = (
    ("Pokémon Showdown", "choices/s", Peers.choices_per_second, at_least(3.5)),
    ("boardgame.io's reducer", "moves/s", Peers.moves_per_second, at_least(0.4)),
)


async def audited(url: str, encounter: UUID) -> float:
    """Events a second of the audit. SystemExit unless every event matches."""
    store = await EventStore.open(url)
    row = await store.log.head(encounter)
    if row is None:
        raise SystemExit(f"{encounter} is not there")
    # Imports the rulebook, if this is its first battle.
    _ = RULESETS[row.ruleset, row.version]
    began = time.perf_counter()
    report = await audit_log(store.log, row, RULESETS)
    taken = time.perf_counter() - began
    await store.close()
    if not report.clean or report.counts != {"match": row.head_seq}:
        raise SystemExit(encoded(report))
    return row.head_seq / taken


def audited_alone(url: str, encounter: UUID) -> float:
    """As `audited`, on a separate loop."""
    return asyncio.run(audited(url, encounter))


class Auditors:
    """Processes that audit side by side."""

    def __init__(self, count: int, url: str) -> None:
        self._count, self._url = count, url
        self._pool = ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), collect_seldom
        )

    def close(self) -> None:
        """End them."""
        self._pool.shutdown()

    def rate(self, encounter: UUID) -> float:
        """Events a second of them all, each with several audits to do."""
        audits = AUDITS * self._count
        began = time.perf_counter()
        list(self._pool.map(audited_alone, [self._url] * audits, [encounter] * audits))
        return audits * EVENTS / (time.perf_counter() - began)


def add_processes(table: Table, url: str, logs: dict[str, UUID], rounds: int) -> None:
    """Two processes next to one, for every ruleset."""
    one, two = Auditors(1, url), Auditors(2, url)
    try:
        for slug, encounter in logs.items():
            one.rate(encounter), two.rate(encounter)
            pairs = list(paired(rounds, partial(one.rate, encounter), partial(two.rate, encounter)))
            ratios = [both / alone for both, alone in pairs]
            table.add(f"{slug}: audits by two processes / by one", ratios, target=at_least(1.7))
    finally:
        one.close()
        two.close()


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table, Service() as service:
        logs = {slug: played(service.url, service.key, slug, EVENTS) for slug in measured()}
        collect_seldom()

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
        add_processes(table, service.dsns.app, logs, given.rounds)


if __name__ == "__main__":
    main()
