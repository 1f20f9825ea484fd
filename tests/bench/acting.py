"""Acknowledged actions a second over HTTP, as a ratio to pgbench's durable single-row INSERT.

The full path: POST, authentication, rules with draws, hash chain, one durable commit, answer; one
service process, 64 connections, each in a separate encounter. pgbench with 32 clients runs
immediately before and after on the same server. What the load itself can do is measured against
bare sockets that answer anything, what one process can do without rules and database against a
Litestar handler that sends back what it got.
"""

from _driving import Load, drive
from _measuring import Table, arguments, at_least, at_most
from _reference import beside_inserts
from _service import Service, echo

CLIENTS = 32


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        for kind, name in (("bare", "bare sockets"), ("litestar", "a Litestar echo")):
            with echo(kind) as url:
                to_echo = Load(url=url, path="/echo", seconds=1)
                ceilings = [drive(to_echo) for _ in range(given.rounds)]
            table.add(f"the load against {name}", [each.rate for each in ceilings], "requests/s")
        with Service() as service:
            pairs = beside_inserts(service, service.load(given.seconds), CLIENTS, given.rounds)
        table.add("P32: pgbench, 32 clients", [limit for _, limit in pairs], "rows/s")
        table.add("actions in 64 encounters", [found.rate for found, _ in pairs], "actions/s")
        ratios = [found.rate / limit for found, limit in pairs]
        table.add("actions in 64 encounters / P32", ratios, target=at_least(0.2))
        table.add("… latency p50", [found.p50_ms for found, _ in pairs], "ms")
        table.add("… latency p99", [found.p99_ms for found, _ in pairs], "ms")
        costs = [found.per_action_ms(found.cpu) for found, _ in pairs]
        table.add("… CPU of the service per action", costs, "ms", at_most(0.22))
        for name, others in (
            ("PostgreSQL", [found.per_action_ms(found.database_cpu) for found, _ in pairs]),
            ("the load", [found.per_action_ms(found.own_cpu) for found, _ in pairs]),
        ):
            table.add(f"… CPU of {name} per action", others, "ms")
        with Service({"WARLOG_LOG_LEVEL": "info"}) as service:
            load = service.load(given.seconds)
            drive(load)
            logged = [drive(load) for _ in range(given.rounds)]
        costs = [found.per_action_ms(found.cpu) for found in logged]
        table.add("… CPU of the service per action, each logged", costs, "ms")


if __name__ == "__main__":
    main()
