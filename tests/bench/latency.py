"""Latency at half of the highest rate, next to a Litestar echo at that rate and one lone INSERT.

Requests fall due at fixed times and a latency counts from then, so that a stall is paid for by
everything that fell due while it lasted. The limit is an echo without a database at the same rate
and a durable INSERT that runs alone, one after the other, measured immediately before
and after.
"""

from statistics import mean

from _driving import Found, drive
from _measuring import Table, arguments, at_most, between, percentile
from _reference import Reference
from _service import Service, echo
from msgspec import Struct
from msgspec.structs import replace


class _Middle(Struct):
    """Milliseconds, p50 and p99, of both parts of the limit."""

    echo: tuple[float, float]
    insert: tuple[float, float]


def measured(
    service: Service, url: str, rounds: int, seconds: int
) -> list[tuple[Found, list[_Middle]]]:
    """Ours of every round, and the limit before and after it."""
    load = service.load(seconds)
    drive(load)
    rate = percentile([drive(load).rate for _ in range(3)], 0.5) / 2
    ours = replace(load, rate=rate)
    theirs = replace(ours, url=url, path="/echo", pid=None, database_pid=None)
    drive(theirs)
    reference = Reference(service.admin, seconds)

    def limit() -> _Middle:
        found = drive(theirs)
        return _Middle((found.p50_ms, found.p99_ms), reference.lone_insert_ms())

    return [
        (found, [before, after])
        for found, before, after in between(rounds, limit, lambda: drive(ours))
    ]


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        with Service() as service, echo("litestar") as url:
            rounds = measured(service, url, given.rounds, given.seconds)
        table.add("rate: half of the highest", [found.rate for found, _ in rounds], "actions/s")
        table.add("… sent late by the load, p99", [found.late_ms for found, _ in rounds], "ms")
        for place, name, bound in ((0, "p50", 2), (1, "p99", 3)):
            echoes = [mean([each.echo[place] for each in limits]) for _, limits in rounds]
            inserts = [mean([each.insert[place] for each in limits]) for _, limits in rounds]
            ours = [(found.p50_ms, found.p99_ms)[place] for found, _ in rounds]
            table.add(f"Litestar echo at that rate: {name}", echoes, "ms")
            table.add(f"one lone durable INSERT: {name}", inserts, "ms")
            table.add(f"actions at that rate: {name}", ours, "ms")
            ratios = [
                one / (echoed + inserted)
                for one, echoed, inserted in zip(ours, echoes, inserts, strict=True)
            ]
            table.add(f"{name} at half load / (echo + INSERT)", ratios, target=at_most(bound))


if __name__ == "__main__":
    main()
