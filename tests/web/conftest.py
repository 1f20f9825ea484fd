"""The service with its pages, and a browser that looks at them."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from playwright.async_api import Browser, async_playwright, expect

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS, PATIENT
from tests.web.browsers import launched
from tests.web.visitor import STREAMS, NewToken, Visitor, Visitors

expect.set_options(timeout=1_000 * PATIENCE_SECONDS)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder of all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="module")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    """The store below the service, for what has no call: tenants and keys."""
    opened = await EventStore.open(database.app, pool_size=1, patience=PATIENT)
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
async def tenant(store: EventStore) -> UUID:
    """The tenant of a module."""
    made = await store.access.create_tenant(uuid4(), f"web {uuid4()}")
    return made.id


@pytest.fixture(scope="module")
async def caller(database: Dsns, store: EventStore, tenant: UUID) -> AsyncIterator[Caller]:
    """A service, and a key that may do everything."""
    token = await new_key(store, tenant, SCOPES)
    settings = settings_for(database, WARLOG_STREAMS_PER_CALLER=str(STREAMS))
    with Served(settings) as served, Caller(served.url, token) as one:
        yield one


@pytest.fixture
def new_token(store: EventStore, tenant: UUID) -> NewToken:
    """Makes keys of the same tenant.

    The service checks one battle at a time for each key, so a page that checks has a key that no
    other page has.
    """
    return partial(new_key, store, tenant, SCOPES)


@pytest.fixture
async def process(database: Dsns, tmp_path: Path) -> AsyncIterator[ServiceProcess]:
    """A service that can be killed."""
    service = ServiceProcess(tmp_path, database)
    await service.start()
    yield service
    service.kill()


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests of this process; each test has contexts of its own in it."""
    async with async_playwright() as playwright:
        browser = await launched(playwright)
        yield browser
        await browser.close()


@pytest.fixture
async def visitors(browser: Browser, caller: Caller) -> AsyncIterator[Visitors]:
    """People with a browser each, held at the end to have met no fault."""
    people: list[Visitor] = []

    async def arrive(**options: object) -> Visitor:
        visitor = await Visitor.arriving(browser, caller.url, **options)
        people.append(visitor)
        return visitor

    yield arrive
    for visitor in people:
        await visitor.leave()
