"""A store that logical replication fills: reported, and on demand closed to writes."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest

from service.cli.doctor import examine_all
from service.cli.findings import Severity
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from tests.api.serving import CREATION, SHOT, Caller, Served, new_key, problem, settings_for
from tests.conftest import user_of
from tests.eventstore.logs import until
from tests.eventstore.subscribed import disable, enable, subscribed


@pytest.fixture
async def token(empty_database: Dsns) -> AsyncIterator[str]:
    """A key of a tenant in a migrated database of this test alone."""
    roles = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=roles[0], eraser_role=roles[1])
    store = await EventStore.open(empty_database.app)
    tenant = await store.access.create_tenant(uuid4(), secrets.token_hex(8))
    yield await new_key(store, tenant.id, SCOPES)
    await store.close()


async def test_writes_are_refused_on_demand_while_a_subscription_feeds_the_store(
    empty_database: Dsns, token: str
) -> None:
    settings = settings_for(empty_database, WARLOG_REFUSE_ON_SUBSCRIPTION="yes")
    async with subscribed(empty_database.admin) as admin:
        with Served(settings) as served, Caller(served.url, token) as caller:
            refused = caller.post("/v1/encounters", CREATION, accept_language="en")
            assert (refused.status_code, problem(refused)["code"]) == (503, "database_read_only")
            assert refused.json()["params"] == {"subscriptions": ["feed"]}
            assert refused.json()["detail"] == (
                "The database takes no writes now: the subscription feed writes into it; nothing"
                " was written."
            )
            assert caller.get("/health/ready").json()["code"] == "database_read_only"
            await disable(admin)

            async def takes_writes() -> bool:
                return caller.post("/v1/encounters", CREATION).status_code == 201

            await until(takes_writes)
            assert caller.get("/health/ready").json()["warnings"] == []
            encounter = caller.started()
            await enable(admin)

            async def is_refused() -> bool:
                return caller.get("/health/ready").status_code == 503

            await until(is_refused)
            shot = caller.post(f"{encounter}/actions", {"action": SHOT})
            assert (shot.status_code, problem(shot)["code"]) == (503, "database_read_only")
            assert caller.get(encounter).status_code == 200


async def test_an_operator_is_warned_of_a_subscription_to_tables_of_the_store(
    empty_database: Dsns, token: str
) -> None:
    settings = settings_for(empty_database)
    async with subscribed(empty_database.admin):
        with Served(settings) as served, Caller(served.url, token) as caller:
            ready = caller.get("/health/ready")
            assert (ready.status_code, ready.json()["warnings"]) == (200, ["fed_by_subscription"])
            assert caller.create()
        found = await asyncio.to_thread(examine_all, settings, ())
    [says] = [each for each in found if each.subject == "replication"]
    assert says.verdict is Severity.WARNING
    assert says.says.startswith("the subscription feed writes into this store; ")


async def test_a_subscription_to_other_tables_is_none_of_the_service_s_business(
    empty_database: Dsns, token: str
) -> None:
    store = await EventStore.open(empty_database.app)
    session = await asyncpg.connect(empty_database.admin)
    await session.execute("CREATE TABLE weather (day date)")
    await session.close()
    async with subscribed(empty_database.admin, table="weather"):
        assert (await store.ready()).subscriptions == ()
    async with subscribed(empty_database.admin):
        assert (await store.ready()).subscriptions == ("feed",)
    await store.close()
