"""A database restored to an older state under a running service: noticed, shown, gone on from."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from service.errors import ConflictingRequest, PreconditionFailed
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from tests.encounters.table import Table, beside, end_turn, shoot
from tests.patience import until

RESTORE = (
    "DELETE FROM event WHERE encounter_id = $1 AND seq > $2",
    "DELETE FROM event_part WHERE encounter_id = $1 AND seq > $2",
    "DELETE FROM snapshot WHERE encounter_id = $1 AND seq > $2",
    "DELETE FROM command WHERE encounter_id = $1 AND last_seq > $2",
    "UPDATE encounter SET head_seq = $2, status = 'running', head_hash ="
    " (SELECT hash FROM event WHERE encounter_id = $1 AND seq = $2) WHERE id = $1",
)
PLACES = ["in-memory", "fresh"]


def note(text: str) -> dict[str, object]:
    return {"type": "note", "text": text}


async def restore(database: Dsns, encounter: UUID, seq: int) -> None:
    """Set one log back, as a restored backup would."""
    admin = await asyncpg.connect(database.admin)
    # Nobody below a superuser can: the log is protected from its owner too.
    await admin.execute("SET session_replication_role = replica")
    async with admin.transaction():
        # What is appended meanwhile would be left behind the head.
        await admin.execute("SELECT FROM encounter WHERE id = $1 FOR UPDATE", encounter)
        for statement in RESTORE:
            await admin.execute(statement, encounter, seq)
    await admin.close()


async def etag_of(table: Table, encounter: UUID) -> str:
    view = await table.encounters.reads.view(table.who, encounter, None)
    return f"{view.seq}-{view.hash[:8]}"


async def require_clean(table: Table, store: EventStore, encounter: UUID, head: int) -> None:
    """Every process shows the same story, and it is one the rules allow."""
    fresh = beside(table, store)
    view = await table.encounters.reads.view(table.who, encounter, None)
    assert view == await fresh.encounters.reads.view(table.who, encounter, None)
    assert view.head == head
    await table.encounters.writes.settle()
    report = await audit_stored(fresh.encounters.reads, fresh.who, encounter)
    assert (report.counts, report.problems) == ({"match": head}, ())


@pytest.fixture
async def encounter(table: Table) -> UUID:
    """Six events; this process knows all of them."""
    started = await table.started()
    for number in range(3, 7):
        await table.act(started, note(f"said {number}"), key=f"key {number}")
    return started


async def test_reads_show_the_log_that_is_there(
    table: Table, store: EventStore, database: Dsns, encounter: UUID
) -> None:
    await restore(database, encounter, 4)
    page = await table.encounters.reads.events(table.who, encounter, None, 100)
    assert [record.seq for record in page.events] == [1, 2, 3, 4]
    await require_clean(table, store, encounter, 4)


async def test_writes_go_on_behind_the_log_that_is_there(
    table: Table, store: EventStore, database: Dsns, encounter: UUID
) -> None:
    await restore(database, encounter, 4)
    acted = await table.act(encounter, shoot("r1", "b1"))
    assert acted.answer.version == 5
    await require_clean(table, store, encounter, 5)


async def test_many_writes_at_once_go_on_behind_the_log_that_is_there(
    table: Table, store: EventStore, database: Dsns, encounter: UUID
) -> None:
    await restore(database, encounter, 3)
    acted = await asyncio.gather(*(table.act(encounter, note(f"{each}")) for each in range(20)))
    assert sorted(one.answer.version for one in acted) == list(range(4, 24))
    await require_clean(table, store, encounter, 23)


async def test_a_log_set_back_while_writes_are_in_flight_stays_whole(
    table: Table, store: EventStore, database: Dsns, encounter: UUID
) -> None:
    said: list[int] = []

    async def talk(who: int) -> None:
        for each in range(10):
            acted = await table.act(encounter, note(f"{who} {each}"))
            said.append(acted.answer.version)

    talking = [asyncio.create_task(talk(who)) for who in range(4)]
    await until(lambda: len(said) >= 8)
    await restore(database, encounter, 4)
    await asyncio.gather(*talking)
    head = (await table.encounters.reads.view(table.who, encounter, None)).head
    await require_clean(table, store, encounter, head)


async def test_a_key_whose_event_is_lost_is_free_again(
    table: Table, store: EventStore, database: Dsns, encounter: UUID
) -> None:
    await restore(database, encounter, 4)
    kept = await table.act(encounter, note("said 4"), key="key 4")
    lost = await table.act(encounter, note("said 6"), key="key 6")
    again = await table.act(encounter, note("said 6"), key="key 6")
    assert [(one.replayed, one.answer.version) for one in (kept, lost, again)] == [
        (True, 4),
        (False, 5),
        (True, 5),
    ]
    await require_clean(table, store, encounter, 5)


@pytest.mark.parametrize("regrown", [0, 1])
async def test_a_request_sent_again_gets_a_receipt_for_the_head_that_is_there(
    table: Table, store: EventStore, database: Dsns, encounter: UUID, regrown: int
) -> None:
    await restore(database, encounter, 4)
    for each in range(regrown):
        await beside(table, store).act(encounter, note(f"instead {each}"))
    again = await table.act(encounter, note("said 4"), key="key 4")
    row = await store.log.head(encounter)
    assert row is not None
    receipt = again.answer.receipt
    assert (again.replayed, receipt.seq, receipt.hash) == (True, 4 + regrown, row.head_hash.hex())


@pytest.mark.parametrize("regrown", [0, 1, 2, 5])
@pytest.mark.parametrize("place", PLACES)
async def test_who_has_seen_what_is_lost_is_told_that_the_history_diverged(
    table: Table,
    store: EventStore,
    database: Dsns,
    encounter: UUID,
    place: str,
    regrown: int,
) -> None:
    seen = await etag_of(table, encounter)
    await restore(database, encounter, 4)
    other = beside(table, store)
    for each in range(regrown):
        await other.act(encounter, note(f"instead {each}"))
    asked = table if place == "in-memory" else beside(table, store)
    with pytest.raises(ConflictingRequest, match="history_diverged"):
        await asked.act(encounter, end_turn("r1"), if_match=seen)
    with pytest.raises(ConflictingRequest, match="history_diverged"):
        await asked.act(encounter, end_turn("r1"), key="with a key", if_match=seen)
    with pytest.raises(ConflictingRequest, match="history_diverged"):
        await asked.encounters.reads.events(asked.who, encounter, seen, 10)
    with pytest.raises(ConflictingRequest, match="history_diverged"):
        await asked.encounters.wait(asked.who, encounter, seen, 0)
    if regrown < 2:
        with pytest.raises(ConflictingRequest, match="history_diverged"):
            await asked.encounters.reads.events(asked.who, encounter, "6", 10)
    await require_clean(asked, store, encounter, 4 + regrown)


@pytest.mark.parametrize("regrown", [0, 1, 2])
async def test_a_reader_that_is_ahead_is_told_that_the_history_diverged(
    table: Table, database: Dsns, encounter: UUID, regrown: int
) -> None:
    seen = await etag_of(table, encounter)
    await restore(database, encounter, 4)
    for each in range(regrown):
        await table.act(encounter, note(f"instead {each}"))
    for at in (None, 2):
        with pytest.raises(ConflictingRequest, match="history_diverged"):
            await table.encounters.reads.view(table.who, encounter, at, ["1-00000000", seen])


async def test_a_reader_that_is_behind_or_level_or_knows_no_version_is_shown_the_state(
    table: Table, encounter: UUID
) -> None:
    page = await table.encounters.reads.events(table.who, encounter, None, 3)
    known = [page.next, await etag_of(table, encounter), "9999999999-00000000"]
    view = await table.encounters.reads.view(table.who, encounter, None, known)
    assert view.head == 6


async def test_a_reader_that_a_commit_overtook_is_not_ahead(
    table: Table, store: EventStore, encounter: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await store.log.head(encounter)
    await beside(table, store).act(encounter, note("meanwhile"))
    newest = await etag_of(beside(table, store), encounter)
    heads = [row]
    real = store.log.head

    async def lagging(wanted: UUID) -> object:
        return heads.pop() if heads else await real(wanted)

    monkeypatch.setattr(store.log, "head", lagging)
    view = await table.encounters.reads.view(table.who, encounter, None, [newest])
    assert view.head == 6


async def test_who_has_seen_less_than_is_lost_is_only_behind(
    table: Table, database: Dsns, encounter: UUID
) -> None:
    page = await table.encounters.reads.events(table.who, encounter, None, 2)
    await restore(database, encounter, 4)
    with pytest.raises(PreconditionFailed):
        await table.act(encounter, end_turn("r1"), if_match=page.next)
    after = await table.encounters.reads.events(table.who, encounter, page.next, 10)
    assert [record.seq for record in after.events] == [3, 4]


async def test_a_version_that_never_was_is_no_part_of_this_history(
    table: Table, encounter: UUID
) -> None:
    for version in ("3-00000000", "99-00000000"):
        with pytest.raises(ConflictingRequest, match="history_diverged"):
            await table.act(encounter, end_turn("r1"), if_match=version)


async def test_an_encounter_that_is_lost_whole_is_not_found_and_comes_back_under_its_key(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started()
    admin = await asyncpg.connect(database.admin)
    await admin.execute("SET session_replication_role = replica")
    for name in ("event", "event_part", "secret", "seat", "command", "creation", "encounter_blob"):
        await admin.execute(f"DELETE FROM {name} WHERE encounter_id = $1", encounter)
    await admin.execute("DELETE FROM encounter WHERE id = $1", encounter)
    await admin.close()
    for asking in (table.state(encounter), table.act(encounter, shoot("r1", "b1"))):
        with pytest.raises(Exception, match="unknown_encounter"):
            await asking
