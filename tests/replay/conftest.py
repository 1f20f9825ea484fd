"""A store and a table of a separate tenant for the audits of what is stored."""

from collections.abc import AsyncIterator

import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.table import Table, new_table


@pytest.fixture(scope="session")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    opened = await EventStore.open(database.app, eraser_url=database.eraser)
    yield opened
    await opened.close()


@pytest.fixture
async def table(store: EventStore) -> AsyncIterator[Table]:
    fresh = await new_table(store)
    yield fresh
    await fresh.encounters.writes.settle()
