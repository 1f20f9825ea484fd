"""A process that runs test files of the tree it was started in, again and again.

How this works. Importing pytest and what the tests need of others takes longer than most mutants
need to be seen. So this process imports them once, and never anything of our own; for each request
it forks, and the child imports the tree as it is then and runs the files in their order until the
first failure. Requests and outcomes are lines of JSON. What a child started dies with it.
"""

import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn

import pytest
from hypothesis import HealthCheck, Phase, settings

PRELOADED: Final = ("alembic", "asyncpg", "litestar", "msgspec", "sqlalchemy")
MOST_BYTES: Final = 2 << 30
"""What a mutant may allocate: one that never ends must not take the machine with it."""
SECONDS_OF_A_TEST: Final = {"not soak": 30, "soak": 600}
"""By the mark that is run: ten times what the longest of them takes."""

OPTIONS: Final = (
    *("-q", "-x", "--assert", "plain"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:schemathesis"),
    *("--hypothesis-profile", "mutants"),
)


class Report:
    """Seconds of each file, and the test that failed, as pytest tells them."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase of one test has ended."""
        file = report.nodeid.partition("::")[0]
        self.seconds[file] = self.seconds.get(file, 0) + report.duration
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """One file was imported, or could not be."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def run(files: Sequence[str], mark: str) -> dict[str, object]:
    """Run those of these files with this mark in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    # The same examples in every run, and no search for a smaller one: that some test fails is all.
    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=tuple(HealthCheck),
    )
    report = Report()
    chosen = ("-m", mark, "--timeout", str(SECONDS_OF_A_TEST[mark]))
    code = pytest.main([*OPTIONS, *chosen, *files], plugins=[report])
    return {"code": int(code), "failed": report.failed, "seconds": report.seconds}


def outcome(files: Sequence[str], seconds: float, mark: str) -> str:
    """What a child says of these files; nothing if it did not end within so many seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(writing, files, mark)
    os.close(writing)
    try:
        return _all_of(reading, until=time.monotonic() + seconds).decode()
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _answer(writing: int, files: Sequence[str], mark: str) -> NoReturn:
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.write(writing, json.dumps(run(files, mark)).encode())
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _all_of(reading: int, *, until: float) -> bytes:
    """All that is said before the other end is closed or the time is over."""
    said = b""
    while (left := until - time.monotonic()) > 0 and select.select([reading], [], [], left)[0]:
        if not (more := os.read(reading, 1 << 16)):
            break
        said += more
    return said


def main() -> None:
    """Answer requests until there are no more, or SIGTERM."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for name in PRELOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        answers.write((outcome(*json.loads(line)) or "null") + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
