"""The physical limit: pgbench's durable single-row INSERT of an event of about 600 bytes.

Prepared, on the same PostgreSQL server as the service and in the same run. P32 and P1 are its
rates with 32 clients and with one.
"""

import asyncio
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

import asyncpg
from _driving import Found, Load, drive
from _measuring import paired, percentile
from _service import Service

from service.eventstore.embedded.binaries import choose_installation

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

    def __init__(self, url: str, seconds: int) -> None:
        self._url = url
        self._seconds = seconds
        self._programs = choose_installation(Path(os.devnull))

    def inserts_per_second(self, clients: int) -> float:
        """Durable single-row INSERTs a second with so many clients."""
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", _TABLE, self._url)
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "insert.sql"
            script.write_text(_INSERT)
            printed = self._run(
                *("pgbench", "-n", "-M", "prepared", "-f", str(script)),
                *("-c", str(clients), "-j", str(min(2, clients)), "-T", str(self._seconds)),
                *("-D", "seq=0", "-D", "payload=\\x" + "ab" * 600),
                *("-D", "hash=\\x" + "cd" * 32, self._url),
            )
        found = re.search(r"tps = ([\d.]+) \(without", printed)
        if found is None:
            raise SystemExit(f"pgbench said nothing of its rate:\n{printed}")
        return float(found[1])

    def lone_insert_ms(self) -> tuple[float, float]:
        """What one durable INSERT takes that runs alone: p50 and p99."""
        return asyncio.run(self._lone_insert_ms())

    async def _lone_insert_ms(self) -> tuple[float, float]:
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", _TABLE, self._url)
        connection = await asyncpg.connect(self._url)
        insert = await connection.prepare(
            "INSERT INTO reference_event (encounter_id, seq, payload, occurred_at, hash)"
            " VALUES (0, $1, $2, now(), $3)"
        )
        payload, digest = bytes(600), bytes(32)
        took: list[float] = []
        until = time.perf_counter() + self._seconds
        while (began := time.perf_counter()) < until:
            await insert.fetch(len(took), payload, digest)
            took.append(1000 * (time.perf_counter() - began))
        await connection.close()
        return percentile(took, 0.5), percentile(took, 0.99)

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


def beside_inserts(
    service: Service, load: Load, clients: int, rounds: int
) -> list[tuple[Found, float]]:
    """What a load found in every round, with the rows a second that pgbench stored around it."""
    reference = Reference(service.admin, max(1, round(load.seconds)))
    drive(load)
    return list(paired(rounds, lambda: reference.inserts_per_second(clients), lambda: drive(load)))
