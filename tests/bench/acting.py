"""Acknowledged actions a second over HTTP, as a ratio to pgbench's durable single-row INSERT.

The full path: POST, authentication, rules with draws, hash chain, one durable commit, answer; one
service process, 64 connections, each in an encounter of its own. pgbench with 32 clients runs
immediately before and after on the same server.
"""

import json
import subprocess
import sys
from pathlib import Path

from _measuring import ROUNDS, SECONDS, Reference, report
from _service import Service

CONNECTIONS = 64
LOAD = Path(__file__).with_name("_load.py")


def load(service: Service, connections: int) -> dict[str, float]:
    """What the load driver measured."""
    done = subprocess.run(
        [sys.executable, LOAD, service.url, service.key, str(connections), str(SECONDS)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure and print."""
    rates, ratios, limits, middles, tails = [], [], [], [], []
    with Service() as service:
        reference = Reference(service.admin)
        load(service, CONNECTIONS)
        before = reference.inserts_per_second(32)
        for _ in range(ROUNDS):
            found = load(service, CONNECTIONS)
            after = reference.inserts_per_second(32)
            limit = (before + after) / 2
            before = after
            rate = found["actions"] / found["seconds"]
            rates.append(rate)
            limits.append(limit)
            ratios.append(rate / limit)
            middles.append(found["p50_ms"])
            tails.append(found["p99_ms"])
    report("pgbench durable single-row INSERT, 32 clients (P32)", limits, "rows/s")
    report("acknowledged actions over HTTP, 64 encounters", rates, "actions/s")
    report("  divided by P32", ratios, "")
    report("  latency p50", middles, "ms")
    report("  latency p99", tails, "ms")


if __name__ == "__main__":
    main()
