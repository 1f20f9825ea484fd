"""An encounter that everybody left is ended and its seed revealed, by the service itself."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import msgspec
import pytest

from service.encounters.service import Encounters
from service.encounters.sources import Sources
from service.engine.actions import EndEncounter, NoteAction, Reveal
from service.engine.permission import require_role
from service.engine.vocabulary import By
from service.errors import Forbidden
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.replay.auditing import audit_stored
from service.replay.verdicts import Ruling
from service.rulesets import RULESETS
from tests.conftest import user_of
from tests.encounters.table import SIGNER, SOURCES, Table, beside, creation, shoot

SYSTEM = By(kind="system", id="reveal_by", role="gm")


@dataclass
class Clock:
    """A clock that the test drives."""

    ahead: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@pytest.fixture
async def store(empty_database: Dsns) -> AsyncIterator[EventStore]:
    """A database of this test alone: the service looks at everything in it."""
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    opened = await EventStore.open(empty_database.app, eraser_url=empty_database.eraser)
    yield opened
    await opened.close()


def later(table: Table, store: EventStore, days: int) -> Table:
    """A process of the service, some days later."""
    sources = Sources(now=Clock(timedelta(days=days)).now, random=SOURCES.random)
    return Table(Encounters(store, RULESETS, SIGNER, sources), table.who)


async def events_of(table: Table, encounter: UUID) -> list[tuple[str, str]]:
    """Who did what."""
    page = await table.encounters.events(table.who, encounter, None, 100)
    trees = [msgspec.json.decode(record.event) for record in page.events]
    return [(tree["by"]["kind"], tree["action"]["type"]) for tree in trees]


async def audited(table: Table, encounter: UUID) -> Mapping[Ruling, int]:
    report = await audit_stored(table.encounters, table.who, encounter)
    assert report.problems == ()
    return report.counts


async def test_a_battle_that_was_left_is_ended_and_revealed_after_its_days(
    table: Table, store: EventStore
) -> None:
    left = await table.started(creation(reveal_by_days=30))
    await table.act(left, shoot("r1", "b1"))
    patient = await table.started(creation(reveal_by_days=60))
    await later(table, store, 29).encounters.reveal_overdue()
    assert len(await events_of(table, left)) == 3
    await later(table, store, 31).encounters.reveal_overdue()
    assert (await events_of(table, left))[3:] == [("system", "end_encounter")]
    assert len(await events_of(table, patient)) == 2
    assert (await table.state(left))["status"] == "ended"
    view = await table.encounters.view(table.who, left, None)
    assert msgspec.json.decode(view.table)["seed"]
    assert await audited(table, left) == {"match": 4}


async def test_an_ended_battle_whose_seed_was_kept_is_revealed(
    table: Table, store: EventStore
) -> None:
    ended = await table.started()
    await table.act(ended, {"type": "end_encounter"})
    await later(table, store, 181).encounters.reveal_overdue()
    assert (await events_of(table, ended))[3:] == [("system", "reveal")]
    assert await audited(table, ended) == {"match": 4}


async def test_what_is_revealed_or_in_setup_is_left_alone(table: Table, store: EventStore) -> None:
    setup, revealed = await table.create(), await table.started()
    await table.act(revealed, {"type": "end_encounter", "reveal": "now"})
    for _ in range(2):
        await later(table, store, 400).encounters.reveal_overdue()
    assert len(await events_of(table, setup)) == 1
    assert len(await events_of(table, revealed)) == 3
    overdue = await store.seeds.overdue(
        SOURCES.now() + timedelta(days=400), after=UUID(int=0), limit=1000
    )
    assert revealed not in overdue


async def test_an_encounter_that_this_build_cannot_read_holds_up_no_other(
    table: Table, store: EventStore, empty_database: Dsns
) -> None:
    newer, known = await table.started(), await table.started()
    assert newer < known
    admin = await asyncpg.connect(empty_database.admin)
    await admin.execute("UPDATE encounter SET version = '99' WHERE id = $1", newer)
    await admin.close()
    assert await later(table, store, 181).encounters.reveal_overdue() == 1
    assert (await events_of(table, known))[2:] == [("system", "end_encounter")]


async def test_processes_that_look_at_once_reveal_once(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    await asyncio.gather(*(later(table, store, 181).encounters.reveal_overdue() for _ in range(4)))
    assert (await events_of(table, encounter))[2:] == [("system", "end_encounter")]
    assert await audited(beside(table, store), encounter) == {"match": 3}


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
