"""Whether a write can commit at this moment: one is made that changes nothing.

How this works. A message in the write-ahead log that nobody reads is committed as everything else
is: to the disk, and to the standby where one is synchronous. While that is not done, no other
write is either. One is under way at most, and it is waited for as long as its server is there: each
that was given up would leave a session behind that waits for the standby all the same.
"""

import asyncio
from typing import Final

from service.eventstore.connection import Database, Row

ANSWER_SECONDS: Final = 3.0
"""A write that takes longer is one that does not come through."""

_WRITE: Final = "SELECT pg_logical_emit_message(true, 'warlog', '')"


class WriteProbe:
    """Makes such writes in a pool of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._write: asyncio.Task[list[Row]] | None = None

    async def is_answered(self) -> bool:
        """Whether one commits in time. Raises Unavailable if it cannot even be tried."""
        if self._write is None:
            self._write = asyncio.create_task(self._database.write(_WRITE))
        write = self._write
        await asyncio.wait([write], timeout=ANSWER_SECONDS)
        if not write.done():
            return False
        if self._write is write:
            self._write = None
        write.result()
        return True

    async def close(self) -> None:
        """Give up the one that is under way."""
        if self._write is not None:
            self._write.cancel()
            await asyncio.gather(self._write, return_exceptions=True)
            self._write = None
