"""This process among those that serve: its row, and what the lowest release lets it write."""

import asyncio
from contextlib import suppress
from typing import Final

from service.encounters.held_back import HeldBack, held_beyond
from service.errors import BuildTooOld, DatabaseReadOnly, WarlogError
from service.eventstore.processes import ProcessRows, ServingProcess, require_allowed
from service.releases import FIRST_LOWEST, Releases

END_SECONDS: Final = 2.0
"""How long the end of a process waits for its row to be removed."""


class ServingRow:
    """Keeps the row of a process, and what is held back until the upgrade is finished.

    Before the lowest release is known, everything beyond the first one is held back.
    """

    def __init__(self, rows: ProcessRows, process: ServingProcess, releases: Releases) -> None:
        self._rows = rows
        self._process = process
        self._releases = releases
        self._lowest = FIRST_LOWEST
        self._held = held_beyond(FIRST_LOWEST, releases)

    def held(self) -> HeldBack:
        """What is held back at this moment."""
        return self._held

    def require_allowed(self) -> None:
        """Raises BuildTooOld if the operator has finished an upgrade to a later release."""
        require_allowed(self._process.build, self._lowest)

    async def begin(self) -> None:
        """Write the row. Raises BuildTooOld: such a process does not start.

        A database that takes no writes now, or that is not migrated yet, is asked again later.
        """
        try:
            self._take(await self._rows.begin(self._process))
        except BuildTooOld:
            raise
        except WarlogError:
            with suppress(WarlogError):
                self._take(await self._rows.lowest_release())
            self.require_allowed()

    async def renew(self) -> None:
        """Renew the row, and learn what is allowed by now. Raises BuildTooOld, Unavailable."""
        try:
            lowest = await self._rows.renew(self._process)
        except DatabaseReadOnly:
            lowest = await self._rows.lowest_release()
        self._take(lowest)
        self.require_allowed()

    async def end(self) -> None:
        """Remove the row; where that is not possible, it is stale soon."""
        with suppress(WarlogError, TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await self._rows.end(self._process.id)

    def _take(self, lowest: str) -> None:
        if lowest != self._lowest:
            self._lowest = lowest
            self._held = held_beyond(lowest, self._releases)
