"""One hot encounter: 16 clients act in it at the same time, next to pgbench with one client.

What they send is free in the shooter's turn, in any order, so that nobody waits for anybody. No
acknowledged version may occur twice and none may be missing, neither in the answers nor in the
log as it is read afterwards.
"""

import asyncio

from _driving import Found
from _measuring import Table, arguments, at_least
from _reference import beside_inserts
from _service import Service
from msgspec.structs import replace

from service.eventstore.store import EventStore

CLIENTS = 16
FIRST_VERSION = 3
"""After the creation and the start."""


async def seqs_stored(service: Service) -> dict[str, list[int]]:
    """The seqs of every encounter's log, by its id."""
    store = await EventStore.open(service.dsns.app)
    rows = await store.log.encounters(service.tenant, after=None, limit=1000)
    seqs = {}
    for row in rows:
        events = await store.log.events(row.id, after=0, limit=row.head_seq, audiences=None)
        seqs[str(row.id)] = [event.seq for event in events]
    await store.close()
    return seqs


def require_dense(runs: list[Found], stored: dict[str, list[int]]) -> None:
    """Every version acknowledged once, every seq stored once, without a gap."""
    for found in runs:
        [encounter] = found.encounters
        last = FIRST_VERSION + len(found.versions)
        if sorted(found.versions) != list(range(FIRST_VERSION, last)):
            raise SystemExit(f"{encounter}: the acknowledged versions are not dense")
        if stored[encounter] != list(range(1, last)):
            raise SystemExit(f"{encounter}: the stored seqs are not dense")


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table, Service() as service:
        load = replace(service.load(given.seconds), connections=CLIENTS, is_shared=True)
        pairs = beside_inserts(service, load, 1, given.rounds)
        require_dense([found for found, _ in pairs], asyncio.run(seqs_stored(service)))
        table.add("P1: pgbench, 1 client", [limit for _, limit in pairs], "rows/s")
        table.add("one hot encounter, 16 clients", [found.rate for found, _ in pairs], "actions/s")
        ratios = [found.rate / limit for found, limit in pairs]
        table.add("one hot encounter / P1 (seqs dense)", ratios, target=at_least(1.1))
        table.add("… latency p99", [found.p99_ms for found, _ in pairs], "ms")
        costs = [found.per_action_ms(found.cpu) for found, _ in pairs]
        table.add("… CPU of the service per action", costs, "ms")


if __name__ == "__main__":
    main()
