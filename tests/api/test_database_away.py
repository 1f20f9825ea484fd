"""Without its database the service says so, and recovers by itself when the database is back."""

import asyncio
import secrets
from pathlib import Path
from uuid import UUID

import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.eventstore.timeouts import PATIENCE
from tests.api.serving import CREATION, SHOT, START, Caller, Served, new_key, settings_for
from tests.api.streaming import eventually
from tests.conftest import user_of


async def _prepared(owner: str, app: str, eraser: str) -> str:
    await upgrade(owner, app_role=user_of(app), eraser_role=user_of(eraser))
    store = await EventStore.open(app, pool_size=1)
    tenant = await store.access.create_tenant(UUID(bytes=secrets.token_bytes(16)), "away")
    token = await new_key(store, tenant.id, SCOPES)
    await store.close()
    return token


@pytest.mark.slow
def test_the_database_goes_away_and_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    first = EmbeddedPostgres(folder, durable=False)
    dsns = first.start()
    token = asyncio.run(_prepared(dsns.owner, dsns.app, dsns.eraser))
    with (
        Served(settings_for(dsns), patience=PATIENCE) as served,
        Caller(served.url, token) as caller,
    ):
        encounter = caller.create()
        caller.act(encounter, START)
        first.stop()
        for answer in (
            caller.get(encounter),
            caller.get("/health/ready"),
            caller.post("/v1/encounters", CREATION),
            caller.post(f"{encounter}/actions", {"action": SHOT}),
        ):
            assert answer.status_code == 503, answer.text
            assert int(answer.headers["Retry-After"]) >= 1
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json()["code"] in {"database_away", "database_slow", "outcome_unknown"}
        assert caller.get("/health/live").status_code == 200
        second = EmbeddedPostgres(folder, durable=False)
        try:
            assert second.start() == dsns
            eventually(
                lambda: caller.get("/health/ready").status_code == 200, "it does not recover"
            )
            assert caller.head(encounter)[1] == 2
            assert caller.act(encounter, SHOT)["version"] == 3
        finally:
            second.stop()
