"""How many streams there may be: in this process, and of one caller."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import TooMany, Unavailable

_RETRY_SECONDS: Final = 5


class StreamPlaces:
    """Counts the open streams; `account` is a caller's, see `Principal.account`."""

    def __init__(self, *, at_once: int, per_caller: int) -> None:
        self._at_once = at_once
        self._per_caller = per_caller
        self._taken: dict[str, int] = {}
        self.open = 0

    @contextmanager
    def place(self, account: str) -> Iterator[None]:
        """A place for one stream, while it is open.

        Raises Unavailable("streams_full"), TooMany("too_many_streams").
        """
        if self.open >= self._at_once:
            raise Unavailable("streams_full", retry_after=_RETRY_SECONDS)
        own = self._taken.get(account, 0)
        if own >= self._per_caller:
            raise TooMany("too_many_streams", limit=self._per_caller, retry_after=_RETRY_SECONDS)
        self.open += 1
        self._taken[account] = own + 1
        try:
            yield
        finally:
            self.open -= 1
            self._leave(account)

    def _leave(self, account: str) -> None:
        left = self._taken[account] - 1
        if left:
            self._taken[account] = left
        else:
            del self._taken[account]
