"""Audits of one long bundle: offline, and by upload next to it.

The same bundle of 20,000 events goes through `warlog audit FILE` and through `POST /v1/audits` in
turn. Both report clean. What an upload costs the process that serves is what it holds of a bundle:
its memory before and at its peak during uploads, and that of the job.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx
import msgspec
from _driving import LONG_SECONDS, played
from _measuring import Table, at_least, at_most, between, parser
from _service import Service

EVENTS: Final = 20_000
BATTLE: Final = "crossfire-d6"
MEBIBYTE: Final = 1 << 20
LOOK_SECONDS: Final = 0.02
SETTINGS: Final = {"WARLOG_AUDIT_SECONDS": "3600"}


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    options.add_argument("--events", type=int, default=EVENTS)
    given = options.parse_args()
    with Table(given.rows) as table, Service(SETTINGS) as service, TemporaryDirectory() as folder:
        bundle = Path(folder) / "bundle.ndjson"
        fetch(service, given.events, bundle)
        measure(table, service, bundle, given.events, given.rounds)


def fetch(service: Service, events: int, bundle: Path) -> None:
    """Play a battle and write its bundle."""
    encounter = played(service.url, service.key, BATTLE, events)
    headers = {"Authorization": f"Bearer {service.key}"}
    url = f"{service.url}/v1/encounters/{encounter}/bundle"
    with (
        bundle.open("wb") as file,
        httpx.stream("GET", url, headers=headers, timeout=LONG_SECONDS) as answer,
    ):
        answer.raise_for_status()
        for piece in answer.iter_bytes():
            file.write(piece)


def measure(table: Table, service: Service, bundle: Path, events: int, rounds: int) -> None:
    """Both ways next to each other, then memory."""
    size = bundle.stat().st_size
    before = resident(service.pid)
    with watched(service.pid) as peaks:
        rows = list(between(rounds, partial(offline, bundle), partial(uploaded, service, bundle)))
    alone = [each.seconds for _, first, last in rows for each in (first, last)]
    ours = [seconds for seconds, _, _ in rows]
    for name, taken in (("offline", alone), ("by upload", ours)):
        table.add(f"audit {name}", [events / seconds for seconds in taken], "events/s")
        table.add(f"audit {name}", [size / MEBIBYTE / seconds for seconds in taken], "MiB/s")
    ratios = [(first.seconds + last.seconds) / 2 / seconds for seconds, first, last in rows]
    table.add("audit by upload / offline", ratios, target=at_least(0.8))
    peak = [each.peak_bytes / MEBIBYTE for _, *both in rows for each in both]
    table.add("audit offline: peak memory", peak, "MiB")
    table.add("audit by upload: peak memory of the job", [peaks.job / MEBIBYTE], "MiB")
    grown = (peaks.served - before) / MEBIBYTE
    table.add("audit by upload: the serving process grew by", [grown], "MiB", target=at_most(32))


class Offline(msgspec.Struct):
    """What `warlog audit` took."""

    seconds: float
    peak_bytes: int


def offline(bundle: Path) -> Offline:
    """Audit the bundle. SystemExit unless it is clean."""
    command = [sys.executable, "-m", "service", "audit", str(bundle), "--json"]
    report = bundle.with_suffix(".json")
    began = time.perf_counter()
    with report.open("wb") as file, subprocess.Popen(command, stdout=file) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    taken = time.perf_counter() - began
    require_clean(report.read_bytes())
    return Offline(seconds=taken, peak_bytes=usage.ru_maxrss * 1024)


def uploaded(service: Service, bundle: Path) -> float:
    """Seconds from the first byte sent to the last of the report."""
    began = time.perf_counter()
    with bundle.open("rb") as file:
        answer = httpx.post(
            f"{service.url}/v1/audits",
            content=iter(lambda: file.read(MEBIBYTE), b""),
            headers={
                "Authorization": f"Bearer {service.key}",
                "Content-Type": "application/x-ndjson",
            },
            timeout=LONG_SECONDS,
        )
    taken = time.perf_counter() - began
    require_clean(answer.content)
    return taken


def require_clean(report: bytes) -> None:
    """SystemExit with the report unless it says that all is clean."""
    if b'"clean":true' not in report:
        raise SystemExit(report[:2_000].decode("utf-8", "replace"))


class Peaks(msgspec.Struct):
    """The most memory seen, in bytes."""

    served: int = 0
    job: int = 0


@contextmanager
def watched(pid: int) -> Iterator[Peaks]:
    """Look at the memory of a process and of its children again and again."""
    peaks, is_over = Peaks(), threading.Event()

    def look() -> None:
        while not is_over.wait(LOOK_SECONDS):
            peaks.served = max(peaks.served, resident(pid))
            jobs = [resident(child) for child in children(pid)]
            peaks.job = max([peaks.job, *jobs])

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield peaks
    finally:
        is_over.set()
        looking.join()


def children(pid: int) -> list[int]:
    """The jobs of a process."""
    found = [
        child
        for listed in Path(f"/proc/{pid}/task").glob("*/children")
        for child in content(listed).split()
    ]
    return [
        int(child) for child in found if "service.jobs" in content(Path(f"/proc/{child}/cmdline"))
    ]


def resident(pid: int) -> int:
    """Bytes of memory that a process has; none where it is gone."""
    pages = content(Path(f"/proc/{pid}/statm")).split()[1:2]
    return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE")


def content(path: Path) -> str:
    """What a file says of a process; nothing where it is gone."""
    try:
        return path.read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    main()
