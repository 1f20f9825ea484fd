"""The real service on a real port, and callers of it: a fresh tenant for every test."""

import os
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cache
from pathlib import Path
from uuid import UUID

import pytest

from service.api.openapi import asyncapi, document
from service.api.openapi.schemas import Schema
from service.api.openapi.service_types import service_components
from service.encounters.principal import SCOPES
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.conftest import user_of

_assembled = cache(service_components)


def _components(rulesets: Sequence[Ruleset[RuleState]]) -> dict[str, Schema]:
    return dict(_assembled(tuple(rulesets)))


# Both documents have the same components, which take a CPU second to assemble.
for module in (document, asyncapi):
    pytest.MonkeyPatch().setattr(module, "service_components", _components)


@pytest.fixture(scope="session")
def served(database: Dsns) -> Iterator[Served]:
    """One running service for all tests of this process."""
    with Served(settings_for(database)) as running:
        yield running


@pytest.fixture(scope="session")
async def store(database: Dsns) -> AsyncIterator[EventStore]:
    """The store beneath the service, for what has no call: tenants and keys."""
    opened = await EventStore.open(database.app, eraser_url=database.eraser, pool_size=2)
    yield opened
    await opened.close()


@pytest.fixture
async def tenant(store: EventStore) -> UUID:
    """A tenant of this test alone."""
    made = await store.access.create_tenant(
        UUID(bytes=secrets.token_bytes(16)), secrets.token_hex(8)
    )
    return made.id


@pytest.fixture
async def caller(served: Served, store: EventStore, tenant: UUID) -> AsyncIterator[Caller]:
    """A key with every scope."""
    token = await new_key(store, tenant, SCOPES)
    with Caller(served.url, token) as one:
        yield one


@pytest.fixture
async def stranger(served: Served, store: EventStore) -> AsyncIterator[Caller]:
    """A key of another tenant."""
    other = await store.access.create_tenant(
        UUID(bytes=secrets.token_bytes(16)), secrets.token_hex(8)
    )
    token = await new_key(store, other.id, SCOPES)
    with Caller(served.url, token) as one:
        yield one


@pytest.fixture
async def environ(empty_database: Dsns, tmp_path: Path) -> dict[str, str]:
    """The environment of a service on a migrated database without any key."""
    await upgrade(
        empty_database.owner,
        app_role=user_of(empty_database.app),
        eraser_role=user_of(empty_database.eraser),
    )
    return {
        **os.environ,
        "WARLOG_DATABASE_URL": empty_database.app,
        "WARLOG_ERASE_URL": empty_database.eraser,
        "WARLOG_DATA_DIR": str(tmp_path / "data"),
        "WARLOG_PORT": "0",
        "WARLOG_POOL_SIZE": "2",
    }
