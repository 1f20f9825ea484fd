"""Work that no request asks for, done next to the requests and never in their way.

How this works. Each process makes a round when it starts and then again and again. A round looks
for work in the database, so it does not matter which process does it, nor whether two do:
everything here may be done twice. A round that fails is reported to `failed` and made again at the
next turn. Trouble with one encounter holds up no other: the round continues, and fails at its end.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from service.errors import DatabaseAway, WarlogError
from service.eventstore.store import EventStore

ERASURES_SECONDS = 60.0
REVEALS_SECONDS = 3600.0
"""The time between two rounds."""

FAILED_SECONDS = 8.0
"""Rounds that follow closely keep away so long after some that failed, twice as long after each."""

PAGE = 100


@asynccontextmanager
async def housekeeping(
    work: Callable[[], Awaitable[object]], seconds: float, failed: Callable[[Exception], None]
) -> AsyncIterator[None]:
    """Make rounds of some work as long as the block, so many seconds apart."""
    task = asyncio.create_task(_rounds(work, seconds, failed))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _rounds(
    work: Callable[[], Awaitable[object]], seconds: float, failed: Callable[[Exception], None]
) -> None:
    pause = seconds
    while True:
        try:
            await work()
            pause = seconds
        except Exception as error:  # whatever it is, the next round may find it mended
            failed(error)
            pause = max(seconds, min(2 * pause, FAILED_SECONDS))
        await asyncio.sleep(pause)


def tell_the_loop(error: Exception) -> None:
    """Report an unexpected error to the event loop, where there is no one else to report it to."""
    context = {"message": "a stream failed", "exception": error}
    asyncio.get_running_loop().call_exception_handler(context)


class Mishaps:
    """What went wrong with single encounters of a round."""

    def __init__(self) -> None:
        self._first: WarlogError | None = None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Go on behind the block if it fails. Raises DatabaseAway: every encounter would fail."""
        try:
            yield
        except DatabaseAway:
            raise
        except WarlogError as error:
            self._first = self._first or error

    def tell(self) -> None:
        """Raise the first of them, if there were any."""
        if self._first is not None:
            raise self._first


async def finish_erasures(store: EventStore) -> int:
    """Empty what the log says is erased and is still there; in how many encounters.

    A process that ends between the event and the emptying leaves such text behind. An
    encounter that cannot be emptied is raised after all others had their turn.
    """
    mishaps = Mishaps()
    done = 0
    after = UUID(int=0)
    while page := await store.log.half_erased(after=after, limit=PAGE):
        for encounter in page:
            with mishaps.noted():
                done += await finish_erasure(store, encounter)
        after = page[-1]
    mishaps.tell()
    return done


async def finish_erasure(store: EventStore, encounter: UUID) -> bool:
    """Empty what is due in one encounter; whether anything was."""
    due = await store.log.due_erasures(encounter)
    if due:
        await store.eraser.erase_text(encounter, until=max(due), seqs=due)
    return bool(due)
