"""What a process holds back, whatever its database says, and what that costs an action."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import asyncpg
import pytest

from service.app import compose, serving_process
from service.encounters.held_back import NOTHING_HELD, HeldBack, default_version, held_beyond
from service.encounters.serving import ServingRow
from service.errors import BuildTooOld, DatabaseAway, UpgradeUnfinished
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.releases import BUILD, FIRST_LOWEST, Release
from service.rulesets import RULESETS
from tests.conftest import user_of
from tests.encounters.table import SIGNER, SOURCES, Table, new_table
from tests.patience import PATIENT

TABLE = (
    Release(number=FIRST_LOWEST),
    Release(number="1.1.5", versions={"a": "2"}, actions=("roll",)),
    Release(number="1.1.6"),
    Release(number="1.1.7", versions={"a": "3"}, changes=("b/sheet",), options=("depth",)),
)
EVERYTHING = HeldBack(
    release="1.1.7",
    versions=frozenset({("a", "2"), ("a", "3")}),
    actions=frozenset({"roll"}),
    changes=frozenset({"b/sheet"}),
    options=frozenset({"depth"}),
)


@pytest.fixture
async def upgrading(empty_database: Dsns) -> Dsns:
    app_role = user_of(empty_database.app)
    await upgrade(empty_database.owner, app_role=app_role, releases=TABLE[:1])
    return empty_database


@asynccontextmanager
async def opened(dsns: Dsns) -> AsyncIterator[tuple[EventStore, ServingRow]]:
    store = await EventStore.open(dsns.app, patience=PATIENT)
    try:
        yield store, serving_process(store, RULESETS, TABLE)
    finally:
        await store.close()


async def owner_does(dsns: Dsns, statement: str) -> None:
    session = await asyncpg.connect(dsns.owner)
    await session.execute(statement)
    await session.close()


def test_what_several_releases_brought_is_held_back_together() -> None:
    assert held_beyond(FIRST_LOWEST, TABLE) == EVERYTHING
    assert held_beyond("1.1.5", TABLE).versions == {("a", "3")}
    assert held_beyond("1.1.7", TABLE) == NOTHING_HELD == held_beyond("2.0.0", TABLE)


def test_a_default_is_the_newest_version_that_is_neither_held_back_nor_ahead() -> None:
    first = RULESETS["melody-d6", "1"]
    three = {("a", version): replace(first, slug="a", version=version) for version in "123"}
    ahead = {**three, ("a", "3"): replace(first, slug="a", version="3", is_ahead=True)}
    assert default_version("a", three, EVERYTHING) == "1"
    assert default_version("a", three, held_beyond("1.1.5", TABLE)) == "2"
    assert default_version("a", three, NOTHING_HELD) == "3"
    assert default_version("a", ahead, NOTHING_HELD) == "2"
    assert default_version("a", {("a", "3"): three["a", "3"]}, EVERYTHING) is None
    assert default_version("b", three, NOTHING_HELD) is None


async def test_everything_is_held_back_until_the_lowest_release_is_known(upgrading: Dsns) -> None:
    async with opened(upgrading) as (_, serving):
        await owner_does(upgrading, "UPDATE schema_version SET lowest_release = '1.1.5'")
        assert serving.held() == EVERYTHING
        await serving.begin()
        assert serving.held() == held_beyond("1.1.5", TABLE)
        await owner_does(upgrading, "UPDATE schema_version SET lowest_release = '1.1.7'")
        assert serving.held() == held_beyond("1.1.5", TABLE)
        await serving.renew()
        assert serving.held() == NOTHING_HELD


async def test_a_process_on_a_database_that_takes_no_writes_reads_alone(upgrading: Dsns) -> None:
    name = user_of(upgrading.app)
    await owner_does(upgrading, "UPDATE schema_version SET lowest_release = '1.1.5'")
    admin = await asyncpg.connect(upgrading.admin)
    await admin.execute(f"ALTER ROLE {name} SET default_transaction_read_only = on")
    async with opened(upgrading) as (_, serving):
        await serving.begin()
        assert serving.held() == held_beyond("1.1.5", TABLE)
        await owner_does(upgrading, "UPDATE schema_version SET lowest_release = '1.1.7'")
        await serving.renew()
        assert serving.held() == NOTHING_HELD
        await owner_does(upgrading, "UPDATE schema_version SET lowest_release = '99.0.0'")
        with pytest.raises(BuildTooOld):
            await serving.renew()
        with pytest.raises(BuildTooOld):
            await serving.begin()
        assert await admin.fetch("SELECT FROM serving_process") == []
    await admin.close()


async def test_a_process_that_ends_without_its_database_just_ends(upgrading: Dsns) -> None:
    async with opened(upgrading) as (_, serving):
        await serving.begin()
        admin = await asyncpg.connect(upgrading.admin)
        await admin.execute(f"ALTER ROLE {user_of(upgrading.app)} NOLOGIN")
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1",
            user_of(upgrading.app),
        )
        with pytest.raises(DatabaseAway):
            await serving.renew()
        await serving.end()
        assert len(await admin.fetch("SELECT FROM serving_process")) == 1
        await admin.close()


def itself(held: HeldBack) -> HeldBack:
    return held


def reads(store: EventStore) -> int:
    return sum(store.databases["shared"].latency.counts)


async def test_an_action_asks_the_database_nothing_more(upgrading: Dsns) -> None:
    held = held_beyond(FIRST_LOWEST, (*TABLE, Release(number=BUILD, actions=("note",))))
    asked = {}
    async with opened(upgrading) as (store, _):
        for each in (NOTHING_HELD, held):
            who = (await new_table(store)).who
            encounters = compose(store, RULESETS, SIGNER, SOURCES, held=partial(itself, each))
            table = Table(encounters, who)
            encounter = await table.started()
            before = reads(store)
            await table.act(encounter, {"type": "set_facing", "combatant": "r1", "facing": "N"})
            asked[each.release] = reads(store) - before
            note = table.act(encounter, {"type": "note", "text": "hm"})
            if each.is_anything:
                with pytest.raises(UpgradeUnfinished):
                    await note
            else:
                await note
    assert asked[BUILD] == asked[""]
