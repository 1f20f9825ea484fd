"""Reading: pages of logs and encounters, and only the parts that were asked for."""

from uuid import UUID, uuid4

import pytest

from service.engine.log.event import SealedPart
from service.eventstore.records import Blob, Cursor, EncounterRow, Secret
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    append,
    event,
    facts_part,
    new_encounter,
    read_parts,
    sha,
    stored_encounter,
    text_part,
)

PARTS = (
    text_part("everyone"),
    text_part("gm"),
    text_part("side:red"),
    facts_part("gm"),
    facts_part("side:red"),
)


@pytest.fixture
async def row(store: EventStore, tenant: UUID) -> EncounterRow:
    """A log of ten events, each with five parts; events 5 and 9 rewind."""
    created = await stored_encounter(store, tenant, parts=PARTS)
    events = [event(seq, *PARTS, base={5: 2, 9: 5}.get(seq)) for seq in range(2, 11)]
    await store.writer.append([append(created, *events)])
    return created


@pytest.mark.parametrize(
    ("after", "until", "limit", "seqs"),
    [
        (0, 10, 100, range(1, 11)),
        (0, 10, 3, range(1, 4)),
        (3, 7, 100, range(4, 8)),
        (3, 7, 2, range(4, 6)),
        (9, 2**31 - 1, 100, range(10, 11)),
        (10, 2**31 - 1, 100, range(0)),
        (7, 7, 100, range(0)),
        (0, 10, 0, range(0)),
    ],
)
async def test_a_page_of_a_log_is_what_its_bounds_say(
    store: EventStore, row: EncounterRow, after: int, until: int, limit: int, seqs: range
) -> None:
    page = await store.log.events(row.id, after=after, until=until, limit=limit)
    assert [found.seq for found in page] == list(seqs)
    assert {found.parts for found in page} <= {()}


@pytest.mark.parametrize(
    ("audiences", "parts"),
    [
        ((), ()),
        (None, PARTS),
        (("everyone",), PARTS[:1]),
        (("everyone", "side:red"), (PARTS[0], PARTS[2], PARTS[4])),
        (("side:blue",), ()),
    ],
)
async def test_only_the_parts_of_the_audiences_asked_for_come_along(
    store: EventStore,
    row: EncounterRow,
    audiences: tuple[str, ...] | None,
    parts: tuple[SealedPart, ...],
) -> None:
    page = await store.log.events(row.id, after=2, limit=3, audiences=audiences)
    assert [found.parts for found in page] == [read_parts(*parts)] * 3


async def test_a_fold_reads_bodies_with_the_parts_that_are_not_erased(
    store: EventStore, row: EncounterRow
) -> None:
    page = await store.log.bodies(row.id, after=3, until=10, limit=3)
    events = await store.log.events(row.id, after=3, limit=3, audiences=None)
    assert [(each.seq, each.base, each.body) for each in page] == [
        (each.seq, each.base, each.body) for each in events
    ]
    parts = [{(p.kind, p.audience): p.body for p in each.parts} for each in events]
    assert [each.parts for each in page] == parts
    assert page[0].size == len(page[0].body) + sum(map(len, page[0].parts.values()))


async def test_single_events_are_read_in_order_as_far_as_there_are_such(
    store: EventStore, row: EncounterRow
) -> None:
    every = await store.log.events(row.id, limit=100, audiences=None)
    asked = (9, 2, 3, 10_000)
    chosen = tuple(each for each in every if each.seq in asked)
    assert await store.log.events_at(row.id, asked) == chosen
    assert await store.log.bodies_at(row.id, asked) == tuple((e.seq, e.body) for e in chosen)
    assert await store.log.events_at(row.id, ()) == ()
    assert await store.log.bodies_at(row.id, ()) == ()


async def test_rewinds_are_the_events_that_continue_another(
    store: EventStore, row: EncounterRow
) -> None:
    assert await store.log.rewinds(row.id) == ((5, 2), (9, 5))


async def test_what_is_not_there_is_none(store: EventStore) -> None:
    nowhere = uuid4()
    assert await store.log.head(nowhere) is None
    assert await store.log.events(nowhere, limit=10, audiences=None) == ()
    assert await store.log.bodies(nowhere, after=0, until=1, limit=10) == ()
    assert await store.log.rewinds(nowhere) == ()
    assert await store.log.command(nowhere, "seat:1", "k") is None
    assert await store.log.created("key:1", str(nowhere)) is None
    assert await store.log.secret(nowhere) is None
    assert await store.log.seats(nowhere) == ()
    assert await store.log.blobs(nowhere) == ()
    assert await store.log.tombstone(nowhere) is None


async def test_a_blob_is_read_only_through_an_encounter_that_uses_it(
    store: EventStore, tenant: UUID
) -> None:
    body = tenant.bytes
    using, other = new_encounter(tenant, blobs=(body, b"more")), new_encounter(tenant)
    await store.writer.create(using)
    await store.writer.create(other)
    blob = Blob(digest=sha(body), body=body)
    assert await store.log.blob(using.id, blob.digest) == blob
    assert await store.log.blob(other.id, blob.digest) is None
    assert await store.log.blob(using.id, sha(b"else")) is None


async def test_pages_of_encounters_show_each_of_the_tenants_once(
    store: EventStore, tenant: UUID
) -> None:
    stranger = await store.access.create_tenant(uuid4(), f"tenant {uuid4()}")
    await stored_encounter(store, stranger.id)
    own = [await stored_encounter(store, tenant) for _ in range(7)]
    seen: list[EncounterRow] = []
    cursor = None
    while page := await store.log.encounters(tenant, after=cursor, limit=3):
        assert len(page) <= 3
        seen += page
        cursor = Cursor(created_at=page[-1].created_at, id=page[-1].id)
    assert seen == sorted(own, key=lambda row: (row.created_at, row.id))


def test_secrets_do_not_show_themselves() -> None:
    secret = Secret(seed=b"seed" * 8, seal_key=b"seal" * 8)
    assert repr((secret, new_encounter(uuid4()))).count("Secret()") == 2
    assert secret.__rich_repr__() == []
