"""A store and a table per test, and two services on one database that share a Redis."""

from collections.abc import AsyncIterator

import pytest

from service.eventstore.embedded import Dsns
from tests.encounters.conftest import store, table
from tests.fanout.servers import Server
from tests.live.arena import Arena, arena_of

__all__ = ["arena", "store", "table"]


@pytest.fixture(scope="session")
async def arena(database: Dsns, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Arena]:
    """Shared by a whole run: a test that stops a part of it starts that part again."""
    redis = Server(tmp_path_factory.mktemp("redis"))
    redis.start()
    try:
        async with arena_of(tmp_path_factory.mktemp("live"), database, redis) as two:
            yield two
    finally:
        redis.kill()
