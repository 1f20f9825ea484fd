"""How long the database took, counted in classes: what is looked at when a service is slow."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the classes, in seconds; a last class is for what took longer."""


class Latency:
    """Seconds from asking for a connection to the answer; `counts` by class, `seconds` in all."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count what happens in the block, also if it fails."""
        began = perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - began
            self.counts[bisect_left(BOUNDS, took)] += 1
            self.seconds += took
