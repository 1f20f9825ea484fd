"""CPU of commands until they do their work: the help, and the first event of an audit.

A bundle that breaks off behind its first event ends an audit there. Modules are compiled before the
first round, as they are wherever the service is installed.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from _measuring import Table, arguments, at_most

from service.rulesets import RULESETS

BUNDLES = Path(__file__).parents[1] / "replay" / "bundles"


def cpu_of(compiled: Path, *command: str) -> float:
    """CPU seconds of `warlog` with these arguments, its whole process."""
    environment = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(compiled),
    }
    run = [sys.executable, "-m", "service", *command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(run, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_event(slug: str, folder: Path) -> str:
    """A file with what a bundle of this ruleset holds up to its first event."""
    lines = (BUNDLES / f"{slug}-sealed.ndjson").read_bytes().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if b'"type":"event"' in line)
    path = folder / f"{slug}.ndjson"
    path.write_bytes(b"".join(lines[: first + 1]))
    return str(path)


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table, tempfile.TemporaryDirectory() as made:
        folder = Path(made)

        def add(name: str, target: float, *command: str) -> None:
            cpu_of(folder / "compiled", *command)
            taken = [cpu_of(folder / "compiled", *command) for _ in range(given.rounds)]
            table.add(f"{name}, CPU", taken, "s", at_most(target))

        add("--help", 0.15, "--help")
        for slug in dict.fromkeys(slug for slug, _ in RULESETS):
            bundle = first_event(slug, folder)
            add(f"{slug}: audit of a file, until the first event", 0.5, "audit", bundle)


if __name__ == "__main__":
    main()
