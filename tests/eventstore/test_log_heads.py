"""The head of a log moves forward with the rows that make it true, whoever asks."""

from collections.abc import Callable
from uuid import UUID

import asyncpg
import msgspec
import pytest

from service.errors import LogDamaged
from service.eventstore.embedded import Dsns
from service.eventstore.log_writes import APPEND, columns
from service.eventstore.records import Append, Appended, EncounterRow, Failed
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    append,
    command,
    event,
    head_of,
    json_as_bytes,
    log_of,
    sha,
    stored_encounter,
    text_part,
)

OF_EVENTS = slice(12, 18)
OF_PARTS = slice(18, 24)
OF_COMMANDS = slice(6, 12)
Arguments = list[list[object]]


def arguments(*batch: Append) -> Arguments:
    """What the service would hand to the function."""
    return [list(column) for column in columns(batch)]


def without(table: slice, place: int) -> Callable[[Arguments], None]:
    def change(handed: Arguments) -> None:
        for column in handed[table]:
            del column[place]

    return change


def nothing(table: slice) -> Callable[[Arguments], None]:
    def change(handed: Arguments) -> None:
        for column in handed[table]:
            column.clear()

    return change


def once_more(table: slice, place: int, seq: int) -> Callable[[Arguments], None]:
    def change(handed: Arguments) -> None:
        for column in handed[table]:
            column.append(column[place])
        handed[table.start + 1][-1] = seq

    return change


def request_once_more(handed: Arguments) -> None:
    for column in handed[OF_COMMANDS]:
        column.append(column[0])


def put(column: int, place: int, value: object) -> Callable[[Arguments], None]:
    def change(handed: Arguments) -> None:
        handed[column][place] = value

    return change


UNFITTING: dict[str, Callable[[Arguments], None]] = {
    "no row at all": nothing(OF_EVENTS),
    "the first row missing": without(OF_EVENTS, 0),
    "a gap": without(OF_EVENTS, 1),
    "the last row missing": without(OF_EVENTS, 2),
    "a row behind the new head": once_more(OF_EVENTS, 2, seq=5),
    "a row far behind the new head": once_more(OF_EVENTS, 2, seq=99),
    "a gap and a row behind the new head": put(13, 1, 9),
    "an end with another hash": put(15, 2, sha(b"another")),
    "a head with another hash": put(4, 0, sha(b"another")),
    "a head further on": put(3, 0, 5),
    "a head not so far": put(3, 0, 3),
    "a part of an earlier event": put(19, 0, 1),
    "a part of an event to come": put(19, 0, 5),
    "a request that began earlier": put(10, 0, 1),
    "a request that ends later": put(11, 0, 5),
    "a request under a key twice": request_once_more,
}


@pytest.mark.parametrize("fault", UNFITTING)
async def test_rows_that_do_not_make_the_new_head_true_are_refused(
    store: EventStore, database: Dsns, tenant: UUID, fault: str
) -> None:
    row = await stored_encounter(store, tenant)
    other = append(await stored_encounter(store, tenant))
    three = append(row, event(2, text_part()), event(3), event(4), commands=(command("k", 2, 4),))
    handed = arguments(three, other)
    UNFITTING[fault](handed)
    app = await asyncpg.connect(database.app)
    await json_as_bytes(app)
    with pytest.raises(asyncpg.CheckViolationError) as refusal:
        await app.fetch(APPEND, *handed)
    assert refusal.value.constraint_name == "append_fits_check"
    assert await head_of(store, row.id) == row
    assert len(await log_of(store, row.id)) == len(await log_of(store, other.encounter_id)) == 1
    [whole] = await app.fetch(APPEND, *arguments(three, other))
    await app.close()
    assert set(whole["taken"]) == {row.id, other.encounter_id}


@pytest.mark.parametrize(("seq", "digest"), [(1, b"another"), (0, b"another"), (-5, b"")])
async def test_a_head_never_stays_or_goes_back(
    store: EventStore, database: Dsns, tenant: UUID, seq: int, digest: bytes
) -> None:
    row = await stored_encounter(store, tenant)
    handed = arguments(append(row))
    handed[3], handed[4] = [seq], [sha(digest)]
    nothing(OF_EVENTS)(handed)
    app = await asyncpg.connect(database.app)
    [answer] = await app.fetch(APPEND, *handed)
    await app.close()
    assert answer["taken"] is None
    assert await head_of(store, row.id) == row


async def test_one_encounter_named_twice_cannot_make_up_for_rows_of_another(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    rows = [await stored_encounter(store, tenant) for _ in range(2)]
    stale = msgspec.structs.replace(append(rows[0]), expected_hash=sha(b"another"))
    two = append(rows[1], event(2), event(3))
    app = await asyncpg.connect(database.app)
    await json_as_bytes(app)
    for first in (stale, append(rows[0], event(2), event(3))):
        handed = arguments(first, two, append(rows[0]))
        without(OF_EVENTS, len(first.events) + 1)(handed)
        with pytest.raises((asyncpg.CheckViolationError, asyncpg.UniqueViolationError)):
            await app.fetch(APPEND, *handed)
    await app.close()
    assert [await head_of(store, row.id) for row in rows] == rows


async def test_tables_of_a_session_do_not_stand_in_for_those_of_the_log(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    admin = await asyncpg.connect(database.admin)
    await json_as_bytes(admin)
    for table in ("encounter", "event", "command", "event_part"):
        await admin.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT * FROM public.{table}")
    await admin.execute("SET search_path = pg_temp, public")
    [answer] = await admin.fetch(APPEND, *arguments(append(row)))
    await admin.close()
    assert answer["taken"] == [row.id]
    assert (await head_of(store, row.id)).head_seq == 2


async def moved_back(database: Dsns, row: EncounterRow) -> None:
    """Somebody with more rights than the service sets a head back."""
    owner = await asyncpg.connect(database.owner)
    await owner.execute(
        "UPDATE encounter SET head_seq = $2, head_hash = $3, status = $4 WHERE id = $1",
        row.id,
        row.head_seq,
        row.head_hash,
        row.status,
    )
    await owner.close()


async def test_rows_beyond_a_head_are_told_as_damage_and_hold_up_no_other(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row, other = [await stored_encounter(store, tenant) for _ in range(2)]
    await store.writer.append([append(row, event(2), event(3))])
    assert await store.log.beyond_head(row.id) is None
    await moved_back(database, row)
    late = append(row, event(2, of="late"))
    outcomes = await store.writer.append([late, append(other)])
    [alone] = await store.writer.append([late])
    assert [type(outcome) for outcome in outcomes] == [Failed, Appended]
    for outcome in (outcomes[0], alone):
        assert isinstance(outcome, Failed)
        assert isinstance(outcome.error, LogDamaged)
        assert outcome.error.params == {
            "encounter": str(row.id),
            "found": "rows_beyond_head",
            "head": 1,
        }
    assert await store.log.beyond_head(row.id) == 2
    assert await head_of(store, row.id) == row


async def test_a_stray_part_beyond_the_head_is_damage_too(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    owner = await asyncpg.connect(database.owner)
    await owner.execute("INSERT INTO event_part VALUES ($1, 2, 'everyone', 'text')", row.id)
    await owner.close()
    [outcome] = await store.writer.append([append(row, event(2, text_part()))])
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, LogDamaged)
    assert await store.log.beyond_head(row.id) == 2
