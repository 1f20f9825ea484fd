"""Long work in processes of its own: one job of a kind at a time for each caller."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import TooMany

_RETRY_SECONDS: Final = 5


class JobPlaces:
    """The callers of this process whose job of a kind is under way, by account.

    `code` is what another one is refused with.
    """

    def __init__(self, code: str) -> None:
        self._code = code
        self._taken: set[str] = set()

    @contextmanager
    def place(self, account: str) -> Iterator[None]:
        """The caller's one place, while the job lasts. Raises TooMany."""
        if account in self._taken:
            raise TooMany(self._code, retry_after=_RETRY_SECONDS)
        self._taken.add(account)
        try:
            yield
        finally:
            self._taken.discard(account)
