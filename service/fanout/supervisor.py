"""Restarts work that must go on while Redis comes and goes, and logs each failure once."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final, Never

import structlog

from service.fanout.connection import LOST

FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 2.0
HEALTHY_SECONDS: Final = 5.0
"""Work that ran so long was healthy: the next pause is a short one again."""

_log = structlog.get_logger("warlog.fanout")
_chance: Final = secrets.SystemRandom()


class Backoff:
    """Pauses between tries: each up to twice the one before, random so that processes differ."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_SECONDS

    def reset(self) -> None:
        """Begin with a short pause again."""
        self._next = FIRST_PAUSE_SECONDS

    def seconds(self) -> float:
        """The next pause, in seconds."""
        seconds = self._next * _chance.uniform(0.5, 1.0)
        self._next = min(2 * self._next, LONGEST_PAUSE_SECONDS)
        return seconds


class Complaint:
    """Logs once that something does not work, and once that it works again."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last: type[BaseException] | None = None

    def report(self, why: BaseException) -> None:
        """Log a failure, unless the last one was of the same type."""
        if type(why) is not self._last:
            self._last = type(why)
            _log.warning("redis does not do it", what=self._what, why=one_line(why))

    def settle(self) -> None:
        """Log that it works again, if a failure was logged."""
        if self._last is not None:
            self._last = None
            _log.info("redis does it again", what=self._what)

    def report_fault(self, error: BaseException) -> None:
        """Log a fault of our own with its traceback."""
        _log.error("fan-out failed", what=self._what, exc_info=error)


async def keep_running(
    work: Callable[[], Awaitable[None]], lost: Callable[[], None], complaint: Complaint
) -> Never:
    """Run this work again and again, with pauses; `lost` is called whenever it has ended."""
    clock = asyncio.get_running_loop().time
    pause = Backoff()
    while True:
        began = clock()
        try:
            await work()
        except* LOST as errors:
            complaint.report(_first(errors))
        except* Exception as errors:  # a fault of ours must not end it for good
            complaint.report_fault(_first(errors))
        lost()
        if clock() - began > HEALTHY_SECONDS:
            pause.reset()
        await asyncio.sleep(pause.seconds())


def one_line(error: BaseException) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
