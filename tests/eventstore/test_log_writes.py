"""Appending: all or nothing per encounter, once per key, behind the expected head only."""

import asyncio
from dataclasses import dataclass
from uuid import UUID, uuid4

import asyncpg
import msgspec
import pytest

from service.engine.log.event import SealedEvent, SealedPart
from service.errors import DatabaseSlow, Unstorable
from service.eventstore.embedded import Dsns
from service.eventstore.records import (
    Append,
    Appended,
    Conflict,
    Duplicate,
    Failed,
    Held,
    Missing,
)
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import (
    append,
    as_read,
    command,
    event,
    facts_part,
    hash_of,
    head_of,
    insisted,
    log_of,
    stored_encounter,
    text_part,
)

AWKWARD_BODIES = (
    b'{"a":1}',
    b'{ "spaces" : [ 1 ,2 ] }\n',
    b'{"b":1,"a":2,"b":3}',
    b'{"n":9007199254740991,"m":-0,"e":1.50}',
    '{"t":"Ёж — 🐉 \u2028 \u00e9 e\u0301"}'.encode(),
    b'{"t":"\\u0401\\/\\"\\\\\\n\\ud83d\\udc09"}',
    b'{"long":"' + b"x" * 100_000 + b'"}',
)


@dataclass(frozen=True)
class Failure:
    """What a `Failed` holds, comparable."""

    kind: type[Exception]
    sqlstate: object


def failure(outcome: object) -> Failure:
    assert isinstance(outcome, Failed)
    return Failure(type(outcome.error), outcome.error.params.get("sqlstate"))


@pytest.mark.parametrize("body", AWKWARD_BODIES, ids=range(len(AWKWARD_BODIES)))
async def test_bodies_come_back_byte_for_byte(store: EventStore, tenant: UUID, body: bytes) -> None:
    row = await stored_encounter(store, tenant)
    written = event(2, text_part(body=body), facts_part(body=bytes(range(256))), body=body)
    [outcome] = await store.writer.append([append(row, written)])
    assert isinstance(outcome, Appended)
    assert (await log_of(store, row.id))[1] == as_read(written)


async def test_an_append_moves_head_and_status_and_is_dated_by_the_database(
    store: EventStore, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    first, second = event(2), event(3, base=1)
    [outcome] = await store.writer.append([append(row, first, second)])
    stored = await store.log.events(row.id, after=1, limit=10)
    assert isinstance(outcome, Appended)
    assert await head_of(store, row.id) == msgspec.structs.replace(
        row, status="running", head_seq=3, head_hash=hash_of(second)
    )
    assert [found.recorded_at for found in stored] == [outcome.recorded_at] * 2
    assert outcome.recorded_at > row.created_at


async def test_of_two_processes_behind_one_head_exactly_one_appends(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    other = await EventStore.open(database.app)
    row = await stored_encounter(store, tenant)
    for round_ in range(20):
        ours, theirs = (
            append(row, event(row.head_seq + 1, of=(round_, who))) for who in ("ours", "theirs")
        )
        outcomes = [
            outcome
            for outcomes in await asyncio.gather(insisted(store, ours), insisted(other, theirs))
            for outcome in outcomes
        ]
        row = await head_of(store, row.id)
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Appended", "Conflict"]
        assert Conflict(head_seq=row.head_seq, head_hash=row.head_hash) in outcomes
    await other.close()
    assert [found.seq for found in await log_of(store, row.id)] == list(range(1, 22))


async def test_the_right_seq_with_another_hash_is_a_conflict(
    store: EventStore, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    wrong = msgspec.structs.replace(append(row), expected_hash=bytes(32))
    assert await store.writer.append([wrong]) == (Conflict(head_seq=1, head_hash=row.head_hash),)


async def test_a_key_is_used_once_even_behind_a_fresh_head(store: EventStore, tenant: UUID) -> None:
    row = await stored_encounter(store, tenant)
    first = append(row, event(2), event(3), commands=(command("a", 2), command("b", 3)))
    await store.writer.append([first])
    again = append(first, event(4), event(5), commands=(command("b", 4), command("c", 5)))
    assert await store.writer.append([again]) == (Duplicate(commands=(command("b", 3),)),)
    assert len(await log_of(store, row.id)) == 3
    assert await store.log.command(row.id, "seat:1", "b") == command("b", 3)
    assert await store.log.command(row.id, "seat:1", "c") is None
    assert await store.log.command(row.id, "seat:2", "b") is None


async def test_a_key_is_found_wherever_in_a_long_log_it_was_used(
    store: EventStore, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    seqs = (2, 511, 512, 513, 1023, 1024, 1025, 1100)
    used = {seq: command(f"at {seq}", seq) for seq in seqs}
    events = [event(seq) for seq in range(2, 1101)]
    long = append(row, *events, commands=tuple(used.values()))
    [stored] = await store.writer.append([long])
    assert isinstance(stored, Appended)
    for seq in seqs:
        again = append(long, commands=(command(f"at {seq}", 1101),))
        assert await store.writer.append([again]) == (Duplicate(commands=(used[seq],)),)
        assert await store.log.command(row.id, "seat:1", f"at {seq}") == used[seq]
        assert await store.log.command(row.id, "seat:2", f"at {seq}") is None
    assert await store.log.command(row.id, "seat:1", "at 3") is None


async def test_a_used_key_is_told_before_a_stale_head(store: EventStore, tenant: UUID) -> None:
    row = await stored_encounter(store, tenant)
    first = append(row, commands=(command("a", 2),))
    await store.writer.append([first])
    assert await store.writer.append([first]) == (Duplicate(commands=(command("a", 2),)),)


async def test_one_key_sent_to_two_processes_at_once_makes_one_event(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    other = await EventStore.open(database.app)
    row = await stored_encounter(store, tenant)
    same = append(row, commands=(command("a", 2),))
    outcomes = await asyncio.gather(insisted(store, same), insisted(other, same))
    await other.close()
    assert (Duplicate(commands=(command("a", 2),)),) in outcomes
    assert len(await log_of(store, row.id)) == 2


async def test_the_same_key_in_two_encounters_is_two_keys(store: EventStore, tenant: UUID) -> None:
    rows = [await stored_encounter(store, tenant) for _ in range(2)]
    batch = [append(row, commands=(command("a", 2),)) for row in rows]
    outcomes = await store.writer.append(batch)
    assert [type(outcome) for outcome in outcomes] == [Appended, Appended]


async def test_who_fails_in_a_batch_is_left_out_and_the_others_are_stored(
    store: EventStore, tenant: UUID
) -> None:
    rows = [await stored_encounter(store, tenant) for _ in range(4)]
    stale, used = append(rows[0]), append(rows[1], commands=(command("k", 2),))
    await store.writer.append([stale, used])
    moved = await head_of(store, rows[0].id)
    gone = msgspec.structs.replace(append(rows[2]), encounter_id=uuid4())
    outcomes = await store.writer.append(
        [append(rows[2], event(2), event(3)), stale, gone, used, append(rows[3])]
    )
    assert outcomes == (
        outcomes[0],
        Conflict(head_seq=2, head_hash=moved.head_hash),
        Missing(),
        Duplicate(commands=(command("k", 2),)),
        outcomes[0],
    )
    assert isinstance(outcomes[0], Appended)
    assert [len(await log_of(store, row.id)) for row in rows] == [2, 2, 3, 2]


POISONS: dict[str, tuple[SealedEvent, str, str]] = {
    "no JSON": (event(2, body=b'{"a":'), "k", "22P02"),
    "no UTF-8": (event(2, body=b'{"a":"\xff"}'), "k", "22021"),
    "NUL in a key": (event(2), "k\0", "22021"),
    "base ahead": (event(2, base=2), "k", "23514"),
    "base past 32 bits": (event(2, base=2**40), "k", "22000"),
    "short hash": (msgspec.structs.replace(event(2), hash=b"short".hex()), "k", "23514"),
    "short salt": (
        event(2, SealedPart(audience="gm", kind="facts", salt=b"short", body=b"{}")),
        "k",
        "23514",
    ),
    "part twice": (event(2, text_part(), text_part()), "k", "23505"),
}


@pytest.mark.parametrize("poison", POISONS)
async def test_a_value_the_database_refuses_fails_its_own_append_only(
    store: EventStore, tenant: UUID, poison: str
) -> None:
    bad, key, sqlstate = POISONS[poison]
    rows = [await stored_encounter(store, tenant) for _ in range(3)]
    batch = [append(rows[0]), append(rows[1], bad, commands=(command(key, 2),)), append(rows[2])]
    outcomes = await store.writer.append(batch)
    assert [type(outcome) for outcome in outcomes] == [Appended, Failed, Appended]
    assert failure(outcomes[1]) == Failure(Unstorable, sqlstate)
    assert [len(await log_of(store, row.id)) for row in rows] == [2, 1, 2]
    assert await store.writer.append([append(rows[1])]) != ()
    assert len(await log_of(store, rows[1].id)) == 2


async def test_an_encounter_somebody_locked_holds_up_no_other(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    rows = [await stored_encounter(store, tenant) for _ in range(3)]
    batch = [append(row, commands=(command("k", 2),)) for row in rows]
    stale = msgspec.structs.replace(append(rows[2]), expected_hash=bytes(32))
    gone = msgspec.structs.replace(append(rows[2]), encounter_id=uuid4())
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("SELECT FROM encounter WHERE id = $1 FOR UPDATE", rows[1].id)
        outcomes = await store.writer.append([batch[0], batch[1], stale, gone])
        assert await store.writer.append([batch[1]]) == (Held(),)
    await admin.close()
    assert [type(outcome) for outcome in outcomes] == [Appended, Held, Conflict, Missing]
    assert [len(await log_of(store, row.id)) for row in rows] == [2, 1, 1]
    assert [type(outcome) for outcome in await store.writer.append(batch[1:])] == [
        Appended,
        Appended,
    ]


async def test_a_table_that_somebody_locked_is_waited_for_once(
    database: Dsns, store: EventStore, tenant: UUID
) -> None:
    hasty = await EventStore.open(database.app, patience=Patience(lock_ms=1_000))
    batch = [append(await stored_encounter(store, tenant)) for _ in range(64)]
    admin = await asyncpg.connect(database.admin)
    # Waited for once for each of them it would take a minute.
    async with asyncio.timeout(50), admin.transaction():
        await admin.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        outcomes = await hasty.writer.append(batch)
    await admin.close()
    assert [failure(outcome) for outcome in outcomes] == [Failure(DatabaseSlow, "55P03")] * 64
    assert {type(outcome) for outcome in await hasty.writer.append(batch)} == {Appended}
    await hasty.close()


async def test_batches_over_the_same_encounters_never_deadlock(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    stores = [store, *[await EventStore.open(database.app) for _ in range(2)]]
    rows = [await stored_encounter(store, tenant) for _ in range(16)]

    async def play(mine: EventStore, turned: bool) -> set[str]:
        seen = set()
        for _ in range(15):
            heads = [await head_of(mine, row.id) for row in rows]
            batch = [append(head, event(head.head_seq + 1, of=id(mine))) for head in heads]
            outcomes = await mine.writer.append(batch[::-1] if turned else batch)
            seen |= {type(outcome).__name__ for outcome in outcomes}
        return seen

    seen = await asyncio.gather(*(play(mine, n % 2 == 1) for n, mine in enumerate(stores)))
    for other in stores[1:]:
        await other.close()
    assert set().union(*seen) <= {"Appended", "Conflict", "Held"}
    for row in rows:
        log = await log_of(store, row.id)
        assert [found.seq for found in log] == list(range(1, len(log) + 1))
        assert (await head_of(store, row.id)).head_hash == log[-1].hash


async def test_an_empty_batch_asks_nothing(store: EventStore) -> None:
    assert await store.writer.append([]) == ()


async def test_a_batch_that_is_none_is_the_callers_mistake(store: EventStore, tenant: UUID) -> None:
    row = await stored_encounter(store, tenant)
    good = append(row)
    bad: list[list[Append]] = [
        [good, good],
        [append(row, event(3))],
        [append(row, event(2), event(4))],
        [msgspec.structs.replace(good, events=())],
    ]
    for batch in bad:
        with pytest.raises(ValueError, match=r"encounter occurs twice|follow its expected head"):
            await store.writer.append(batch)
    assert len(await log_of(store, row.id)) == 1
