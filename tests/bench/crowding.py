"""Four times the connections: the rate next to that of 64, and what the excess is shown.

A connection that is told 503 asks again when its Retry-After is over. 64 connections run
immediately before and after 256.
"""

from _driving import drive
from _measuring import Table, arguments, at_least, paired
from _service import Service
from msgspec.structs import replace

CROWD = 256


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        with Service() as service:
            load = replace(service.load(given.seconds), warm=1)
            crowd = replace(load, connections=CROWD)
            drive(load)
            pairs = list(paired(given.rounds, lambda: drive(load).rate, lambda: drive(crowd)))
        table.add("64 connections", [rate for _, rate in pairs], "actions/s")
        table.add("256 connections", [found.rate for found, _ in pairs], "actions/s")
        ratios = [found.rate / rate for found, rate in pairs]
        table.add("256 connections / 64", ratios, target=at_least(0.9))
        table.add("… latency p50", [found.p50_ms for found, _ in pairs], "ms")
        table.add("… latency p99", [found.p99_ms for found, _ in pairs], "ms")
        answers = [found.actions + found.refused for found, _ in pairs]
        shares = [
            100 * found.refused / answered
            for (found, _), answered in zip(pairs, answers, strict=True)
        ]
        table.add("… answered 503", shares, "%")
        if any(found.refused for found, _ in pairs):
            table.add("… a 503's p99", [found.refused_p99_ms for found, _ in pairs], "ms")


if __name__ == "__main__":
    main()
