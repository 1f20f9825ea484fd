"""What the benchmarks share: rounds, medians, and the physical limit measured beside ours.

The limit is pgbench's durable single-row INSERT of an event of about 600 bytes, prepared, on the
same PostgreSQL server and in the same run: disks of shared machines change their speed within
minutes, so only ratios of neighbouring measurements mean something.
"""

import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from service.eventstore.embedded.binaries import choose_installation

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))

_TABLE = """
create table if not exists reference_event (
    encounter_id bigint not null, seq int not null, payload bytea not null,
    occurred_at timestamptz not null, recorded_at timestamptz not null default now(),
    hash bytea not null, primary key (encounter_id, seq));
truncate reference_event;
"""
_INSERT = """\\set encounter :client_id
\\set seq :seq + 1
insert into reference_event (encounter_id, seq, payload, occurred_at, hash)
values (:encounter, :seq, :payload::bytea, now(), :hash::bytea);
"""


class Reference:
    """pgbench on one server; `url` is a superuser's or an owner's address."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._programs = choose_installation(Path(os.devnull))

    def inserts_per_second(self, clients: int) -> float:
        """Durable single-row INSERTs a second with so many clients."""
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", _TABLE, self._url)
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "insert.sql"
            script.write_text(_INSERT)
            printed = self._run(
                *("pgbench", "-n", "-M", "prepared", "-f", str(script)),
                *("-c", str(clients), "-j", str(min(2, clients)), "-T", str(SECONDS)),
                *("-D", "seq=0", "-D", "payload=\\x" + "ab" * 600),
                *("-D", "hash=\\x" + "cd" * 32, self._url),
            )
        found = re.search(r"tps = ([\d.]+) \(without", printed)
        if found is None:
            raise SystemExit(f"pgbench said nothing of its rate:\n{printed}")
        return float(found[1])

    def _run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [self._programs.program(program), *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout


def report(name: str, values: list[float], unit: str) -> None:
    """One line: median and range of a figure over the rounds."""
    middle = statistics.median(values)
    print(
        f"{name:<58} {_short(middle):>10} [{_short(min(values))} .. {_short(max(values))}] {unit}"
        f"  n={len(values)}",
        flush=True,
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
