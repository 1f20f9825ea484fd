"""Which events count behind a head, where rewinds go back and forth over a log.

How this works. A rewind is the only event that does not continue the one before it. So a log is a
tree of segments: each begins at event 1 or at a rewind, ends before the next rewind, and hangs at
the event that its rewind went back to. What counts behind an event is the way from it to event 1.
Everything here is worked out segment by segment: it costs as much for a rewind over one event as
for one over thousands.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """Events that follow one another, the first and the last seq."""

    first: int
    last: int


class TimelineChange(NamedTuple):
    """What a rewind undoes and what it brings back, in the order of the log."""

    undone: tuple[Run, ...]
    restored: tuple[Run, ...]


class Timeline:
    """The rewinds of a log: seq and base of each, in the order of the log.

    Each continues an event before it.
    """

    def __init__(self, rewinds: Iterable[tuple[int, int]] = ()) -> None:
        self._starts = [1]
        self._bases = [0]
        for seq, base in rewinds:
            self.add(seq, base)

    def add(self, seq: int, base: int) -> None:
        """The log goes on with a rewind."""
        self._starts.append(seq)
        self._bases.append(base)

    def difference(self, head: int, to: int) -> TimelineChange:
        """What going from `head` to `to` undoes and brings back."""
        undone: list[Run] = []
        restored: list[Run] = []
        while head != to:
            if head > to:
                head = self._step(head, to, undone)
            else:
                to = self._step(to, head, restored)
        return TimelineChange(tuple(_joined(undone)), tuple(_joined(restored)))

    def _step(self, seq: int, until: int, passed: list[Run]) -> int:
        """The event that is reached going back from `seq` within its segment, or out of it."""
        at = bisect_right(self._starts, seq) - 1
        start = self._starts[at]
        if start <= until:
            passed.append(Run(until + 1, seq))
            return until
        passed.append(Run(start, seq))
        return self._bases[at]

    def undone_by(self, head: int) -> Callable[[int], int | None]:
        """Which rewind undid an event so that it does not count at `head`, by seq; None if it does.

        The event that comes right behind the last one that still continued it took it away.
        """
        starts = self._starts[: bisect_right(self._starts, head)]
        reaches = [_Reach(start - 1) for start in starts[1:]] + [_Reach(head)]
        for at in range(len(starts) - 1, 0, -1):
            reaches[at].settle()
            base = self._bases[at]
            reaches[bisect_right(starts, base) - 1].hang(base, reaches[at].last())
        reaches[0].settle()

        def undoer(seq: int) -> int | None:
            last = reaches[bisect_right(starts, seq) - 1].last(seq)
            return None if last == head else last + 1

        return undoer


class _Reach:
    """How far a segment is continued: to its own end, or by segments that hang at its events."""

    def __init__(self, end: int) -> None:
        self._end = end
        self._hanging: list[tuple[int, int]] = []

    def hang(self, base: int, last: int) -> None:
        """A segment hangs at event `base`, and is continued to event `last`."""
        self._hanging.append((base, last))

    def settle(self) -> None:
        """All that hang here are told: keep for each base how far those from it on reach."""
        furthest = self._end
        settled: list[tuple[int, int]] = []
        for base, last in sorted(self._hanging, reverse=True):
            furthest = max(furthest, last)
            settled.append((base, furthest))
        self._hanging = settled[::-1]

    def last(self, seq: int = 0) -> int:
        """The last event that continues event `seq` of the segment, or any, once settled."""
        at = bisect_left(self._hanging, (seq, 0))
        return self._end if at == len(self._hanging) else self._hanging[at][1]


def last_of(runs: Sequence[Run], count: int) -> tuple[Run, ...]:
    """The last events of runs, at most so many."""
    kept: list[Run] = []
    for run in reversed(runs):
        if count <= 0:
            break
        kept.append(Run(max(run.first, run.last - count + 1), run.last))
        count -= run.last - run.first + 1
    return tuple(reversed(kept))


def size_of(runs: Iterable[Run]) -> int:
    """How many events there are in runs."""
    return sum(run.last - run.first + 1 for run in runs)


def _joined(backwards: list[Run]) -> Iterator[Run]:
    """Runs in the order of the log, those that follow one another as one."""
    if not backwards:
        return
    first = backwards[-1].first
    for run, later in pairwise(reversed(backwards)):
        if run.last + 1 != later.first:
            yield Run(first, run.last)
            first = later.first
    yield Run(first, backwards[0].last)
