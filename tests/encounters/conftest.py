"""Two service processes' worth of stores on one real database, and a fresh tenant per test."""

from collections.abc import AsyncIterator

import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.table import Table, new_table
from tests.patience import PATIENT


@pytest.fixture(scope="session")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    opened = await EventStore.open(database.app, eraser_url=database.eraser, patience=PATIENT)
    yield opened
    await opened.close()


@pytest.fixture
async def table(store: EventStore) -> AsyncIterator[Table]:
    fresh = await new_table(store)
    yield fresh
    await fresh.encounters.writes.settle()
