"""How long a test waits for what is bound to happen, and how it waits.

A test makes its case happen, waits for the condition, and then looks. How long that takes says more
about the machine than about the code, so the limit is far beyond what a loaded one needs: it only
ends the waiting for something that does not happen any more.

All limits derive from one setting: `WARLOG_TEST_PATIENCE` multiplies them, 1 if it is absent.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from service.eventstore.timeouts import Patience

SETTING: Final = "WARLOG_TEST_PATIENCE"


def factor_in(environ: Mapping[str, str]) -> float:
    """The setting's value, 1 if it is absent. Raises ValueError outside 0.01 to 1000."""
    text = environ.get(SETTING) or "1"
    with suppress(ValueError):
        if 0.01 <= (factor := float(text)) <= 1_000:
            return factor
    raise ValueError(f"{SETTING} is {text!r}; allowed is a number from 0.01 to 1000")


PATIENCE: Final = factor_in(os.environ)
"""Factor of every limit, that of pytest for a whole test included."""

PATIENCE_SECONDS: Final = 120.0 * PATIENCE
"""After so many seconds something does not happen any more, however slow the machine is."""

PATIENT: Final = Patience(
    connect_seconds=PATIENCE_SECONDS,
    answer_seconds=PATIENCE_SECONDS,
    statement_ms=int(1_000 * PATIENCE_SECONDS),
    lock_ms=int(1_000 * PATIENCE_SECONDS),
)
"""For stores of tests that are about something else than how long a database is waited for."""

_FIRST_PAUSE_SECONDS: Final = 0.005
_PAUSE_GROWTH: Final = 1.2
_LONGEST_PAUSE_SECONDS: Final = 0.05
"""Conditions are looked at less often the longer they do not hold: some read all that came."""


async def until(
    holds: Callable[[], object],
    explanation: Callable[[], object] | None = None,
    seconds: float = PATIENCE_SECONDS,
) -> None:
    """Wait until something holds that rings no bell.

    After so many seconds: AssertionError with the explanation, TimeoutError without one.
    """
    pause = _FIRST_PAUSE_SECONDS
    try:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(pause)
                pause = min(pause * _PAUSE_GROWTH, _LONGEST_PAUSE_SECONDS)
    except TimeoutError:
        if explanation is None:
            raise
        raise AssertionError(explanation()) from None
