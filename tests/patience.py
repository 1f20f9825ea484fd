"""How long a test waits for what is bound to happen, and how it waits.

A test makes its case happen, waits for the condition, and then looks. How long that takes says more
about the machine than about the code, so the limit is far beyond what a loaded one needs: it only
ends the waiting for something that does not happen any more.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from service.eventstore.timeouts import Patience

PATIENCE_SECONDS: Final = 120.0
"""After so many seconds something does not happen any more, however slow the machine is."""

PATIENT: Final = Patience(
    connect_seconds=PATIENCE_SECONDS,
    answer_seconds=PATIENCE_SECONDS,
    statement_ms=int(1_000 * PATIENCE_SECONDS),
    lock_ms=int(1_000 * PATIENCE_SECONDS),
)
"""For stores of tests that are about something else than how long a database is waited for."""


async def until(
    holds: Callable[[], object],
    explanation: Callable[[], object] | None = None,
    seconds: float = PATIENCE_SECONDS,
) -> None:
    """Wait until something holds that rings no bell.

    After so many seconds: AssertionError with the explanation, TimeoutError without one.
    """
    try:
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110 - what is waited for rings no bell
                await asyncio.sleep(0.005)
    except TimeoutError:
        if explanation is None:
            raise
        raise AssertionError(explanation()) from None
