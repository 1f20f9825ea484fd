"""An encounter that everybody left is ended and its seed revealed, by the service itself."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import msgspec
import pytest

from service.app import compose
from service.encounters.clock_and_ids import Sources
from service.engine.battle.permission import require_role
from service.engine.vocabulary.actions import EndEncounter, NoteAction, Reveal
from service.engine.vocabulary.values import By
from service.errors import EncounterBusy, Forbidden
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from service.replay.audit.audits import audit_stored
from service.replay.report.verdicts import Ruling
from service.rulesets import RULESETS
from tests.conftest import user_of
from tests.encounters.table import SIGNER, SOURCES, Table, beside, creation, shoot
from tests.eventstore.logs import held

SYSTEM = By(kind="system", id="reveal_by", role="gm")


AGED = (
    "UPDATE event SET recorded_at = recorded_at - make_interval(days => $1)",
    "UPDATE encounter SET created_at = created_at - make_interval(days => $1)",
)


@pytest.fixture
async def store(empty_database: Dsns) -> AsyncIterator[EventStore]:
    """A database of this test alone: the service looks at everything in it."""
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    opened = await EventStore.open(empty_database.app, eraser_url=empty_database.eraser)
    yield opened
    await opened.close()


async def days_pass(database: Dsns, days: int) -> None:
    """Everything recorded so far was recorded so many days earlier."""
    admin = await asyncpg.connect(database.admin)
    # Nobody below a superuser can: the log is protected from its owner too.
    await admin.execute("SET session_replication_role = replica")
    for statement in AGED:
        await admin.execute(statement, days)
    await admin.close()


async def rounds(table: Table, store: EventStore, count: int = 1) -> int:
    """Processes of the service that look at the same time; how many seeds they revealed."""
    processes = [beside(table, store).encounters for _ in range(count)]
    return sum(await asyncio.gather(*(process.writes.reveal_overdue() for process in processes)))


async def events_of(table: Table, encounter: UUID) -> list[tuple[str, str]]:
    """Who did what."""
    page = await table.encounters.reads.events(table.who, encounter, None, 100)
    trees = [msgspec.json.decode(record.event) for record in page.events]
    return [(tree["by"]["kind"], tree["action"]["type"]) for tree in trees]


async def audited(table: Table, encounter: UUID) -> Mapping[Ruling, int]:
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert report.problems == ()
    return report.counts


async def test_a_battle_that_was_left_is_ended_and_revealed_after_its_days(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    left = await table.started(creation(reveal_by_days=30))
    await table.act(left, shoot("r1", "b1"))
    patient = await table.started(creation(reveal_by_days=60))
    await days_pass(empty_database, 29)
    assert await rounds(table, store) == 0
    assert len(await events_of(table, left)) == 3
    await days_pass(empty_database, 2)
    assert await rounds(table, store) == 1
    assert (await events_of(table, left))[3:] == [("system", "end_encounter")]
    assert len(await events_of(table, patient)) == 2
    assert (await table.state(left))["status"] == "ended"
    view = await table.encounters.reads.view(table.who, left, None)
    assert msgspec.json.decode(view.table)["seed"]
    assert await audited(table, left) == {"match": 4}


async def test_an_ended_battle_whose_seed_was_kept_is_revealed(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    ended = await table.started()
    await table.act(ended, {"type": "end_encounter"})
    await days_pass(empty_database, 181)
    assert await rounds(table, store) == 1
    assert (await events_of(table, ended))[3:] == [("system", "reveal")]
    assert await audited(table, ended) == {"match": 4}


async def test_what_is_revealed_or_in_setup_is_left_alone(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    setup, revealed = await table.create(), await table.started()
    await table.act(revealed, {"type": "end_encounter", "reveal": "now"})
    await days_pass(empty_database, 400)
    assert [await rounds(table, store) for _ in range(2)] == [0, 0]
    assert len(await events_of(table, setup)) == 1
    assert len(await events_of(table, revealed)) == 3
    assert await store.seeds.overdue(after=UUID(int=0), limit=1000) == ()


async def test_an_encounter_that_this_build_cannot_read_holds_up_no_other(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    newer, known = await table.started(), await table.started()
    assert newer < known
    admin = await asyncpg.connect(empty_database.admin)
    await admin.execute("UPDATE encounter SET version = '99' WHERE id = $1", newer)
    await admin.close()
    await days_pass(empty_database, 181)
    assert await rounds(table, store) == 1
    assert (await events_of(table, known))[2:] == [("system", "end_encounter")]


async def test_processes_that_look_at_once_reveal_once(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    encounter = await table.started()
    await days_pass(empty_database, 181)
    assert await rounds(table, store, 4) == 1
    assert (await events_of(table, encounter))[2:] == [("system", "end_encounter")]
    assert await audited(beside(table, store), encounter) == {"match": 3}


async def test_a_machine_whose_clock_is_years_ahead_reveals_nothing(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    ahead = Sources(now=lambda: datetime.now(UTC) + timedelta(days=4000), random=SOURCES.random)
    assert await compose(store, RULESETS, SIGNER, ahead).writes.reveal_overdue() == 0
    assert len(await events_of(table, encounter)) == 2


async def test_a_battle_taken_up_again_while_the_service_looks_goes_on(
    table: Table, store: EventStore, empty_database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    await days_pass(empty_database, 181)
    real = store.seeds.overdue

    async def overtaken(*, after: UUID, limit: int) -> object:
        found = await real(after=after, limit=limit)
        if found:
            await table.act(encounter, shoot("r1", "b1"))
        return found

    monkeypatch.setattr(store.seeds, "overdue", overtaken)
    assert await rounds(table, store) == 0
    assert [what for _, what in await events_of(table, encounter)][2:] == ["ranged_attack"]


async def test_one_that_somebody_holds_keeps_no_other_from_its_turn(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    first, second = sorted([await table.started(), await table.started()])
    await days_pass(empty_database, 181)
    hasty = await EventStore.open(empty_database.app, patience=Patience(lock_ms=100))
    async with held(empty_database, first):
        with pytest.raises(EncounterBusy):
            await rounds(table, hasty)
    await hasty.close()
    assert [len(await events_of(table, each)) for each in (first, second)] == [2, 3]
    assert await rounds(table, store) == 1


@pytest.mark.parametrize(
    ("action", "may"),
    [(EndEncounter(), True), (Reveal(), True), (NoteAction(text="x"), False)],
)
def test_the_service_itself_may_end_and_reveal_and_nothing_else(
    action: EndEncounter | Reveal | NoteAction, *, may: bool
) -> None:
    if may:
        require_role(action, SYSTEM)
    else:
        with pytest.raises(Forbidden, match="gm_only"):
            require_role(action, SYSTEM)
