"""One durable database per test process, which every test of this folder may kill."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from tests.durability.rig import Store


@pytest.fixture(scope="session")
async def store(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """The database; a test has a separate tenant in it."""
    opened = Store(tmp_path_factory.mktemp("durability") / "postgres")
    await asyncio.to_thread(opened.start)
    yield opened
    await asyncio.to_thread(opened.stop)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """When things go wrong: the same moments in every run of one test."""
    return random.Random(request.node.name)
