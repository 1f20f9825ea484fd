"""Audits of uploaded bundles: one at a time of each caller."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import TooMany

_RETRY_SECONDS: Final = 5


class AuditPlaces:
    """The callers of this process whose audit is under way, by account."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    @contextmanager
    def place(self, account: str) -> Iterator[None]:
        """The caller's one place, while the audit lasts. Raises TooMany("audit_running")."""
        if account in self._taken:
            raise TooMany("audit_running", retry_after=_RETRY_SECONDS)
        self._taken.add(account)
        try:
            yield
        finally:
            self._taken.discard(account)
