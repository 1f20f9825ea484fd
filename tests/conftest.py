"""A real PostgreSQL for every test that wants one.

The server is the private one, started once per run and shared by its workers, or the one that
WARLOG_TEST_DATABASE_URL (a superuser's address) names. Each worker gets a database and roles
of its own in it, dropped at the end.
"""

import gc
import logging
import os
import secrets
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from urllib.parse import urlsplit

import asyncpg
import pytest
import structlog
from httpx import _transports
from httpx._config import DEFAULT_TIMEOUT_CONFIG, create_ssl_context
from hypothesis import HealthCheck, settings

from service.eventstore import servers, session
from service.eventstore.embedded import Dsns, EmbeddedPostgres, provision
from service.eventstore.migrate import upgrade
from tests.patience import PATIENCE, PATIENCE_SECONDS

# How long an example takes says more about the machine than about the code.
settings.register_profile("warlog", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("warlog")

pytest_plugins = ("tests.cpu_report",)

# The same for a request that names no limit of its own: httpx would give up after 5 seconds.
for limit in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, limit, PATIENCE_SECONDS)

# And for a database that is asked whether it is still there: an answer that is late is one.
for module in (servers, session):
    pytest.MonkeyPatch().setattr(module, "PROBE_SECONDS", PATIENCE_SECONDS)

# Each of thousands of clients would read the list of certificate authorities, for 20 ms.
pytest.MonkeyPatch().setattr(_transports.default, "create_ssl_context", cache(create_ssl_context))


# Modules and tests stay until the end of the run: to search them for garbage costs a sixth of it.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on look for garbage, but not among what was collected."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """Scale the time limit of a test as every other one; a worker's option is scaled already."""
    if PATIENCE != 1 and not hasattr(config, "workerinput"):
        config.option.timeout = PATIENCE * (
            config.option.timeout or float(config.getini("timeout"))
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long forms (`soak`) unless `-m` speaks of them: `make soak` runs them.

    The longest test begins first, so that nobody waits for it alone at the end.
    """
    items.sort(key=lambda item: item.path.parent.name != "contract")
    if "soak" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """The address of a PostgreSQL for a superuser."""
    given = os.environ.get("WARLOG_TEST_DATABASE_URL")
    if given:
        yield given
        return
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    with EmbeddedPostgres(shared / "postgres", durable=False) as dsns:
        yield dsns.admin


@pytest.fixture(scope="session")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A migrated database of this worker; a test keeps to its own tenant in it."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture
async def empty_database(server: str) -> AsyncIterator[Dsns]:
    """A database of this test alone, without any schema."""
    async with scratch_database(server) as dsns:
        yield dsns


@pytest.fixture
def silence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that says nothing is given up as soon as the service gives it up."""
    for module in (servers, session):
        monkeypatch.setattr(module, "PROBE_SECONDS", 2.0)


def user_of(dsn: str) -> str:
    """The role that an address logs in as."""
    return urlsplit(dsn).username or ""


@asynccontextmanager
async def scratch_database(server: str) -> AsyncIterator[Dsns]:
    """Make a database with its three roles, and drop all four at the end."""
    name = f"warlog_test_{secrets.token_hex(6)}"
    roles = {f"{name}_{role}": secrets.token_hex(12) for role in ("owner", "app", "eraser")}
    admin = await asyncpg.connect(server)
    try:
        await provision(admin, name, roles)
        owner, app, eraser = (address_in(server, name, login) for login in roles.items())
        yield Dsns(admin=address_in(server, name), owner=owner, app=app, eraser=eraser)
    finally:
        await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        for role in roles:
            await admin.execute(f"DROP ROLE IF EXISTS {role}")
        await admin.close()


def address_in(server: str, database: str, login: tuple[str, str] | None = None) -> str:
    """The server's address for another database, and for another role if `login` names one."""
    parts = urlsplit(server)
    host = parts.netloc.rpartition("@")[2]
    netloc = f"{login[0]}:{login[1]}@{host}" if login else parts.netloc
    return parts._replace(netloc=netloc, path=f"/{database}").geturl()


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """What a command that ran in this process left behind: later tests look at lines of logs.

    Its loggers keep what was configured at their first use, its handler a stream that is closed.
    """
    yield
    if not structlog.is_configured():
        return
    structlog.reset_defaults()
    for module in list(sys.modules.values()):
        logger = getattr(module, "_log", None)
        if isinstance(logger, structlog._config.BoundLoggerLazyProxy):
            vars(logger).pop("bind", None)
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(handler)
