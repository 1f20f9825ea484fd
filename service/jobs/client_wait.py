"""How long a job waits for its client, and how much goes through meanwhile."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct


class WaitProgress(Struct, frozen=True):
    """How long it was waited so far, and how many bytes have passed."""

    seconds: float
    passed_bytes: int


class ClientWait:
    """One direction between a job and its client: what comes, or what is taken."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._since: float | None = None
        self._passed_bytes = 0

    def progress(self) -> WaitProgress:
        """What there was of both so far, a wait that lasts included."""
        return WaitProgress(self._waited(), self._passed_bytes)

    def passed(self, count: int) -> None:
        """So many bytes came or were taken."""
        self._passed_bytes += count

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """While this is open it is waited for the client."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """From now on it is waited for the client."""
        self._since = time.monotonic()

    def end(self) -> None:
        """It is not waited for any more."""
        self._seconds, self._since = self._waited(), None

    def _waited(self) -> float:
        if self._since is None:
            return self._seconds
        return self._seconds + time.monotonic() - self._since
