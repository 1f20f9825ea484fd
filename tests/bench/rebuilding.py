"""Rebuilding a battle's state: its whole log next to a library, and with snapshots next to length.

Without a snapshot every event is read from the database and folded; the Python library
`eventsourcing` does the same with a separate aggregate on the same server, immediately before
and after. A battle in which each side knows no numbers but its own is rebuilt next to an open one.
With snapshots a log of 100,000 events is loaded next to one of 1,000; both end equally far behind
their last snapshot. The process looks for garbage as seldom as one that serves.
"""

import asyncio
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from _battles import measured
from _driving import played
from _measuring import Table, at_least, at_most, paired, parser, percentile
from _peers import NEEDED, peers
from _service import Service

from service.encounters.loader import Fold, Loader
from service.encounters.write_path import SNAPSHOT_EVERY
from service.engine.ruleset.definition import Ruleset
from service.eventstore.records import EncounterRow
from service.eventstore.store import EventStore
from service.rulesets import RULESETS
from service.server.garbage_collection import collect_seldom

T = TypeVar("T")

WHOLE_LOG = 2_000
SHORT = 1_000
LOADS = 60
REBUILDS = 3
REBUILD = f"rebuild of {WHOLE_LOG:,} events, no snapshot"


class Rebuilder:
    """Rebuilds on a loop and a separate store."""

    def __init__(self, service: Service) -> None:
        self._runner = asyncio.Runner()
        self._store = self.run(EventStore.open(service.dsns.app))
        self._loader = Loader(self._store)

    def close(self) -> None:
        """Close the store."""
        self.run(self._store.close())
        self._runner.close()

    def row(self, encounter: UUID) -> EncounterRow:
        """What the store keeps of an encounter."""
        found = self.run(self._store.log.head(encounter))
        if found is None:
            raise SystemExit(f"{encounter} is not there")
        return found

    def whole(self, row: EncounterRow, events: int) -> float:
        """Events a second without a snapshot, the median of some, as that of the library is."""
        taken = []
        for _ in range(REBUILDS):
            start = Fold(state=None, seq=0)
            work = self._loader.continued(row.id, ruleset_of(row), start, events)
            seconds, fold = self.run(timed(work))
            if fold.seq != events:
                raise SystemExit("the rebuild stopped early")
            taken.append(seconds)
        return events / percentile(taken, 0.5)

    def load_ms(self, row: EncounterRow, seq: int) -> float:
        """Milliseconds for the state after `seq`, the median of some."""
        taken = []
        for _ in range(LOADS):
            seconds, _ = self.run(timed(self._loader.state_at(row.id, ruleset_of(row), seq)))
            taken.append(1000 * seconds)
        return percentile(taken, 0.5)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Its result."""
        return self._runner.run(work)


async def timed(work: Coroutine[Any, Any, T]) -> tuple[float, T]:
    """The seconds that something takes, and its result.

    Measured within the loop: when a runner ends it prints the task with its result for a signal
    handler, and a state of many events is long.
    """
    began = time.perf_counter()
    result = await work
    return time.perf_counter() - began, result


def ruleset_of(row: EncounterRow) -> Ruleset[Any]:
    """The rules of an encounter."""
    return RULESETS[row.ruleset, row.version]


def add_whole(table: Table, service: Service, rebuilder: Rebuilder, rounds: int) -> None:
    """The fold of a whole log, for every ruleset."""
    rows = {
        slug: rebuilder.row(played(service.url, service.key, slug, WHOLE_LOG))
        for slug in measured()
    }

    def rebuilds() -> dict[str, float]:
        return {slug: rebuilder.whole(row, WHOLE_LOG) for slug, row in rows.items()}

    beside, target = peers(), at_least(3.5)
    if beside is None:
        alone = [rebuilds() for _ in range(rounds)]
        for slug in rows:
            table.add(f"{slug}: {REBUILD}", [rates[slug] for rates in alone], "events/s")
        table.missing("rebuild / eventsourcing", NEEDED, target)
        return
    pairs = list(paired(rounds, lambda: beside.rebuilt_per_second(service.admin), rebuilds))
    table.add("eventsourcing: rebuild", [limit for _, limit in pairs], "events/s")
    for slug in rows:
        table.add(f"{slug}: {REBUILD}", [rates[slug] for rates, _ in pairs], "events/s")
        ratios = [rates[slug] / limit for rates, limit in pairs]
        table.add(f"{slug}: rebuild / eventsourcing", ratios, target=target)


def add_secretive(table: Table, service: Service, rebuilder: Rebuilder, rounds: int) -> None:
    """The fold of a log of which each side knows no numbers but its own, next to an open one."""
    for slug in measured():
        open_row, secret_row = (
            rebuilder.row(played(service.url, service.key, slug, SHORT, is_secretive=is_secretive))
            for is_secretive in (False, True)
        )
        pairs = list(
            paired(
                rounds,
                partial(rebuilder.whole, open_row, SHORT),
                partial(rebuilder.whole, secret_row, SHORT),
            )
        )
        ratios = [secret / limit for secret, limit in pairs]
        table.add(f"{slug}: rebuild of hidden numbers / of shown ones", ratios)


def add_snapshots(
    table: Table, service: Service, rebuilder: Rebuilder, rounds: int, longest: int
) -> None:
    """Loading with snapshots, a long log next to a short one."""
    slug = measured()[0]
    behind = SHORT % SNAPSHOT_EVERY
    far = longest - longest % SNAPSHOT_EVERY + behind
    near_row = rebuilder.row(played(service.url, service.key, slug, SHORT))
    far_row = rebuilder.row(played(service.url, service.key, slug, far))
    pairs = list(
        paired(
            rounds,
            lambda: rebuilder.load_ms(near_row, SHORT),
            lambda: rebuilder.load_ms(far_row, far),
        )
    )
    table.add(f"load of {SHORT:,} events with snapshots", [near for _, near in pairs], "ms")
    table.add(f"load of {far:,} events with snapshots", [long for long, _ in pairs], "ms")
    ratios = [long / near for long, near in pairs]
    table.add("load of the long log / the short one", ratios, target=at_most(1.1))


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument(
        "--events", type=int, default=100_000, help="of the long log (default %(default)s)"
    )
    given = options.parse_args()
    with Table(given.rows) as table, Service() as service:
        rebuilder = Rebuilder(service)
        collect_seldom()
        add_whole(table, service, rebuilder, given.rounds)
        add_secretive(table, service, rebuilder, given.rounds)
        add_snapshots(table, service, rebuilder, given.rounds, given.events)
        rebuilder.close()


if __name__ == "__main__":
    main()
