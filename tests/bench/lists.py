"""Lists of 16 actions: events a second next to pgbench's durable single-row INSERT, 32 clients.

64 connections, each in a separate encounter. pgbench runs immediately before and after.
"""

from _measuring import Table, arguments, at_least
from _reference import beside_inserts
from _service import Service
from msgspec.structs import replace

CLIENTS = 32
LENGTH = 16


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        with Service() as service:
            load = replace(service.load(given.seconds), warm=1, per_request=LENGTH)
            pairs = beside_inserts(service, load, CLIENTS, given.rounds)
        table.add("P32: pgbench, 32 clients", [limit for _, limit in pairs], "rows/s")
        table.add("lists of 16 actions", [found.rate for found, _ in pairs], "events/s")
        ratios = [found.rate / limit for found, limit in pairs]
        table.add("lists of 16 actions / P32", ratios, target=at_least(0.4))
        costs = [found.per_action_ms(found.cpu) for found, _ in pairs]
        table.add("… CPU of the service per event", costs, "ms")


if __name__ == "__main__":
    main()
