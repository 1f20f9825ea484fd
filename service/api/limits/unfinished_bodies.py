"""Bodies under way: how many bytes of requests that are not whole yet a process keeps.

How this works. A body that comes in one piece is read and gone; it is not counted. One that is
waited for lies in memory meanwhile, and whoever sends nothing more can make that long. So what has
come of all of them is counted, for each caller and together, and the body that would go beyond is
refused, not those that were there before: nothing waits for anybody else's bytes.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import TooMany, Unavailable

PER_CALLER_SHARE: Final = 4
"""One caller may hold this part of what the process keeps."""

_RETRY_SECONDS: Final = 1


class UnfinishedBodies:
    """The bytes of one process; `at_once` of everybody, `per_caller` of one account."""

    def __init__(self, *, at_once: int, per_caller: int) -> None:
        self._at_once = at_once
        self._per_caller = per_caller
        self._held: Counter[str] = Counter()
        self.bytes = 0

    @contextmanager
    def body(self, account: str) -> Iterator["UnfinishedBody"]:
        """A body of a caller, from its first piece until it has been read."""
        body = UnfinishedBody(self, account)
        try:
            yield body
        finally:
            self._release(account, body.bytes)

    def hold(self, account: str, length: int) -> None:
        """Keep so many bytes more. Raises TooMany("too_many_bytes"), Unavailable("overloaded")."""
        if self._held[account] + length > self._per_caller:
            raise TooMany("too_many_bytes", limit=self._per_caller, retry_after=_RETRY_SECONDS)
        if self.bytes + length > self._at_once:
            raise Unavailable("overloaded", retry_after=_RETRY_SECONDS)
        self._held[account] += length
        self.bytes += length

    def _release(self, account: str, length: int) -> None:
        self.bytes -= length
        self._held[account] -= length
        if not self._held[account]:
            del self._held[account]


class UnfinishedBody:
    """One body that is waited for; `bytes` of it are here."""

    def __init__(self, bodies: UnfinishedBodies, account: str) -> None:
        self._bodies = bodies
        self._account = account
        self.bytes = 0

    def grow(self, length: int) -> None:
        """So much more has come. Raises what `UnfinishedBodies.hold` raises."""
        self._bodies.hold(self._account, length)
        self.bytes += length
