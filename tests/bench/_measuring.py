"""What the benchmarks share: their options, rounds next to a limit, and the table at the end.

Machines change their speed within minutes, so a figure means something only next to its limit:
the limit is measured immediately before and after ours in every round, and what is reported is
the median of the rounds' ratios. How a Python was built decides about as much, and nothing that
it says of itself shows: executable, version and the time of a fixed loop stand next to each table.
"""

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")
L = TypeVar("L")
HEAD = "| figure | median | range | rounds | target | |\n|---|---:|---|---:|---:|---|"


CALIBRATION = 2_000_000
"""Turns of the calibration loop."""


def interpreter() -> str:
    """What ran: the executable, its version, and the CPU time of a fixed loop, best of five."""
    best = min(_calibration_ms() for _ in range(5))
    version = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{sys.executable}: {version}, calibration loop {short(best)} ms"


def _calibration_ms() -> float:
    """CPU milliseconds of integer arithmetic, calls and look-ups in a dictionary."""
    table = {number: number for number in range(64)}
    began, total = time.process_time(), 0
    for turn in range(CALIBRATION):
        total += table[turn & 63] ^ abs(turn)
    return 1000 * (time.process_time() - began) if total else 0.0


class Target(Struct, frozen=True):
    """What the median is held against."""

    bound: float
    is_least: bool

    def __str__(self) -> str:
        return f"{'≥' if self.is_least else '≤'} {self.bound:g}"

    def verdict(self, value: float) -> str:
        """Whether a median meets it."""
        met = value >= self.bound if self.is_least else value <= self.bound
        return "met" if met else "**missed**"


def at_least(bound: float) -> Target:
    """A target that is met from `bound` upwards."""
    return Target(bound, is_least=True)


def at_most(bound: float) -> Target:
    """A target that is met up to `bound`."""
    return Target(bound, is_least=False)


class Table:
    """The figures of one script: a line for each as it is measured, all of them at the end.

    As a context it prints the Markdown table when it is left, and writes its lines to `rows`.
    """

    def __init__(self, rows: Path | None = None) -> None:
        self._rows = rows
        self._lines: list[str] = []

    def add(
        self, name: str, values: Sequence[float], unit: str = "", target: Target | None = None
    ) -> None:
        """Median and range of a figure over the rounds."""
        middle = statistics.median(values)
        extent = f"{short(min(values))} .. {short(max(values))}"
        verdict = target.verdict(middle) if target is not None else ""
        shown = f"{short(middle)} {unit}".strip()
        self._write(name, shown, extent, str(len(values)), str(target or ""), verdict)

    def missing(self, name: str, why: str, target: Target | None = None) -> None:
        """A figure that could not be measured."""
        self._write(name, f"not measured: {why}", "", "", str(target or ""), "")

    def __enter__(self) -> "Table":
        """Begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Print what there is; a script that failed keeps what it measured before."""
        if self._rows is not None:
            with self._rows.open("a") as rows:
                rows.writelines(f"{line}\n" for line in self._lines)
        elif kind is None:
            print("\n".join(["", interpreter(), "", HEAD, *self._lines]), flush=True)

    def _write(self, *cells: str) -> None:
        name, shown, extent, rounds, target, verdict = cells
        print(f"  {name}: {shown} [{extent}] {target} {verdict}".rstrip(), flush=True)
        self._lines.append(f"| {name} | {shown} | {extent} | {rounds} | {target} | {verdict} |")


def arguments(description: str | None, *, rounds: int = 5, seconds: int = 3) -> argparse.Namespace:
    """The options every script takes."""
    return parser(description, rounds=rounds, seconds=seconds).parse_args()


def parser(
    description: str | None, *, rounds: int = 5, seconds: int = 3
) -> argparse.ArgumentParser:
    """The options every script takes, for those that add their own."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--rounds", type=int, default=rounds, help="(default %(default)s)")
    made.add_argument(
        "--seconds", type=int, default=seconds, help="of every measurement (default %(default)s)"
    )
    made.add_argument("--rows", type=Path, help="append the table's lines to this file instead")
    return made


def paired(
    rounds: int, limit: Callable[[], float], ours: Callable[[], T]
) -> Iterator[tuple[T, float]]:
    """Ours and the mean of the limit just before and just after it, round by round."""
    for found, before, after in between(rounds, limit, ours):
        yield found, (before + after) / 2


def between(rounds: int, limit: Callable[[], L], ours: Callable[[], T]) -> Iterator[tuple[T, L, L]]:
    """Ours, and what was found of the limit just before it and just after it, round by round."""
    before = limit()
    for _ in range(rounds):
        found = ours()
        after = limit()
        yield found, before, after
        before = after


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies; 0 if there are none."""
    if not values:
        return 0.0
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def short(value: float) -> str:
    """Three digits, or all of a large number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def encoded(value: object) -> str:
    """JSON text, as it is handed to and from the processes that measure."""
    return msgspec.json.encode(value).decode()
