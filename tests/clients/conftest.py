"""A running service with a key, and what a run's processes generate together."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.clients import bodies, tools

SOURCES = {name: tools.HERE / name for name in ("battle.ts", "misuse.ts", "tsconfig.json")}


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder of all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def typescript(shared: Path) -> Path:
    """The generated types with what uses them."""
    return tools.once(
        shared / "typescript",
        lambda folder: tools.typescript_client(folder, bodies.typescript(), SOURCES),
    )


@pytest.fixture(scope="session")
def python(shared: Path) -> Path:
    """The folder with the generated package."""
    return tools.once(shared / "python", tools.python_client)


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service."""
    with Served(settings_for(database)) as one:
        yield one


@pytest.fixture(scope="module")
async def caller(database: Dsns, served: Served) -> AsyncIterator[Caller]:
    """A key that may do everything."""
    store = await EventStore.open(database.app, pool_size=1)
    tenant = await store.access.create_tenant(uuid4(), f"clients {uuid4()}")
    token = await new_key(store, tenant.id, SCOPES)
    with Caller(served.url, token) as one:
        yield one
    await store.close()
