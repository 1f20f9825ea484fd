"""CPU seconds per directory and the most expensive tests, printed at the end of every run.

The CPU of a test is that of its process and of every process below it (servers, browsers, Node),
read from `/proc` when its teardown ends, less what the test before it had used. The first test of
a worker also pays for imports and collection. On systems without `/proc` nothing is printed.
WARLOG_TEST_CPU_FILE names a file for the figures of all tests, as lines of seconds and test id.
"""

import os
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pytest

SHOWN: Final = 20
_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PROPERTY: Final = "cpu_seconds"


class CpuReport:
    """Measures each test in the worker that runs it; the controller adds the figures up."""

    def __init__(self, *, is_worker: bool) -> None:
        self._is_worker = is_worker
        self.of_test: dict[str, float] = {}
        self._used_before = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put the seconds of a test on the report of its teardown, which the controller reads."""
        report = yield
        if call.when == "teardown":
            used = tree_cpu_seconds(os.getpid())
            # The figure of a process that nobody waits for is lost when it ends.
            report.user_properties.append((_PROPERTY, max(used - self._used_before, 0.0)))
            self._used_before = used
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the figure of a test that has ended."""
        for name, value in report.user_properties:
            if name == _PROPERTY and report.when == "teardown" and isinstance(value, float):
                self.of_test[report.nodeid] = value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print both tables."""
        if self._is_worker or not self.of_test:
            return
        dearest = sorted(self.of_test.items(), key=lambda pair: -pair[1])
        if out := os.environ.get("WARLOG_TEST_CPU_FILE"):
            lines = (f"{seconds:.3f}\t{test}\n" for test, seconds in dearest)
            Path(out).write_text("".join(lines), encoding="utf-8")
        terminalreporter.section("CPU seconds")
        for line in _table_lines(self.of_test):
            terminalreporter.write_line(line)
        terminalreporter.write_line(f"The {SHOWN} most expensive tests:")
        for test, seconds in dearest[:SHOWN]:
            terminalreporter.write_line(f"{seconds:8.1f}  {test}")


def _table_lines(of_test: dict[str, float]) -> Iterator[str]:
    """A line per directory, the most expensive first, and one for all."""
    by_directory: defaultdict[str, list[float]] = defaultdict(list)
    for test, seconds in of_test.items():
        by_directory[test.partition("::")[0].rpartition("/")[0]].append(seconds)
    for name, each in sorted(by_directory.items(), key=lambda pair: -sum(pair[1])):
        yield f"{sum(each):8.1f}  {len(each):6} tests  {name}"
    yield f"{sum(of_test.values()):8.1f}  {len(of_test):6} tests  all"


def pytest_configure(config: pytest.Config) -> None:
    """Measure on systems that have /proc."""
    if Path("/proc/self/task").is_dir():
        is_worker = hasattr(config, "workerinput")
        config.pluginmanager.register(CpuReport(is_worker=is_worker), "cpu-report")


def tree_cpu_seconds(root: int) -> float:
    """User and system seconds of a process, its children that ended, and all processes below it."""
    ticks = 0
    pending = [root]
    while pending:
        pid = pending.pop()
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            for task in os.listdir(f"/proc/{pid}/task"):
                pending += map(int, Path(f"/proc/{pid}/task/{task}/children").read_bytes().split())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return ticks / _TICKS_PER_SECOND
