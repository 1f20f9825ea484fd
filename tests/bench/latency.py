"""Latency at half of the highest rate, beside a Litestar echo without a database at the same rate.

Requests fall due at fixed times and a latency counts from then, so that a stall is paid for by
everything that fell due while it lasted. The echo runs immediately before and after.
"""

from _driving import Found, drive
from _measuring import Table, arguments, at_most, percentile
from _service import Service, echo
from msgspec.structs import replace


def measured(service: Service, url: str, rounds: int, seconds: int) -> list[tuple[Found, Found]]:
    """Ours and the echo of the same round: a mean of the two beside ours."""
    load = service.load(seconds)
    drive(load)
    rate = percentile([drive(load).rate for _ in range(3)], 0.5) / 2
    ours = replace(load, rate=rate)
    theirs = replace(ours, url=url, path="/echo", pid=None, database_pid=None)
    drive(theirs)
    pairs = []
    before = drive(theirs)
    for _ in range(rounds):
        found = drive(ours)
        after = drive(theirs)
        mean = replace(
            after,
            p50_ms=(before.p50_ms + after.p50_ms) / 2,
            p99_ms=(before.p99_ms + after.p99_ms) / 2,
        )
        pairs.append((found, mean))
        before = after
    return pairs


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        with Service() as service, echo("litestar") as url:
            pairs = measured(service, url, given.rounds, given.seconds)
        table.add("rate: half of the highest", [found.rate for found, _ in pairs], "actions/s")
        table.add("… sent late by the load, p99", [found.late_ms for found, _ in pairs], "ms")
        table.add("Litestar echo at that rate: p50", [mean.p50_ms for _, mean in pairs], "ms")
        table.add("Litestar echo at that rate: p99", [mean.p99_ms for _, mean in pairs], "ms")
        table.add("actions at that rate: p50", [found.p50_ms for found, _ in pairs], "ms")
        table.add("actions at that rate: p99", [found.p99_ms for found, _ in pairs], "ms")
        middles = [found.p50_ms / mean.p50_ms for found, mean in pairs]
        table.add("p50 at half load / echo", middles, target=at_most(1.3))
        tails = [found.p99_ms / mean.p99_ms for found, mean in pairs]
        table.add("p99 at half load / echo", tails, target=at_most(1.5))


if __name__ == "__main__":
    main()
