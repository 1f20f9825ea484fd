"""How long the database is waited for."""

from typing import Final

from msgspec import Struct


class Patience(Struct, frozen=True, kw_only=True):
    """How long to wait for what. Service defaults, not in the source text.

    A statement waits `lock_ms` for a lock and runs `statement_ms` in all, both kept by the
    server; the client gives up on a statement after `answer_seconds`, and much sooner on a server
    that is silent (`servers`). A connection is waited for `connect_seconds`, be it made or lent.
    """

    connect_seconds: float = 5.0
    answer_seconds: float = 20.0
    statement_ms: int = 10_000
    lock_ms: int = 2_000

    @property
    def settings(self) -> dict[str, str]:
        """What the server is to keep, by the names of its settings."""
        return {
            "search_path": "public",
            "default_transaction_isolation": "read committed",
            "statement_timeout": str(self.statement_ms),
            "lock_timeout": str(self.lock_ms),
            "idle_in_transaction_session_timeout": str(3 * self.statement_ms),
        }


PATIENCE: Final = Patience()
