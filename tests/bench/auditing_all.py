"""`warlog audit --all` over 1,000 stored battles of all rulesets, by one process and by two.

Battles are played at random without the service and put into a private PostgreSQL; a few of them
are long. Each run is the command itself, from its start to its last line, with all that its workers
import. Memory is the most that each process ever had resident: rulebooks and what they keep at hand
take most of it, and it must grow neither with the number of battles nor with their length.
"""

import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from _measuring import Table, at_least, at_most, between, parser
from msgspec import Struct

from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from tests.kit.rigs import RIGS
from tests.replay.stored_tables import random_table, store_tables

PLAYED, LONG = 25, 1_500
LONG_EVERY = 250
BATCH = 20
MOST_MEMORY = 128
MEBIBYTE = 1 << 20
LOOK_SECONDS = 0.05


class Season(Struct, frozen=True):
    """How one run of the command went; memory in MiB, of the parent and of the largest worker."""

    encounters: int
    events: int
    seconds: float
    parent: float
    worker: float

    @property
    def encounters_per_second(self) -> float:
        """Battles judged each second."""
        return self.encounters / self.seconds

    @property
    def events_per_second(self) -> float:
        """Events judged each second."""
        return self.events / self.seconds


def play(admin: str, numbers: Sequence[int]) -> None:
    """Play battles of every ruleset and store them."""
    tables = [
        random_table(rig, number, LONG if number % LONG_EVERY == 1 else PLAYED)
        for rig in RIGS
        for number in numbers
    ]
    asyncio.run(store_tables(admin, tables))


def fill(dsns: Dsns, encounters: int) -> None:
    """So many battles in a fresh schema, played by all processors."""
    app, eraser = (urlsplit(address).username for address in (dsns.app, dsns.eraser))
    asyncio.run(upgrade(dsns.owner, app_role=app, eraser_role=eraser))
    each = -(-encounters // len(RIGS))
    batches = [range(first, min(first + BATCH, each)) for first in range(0, each, BATCH)]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(play, [dsns.admin] * len(batches), batches))


@contextmanager
def stored(encounters: int) -> Iterator[Dsns]:
    """A private server with so many battles."""
    with tempfile.TemporaryDirectory(prefix="warlog-bench-") as folder:
        Path(folder).chmod(0o755)
        with EmbeddedPostgres(Path(folder) / "postgres", durable=False) as dsns:
            fill(dsns, encounters)
            yield dsns


def audited(dsns: Dsns, processes: int) -> Season:
    """Run the command. SystemExit unless every battle is clean."""
    with tempfile.TemporaryDirectory(prefix="warlog-bench-") as folder:
        command = [sys.executable, "-m", "service", "audit", "--all", "--json"]
        command += ["--processes", str(processes), "--resume", f"{folder}/judged.ndjson"]
        output = Path(folder) / "lines"
        with output.open("wb") as lines:
            began = time.perf_counter()
            process = subprocess.Popen(
                command, stdout=lines, env=os.environ | {"WARLOG_DATABASE_URL": dsns.app}
            )
            peaks = watched(process)
            seconds = time.perf_counter() - began
        summary = json.loads(output.read_text().splitlines()[-1])
    if process.returncode or summary["results"] != {"clean": summary["encounters"]}:
        raise SystemExit(json.dumps(summary))
    parent = peaks.pop(process.pid, 0.0)
    return Season(
        encounters=summary["encounters"],
        events=summary["events"],
        seconds=seconds,
        parent=parent,
        worker=max(peaks.values(), default=0.0),
    )


def watched(process: "subprocess.Popen[bytes]") -> dict[int, float]:
    """The most MiB that a command and each of its children had resident, once it has ended."""
    peaks: dict[int, float] = {}
    while process.poll() is None:
        for pid in (process.pid, *children(process.pid)):
            peaks[pid] = max(peaks.get(pid, 0.0), peak(pid))
        time.sleep(LOOK_SECONDS)
    return peaks


def children(pid: int) -> list[int]:
    """The children of a process, those of its threads included."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    try:
        return [int(child) for file in found for child in file.read_text().split()]
    except OSError:
        return []


def peak(pid: int) -> float:
    """The most MiB that a process ever had resident; 0 if it is gone or nothing shows."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    [kibibytes] = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")] or [0]
    return kibibytes * 1024 / MEBIBYTE


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    options.add_argument(
        "--encounters", type=int, default=1_000, help="battles in all (default %(default)s)"
    )
    given = options.parse_args()
    with Table(given.rows) as table:
        with stored(given.encounters) as dsns:
            rounds = list(between(given.rounds, lambda: audited(dsns, 1), lambda: audited(dsns, 2)))
        add(table, rounds)


def add(table: Table, rounds: list[tuple[Season, Season, Season]]) -> None:
    """The figures of all rounds: two processes, and one before and after them."""
    both = [two for two, _, _ in rounds]
    alone = [one for _, one, _ in rounds]
    for name, seasons in (("one process", alone), ("two processes", both)):
        battles = f"audit --all, {seasons[0].encounters:,} battles, {name}"
        table.add(battles, [each.encounters_per_second for each in seasons], "encounters/s")
        table.add(battles, [each.events_per_second for each in seasons], "events/s")
        for whose, peaks in (
            ("the parent", [each.parent for each in seasons]),
            ("a worker", [each.worker for each in seasons]),
        ):
            target = at_most(MOST_MEMORY)
            if all(peaks):
                table.add(f"{name}: most memory of {whose}", peaks, "MiB", target)
            else:
                table.missing(f"{name}: most memory of {whose}", "needs /proc", target)
    ratios = [
        2 * two.events_per_second / (before.events_per_second + after.events_per_second)
        for two, before, after in rounds
    ]
    table.add("audit --all: two processes / one", ratios, target=at_least(1.7))


if __name__ == "__main__":
    main()
