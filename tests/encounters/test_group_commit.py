"""Group commit: many encounters in one statement, several heads in flight, nothing shown early."""

import asyncio
import secrets
from collections.abc import Sequence
from uuid import UUID

import pytest

from service.encounters.group_commit import Committed, Committer
from service.encounters.receipts import is_genuine
from service.engine.log.event import SealedEvent
from service.errors import Refused, Unavailable
from service.eventstore.connection import WriteLane
from service.eventstore.embedded import Dsns
from service.eventstore.records import (
    Append,
    Command,
    Conflict,
    Duplicate,
    Failed,
    Outcome,
)
from service.eventstore.store import EventStore
from tests.encounters.table import SIGNER, Table, beside, end_turn, shoot
from tests.eventstore.relay import Relay


def note(number: int) -> dict[str, object]:
    return {"type": "note", "text": f"note {number}"}


async def test_many_encounters_are_acknowledged_each_with_its_own_head(table: Table) -> None:
    encounters = [await table.started() for _ in range(24)]
    answers = await asyncio.gather(*(table.act(each, shoot("r1", "b1")) for each in encounters))
    public = SIGNER.key.public_key().public_bytes_raw()
    for encounter, acted in zip(encounters, answers, strict=True):
        view = await table.encounters.reads.view(table.who, encounter, None)
        receipt = acted.answer.receipt
        assert (receipt.encounter, receipt.seq, receipt.hash) == (str(encounter), 3, view.hash)
        assert is_genuine(receipt, public)


async def test_actions_on_one_encounter_are_decided_on_heads_in_flight(table: Table) -> None:
    encounter = await table.started()
    answers = await asyncio.gather(*(table.act(encounter, note(each)) for each in range(40)))
    page = await table.encounters.reads.events(table.who, encounter, "2", 100)
    by_seq = {acted.answer.version: acted.answer for acted in answers}
    assert sorted(by_seq) == list(range(3, 43))
    assert [by_seq[record.seq].events[0].hash for record in page.events] == [
        record.hash for record in page.events
    ]
    assert all(answer.receipt.hash == answer.events[-1].hash for answer in by_seq.values())


async def test_a_refusal_on_a_head_in_flight_is_told_after_it_is_durable(table: Table) -> None:
    encounter = await table.started()
    first, second = await asyncio.gather(
        table.act(encounter, end_turn("r1")),
        table.act(encounter, end_turn("r1")),
        return_exceptions=True,
    )
    told = [each for each in (first, second) if isinstance(each, Refused)]
    assert [each.code for each in told] == ["not_your_turn"]
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 3


async def test_heads_in_flight_behind_a_lost_race_are_decided_again(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.state(encounter)
    await table.act(encounter, end_turn("r1"))
    answers = await asyncio.gather(*(other.act(encounter, note(each)) for each in range(12)))
    assert sorted(acted.answer.version for acted in answers) == list(range(4, 16))


async def test_a_used_key_does_not_spoil_what_was_decided_with_it(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.act(encounter, note(0), key="used")
    answers = await asyncio.gather(
        *(table.act(encounter, note(each), key="used" if each == 0 else None) for each in range(6))
    )
    assert [acted.replayed for acted in answers] == [True] + [False] * 5
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 8


def appended(encounter: UUID, seq: int, prev: bytes, *keys: str) -> Append:
    """An append of one event whose content does not matter here."""
    head = (bytes([seq]) * 32).hex()
    event = SealedEvent(seq, seq - 1, head, b"{}", commits=bytes(32), parts=())
    return Append(
        encounter_id=encounter,
        expected_seq=seq - 1,
        expected_hash=prev,
        events=(event,),
        commands=tuple(
            Command(principal="p", key=key, fingerprint=b"", first_seq=seq, last_seq=seq)
            for key in keys
        ),
        status="running",
    )


async def test_appends_that_follow_one_another_go_out_together_or_each_alone(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    head = bytes.fromhex((await table.encounters.reads.view(table.who, encounter, None)).hash)
    committer = Committer(store.writer, SIGNER)
    first, *later = (
        committer.submit(appended(encounter, 3, head, "a")),
        committer.submit(appended(encounter, 4, bytes([3]) * 32, "b")),
        committer.submit(appended(encounter, 5, bytes([4]) * 32, "a")),
        committer.submit(appended(encounter, 5, head, "c")),
    )
    outcomes = [await done for done in (first, *later)]
    assert [type(each) for each in outcomes] == [Committed, Committed, Duplicate, Conflict]


@pytest.mark.parametrize(("used", "statements"), [(None, 1), (0, 2), (2, 4)])
async def test_what_continues_a_head_that_will_never_be_is_not_tried(
    table: Table,
    store: EventStore,
    monkeypatch: pytest.MonkeyPatch,
    used: int | None,
    statements: int,
) -> None:
    encounter = await table.started()
    head = bytes.fromhex((await table.encounters.reads.view(table.who, encounter, None)).hash)
    committer = Committer(store.writer, SIGNER)
    await committer.submit(appended(encounter, 3, head, "used"))
    first = bytes(32) if used is None else bytes([3]) * 32
    batches: list[int] = []
    real = store.writer.append

    async def counted(batch: Sequence[Append], lane: WriteLane) -> tuple[Outcome, ...]:
        batches.append(len(batch))
        return await real(batch, lane)

    monkeypatch.setattr(store.writer, "append", counted)
    chain = [
        committer.submit(
            appended(
                encounter,
                4 + each,
                first if each == 0 else bytes([3 + each]) * 32,
                "used" if each == used else f"k{each}",
            )
        )
        for each in range(20)
    ]
    outcomes = [type(await done) for done in chain]
    stored = used or 0
    seen = [Committed] * stored + ([] if used is None else [Duplicate])
    assert outcomes == seen + [Conflict] * (20 - len(seen))
    assert len(batches) == statements


def told(outcome: Outcome) -> str:
    """An outcome as its caller hears of it."""
    return outcome.error.code if isinstance(outcome, Failed) else type(outcome).__name__


@pytest.mark.parametrize("hears_again", [False, True], ids=["still-deaf", "hears-again"])
@pytest.mark.usefixtures("silence_is_noticed")
async def test_a_joint_commit_that_nobody_heard_of_is_unknown_to_all_in_it(
    table: Table, store: EventStore, database: Dsns, *, hears_again: bool
) -> None:
    encounter = await table.started()
    head = bytes.fromhex((await table.encounters.reads.view(table.who, encounter, None)).hash)
    async with Relay(database.app) as relay:
        deaf = await EventStore.open(relay.dsn, pool_size=1)
        committer = Committer(deaf.writer, SIGNER)
        await committer.submit(appended(encounter, 3, head))
        relay.swallow_answers(once=hears_again)
        following = [
            committer.submit(appended(encounter, seq, bytes([seq - 1]) * 32)) for seq in (4, 5)
        ]
        outcomes = [told(await done) for done in following]
        await deaf.close()
    assert outcomes == ["outcome_unknown", "outcome_unknown"]
    row = await store.log.head(encounter)
    assert row is not None
    assert row.head_seq == 5


async def test_a_batch_that_takes_long_holds_up_its_own_encounters_and_no_others(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = await table.started(), await table.started()
    heads = [
        bytes.fromhex((await table.encounters.reads.view(table.who, each, None)).hash)
        for each in (slow, quick)
    ]
    committer = Committer(store.writer, SIGNER)
    opened = asyncio.Event()
    at_once: list[int] = [0]
    real = store.writer.append

    async def gated(batch: Sequence[Append], lane: WriteLane) -> tuple[Outcome, ...]:
        at_once.append(at_once[-1] + 1)
        if any(each.encounter_id == slow for each in batch):
            await opened.wait()
        outcomes = await real(batch, lane)
        at_once.append(at_once[-1] - 1)
        return outcomes

    monkeypatch.setattr(store.writer, "append", gated)
    first = committer.submit(appended(slow, 3, heads[0]))
    await asyncio.sleep(0)
    behind = committer.submit(appended(slow, 4, bytes([3]) * 32))
    for seq in range(3, 8):
        head = heads[1] if seq == 3 else bytes([seq - 1]) * 32
        assert isinstance(await committer.submit(appended(quick, seq, head)), Committed)
    assert [first.is_settled, behind.is_settled] == [False, False]
    opened.set()
    assert [type(await each) for each in (first, behind)] == [Committed, Committed]
    await committer.settle()
    assert 2 <= max(at_once) <= store.writer.batches_at_once


async def test_many_encounters_at_once_are_each_stored_in_their_order(
    table: Table, store: EventStore
) -> None:
    encounters = [await table.started() for _ in range(5)]
    heads = [
        bytes.fromhex((await table.encounters.reads.view(table.who, each, None)).hash)
        for each in encounters
    ]
    committer = Committer(store.writer, SIGNER)

    async def talk(encounter: UUID, head: bytes) -> list[str]:
        submitted = []
        for seq in range(3, 203):
            before = head if seq == 3 else bytes([seq - 1]) * 32
            submitted.append(committer.submit(appended(encounter, seq, before)))
            if seq % 7 == 0:
                await asyncio.sleep(0)
        return [told(await each) for each in submitted]

    outcomes = await asyncio.gather(*map(talk, encounters, heads))
    assert outcomes == [["Committed"] * 200] * 5
    await committer.settle()
    rows = [await store.log.head(each) for each in encounters]
    assert [row.head_seq for row in rows if row is not None] == [202] * 5


async def test_one_who_waits_may_go_away_without_the_others(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    head = bytes.fromhex((await table.encounters.reads.view(table.who, encounter, None)).hash)
    committer = Committer(store.writer, SIGNER)
    told_first: list[object] = []
    submitted = committer.submit(appended(encounter, 3, head), told_first.append)

    async def waiting() -> tuple[str, int]:
        return told(await submitted), len(told_first)

    gone, *here = [asyncio.create_task(waiting()) for _ in range(3)]
    await asyncio.sleep(0)
    gone.cancel()
    assert await asyncio.gather(*here) == [("Committed", 1)] * 2
    assert (gone.cancelled(), await waiting()) == (True, ("Committed", 1))


async def test_more_than_may_wait_is_refused_at_once(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    head = secrets.token_bytes(32)
    committer = Committer(store.writer, SIGNER, backlog=1)
    waiting = committer.submit(appended(encounter, 3, head))
    with pytest.raises(Unavailable, match="overloaded"):
        await committer.submit(appended(encounter, 3, head))
    assert isinstance(await waiting, Conflict)


async def test_states_on_their_way_do_not_pile_up_while_there_is_always_one(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    battle = table.encounters.writes._cache._battles[encounter]
    begun = asyncio.Event()
    kept: list[int] = []
    real = store.writer.append

    async def slow(batch: Sequence[Append], lane: WriteLane) -> tuple[Outcome, ...]:
        begun.set()
        kept.append(len(battle.tip.rules) if battle.tip else 0)
        await asyncio.sleep(0.002)
        return await real(batch, lane)

    async def talk() -> None:
        for each in range(15):
            await table.act(encounter, note(each))

    monkeypatch.setattr(store.writer, "append", slow)
    early = [asyncio.create_task(talk()) for _ in range(3)]
    await begun.wait()
    # These come while the first are on their way, and so on in turn: it is never quiet.
    await asyncio.gather(*early, *(talk() for _ in range(3)))
    assert max(kept) <= 6 + 1
