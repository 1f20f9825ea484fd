"""Redis servers: one, a real Redis where the machine has it, and a cluster of three."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fanout.receivers import wait_as_long_as_it_takes
from tests.fanout.servers import REDIS, Cluster, Server


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine is no lost server; who is to notice one says how soon."""
    wait_as_long_as_it_takes(monkeypatch)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that nobody hurts."""
    server = Server(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def redis7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The oldest kind that will do."""
    if REDIS is None:
        pytest.skip("no redis-server on this machine")
    server = Server(tmp_path_factory.mktemp("redis"), program=REDIS)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three servers that nobody hurts."""
    three = Cluster(tmp_path_factory.mktemp("cluster"))
    three.start()
    yield three
    three.kill()


@pytest.fixture(params=["valkey", "redis7", "cluster"])
def any_redis(request: pytest.FixtureRequest) -> str:
    """The address of each kind in turn."""
    address: str = request.getfixturevalue(request.param).url
    return address


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[Server]:
    """A server of this test, not started yet, to be hurt."""
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def short_folder() -> Iterator[str]:
    """A folder with a name short enough for a socket's address."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield folder


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of this test, to be hurt."""
    three = Cluster(tmp_path)
    three.start()
    yield three
    three.kill()


@pytest.fixture
def hasty_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """The same, whose servers soon replace one that says nothing."""
    three = Cluster(tmp_path, node_seconds=1.0)
    three.start()
    yield three
    three.kill()
