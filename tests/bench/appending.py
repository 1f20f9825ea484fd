"""Acknowledged actions a second over HTTP next to the appends of other event stores.

Each at the concurrency that suits it best: the library `eventsourcing` and Emmett append to the
same PostgreSQL without rules or HTTP, boardgame.io's server plays moves from memory without a disk;
ours is the full path, in 64 encounters, just before and just after them.
"""

from collections.abc import Callable

from _driving import drive
from _measuring import Table, arguments, at_least, paired
from _peers import NEEDED, peers
from _service import Service

TARGETS = {
    "eventsourcing": at_least(4),
    "Emmett": at_least(2),
    "boardgame.io's server": at_least(1.5),
}


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    beside = peers()
    with Table(given.rows) as table:
        if beside is None:
            for name, target in TARGETS.items():
                table.missing(f"actions / {name}", NEEDED, target)
            return
        with Service() as service:
            others: dict[str, Callable[[], float]] = {
                "eventsourcing": lambda: beside.eventsourcing_appends(service.admin, given.seconds),
                "Emmett": lambda: beside.emmett_appends(service.admin, given.seconds),
                "boardgame.io's server": lambda: beside.served_moves(given.seconds),
            }
            load = service.load(given.seconds)
            drive(load)
            for name, theirs in others.items():
                pairs = list(paired(given.rounds, lambda: drive(load).rate, theirs))
                table.add(f"{name} at its best", [rate for rate, _ in pairs], "events/s")
                table.add(f"… actions beside {name}", [ours for _, ours in pairs], "actions/s")
                ratios = [ours / rate for rate, ours in pairs]
                table.add(f"actions / {name}", ratios, target=TARGETS[name])


if __name__ == "__main__":
    main()
