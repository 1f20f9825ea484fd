"""A database of one module alone, for tests of what is due: nobody else looks for it."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from tests.conftest import scratch_database, user_of


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database of this module alone: nobody else looks for what is due in it."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture(scope="module")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    opened = await EventStore.open(database.app, eraser_url=database.eraser)
    yield opened
    await opened.close()


@pytest.fixture
async def own_clocks(database: Dsns) -> AsyncIterator[None]:
    """What a test leaves is not due in the next one."""
    yield
    admin = await asyncpg.connect(database.admin)
    await admin.execute("DELETE FROM clock")
    await admin.close()
