"""Two services on one database that tell one another over a Redis of their own."""

from collections.abc import AsyncIterator

import pytest

from service.eventstore.embedded import Dsns
from tests.fanout.servers import Server
from tests.live.stage import Arena, arena_of


@pytest.fixture(scope="session")
async def arena(database: Dsns, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Arena]:
    """Whoever hurts a part of it mends it again."""
    redis = Server(tmp_path_factory.mktemp("redis"))
    redis.start()
    try:
        async with arena_of(tmp_path_factory.mktemp("live"), database, redis) as two:
            yield two
    finally:
        redis.kill()
