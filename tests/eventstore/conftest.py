"""One store for all tests of this folder; each test has a separate tenant."""

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.patience import PATIENT


@pytest.fixture(scope="session")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    """The store as `serve` opens it, but for its patience."""
    opened = await EventStore.open(database.app, eraser_url=database.eraser, patience=PATIENT)
    yield opened
    await opened.close()


@pytest.fixture
async def tenant(store: EventStore) -> UUID:
    """A tenant of this test alone."""
    created = await store.access.create_tenant(uuid4(), f"tenant {uuid4()}")
    return created.id
