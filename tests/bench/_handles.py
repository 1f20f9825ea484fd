"""The longest callback of an event loop, by a hook around the loop's handles.

How this works. A loop runs one handle after another, and nothing else while a handle runs. The
hook measures the CPU of the loop's own thread (`thread_time`) for each handle, so neither another
thread nor another process on the machine counts.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch


class LongestCallback:
    """The most CPU that one callback took, in ms, since the last `take`."""

    def __init__(self) -> None:
        self.longest_ms = 0.0
        self.what = ""

    def note(self, spent_ms: float, handle: asyncio.Handle) -> None:
        """A callback has returned."""
        if spent_ms > self.longest_ms:
            self.longest_ms, self.what = spent_ms, repr(handle)

    def take(self) -> float:
        """The longest since the last call."""
        longest, self.longest_ms, self.what = self.longest_ms, 0.0, ""
        return longest


@contextmanager
def measured_handles() -> Iterator[LongestCallback]:
    """Measure every callback of every loop of asyncio in this process."""
    found = LongestCallback()
    original: Callable[[asyncio.Handle], None] = asyncio.Handle._run

    def run(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        original(handle)
        found.note(1000 * (time.thread_time() - began), handle)

    with patch.object(asyncio.Handle, "_run", run):
        yield found
