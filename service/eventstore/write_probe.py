"""Whether a write can commit at this moment: found out by a write that changes nothing.

How this works. The probe writes a message into the write-ahead log, which is committed as every
write is: to the disk, and to the standby where one is synchronous. While that is not done, no other
write is either. At most one probe is under way, and it is waited for as long as its server answers:
a probe that was given up would leave a session behind that waits for the standby all the same.

For the same reason no other write is begun while the commit of the probe has been unanswered for
too long (`is_stuck`): it would hang as well, and a session with it. A write that is slow to commit
starts the probe; only a commit that is answered, or an error of the server, ends the refusals.
A probe whose session is lost meanwhile is made again at once.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from service.errors import DatabaseAway, DatabaseSlow, OutcomeUnknown, WarlogError
from service.eventstore.connection import Database

ANSWER_SECONDS: Final = 3.0
"""A commit that takes longer counts as stuck."""

AGAIN_SECONDS: Final = 0.25
"""The pause before a probe that was lost is made again."""

_WRITE: Final = "SELECT pg_logical_emit_message(true, 'warlog', '')"

_UNANSWERED: Final = (DatabaseAway, DatabaseSlow, OutcomeUnknown)
"""What is raised where no server said what became of the probe."""


class WriteProbe:
    """Makes such writes in a pool that it alone uses.

    `is_stuck`: a commit has been unanswered for ANSWER_SECONDS, and none was answered since, or
    writes are barred for another reason.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._task: asyncio.Task[None] | None = None
        self._unanswered_since = 0.0
        self._is_unanswered = False
        self._bar: WarlogError | None = None
        self._told: list[Callable[[], None]] = []
        self.is_stuck = False
        """Whether no write is begun at this moment."""

    def when_stuck(self, tell: Callable[[], None]) -> None:
        """Have `tell` called whenever writes begin to be stuck."""
        self._told.append(tell)

    def refusal(self) -> WarlogError:
        """Why no write is begun while it is stuck."""
        return self._bar or DatabaseSlow(uncommitted_seconds=self._seconds)

    def bar(self, refusal: WarlogError | None) -> None:
        """Begin no write while there is such a refusal; None: writes are begun again."""
        is_new = self._bar is None and refusal is not None
        self._bar = refusal
        self._judge()
        if is_new:
            self._tell()

    @property
    def is_barred(self) -> bool:
        """Whether writes are barred, whatever the probe finds."""
        return self._bar is not None

    def doubt(self) -> None:
        """Start the probe: a commit has been unanswered for a while."""
        self._task = self._task or self._begun()

    async def unanswered_seconds(self) -> int:
        """How long no probe has been answered; 0 once one is, in time.

        Raises Unavailable if it cannot even be tried.
        """
        probe = self._task = self._task or self._begun()
        if not self._is_unanswered:
            await asyncio.wait([probe], timeout=ANSWER_SECONDS)
        if not probe.done():
            return self._seconds or int(ANSWER_SECONDS)
        probe.result()
        return 0

    async def close(self) -> None:
        """Give up the probe that is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _begun(self) -> asyncio.Task[None]:
        task = asyncio.create_task(self._until_answered())
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._is_unanswered = False
        self._judge()
        if not task.cancelled():
            # Taken note of: perhaps no caller waits for this result.
            task.exception()

    async def _until_answered(self) -> None:
        while True:
            try:
                await self._commit()
            except _UNANSWERED:
                if not self._is_unanswered:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return

    async def _commit(self) -> None:
        overdue = None
        try:
            async with self._database.transaction() as session:
                await session.execute(_WRITE)
                overdue = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._stick)
        finally:
            if overdue is not None:
                overdue.cancel()

    def _stick(self) -> None:
        if not self._is_unanswered:
            self._is_unanswered = True
            self._unanswered_since = asyncio.get_running_loop().time() - ANSWER_SECONDS
            self._judge()
            self._tell()

    def _judge(self) -> None:
        self.is_stuck = self._is_unanswered or self._bar is not None

    def _tell(self) -> None:
        for tell in self._told:
            tell()

    @property
    def _seconds(self) -> int:
        if not self._is_unanswered:
            return 0
        return int(asyncio.get_running_loop().time() - self._unanswered_since)
