"""Keeps work going that is never to end, whatever becomes of Redis."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final, Never

import structlog

from service.fanout.connection import LOST

FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 2.0
HEALTHY_SECONDS: Final = 5.0
"""Work that went on so long was well: the next pause is a short one again."""

_log = structlog.get_logger("warlog.fanout")
_chance: Final = secrets.SystemRandom()


class Backoff:
    """Pauses between tries: each up to twice the one before, and none like its neighbour's."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_SECONDS

    def reset(self) -> None:
        """Begin with short ones again."""
        self._next = FIRST_PAUSE_SECONDS

    def seconds(self) -> float:
        """How long to wait now."""
        seconds = self._next * _chance.uniform(0.5, 1.0)
        self._next = min(2 * self._next, LONGEST_PAUSE_SECONDS)
        return seconds


class Complaint:
    """Says once that something does not work, and once that it does again."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last: type[BaseException] | None = None

    def made(self, why: BaseException) -> None:
        """It does not work."""
        if type(why) is not self._last:
            self._last = type(why)
            _log.warning("redis does not do it", what=self._what, why=said(why))

    def settled(self) -> None:
        """It works."""
        if self._last is not None:
            self._last = None
            _log.info("redis does it again", what=self._what)

    def own_fault(self, error: BaseException) -> None:
        """Something went wrong that nobody foresaw."""
        _log.error("fan-out failed", what=self._what, exc_info=error)


async def kept_up(
    work: Callable[[], Awaitable[None]], lost: Callable[[], None], complaint: Complaint
) -> Never:
    """Do this work again and again; `lost` is called whenever it has ended."""
    clock = asyncio.get_running_loop().time
    pause = Backoff()
    while True:
        began = clock()
        try:
            await work()
        except* LOST as errors:
            complaint.made(_first(errors))
        except* Exception as errors:  # a fault of ours must not end it for good
            complaint.own_fault(_first(errors))
        lost()
        if clock() - began > HEALTHY_SECONDS:
            pause.reset()
        await asyncio.sleep(pause.seconds())


def said(error: BaseException) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
